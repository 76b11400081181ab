//! What `check` can mend, mended.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::fs;
use std::path::Path;

use antiquary::asset::MemorySink;
use antiquary::{CheckOptions, Inputs, Outcome, Session};

/// The bytes of the first small file whose name ends so.
fn specimen(end: &str) -> Vec<u8> {
    let mut files = MemorySink::new();
    antiquary::sample::specimens(&mut files).unwrap();
    let found = files.into_files().into_iter().find(|(name, _)| name.to_lowercase().ends_with(end));
    found.unwrap_or_else(|| panic!("no specimen is called {end}")).1
}

fn codes(outcome: &Outcome) -> Vec<&'static str> {
    outcome.warnings.iter().map(|warning| warning.code.id).collect()
}

/// The codes that a check of a file finds, and its mended copy.
fn mended(folder: &Path, name: &str, bytes: &[u8]) -> (Vec<&'static str>, Option<Vec<u8>>) {
    let (file, out) = (folder.join(name), folder.join("mended"));
    fs::write(&file, bytes).unwrap();
    let inputs = Inputs::gather(&[file]);
    let session = Session::default();
    let (run, fixes) = session.check_for_fixes(&inputs, &CheckOptions::default()).unwrap();
    let _ = fs::remove_file(&out);
    let mut ok = true;
    session
        .write_fixes(&inputs, &fixes, (&out, 10), &mut |edited| {
            ok &= edited.outcome.ok;
            Ok::<_, ()>(())
        })
        .unwrap();
    assert!(ok, "{name}");
    (codes(&run.outcomes[0]), fs::read(&out).ok())
}

#[test]
fn a_missing_end_tag_is_put_back() {
    let folder = tempfile::tempdir().unwrap();
    for (end, code) in [(".fnt", "FNT-W003"), (".gxa", "GXA-N004")] {
        let whole = specimen(end);
        let cut = whole.strip_suffix(b"END ").unwrap();
        let (found, copy) = mended(folder.path(), &format!("a{end}"), cut);
        assert!(found.contains(&code), "{found:?}");
        assert_eq!(copy.as_deref(), Some(&*whole), "{end}");
        // With bytes where the tag should be, nobody knows what they are.
        let (found, copy) = mended(folder.path(), &format!("b{end}"), &[cut, b"EN"].concat());
        assert_eq!(copy, None, "{end} {found:?}");
    }
}

#[test]
fn a_damaged_file_is_not_made_to_look_whole() {
    let folder = tempfile::tempdir().unwrap();
    let whole = specimen(".fnt");
    let mut cut = whole.strip_suffix(b"END ").unwrap().to_vec();
    // The header says that there is metadata.
    cut[42] = 1;
    let (found, copy) = mended(folder.path(), "a.fnt", &cut);
    assert!(found.contains(&"FNT-W003") && found.contains(&"FNT-E002"), "{found:?}");
    assert_eq!(copy, None);
}

#[test]
fn what_has_nothing_to_mend_is_not_copied() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(mended(folder.path(), "a.gxa", &specimen(".gxa")).1, None);
}
