//! Archives of the corpus: entries and contents match the expectations, damage is refused as listed in the manifest, and memory is bounded.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use antiquary_ragnarok::grf::{Cipher, Grf, Kind};
use asset::archive::{Archive, Content};
use asset::game::Root;
use asset::{Asset, Context, Detail, Error, Install, Lookup, Options, PathError, Report, Severity, Source};
use files::install::Match;
use json::Value;
use peak_alloc::PeakAlloc;
use sha2::{Digest, Sha256};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Memory is measured for the entire process, so these tests run one after the other.
fn lock() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn json(path: &Path) -> Value {
    json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn read(path: &Path) -> (Result<Grf, Error>, Report) {
    let mut report = Report::new();
    let grf = Source::open(path).and_then(|source| Grf::read(&source, &mut report));
    (grf, report)
}

fn check(grf: &Grf) -> Report {
    let (install, options, mut report) = (Install::empty(), Options::default(), Report::new());
    grf.check(&Context { install: &install, location: None, options: &options }, &mut report);
    report
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::File | Kind::GravityCipher | Kind::PasswordCipher => "file",
        Kind::Stored => "raw",
        Kind::Folder => "directory",
        Kind::Removed => "removed",
    }
}

fn cipher(cipher: Cipher) -> &'static str {
    match cipher {
        Cipher::None => "none",
        Cipher::Header => "header",
        Cipher::Mixed => "mixed",
    }
}

#[test]
fn every_archive_has_the_expected_entries() {
    let _turn = lock();
    let Some(folder) = corpus::folder("grf") else { return };
    let index = json(&folder.join("index.json"));
    let (mut archives, mut entries, mut readable) = (0, 0, 0);
    for row in index["archives"].as_array().unwrap() {
        let file = row["file"].as_str().unwrap();
        let expected = json(&folder.join(row["expected"].as_str().unwrap()));
        let (grf, report) = read(&folder.join(file));
        let grf = grf.unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(report.count(Severity::Error), 0, "{file}: {report:?}");
        assert_eq!(grf.version().to_string(), expected["version"], "{file}");
        assert_eq!(grf.table().offset, expected["table_offset"].as_u64().unwrap() + 46, "{file}");
        assert_eq!(grf.header().count(), expected["count"].as_i64().unwrap(), "{file}");
        let rows = expected["entries"].as_array().unwrap();
        assert_eq!(grf.typed_entries().len(), rows.len(), "{file}");
        for (index, (entry, row)) in grf.typed_entries().iter().zip(rows).enumerate() {
            let what = format!("{file}, entry {index} ({})", entry.text());
            assert_eq!(hex(&entry.name), row["name_hex"], "{what}");
            assert_eq!(entry.text(), row["name"], "{what}");
            let numbers =
                ["flags", "packed", "aligned", "size", "offset"].map(|name| row[name].as_i64().unwrap());
            let found = [
                entry.flags.into(),
                entry.packed.into(),
                entry.aligned.into(),
                entry.size.into(),
                entry.offset,
            ];
            assert_eq!(found, numbers, "{what}");
            assert_eq!(kind(entry.kind), row["kind"], "{what}");
            assert_eq!(cipher(entry.cipher), row["cipher"], "{what}");
            let listed = grf.entry(index).unwrap();
            match row["sha256"].as_str() {
                Some(sha256) => {
                    let bytes = grf.bytes(index).unwrap_or_else(|error| panic!("{what}: {error}"));
                    assert_eq!(digest(&bytes), sha256, "{what}");
                    assert_eq!(
                        (listed.content, listed.length),
                        (Content::File, bytes.len() as u64),
                        "{what}"
                    );
                    grf.verify(index).unwrap();
                    readable += 1;
                }
                None => {
                    assert_ne!(listed.content, Content::File, "{what}");
                    let error = grf.bytes(index).unwrap_err();
                    assert!(error.to_string().starts_with(&format!("entries[{index}]: ")), "{error}");
                }
            }
            let is_safe = asset::GamePath::parse(&entry.text()).is_ok();
            assert_eq!(is_safe, row["safe"] == true, "{what}");
            entries += 1;
        }
        assert_eq!(check(&grf).count(Severity::Error), 0, "{file}: {:?}", check(&grf));
        archives += 1;
    }
    assert!(archives >= 13 && entries >= 150 && readable >= 130, "{archives} {entries} {readable}");
}

#[test]
fn reports_the_defects_of_the_odd_archive() {
    let _turn = lock();
    let Some(folder) = corpus::folder("grf") else { return };
    let (grf, report) = read(&folder.join("odd.grf"));
    let grf = grf.unwrap();
    let codes = |report: &Report| {
        let mut codes: Vec<_> =
            report.iter().map(|warning| (warning.code.id, warning.path.clone())).collect();
        codes.sort();
        codes.into_iter().map(|(code, path)| format!("{code} {path}")).collect::<Vec<_>>()
    };
    assert_eq!(codes(&report), ["GRF-W003 entries[19]", "GRF-W003 entries[20]", "GRF-W003 entries[21]"]);
    assert_eq!(
        codes(&check(&grf)),
        [
            "GRF-N008 entries[14]",
            "GRF-N010 entries[28]",
            "GRF-N011 entries[25]",
            "GRF-W005 entries[10]",
            "GRF-W005 entries[11]",
            "GRF-W005 entries[12]",
            "GRF-W005 entries[9]",
            "GRF-W006 entries[6]",
            "GRF-W007 entries[18]",
        ]
    );
}

/// Opens and checks an archive. Returns the archive with its unreadable entries, and the peak memory usage in bytes.
fn opened(path: &Path) -> (Result<(Grf, Vec<usize>), Error>, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = read(path).0.map(|grf| {
        let unreadable = (0..grf.count()).filter(|index| grf.bytes(*index).is_err()).collect();
        check(&grf);
        (grf, unreadable)
    });
    (result, MEMORY.peak_usage().saturating_sub(before))
}

#[test]
fn refuses_damage_as_listed_in_the_manifest() {
    let _turn = lock();
    let Some(folder) = corpus::folder("grf") else { return };
    let manifest = json(&folder.join("broken/manifest.json"));
    let rows = manifest.as_object().unwrap().values().find_map(Value::as_array).unwrap();
    assert!(rows.len() >= 70);
    for row in rows {
        let file = row["file"].as_str().unwrap();
        let path = folder.join("broken").join(file);
        let length = path.metadata().unwrap().len();
        let (result, peak) = opened(&path);
        let allowed = (8 << 20) + 8 * usize::try_from(length).unwrap();
        assert!(peak <= allowed, "{file}: {peak} bytes of memory");
        if let Err(error) = &result {
            assert!(error.offset().is_some_and(|offset| offset <= length), "{file}: {error}");
        }
        let entry = row["entry"].as_u64().map(|entry| usize::try_from(entry).unwrap());
        match (row["expect"].as_str().unwrap(), result) {
            ("error", Ok(_)) => panic!("{file} was opened"),
            ("error" | "error-or-partial", Err(_)) => {}
            ("partial", Ok((grf, unreadable))) => {
                assert_eq!(unreadable, [entry.unwrap()], "{file}");
                let error = grf.bytes(entry.unwrap()).unwrap_err();
                assert!(error.offset().is_some_and(|offset| offset <= length), "{file}: {error}");
                assert_eq!(check(&grf).count(Severity::Error), 1, "{file}");
            }
            ("error-or-partial", Ok((_, unreadable))) => {
                let wanted: Vec<_> =
                    row["reference"]["unreadable"].as_object().map_or_else(Vec::new, |unreadable| {
                        unreadable.keys().map(|index| index.parse::<usize>().unwrap()).collect()
                    });
                assert!(row["reference"]["opens"] == false || unreadable == wanted, "{file}: {unreadable:?}");
            }
            ("bomb", Ok((_, unreadable))) => {
                let wanted: Vec<_> = row["entries"].as_array().unwrap().iter().map(Value::as_u64).collect();
                assert_eq!(
                    unreadable.iter().map(|at| Some(*at as u64)).collect::<Vec<_>>(),
                    wanted,
                    "{file}"
                );
            }
            ("bomb", Err(_)) => assert!(entry.is_none(), "{file}"),
            (expect, result) => panic!("{file}: {expect}, but {:?}", result.map(|_| "opened")),
        }
    }
}

fn intact_archives() -> Option<Vec<PathBuf>> {
    let folder = corpus::folder("grf")?;
    let files = corpus::files(&folder, "grf", 13);
    Some(files.into_iter().filter(|path| !path.to_string_lossy().contains("broken")).collect())
}

#[test]
fn spans_cover_most_bytes() {
    let _turn = lock();
    for path in intact_archives().unwrap_or_default() {
        let (grf, source) = (read(&path).0.unwrap(), Source::open(&path).unwrap());
        let (mut covered, mut last) = (0, String::new());
        antiquary_ragnarok::grf::FORMAT
            .trace(&grf, &source, &mut |span: asset::Span<'_>| {
                assert!(span.start <= span.end && span.end <= source.len(), "{path:?}: {span:?}");
                covered += span.end - span.start;
                last = span.path.to_owned();
                asset::Visit::Continue
            })
            .unwrap();
        assert!(covered * 10 > source.len() * 9, "{path:?}: {covered} of {}", source.len());
        if (0..grf.count()).filter_map(|index| grf.entry(index)).any(|entry| entry.stored > 0) {
            assert!(last.ends_with(".data"), "{last}");
        }
    }
}

#[test]
fn truncated_archives_are_refused_with_an_offset_or_read_partially() {
    let _turn = lock();
    let mut cuts = 0;
    for path in intact_archives().unwrap_or_default() {
        let intact = std::fs::read(&path).unwrap();
        for length in corpus::cuts(intact.len(), &[30, 34, 38, 42, 46].into()) {
            let mut report = Report::new();
            let source = Source::from(intact[..length].to_vec());
            cuts += 1;
            match Grf::read(&source, &mut report) {
                Err(error) => {
                    assert!(error.offset().is_some_and(|offset| offset <= length as u64), "{error}");
                }
                // Only uncompressed tables can be read partially.
                Ok(grf) => {
                    assert!(report.count(Severity::Error) > 0 || grf.count() == 0, "{path:?} {length}");
                }
            }
        }
    }
    assert!(cuts == 0 || cuts > 1000, "{cuts}");
}

#[test]
fn invalid_numbers_do_not_allocate_memory() {
    let _turn = lock();
    let before = MEMORY.current_usage();
    let mut count = 0;
    for path in intact_archives().unwrap_or_default() {
        let intact = std::fs::read(&path).unwrap();
        if intact.len() > 100_000 {
            continue;
        }
        let table = usize::try_from(read(&path).0.unwrap().table().offset).unwrap();
        let offsets = (30..46).step_by(4).chain((table..intact.len().min(table + 64)).step_by(2));
        for at in offsets.filter(|at| at + 4 <= intact.len()) {
            for invalid in [0, 1, 7, 0x7fff_ffff, 0x8000_0000, u32::MAX, intact.len() as u32] {
                let mut bytes = intact.clone();
                bytes[at..at + 4].copy_from_slice(&invalid.to_le_bytes());
                MEMORY.reset_peak_usage();
                if let Ok(grf) = Grf::read(&Source::from(bytes), &mut Report::new()) {
                    check(&grf);
                }
                let peak = MEMORY.peak_usage().saturating_sub(before);
                assert!(
                    peak < (8 << 20) + 16 * intact.len(),
                    "{path:?}: {invalid:#x} at {at:#x} takes {peak}"
                );
                count += 1;
            }
        }
    }
    assert!(count == 0 || count > 1000, "{count}");
}

static GAMES: &[&asset::GameInfo] = &[&antiquary_ragnarok::GAME];

fn install(paths: &[&Path]) -> Install {
    let roots: Vec<_> = paths.iter().map(|path| Root::at(path, GAMES).unwrap()).collect();
    asset::game::install_of(&roots).unwrap()
}

fn read_file(install: &Install, path: &str) -> Vec<u8> {
    let found = install.find(path).found().unwrap_or_else(|| panic!("{path} was not found"));
    install.open(&found.location).unwrap().read_all().unwrap().into_owned()
}

#[test]
fn archives_of_an_install_are_in_the_order_of_its_list() {
    let _turn = lock();
    let Some(folder) = corpus::folder("grf") else { return };
    let expected = json(&folder.join("expected/install.json"));
    let install = install(&[&folder.join("install")]);
    assert_eq!(install.game(), Some("ragnarok"));
    let mut found = 0;
    for (path, row) in expected["lookup"].as_object().unwrap() {
        let disputed = expected["disputed"].as_array().unwrap().iter().any(|other| other == path);
        for spelled in [path.clone(), path.to_uppercase(), path.replace('\\', "/")] {
            let bytes = read_file(&install, &spelled);
            assert!(disputed || digest(&bytes) == row["sha256"], "{spelled}");
            found += 1;
        }
    }
    assert!(found >= 40, "{found}");
    let failures: Vec<_> = install.failures().iter().map(ToString::to_string).collect();
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert!(failures[0].contains("missing.grf"), "{failures:?}");
}

#[test]
fn unpacked_files_take_precedence_and_archives_can_be_opened_as_games() {
    let _turn = lock();
    let temp = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = temp.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let base = [("data/a.txt", "base a"), ("data\\B.txt", "base b"), ("data/유저/c.txt", "base c")];
    put("game/DATA.grf", &antiquary_ragnarok::grf::write(&base).unwrap());
    put("game/data/A.TXT", b"unpacked a");
    put("patch.grf", &antiquary_ragnarok::grf::write(&[("data/b.TXT", "patched b")]).unwrap());
    put("broken.grf", b"Master of Magic\0");
    put("none.txt", b"nothing");

    let game = install(&[&temp.path().join("game")]);
    assert_eq!(read_file(&game, "data\\a.txt"), b"unpacked a");
    assert!(game.failures().is_empty());
    assert_eq!(read_file(&game, "DATA\\b.TXT"), b"base b");
    assert_eq!(read_file(&game, "data/유저/C.txt"), b"base c");
    assert_eq!(game.find("data\\..\\..\\x"), Lookup::Rejected(PathError::ParentDir));
    let names: Vec<_> = game.folder("data").files().iter().map(|file| file.path().to_string()).collect();
    assert_eq!(names, ["data/A.TXT", "data/B.txt"]);

    let location = game.location_in(&temp.path().join("game/DATA.grf"), "data\\a.txt").unwrap();
    assert_eq!(game.open(&location).unwrap().read_all().unwrap(), &b"base a"[..]);
    let sibling = game.folder_of(&location).find("a.txt").found().unwrap();
    assert_eq!((game.open(&sibling.location).unwrap().len(), sibling.matched), (6, Match::Exact));
    assert_eq!(game.location_in(&temp.path().join("patch.grf"), "data\\b.txt"), None);

    let patched = install(&[&temp.path().join("patch.grf"), &temp.path().join("game")]);
    assert_eq!(read_file(&patched, "data/b.txt"), b"patched b");
    assert_eq!(read_file(&patched, "data/a.txt"), b"unpacked a");

    let broken = install(&[&temp.path().join("broken.grf")]);
    assert_eq!(broken.find("data/a.txt"), Lookup::Missing);
    assert!(
        broken.failures()[0].to_string().contains("broken.grf: header.mark: "),
        "{:?}",
        broken.failures()
    );
    let error = Root::at(&temp.path().join("none.txt"), GAMES).unwrap_err();
    assert!(error.to_string().ends_with("none.txt: is neither a folder nor an archive of a known game"));
}

/// Creates a sparse archive of three gigabytes with two files at its end. Returns the offset of the first one.
fn large(path: &Path) -> u64 {
    use std::io::{Seek, SeekFrom, Write};
    let small =
        antiquary_ragnarok::grf::write(&[("data/a.txt", vec![b'a'; 100_000]), ("data/b.txt", b"b".to_vec())])
            .unwrap();
    let far = 3_u32 << 30;
    let (mut header, rest) = (small[..46].to_vec(), &small[46..]);
    let table = u32::from_le_bytes(header[30..34].try_into().unwrap());
    header[30..34].copy_from_slice(&(table + far).to_le_bytes());
    let mut file = std::fs::File::create(path).unwrap();
    file.write_all(&header).unwrap();
    // The entries refer to the hole, so their files are invalid, but they are not read when the archive is opened.
    file.seek(SeekFrom::Start(46 + u64::from(far))).unwrap();
    file.write_all(rest).unwrap();
    46 + u64::from(far)
}

#[test]
fn large_archives_are_not_loaded_into_memory() {
    let _turn = lock();
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("large.grf");
    let data = large(&path);
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let grf = read(&path).0.unwrap();
    assert_eq!(grf.count(), 2);
    assert_eq!((grf.table().offset > data, grf.describe(Detail::Full).counts.get("files")), (true, 2));
    // The offsets in the table are those of the small archive. Here, they are in the hole.
    let error = grf.bytes(1).unwrap_err();
    assert!(error.to_string().contains("unsupported compression"), "{error}");
    let report = check(&grf);
    assert_eq!(report.count(Severity::Error), 2, "{report:?}");
    let install = install(&[&path]);
    assert!(install.find("data/A.txt").found().is_some());
    let peak = MEMORY.peak_usage().saturating_sub(before);
    assert!(peak < 1 << 20, "{peak} bytes of memory");
}

#[test]
fn deep_names_do_not_exhaust_memory() {
    let _turn = lock();
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("deep.grf");
    // Fifteen separate folders for each file.
    let name = |index: usize| format!("{index:05}/") + &"abcdefg/".repeat(14) + "x.rsm";
    let files: Vec<_> = (0..20_000).map(|index| (name(index), b"x")).collect();
    std::fs::write(&path, antiquary_ragnarok::grf::write(&files).unwrap()).unwrap();
    drop(files);
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let install = install(&[&path]);
    assert!(install.find(&name(0).to_uppercase()).found().is_some());
    assert_eq!(install.find(&name(19_999)), Lookup::Missing);
    assert!(install.failures()[0].message().contains("more than 65536 folders"), "{:?}", install.failures());
    let peak = MEMORY.peak_usage().saturating_sub(before);
    assert!(peak < 40 << 20, "{peak} bytes of memory");
}
