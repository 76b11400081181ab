//! Applying the fixes that `check` offers.

use std::fs;
use std::path::Path;

use antiquary::asset::MemorySink;
use antiquary::{CheckOptions, Inputs, Outcome, Session};

/// Returns the bytes of the first specimen whose name has this suffix.
fn specimen(end: &str) -> Vec<u8> {
    let mut files = MemorySink::new();
    antiquary::sample::specimens(&mut files).unwrap();
    let found = files.into_files().into_iter().find(|(name, _)| name.to_lowercase().ends_with(end));
    found.unwrap_or_else(|| panic!("no specimen is named {end}")).1
}

fn codes(outcome: &Outcome) -> Vec<&'static str> {
    outcome.warnings.iter().map(|warning| warning.code.id).collect()
}

/// Returns the codes that a check of a file finds, and its fixed copy.
fn fixed(folder: &Path, name: &str, bytes: &[u8]) -> (Vec<&'static str>, Option<Vec<u8>>) {
    let (file, out) = (folder.join(name), folder.join("fixed"));
    fs::write(&file, bytes).unwrap();
    let inputs = Inputs::collect(&[file]);
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
fn restores_a_missing_end_tag() {
    let folder = tempfile::tempdir().unwrap();
    for (end, code) in [(".fnt", "FNT-W003"), (".gxa", "GXA-N004")] {
        let intact = specimen(end);
        let cut = intact.strip_suffix(b"END ").unwrap();
        let (found, copy) = fixed(folder.path(), &format!("a{end}"), cut);
        assert!(found.contains(&code), "{found:?}");
        assert_eq!(copy.as_deref(), Some(&*intact), "{end}");
        // If there are bytes in place of the tag, their meaning is unknown.
        let (found, copy) = fixed(folder.path(), &format!("b{end}"), &[cut, b"EN"].concat());
        assert_eq!(copy, None, "{end} {found:?}");
    }
}

#[test]
fn does_not_make_a_damaged_file_look_intact() {
    let folder = tempfile::tempdir().unwrap();
    let intact = specimen(".fnt");
    let mut cut = intact.strip_suffix(b"END ").unwrap().to_vec();
    // The header specifies that there is metadata.
    cut[42] = 1;
    let (found, copy) = fixed(folder.path(), "a.fnt", &cut);
    assert!(found.contains(&"FNT-W003") && found.contains(&"FNT-E002"), "{found:?}");
    assert_eq!(copy, None);
}

#[test]
fn does_not_copy_a_file_without_fixes() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(fixed(folder.path(), "a.gxa", &specimen(".gxa")).1, None);
}
