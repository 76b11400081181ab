//! `cargo xtask fuzz`: bytes that nobody thought of, given to every reader.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::command::{cargo, run};
use crate::step::{Steps, passed, passed_with, skipped};
use crate::{Chore, Result, catalog, corpus, docs, place, tool};

pub(crate) static CHORE: Chore = Chore {
    name: "fuzz",
    arguments: "[SECONDS] [TARGET]... [FORMAT]...",
    about: "fuzzes each target in fuzz/ for SECONDS (60), or those that are named; with formats named, each target tries each of\n\
            them on its own. Begins with small files of every format and version, and those of the corpus; needs a nightly toolchain",
    run: chore,
};

/// A way to fuzz.
struct Target {
    /// The program in `fuzz/fuzz_targets`.
    name: &'static str,
    /// What it begins with besides its own seeds.
    more: More,
    /// Dictionaries besides those of the formats.
    words: &'static [&'static str],
    /// Longer inputs are not tried: they are slower and rarely teach more.
    longest: u64,
    /// No single allocation may be larger, in megabytes.
    largest_allocation: u32,
}

/// Files of the corpus.
enum More {
    /// Files of the formats that the program knows.
    Formats,
    /// Pictures.
    Pictures,
    /// None.
    Nothing,
}

// Reading takes 64 MB and eight times the file at most.
static TARGETS: [Target; 11] = [
    Target { name: "any", more: More::Formats, words: &[], longest: 32 << 10, largest_allocation: 65 },
    Target { name: "roundtrip", more: More::Formats, words: &[], longest: 32 << 10, largest_allocation: 65 },
    Target {
        name: "edit",
        more: More::Formats,
        words: &["parts"],
        longest: 16 << 10,
        largest_allocation: 65,
    },
    Target {
        name: "explorer",
        more: More::Nothing,
        words: &["parts"],
        longest: 32 << 10,
        largest_allocation: 256,
    },
    Target {
        name: "folder",
        more: More::Nothing,
        words: &["parts", "folder", "image", "wav", "gltf"],
        longest: 64 << 10,
        largest_allocation: 256,
    },
    Target {
        name: "replace",
        more: More::Nothing,
        words: &["parts", "image", "wav"],
        longest: 32 << 10,
        largest_allocation: 256,
    },
    Target {
        name: "gltf",
        more: More::Nothing,
        words: &["parts", "gltf", "image"],
        longest: 32 << 10,
        largest_allocation: 256,
    },
    Target {
        name: "import",
        more: More::Nothing,
        words: &["parts", "gltf", "image"],
        longest: 32 << 10,
        largest_allocation: 256,
    },
    Target {
        name: "image",
        more: More::Pictures,
        words: &["image"],
        longest: 8 << 10,
        largest_allocation: 256,
    },
    Target {
        name: "script",
        more: More::Nothing,
        words: &["script"],
        longest: 4 << 10,
        largest_allocation: 65,
    },
    Target {
        name: "machine",
        more: More::Nothing,
        words: &["machine"],
        longest: 4 << 10,
        largest_allocation: 65,
    },
];

/// An environment variable of the targets: when it has the id of a format, only that format is tried.
const ONLY: &str = "ANTIQUARY_FUZZ_FORMAT";

/// The extensions of pictures in the corpus.
const PICTURES: &[&str] = &["png", "jpg", "bmp", "tga", "sc"];

/// How many files of each kind a target begins with.
const MOST_SEEDS: usize = 12;

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let (seconds, named) = match arguments.split_first() {
        Some((first, named)) if first.parse::<u64>().is_ok() => (first.parse()?, named),
        _ => (60, arguments),
    };
    let (targets, formats): (Vec<_>, Vec<_>) =
        named.iter().partition(|name| TARGETS.iter().any(|target| target.name == **name));
    if let Some(unknown) = formats.iter().find(|format| !dictionary(format).is_file()) {
        return Err(format!("{unknown} is neither a target nor a format").into());
    }
    let mut steps = Steps::new();
    if steps.run("build", || docs::build_program().and_then(|()| passed())) {
        let is_wanted =
            |target: &&Target| targets.is_empty() || targets.iter().any(|name| **name == target.name);
        fuzz_each(&mut steps, seconds, &TARGETS.iter().filter(is_wanted).collect::<Vec<_>>(), &formats);
    }
    Ok(steps.finish())
}

/// Fuzzes each target for some seconds. The program must have been built.
pub(crate) fn fuzz(steps: &mut Steps, seconds: u64) {
    fuzz_each(steps, seconds, &TARGETS.iter().collect::<Vec<_>>(), &[]);
}

fn fuzz_each(steps: &mut Steps, seconds: u64, targets: &[&Target], formats: &[&String]) {
    let Some(nightly) = tool::nightly() else {
        let why = "there is no nightly toolchain, so nothing was fuzzed: rustup toolchain install nightly";
        steps.run("fuzz", || skipped(why));
        return;
    };
    let is_ready = steps.run("fuzz build", || {
        run(cargo_fuzz("build", &nightly)?
            .arg("--fuzz-dir")
            .arg(fuzz_folder())
            .arg("--target-dir")
            .arg(built()))?;
        passed()
    });
    for target in targets.iter().filter(|_| is_ready) {
        let each: Vec<Option<&str>> = match formats {
            [] => vec![None],
            formats => formats.iter().map(|format| Some(format.as_str())).collect(),
        };
        for format in each {
            let name = format!("fuzz {} {}", target.name, format.unwrap_or_default());
            steps.run(name.trim_end(), || {
                let seeds = place::target().join("fuzz/seeds").join(target.name);
                let count = gather_seeds(target, format, &seeds)?;
                fuzz_target(target, format, &nightly, &seeds, seconds)?;
                passed_with(format!("no finding in {seconds} s, beginning with {count} files"))
            });
        }
    }
}

/// Puts what a target begins with into a folder of its own: its seeds, and of the corpus the smallest files of each kind.
fn gather_seeds(target: &Target, format: Option<&str>, seeds: &Path) -> Result<usize> {
    place::empty_folder(seeds)?;
    let command = &mut cargo("run --release --quiet --package antiquary-fuzz-bodies --");
    if let Some(format) = format {
        command.env(ONLY, format);
    }
    run(command.arg(target.name).arg(seeds))?;
    let corpus: Vec<_> = corpus::find()?.into_iter().collect();
    let mut files = match target.more {
        More::Formats if !corpus.is_empty() => catalog::recognised(&corpus)?,
        More::Pictures => pictures(&corpus)?,
        More::Formats | More::Nothing => Vec::new(),
    };
    files.retain(|(kind, path)| {
        format.is_none_or(|format| format == kind) && (1..=target.longest).contains(&length(path))
    });
    files.sort_by_key(|(_, path)| length(path));
    let mut taken = BTreeMap::<String, usize>::new();
    for (kind, path) in files {
        let number = taken.entry(kind.clone()).or_default();
        if *number < MOST_SEEDS {
            *number += 1;
            fs::copy(&path, seeds.join(format!("{kind}-{number}")))?;
        }
    }
    Ok(files_in(seeds).len())
}

/// Pictures with their extensions.
fn pictures(folders: &[PathBuf]) -> Result<Vec<(String, PathBuf)>> {
    let mut out = Vec::new();
    for folder in folders {
        let found =
            place::files_recursive(folder, |path| PICTURES.contains(&place::extension(path).as_str()))?;
        out.extend(found.into_iter().map(|path| (place::extension(&path), path)));
    }
    Ok(out)
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |about| about.len())
}

fn fuzz_folder() -> PathBuf {
    place::root().join("fuzz")
}

fn built() -> PathBuf {
    place::target().join("fuzz/build")
}

/// A command of cargo-fuzz.
fn cargo_fuzz(what: &str, nightly: &str) -> Result<Command> {
    let mut command = Command::new("rustup");
    command.args(["run", nightly]).arg(tool::cargo_fuzz()?).arg(what);
    // Those of the toolchain that runs this program.
    command.env_remove("CARGO").env_remove("CARGO_TARGET_DIR");
    Ok(command)
}

/// The words of a format.
fn dictionary(name: &str) -> PathBuf {
    fuzz_folder().join("dictionaries").join(format!("{name}.dict"))
}

/// The words of a target in one file: those of one format or of all, and the target's own.
fn write_dictionary(target: &Target, format: Option<&str>) -> Result<PathBuf> {
    let own = target.words.iter().copied();
    let mut files: Vec<_> = own.chain(format).map(dictionary).collect();
    if format.is_none() {
        let of_format = |path: &Path| place::extension(path) == "dict" && !is_own(path);
        files.extend(place::files_recursive(&fuzz_folder().join("dictionaries"), of_format)?);
    }
    let mut words = String::new();
    for file in files {
        words.push_str(&fs::read_to_string(file)?);
    }
    let path = place::target().join("fuzz").join(format!("{}.dict", target.name));
    fs::write(&path, words)?;
    Ok(path)
}

/// Whether it is the dictionary of a target: those of formats have a game in their name.
fn is_own(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| !stem.to_string_lossy().contains('.'))
}

fn fuzz_target(
    target: &Target,
    format: Option<&str>,
    nightly: &str,
    seeds: &Path,
    seconds: u64,
) -> Result<()> {
    let known = fuzz_folder().join("corpus").join(target.name);
    let findings = fuzz_folder().join("artifacts").join(target.name);
    fs::create_dir_all(&known)?;
    let before = files_in(&findings);
    let command = &mut cargo_fuzz("run", nightly)?;
    command.arg(target.name).arg("--fuzz-dir").arg(fuzz_folder()).arg("--target-dir").arg(built());
    command.arg(&known).arg(seeds).arg("--");
    command.arg(format!("-dict={}", write_dictionary(target, format)?.display()));
    if let Some(format) = format {
        command.env(ONLY, format);
    }
    command.arg(format!("-max_total_time={seconds}")).arg(format!("-max_len={}", target.longest));
    command.arg(format!("-malloc_limit_mb={}", target.largest_allocation));
    command.args([
        "-rss_limit_mb=512",
        "-timeout=10",
        "-verbosity=0",
        "-print_funcs=0",
        "-print_final_stats=1",
    ]);
    // Freed memory that is kept to catch late uses counts as memory taken.
    command.env("ASAN_OPTIONS", "quarantine_size_mb=8");
    match run(command) {
        Ok(()) => Ok(()),
        Err(error) => {
            let new: Vec<_> =
                files_in(&findings).difference(&before).map(|path| place::short(path)).collect();
            match new.as_slice() {
                [] => Err(error),
                new => Err(format!("findings, each a file that shows a fault: {}", new.join(", ")).into()),
            }
        }
    }
}

fn files_in(folder: &Path) -> BTreeSet<PathBuf> {
    place::files_recursive(folder, |_| true).unwrap_or_default().into_iter().collect()
}
