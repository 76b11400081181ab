//! Memory use of editing is proportional to the file: setting a field, packing a folder, replacing an entry.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};

use antiquary::asset::MemorySink;
use antiquary::redguard::picture::texbsi::Bank;
use antiquary::scpcb::rmesh::RMesh;
use antiquary::session::{FieldEdit, Input};
use antiquary::{
    ArchiveOptions, DescribeOptions, Inputs, PackOptions, Report, Session, UnpackOptions, redguard, scpcb,
};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Memory in bytes that every command may use, regardless of the file.
const BASE: usize = 4 << 20;

/// Returns the peak memory use of a task, in addition to the memory in use before.
fn peak<T>(task: impl FnOnce() -> T) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let made = task();
    let peak = MEMORY.peak_usage() - before;
    drop(made);
    peak
}

fn sample(write: fn(&mut dyn antiquary::Sink) -> Result<(), antiquary::Error>, ending: &str) -> Vec<u8> {
    let mut files = MemorySink::new();
    write(&mut files).unwrap();
    let file = files.into_files().into_iter().find(|(name, _)| name.ends_with(ending));
    file.unwrap_or_else(|| panic!("the sample has no {ending}")).1
}

/// Returns a room of several megabytes: the sample's room with its surfaces repeated.
fn room() -> Vec<u8> {
    let bytes = sample(scpcb::sample::write, scpcb::sample::ROOM);
    let mut room = RMesh::read(&bytes, &mut Report::new()).unwrap();
    let surfaces = room.surfaces.clone();
    while room.surfaces.len() * bytes.len() / surfaces.len() < 6 << 20 {
        room.surfaces.extend(surfaces.iter().cloned());
    }
    room.write().unwrap()
}

/// Returns a bank of several megabytes: the sample's bank with its images repeated.
fn bank() -> Vec<u8> {
    let bytes = sample(redguard::sample::write, "TEXBSI.302");
    let mut bank = Bank::read(&bytes).unwrap();
    let entries = bank.entries.clone();
    while bank.entries.len() * bytes.len() / entries.len() < 6 << 20 {
        bank.entries.extend(entries.iter().cloned());
    }
    bank.write().unwrap()
}

fn file(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// Checks the memory use of each command. Tests of one program share the counting allocator, so there is a single test.
#[test]
fn editing_uses_at_most_eight_times_the_size_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let session = Session::default().threads(1);
    let (room, bank) = (room(), bank());
    let files = [
        ("large.rmesh", &room, "surfaces[0].texture.name=new.png", None),
        ("TEXBSI.302", &bank, "entries[0].image.sections[1].Header.x_offset=7", Some("0")),
    ];
    let mut wrong = Vec::new();
    for (name, bytes, field, entry) in files {
        let path = file(folder.path(), name, bytes);
        let mut check = |command: &str, took: usize| {
            let allowed = BASE + 8 * bytes.len();
            let times = took as f64 / bytes.len() as f64;
            println!("{command} {name}: {took} bytes, {times:.1} times the file");
            if took > allowed {
                wrong.push(format!("{command} {name}: {took} bytes for a file of {}", bytes.len()));
            }
        };
        let assignments = [FieldEdit::assign(field).unwrap()];
        check("set", peak(|| session.set(&Input::file(&path), &assignments, 10).unwrap()));
        let inputs = Inputs::collect(std::slice::from_ref(&path));
        check("info", peak(|| session.describe(&inputs, &DescribeOptions::default()).unwrap()));
        // Views are built from the entire file, so unpacking has no goal of its own.
        let unpacked = folder.path().join(format!("{name}.unpacked"));
        session.unpack(&path, &unpacked, &UnpackOptions::default()).unwrap();
        let packed = folder.path().join(format!("packed-{name}"));
        check("pack", peak(|| session.pack(&unpacked, &packed, &PackOptions::default()).unwrap()));
        assert!(fs::read(&packed).unwrap() == *bytes, "{name} is unchanged");
        if let Some(entry) = entry {
            let image = folder.path().join("image.bsi");
            let archive = antiquary::open(&path).unwrap();
            let archive = archive.format.archive_of(&*archive.asset).unwrap();
            fs::write(&image, archive.open(0).unwrap().read_all().unwrap()).unwrap();
            let replaced = folder.path().join(format!("replaced-{name}"));
            check(
                "replace",
                peak(|| {
                    session.replace(&path, entry, &image, &replaced, &ArchiveOptions::default()).unwrap()
                }),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
