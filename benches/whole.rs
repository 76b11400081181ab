//! The program itself on whole folders and single files: how long it takes, with how much memory, and how much comes of it; beside copying
//! what came of it.
//!
//! Each command runs three times and the fastest counts: other work on the machine only makes it slower. `ANTIQUARY_PROGRAM` names the
//! program; without it nothing is measured.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use antiquary::Overwrite;
use antiquary::asset::{FolderSink, Guard};
use benches::{Comparison, Measures, copy, retail};
use wait4::Wait4;

/// So often everything is done.
const RUNS: usize = 3;

/// What a run took.
#[derive(Clone, Copy)]
struct Took {
    seconds: f64,
    /// The most memory, in bytes.
    memory: u64,
}

fn run(program: &OsStr, arguments: &[&OsStr]) -> Option<Took> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let ended = command.spawn().ok()?.wait4().ok()?;
    // 1 says that some files could not be converted: there are such in the corpus.
    if !matches!(ended.status.code(), Some(0 | 1)) {
        println!("{} ended with {:?}", program.display(), ended.status);
        return None;
    }
    Some(Took { seconds: start.elapsed().as_secs_f64(), memory: ended.rusage.maxrss })
}

/// The fastest of several runs, each into a folder of its own. All stay until the end: a file system that has just taken files away makes new ones slowly.
fn fastest(work: &Path, each: impl Fn(&Path) -> Option<Took>) -> Option<(Took, PathBuf)> {
    let mut best: Option<(Took, PathBuf)> = None;
    for number in 0..RUNS {
        let out = work.join(format!("out{number}"));
        let took = each(&out)?;
        if best.as_ref().is_none_or(|(best, _)| took.seconds < best.seconds) {
            best = Some((took, out));
        }
    }
    best
}

fn bytes_in(path: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(path) else { return fs::metadata(path).map_or(0, |about| about.len()) };
    entries.flatten().map(|entry| bytes_in(&entry.path())).sum()
}

fn measure(program: &OsStr, work: &Path, name: &str, arguments: &[&OsStr], measures: &mut Measures) {
    let work = &work.join(name.replace(|letter: char| !letter.is_alphanumeric(), "-"));
    let ours = |out: &Path| run(program, &[arguments, &[OsStr::new("-o"), out.as_os_str()]].concat());
    let Some((took, out)) = fastest(&work.join("ours"), ours) else { return };
    let copied = fastest(&work.join("copies"), |to| {
        let start = Instant::now();
        if out.is_dir() {
            let _ = copy(&out, to);
        } else {
            fs::create_dir_all(to).and_then(|()| fs::copy(&out, to.join("file"))).ok()?;
        }
        Some(Took { seconds: start.elapsed().as_secs_f64(), memory: 0 })
    });
    let Some((copied, _)) = copied else { return };
    let Took { seconds, memory } = took;
    let bytes = bytes_in(&out);
    println!("{name}: {seconds:.3} s, {} MB of memory, {} MB written", memory >> 20, bytes >> 20);
    let peer = "copying the output";
    measures.compare(name, &Comparison { seconds, peer, peer_seconds: copied.seconds, memory, bytes });
}

fn main() {
    let Some(program) = std::env::var_os("ANTIQUARY_PROGRAM") else {
        println!("whole: skipped, for ANTIQUARY_PROGRAM names no program");
        return;
    };
    // `cargo bench FILTER` runs all bench programs; this one has no parts to choose from.
    if std::env::args().skip(1).any(|it| !it.starts_with('-') && !"whole".contains(&it)) {
        return;
    }
    let work = std::env::temp_dir().join(format!("antiquary-bench-whole-{}", std::process::id()));
    let game = work.join("game");
    let mut sink = FolderSink::new(&game, Guard::new(Overwrite::Refuse).into());
    retail::write(&mut sink).expect("the install is written");
    sink.finish().expect("the install is written");
    let (game, map) = (game.as_os_str(), game.join("maps/MAP00000.RGM"));
    let word = OsStr::new;
    let no_gallery = word("--no-gallery");
    let mut rows = vec![
        ("Redguard, a whole install with a gallery", vec![game]),
        ("Redguard, a whole install", vec![game, no_gallery]),
        ("Redguard, a map of the size of ISLAND", vec![map.as_os_str(), word("--to"), word("glb")]),
    ];
    let (rooms, models) = (corpus::folder("scpcb"), corpus::folder("rsm"));
    if let Some(rooms) = &rooms {
        let rooms = rooms.as_os_str();
        rows.push(("SCP-CB, rooms and props", vec![rooms, no_gallery]));
        rows.push((
            "SCP-CB, rooms with baked light",
            vec![rooms, no_gallery, word("--lightmaps"), word("bake")],
        ));
    }
    if let Some(models) = &models {
        rows.push(("Ragnarok, models", vec![models.as_os_str(), no_gallery]));
    }
    let mut measures = Measures::new();
    for (name, arguments) in rows {
        let arguments = [&[word("convert"), word("--quiet")], &arguments[..]].concat();
        measure(&program, &work, name, &arguments, &mut measures);
    }
    fs::remove_dir_all(&work).expect("the folder can be removed");
    measures.write("whole");
}
