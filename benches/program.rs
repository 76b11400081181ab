//! The program on entire folders and single files: duration, peak memory and output size, compared with copying the output.
//!
//! Each command runs three times and the fastest run counts, because other work on the machine can only slow it down. `ANTIQUARY_PROGRAM`
//! is the path of the program; without it, nothing is measured. If redguard-preservation is installed (`cargo install
//! redguard-preservation`), it converts the same files in the same run: one file per command, because it does not accept folders, and without
//! the animations of models, which it does not convert.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use antiquary::Overwrite;
use antiquary::asset::{FolderSink, Guard};
use benches::{Comparison, Measures, copy, retail};
use wait4::Wait4;

/// Number of runs of each command.
const RUNS: usize = 3;

/// Resources used by a run.
#[derive(Clone, Copy)]
struct Usage {
    seconds: f64,
    /// Peak memory, in bytes.
    memory: u64,
}

fn run(program: &OsStr, arguments: &[&OsStr]) -> Option<Usage> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let ended = command.spawn().ok()?.wait4().ok()?;
    // Exit code 1: some files could not be converted, which is expected for the corpus.
    if !matches!(ended.status.code(), Some(0 | 1)) {
        println!("{} ended with {:?}", program.display(), ended.status);
        return None;
    }
    Some(Usage { seconds: start.elapsed().as_secs_f64(), memory: ended.rusage.maxrss })
}

/// The fastest of several runs, each into its own folder. The folders are kept until the end, because creating files is slow right after
/// others were removed.
fn fastest(work: &Path, each: impl Fn(&Path) -> Option<Usage>) -> Option<(Usage, PathBuf)> {
    let mut best: Option<(Usage, PathBuf)> = None;
    for number in 0..RUNS {
        let out = work.join(format!("out{number}"));
        let usage = each(&out)?;
        if best.as_ref().is_none_or(|(best, _)| usage.seconds < best.seconds) {
            best = Some((usage, out));
        }
    }
    best
}

fn bytes_in(path: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(path) else { return fs::metadata(path).map_or(0, |about| about.len()) };
    entries.flatten().map(|entry| bytes_in(&entry.path())).sum()
}

/// Measures a command, compared with copying its output. Returns its duration in seconds.
fn measure(
    program: &OsStr,
    work: &Path,
    name: &str,
    arguments: &[&OsStr],
    measures: &mut Measures,
) -> Option<f64> {
    let work = &work.join(name.replace(|letter: char| !letter.is_alphanumeric(), "-"));
    let ours = |out: &Path| run(program, &[arguments, &[OsStr::new("-o"), out.as_os_str()]].concat());
    let (usage, out) = fastest(&work.join("ours"), ours)?;
    let (copied, _) = fastest(&work.join("copies"), |to| {
        let start = Instant::now();
        if out.is_dir() {
            let _ = copy(&out, to);
        } else {
            fs::create_dir_all(to).and_then(|()| fs::copy(&out, to.join("file"))).ok()?;
        }
        Some(Usage { seconds: start.elapsed().as_secs_f64(), memory: 0 })
    })?;
    let Usage { seconds, memory } = usage;
    let bytes = bytes_in(&out);
    println!("{name}: {seconds:.3} s, {} MB of memory, {} MB written", memory >> 20, bytes >> 20);
    let peer = "copying the output";
    measures.compare(name, &Comparison { seconds, peer, peer_seconds: copied.seconds, memory, bytes });
    Some(seconds)
}

/// The program of redguard-preservation.
const RGPRE: &str = "rgpre";

/// Converts files with redguard-preservation, one after the other, each into its own folder.
fn convert_with_rgpre(game: &Path, files: &[(&str, PathBuf)], out: &Path) -> Option<Usage> {
    let (mut seconds, mut memory) = (0.0, 0);
    for (number, (format, file)) in files.iter().enumerate() {
        let out = out.join(number.to_string());
        fs::create_dir_all(&out).ok()?;
        // Terrains are converted to images unless the output is a GLB file.
        let to = if *format == "wld" { out.join("terrain.glb") } else { out };
        let mut arguments = vec![
            OsStr::new("convert"),
            OsStr::new(format),
            file.as_os_str(),
            OsStr::new("-o"),
            to.as_os_str(),
        ];
        if *format == "wld" {
            arguments.push(OsStr::new("--terrain-only"));
        }
        let palette = game.join("fxart/ISLAND.COL");
        if matches!(*format, "model" | "rgm" | "wld") {
            arguments.extend([OsStr::new("--assets"), game.as_os_str()]);
        }
        if matches!(*format, "model" | "rgm" | "wld" | "texbsi") {
            arguments.extend([OsStr::new("--palette"), palette.as_os_str()]);
        }
        let usage = run(OsStr::new(RGPRE), &arguments)?;
        seconds += usage.seconds;
        memory = usage.memory.max(memory);
    }
    Some(Usage { seconds, memory })
}

/// The files in a folder that redguard-preservation also converts, with its names of their formats.
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

/// Compares the program with redguard-preservation, if it is installed. `arguments` are the inputs and options of the program.
fn compare_with_rgpre(
    program: &OsStr,
    work: &Path,
    name: &str,
    arguments: &[&OsStr],
    game: &Path,
    files: &[(&str, PathBuf)],
    measures: &mut Measures,
) {
    if run(OsStr::new(RGPRE), &[OsStr::new("--version")]).is_none() {
        println!("{name}: skipped because redguard-preservation is not installed");
        return;
    }
    // Other rows with the same name have their own folders, because existing files are not overwritten.
    let work = &work.join("peers").join(name.replace(|letter: char| !letter.is_alphanumeric(), "-"));
    let first = ["convert", "--quiet", "--no-gallery"].map(OsStr::new);
    let ours = |out: &Path| run(program, &[&first, arguments, &[OsStr::new("-o"), out.as_os_str()]].concat());
    let Some((usage, out)) = fastest(&work.join("ours"), ours) else { return };
    let theirs = fastest(&work.join("theirs"), |out| convert_with_rgpre(game, files, out));
    let Some((theirs, _)) = theirs else { return };
    println!("{name}: {:.3} s, redguard-preservation: {:.3} s", usage.seconds, theirs.seconds);
    let Usage { seconds, memory } = usage;
    let (peer, peer_seconds) = ("redguard-preservation", theirs.seconds);
    measures.compare(name, &Comparison { seconds, peer, peer_seconds, memory, bytes: bytes_in(&out) });
}

/// Compares the program with redguard-preservation for single files and for an entire install.
fn compare_all_with_rgpre(program: &OsStr, work: &Path, game: &Path, measures: &mut Measures) {
    let still = work.join("STILL.ROB");
    fs::write(&still, retail::static_models().expect("an archive of models")).expect("the file is written");
    let mut rows = vec![
        ("Redguard, an archive of models", game.to_path_buf(), "model", game.join("fxart/MAP00000.ROB")),
        ("Redguard, models without animation", game.to_path_buf(), "model", still),
        ("Redguard, a terrain", game.to_path_buf(), "wld", game.join("maps/MAP00000.WLD")),
        ("Redguard, a map the size of ISLAND", game.to_path_buf(), "rgm", game.join("maps/MAP00000.RGM")),
    ];
    if let Some(sample) = corpus::folder("redguard") {
        let map = sample.join("maps/ISLAND.RGM");
        rows.push(("Redguard, the map ISLAND of the corpus", sample, "rgm", map));
    }
    for (name, game, format, file) in rows {
        let [to, glb, option] = ["--to", "glb", "--game"].map(OsStr::new);
        let arguments = [file.as_os_str(), to, glb, option, game.as_os_str()];
        let files = [(format, file.clone())];
        compare_with_rgpre(program, work, name, &arguments, &game, &files, measures);
    }
    let (name, files) = ("Redguard, an entire install", files_for_rgpre(game));
    compare_with_rgpre(program, work, name, &[game.as_os_str()], game, &files, measures);
}

fn main() {
    let Some(program) = std::env::var_os("ANTIQUARY_PROGRAM") else {
        println!("program: skipped because ANTIQUARY_PROGRAM is not set");
        return;
    };
    // `cargo bench FILTER` runs all bench programs with the filter. This one cannot be run in part.
    if std::env::args().skip(1).any(|it| !it.starts_with('-') && !"program".contains(&it)) {
        return;
    }
    let work = std::env::temp_dir().join(format!("antiquary-bench-program-{}", std::process::id()));
    let game = work.join("game");
    let mut sink = FolderSink::new(&game, Guard::new(Overwrite::Refuse).into());
    retail::write(&mut sink).expect("the install is written");
    sink.finish().expect("the install is written");
    let (game, map) = (game.as_os_str(), game.join("maps/MAP00000.RGM"));
    let word = OsStr::new;
    let no_gallery = word("--no-gallery");
    let mut rows = vec![
        ("Redguard, an entire install with a gallery", vec![game]),
        ("Redguard, an entire install", vec![game, no_gallery]),
        ("Redguard, a map the size of ISLAND", vec![map.as_os_str(), word("--to"), word("glb")]),
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
    let mut durations = Vec::new();
    for (name, arguments) in rows {
        let arguments = [&[word("convert"), word("--quiet")], &arguments[..]].concat();
        durations.push(measure(&program, &work, name, &arguments, &mut measures));
    }
    if let [Some(with_gallery), Some(without), ..] = durations[..] {
        let name = "Redguard, a gallery, against the conversion without it";
        measures.add(name, with_gallery / without - 1.0, "times its duration");
    }
    compare_all_with_rgpre(&program, &work, game.as_ref(), &mut measures);
    fs::remove_dir_all(&work).expect("the folder can be removed");
    measures.write("program");
}
