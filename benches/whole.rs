//! The program itself on whole folders and single files: how long it takes, with how much memory, and how much comes of it; beside copying
//! what came of it, and beside other programs where they are installed.
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

/// A row of the table before it is measured.
struct Row<'a> {
    name: &'a str,
    arguments: &'a [&'a OsStr],
    /// Another program that does about the same, if it is installed: what it is called, and what it is given before the output.
    peer: Option<(&'a str, &'a [&'a OsStr])>,
}

fn run(program: &OsStr, arguments: &[&OsStr]) -> Option<Took> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let ended = command.spawn().ok()?.wait4().ok()?;
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

fn measure(program: &OsStr, work: &Path, row: &Row<'_>, measures: &mut Measures) {
    let work = &work.join(row.name.replace(|letter: char| !letter.is_alphanumeric(), "-"));
    let ours = |out: &Path| run(program, &[row.arguments, &[OsStr::new("-o"), out.as_os_str()]].concat());
    let Some((took, out)) = fastest(&work.join("ours"), ours) else { return };
    let bytes = bytes_in(&out);
    let copied = fastest(&work.join("copies"), |to| {
        let start = Instant::now();
        if out.is_dir() {
            let _ = copy(&out, to);
        } else {
            fs::create_dir_all(to).and_then(|()| fs::copy(&out, to.join("file"))).ok()?;
        }
        Some(Took { seconds: start.elapsed().as_secs_f64(), memory: 0 })
    });
    let mut peers: Vec<(&str, f64)> =
        copied.iter().map(|(took, _)| ("copying the output", took.seconds)).collect();
    if let Some((name, arguments)) = row.peer {
        let theirs = |out: &Path| {
            fs::create_dir_all(out).ok()?;
            run(OsStr::new(name), &[arguments, &[out.as_os_str()]].concat())
        };
        peers.extend(fastest(&work.join("theirs"), theirs).map(|(took, _)| (name, took.seconds)));
    }
    for (peer, seconds) in peers {
        measures.compare(
            row.name,
            &Comparison { seconds: took.seconds, peer, peer_seconds: seconds, memory: took.memory, bytes },
        );
    }
    println!(
        "{}: {:.3} s, {} MB of memory, {} MB written",
        row.name,
        took.seconds,
        took.memory >> 20,
        bytes >> 20
    );
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
    let map = game.join("maps/MAP00000.RGM");
    let word = OsStr::new;
    let mut measures = Measures::new();
    let convert = word("convert");
    let quiet = word("--quiet");
    measure(
        &program,
        &work,
        &Row {
            name: "Redguard, a whole install with a gallery",
            arguments: &[convert, game.as_os_str(), quiet],
            peer: Some(("redguard-preservation", &[word("convert"), game.as_os_str(), word("--output")])),
        },
        &mut measures,
    );
    let no_gallery = word("--no-gallery");
    let rows = [("Redguard, a whole install", &[convert, game.as_os_str(), quiet, no_gallery][..])];
    for (name, arguments) in rows {
        measure(&program, &work, &Row { name, arguments, peer: None }, &mut measures);
    }
    let arguments = &[convert, map.as_os_str(), quiet, word("--to"), word("glb")];
    measure(
        &program,
        &work,
        &Row { name: "Redguard, a map of the size of ISLAND", arguments, peer: None },
        &mut measures,
    );
    if let Some(rooms) = corpus::folder("scpcb") {
        let rooms = rooms.as_os_str();
        let plain = &[convert, rooms, quiet, no_gallery][..];
        let baked = &[convert, rooms, quiet, no_gallery, word("--lightmaps"), word("bake")][..];
        for (name, arguments) in
            [("SCP-CB, rooms and props", plain), ("SCP-CB, rooms with baked light", baked)]
        {
            measure(&program, &work, &Row { name, arguments, peer: None }, &mut measures);
        }
    }
    if let Some(models) = corpus::folder("rsm") {
        let arguments = &[convert, models.as_os_str(), quiet, no_gallery];
        let peer = Some(("rag2gltf", &[models.as_os_str()][..]));
        measure(&program, &work, &Row { name: "Ragnarok, models", arguments, peer }, &mut measures);
    }
    fs::remove_dir_all(&work).expect("the folder can be removed");
    measures.write("whole");
}
