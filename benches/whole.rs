//! The program itself on whole folders and single files: how long it takes, with how much memory, and how much comes of it; beside copying
//! what came of it.
//!
//! Each command runs three times and the fastest counts: other work on the machine only makes it slower. `ANTIQUARY_PROGRAM` names the
//! program; without it nothing is measured. Where redguard-preservation is installed (`cargo install redguard-preservation`), it converts the same
//! files in the same run: a file for each run of it, as it takes no folders, and without the animations of models, which it leaves out.

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

/// The program of redguard-preservation.
const RGPRE: &str = "rgpre";

/// Converts files with redguard-preservation, one after another, each into a folder of its own.
fn convert_with_rgpre(game: &Path, files: &[(&str, PathBuf)], out: &Path) -> Option<Took> {
    let (mut seconds, mut memory) = (0.0, 0);
    for (number, (format, file)) in files.iter().enumerate() {
        let out = out.join(number.to_string());
        fs::create_dir_all(&out).ok()?;
        let mut arguments = vec![
            OsStr::new("convert"),
            OsStr::new(format),
            file.as_os_str(),
            OsStr::new("-o"),
            out.as_os_str(),
        ];
        let palette = game.join("fxart/ISLAND.COL");
        if matches!(*format, "model" | "rgm" | "wld") {
            arguments.extend([OsStr::new("--assets"), game.as_os_str()]);
        }
        if matches!(*format, "model" | "rgm" | "wld" | "texbsi") {
            arguments.extend([OsStr::new("--palette"), palette.as_os_str()]);
        }
        let took = run(OsStr::new(RGPRE), &arguments)?;
        seconds += took.seconds;
        memory = took.memory.max(memory);
    }
    Some(Took { seconds, memory })
}

/// The files in a folder that redguard-preservation converts, too, with its names of their formats.
fn files_for_rgpre(folder: &Path) -> Vec<(&'static str, PathBuf)> {
    let format = |path: &Path| {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        Some(match extension.as_str() {
            "3d" | "3dc" | "rob" => "model",
            "rgm" => "rgm",
            "wld" => "wld",
            "gxa" => "gxa",
            "fnt" => "fnt",
            "col" => "col",
            "rtx" => "rtx",
            "sfx" => "sfx",
            "pvo" => "pvo",
            bank if bank.len() == 3 && bank.bytes().all(|byte| byte.is_ascii_digit()) => "texbsi",
            _ => return None,
        })
    };
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files.extend(files_for_rgpre(&path));
        } else if let Some(format) = format(&path) {
            files.push((format, path));
        }
    }
    files.sort();
    files
}

/// Measures the program beside redguard-preservation, where that is installed. `arguments` say which files the program converts, and how.
fn measure_beside_rgpre(
    program: &OsStr,
    work: &Path,
    name: &str,
    arguments: &[&OsStr],
    game: &Path,
    files: &[(&str, PathBuf)],
    measures: &mut Measures,
) {
    if run(OsStr::new(RGPRE), &[OsStr::new("--version")]).is_none() {
        println!("{name}: skipped, for redguard-preservation is not installed");
        return;
    }
    let work = &work.join(name.replace(|letter: char| !letter.is_alphanumeric(), "-"));
    let first = ["convert", "--quiet", "--no-gallery"].map(OsStr::new);
    let ours = |out: &Path| run(program, &[&first, arguments, &[OsStr::new("-o"), out.as_os_str()]].concat());
    let Some((took, out)) = fastest(&work.join("ours"), ours) else { return };
    let theirs = fastest(&work.join("theirs"), |out| convert_with_rgpre(game, files, out));
    let Some((theirs, _)) = theirs else { return };
    println!("{name}: {:.3} s beside {:.3} s", took.seconds, theirs.seconds);
    let Took { seconds, memory } = took;
    let (peer, peer_seconds) = ("redguard-preservation", theirs.seconds);
    measures.compare(name, &Comparison { seconds, peer, peer_seconds, memory, bytes: bytes_in(&out) });
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
        rows.push(("SCP-CB, rooms and props", vec![rooms, no_gallery, word("--lightmaps"), word("layers")]));
        rows.push(("SCP-CB, rooms with baked light", vec![rooms, no_gallery]));
    }
    if let Some(models) = &models {
        rows.push(("Ragnarok, models", vec![models.as_os_str(), no_gallery]));
    }
    let mut measures = Measures::new();
    for (name, arguments) in rows {
        let arguments = [&[word("convert"), word("--quiet")], &arguments[..]].concat();
        measure(&program, &work, name, &arguments, &mut measures);
    }
    let archive = Path::new(game).join("fxart/MAP00000.ROB");
    let one = [archive.as_os_str(), word("--to"), word("glb")];
    for (name, arguments, files) in [
        ("Redguard, an archive of models", &one[..], vec![("model", archive.clone())]),
        ("Redguard, a whole install", &[game], files_for_rgpre(game.as_ref())),
    ] {
        measure_beside_rgpre(&program, &work, name, arguments, game.as_ref(), &files, &mut measures);
    }
    fs::remove_dir_all(&work).expect("the folder can be removed");
    measures.write("whole");
}
