//! `cargo xtask fuzz`: every reader with random and mutated input.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::command::{cargo, run};
use crate::step::{Steps, passed, passed_with, skipped};
use crate::{Chore, Result, catalog, corpus, docs, paths, tool};

pub(crate) static CHORE: Chore = Chore {
    name: "fuzz",
    arguments: "[SECONDS] [TARGET]... [FORMAT]...",
    about: "fuzzes all targets in fuzz/, or the given ones, for SECONDS each (60); with formats, each target runs separately for\n\
            each of them. The seeds are small files of every format and version, and of the corpus; needs a nightly toolchain",
    run: chore,
};

/// A fuzz target.
struct Target {
    /// Name of the program in `fuzz/fuzz_targets`.
    name: &'static str,
    /// Seeds from the corpus, in addition to its own.
    more: CorpusSeeds,
    /// Dictionaries in addition to those of the formats.
    words: &'static [&'static str],
    /// Maximum input length, in bytes. Longer inputs are slower and rarely find more.
    longest: u64,
    /// Maximum size of a single allocation, in megabytes.
    largest_allocation: u32,
}

/// The files of the corpus that are seeds of a target.
enum CorpusSeeds {
    /// Files of all formats.
    Formats,
    /// Images in common formats.
    Pictures,
    /// No files.
    Nothing,
}

// Readers may allocate at most 64 MB plus eight times the file size.
static TARGETS: [Target; 11] = [
    Target { name: "any", more: CorpusSeeds::Formats, words: &[], longest: 32 << 10, largest_allocation: 65 },
    Target {
        name: "roundtrip",
        more: CorpusSeeds::Formats,
        words: &[],
        longest: 32 << 10,
        largest_allocation: 65,
    },
    Target {
        name: "edit",
        more: CorpusSeeds::Formats,
        words: &["parts"],
        longest: 16 << 10,
        largest_allocation: 65,
    },
    Target {
        name: "explorer",
        more: CorpusSeeds::Nothing,
        words: &["parts"],
        longest: 32 << 10,
        largest_allocation: 256,
    },
    Target {
        name: "folder",
        more: CorpusSeeds::Nothing,
        words: &["parts", "folder", "image", "wav", "gltf"],
        longest: 64 << 10,
        largest_allocation: 256,
    },
    Target {
        name: "replace",
        more: CorpusSeeds::Nothing,
        words: &["parts", "image", "wav"],
        longest: 32 << 10,
        largest_allocation: 256,
    },
    Target {
        name: "gltf",
        more: CorpusSeeds::Nothing,
        words: &["parts", "gltf", "image"],
        longest: 32 << 10,
        largest_allocation: 256,
    },
    Target {
        name: "import",
        more: CorpusSeeds::Nothing,
        words: &["parts", "gltf", "image"],
        longest: 32 << 10,
        largest_allocation: 256,
    },
    Target {
        name: "image",
        more: CorpusSeeds::Pictures,
        words: &["image"],
        longest: 8 << 10,
        largest_allocation: 256,
    },
    Target {
        name: "script",
        more: CorpusSeeds::Nothing,
        words: &["script"],
        longest: 4 << 10,
        largest_allocation: 65,
    },
    Target {
        name: "machine",
        more: CorpusSeeds::Nothing,
        words: &["machine"],
        longest: 4 << 10,
        largest_allocation: 65,
    },
];

/// The environment variable that limits a target to the format with this id.
const ONLY: &str = "ANTIQUARY_FUZZ_FORMAT";

/// The file extensions of images in the corpus.
const PICTURES: &[&str] = &["png", "jpg", "bmp", "tga", "sc"];

/// Maximum number of corpus files of each format among the seeds of a target.
const MAX_SEEDS: usize = 12;

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

/// Fuzzes each target for a number of seconds. The program must already be built.
pub(crate) fn fuzz(steps: &mut Steps, seconds: u64) {
    fuzz_each(steps, seconds, &TARGETS.iter().collect::<Vec<_>>(), &[]);
}

fn fuzz_each(steps: &mut Steps, seconds: u64, targets: &[&Target], formats: &[&String]) {
    let Some(nightly) = tool::nightly() else {
        let why = "no nightly toolchain was found, so nothing was fuzzed; to install it: rustup toolchain install nightly";
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
                let seeds = paths::target().join("fuzz/seeds").join(target.name);
                let count = collect_seeds(target, format, &seeds)?;
                fuzz_target(target, format, &nightly, &seeds, seconds)?;
                passed_with(format!("no findings in {seconds} s with {count} seeds"))
            });
        }
    }
}

/// Writes the seeds of a target into a folder: its own seeds, and the smallest files of each format in the corpus.
fn collect_seeds(target: &Target, format: Option<&str>, seeds: &Path) -> Result<usize> {
    paths::empty_folder(seeds)?;
    let command = &mut cargo("run --release --quiet --package antiquary-fuzz-bodies --");
    if let Some(format) = format {
        command.env(ONLY, format);
    }
    run(command.arg(target.name).arg(seeds))?;
    let corpus: Vec<_> = corpus::find()?.into_iter().collect();
    let mut files = match target.more {
        CorpusSeeds::Formats if !corpus.is_empty() => catalog::recognized(&corpus)?,
        CorpusSeeds::Pictures => pictures(&corpus)?,
        CorpusSeeds::Formats | CorpusSeeds::Nothing => Vec::new(),
    };
    files.retain(|(kind, path)| {
        format.is_none_or(|format| format == kind) && (1..=target.longest).contains(&length(path))
    });
    files.sort_by_key(|(_, path)| length(path));
    let mut taken = BTreeMap::<String, usize>::new();
    for (kind, path) in files {
        let number = taken.entry(kind.clone()).or_default();
        if *number < MAX_SEEDS {
            *number += 1;
            fs::copy(&path, seeds.join(format!("{kind}-{number}")))?;
        }
    }
    Ok(files_in(seeds).len())
}

/// Images with their file extensions.
fn pictures(folders: &[PathBuf]) -> Result<Vec<(String, PathBuf)>> {
    let mut out = Vec::new();
    for folder in folders {
        let found =
            paths::files_recursive(folder, |path| PICTURES.contains(&paths::extension(path).as_str()))?;
        out.extend(found.into_iter().map(|path| (paths::extension(&path), path)));
    }
    Ok(out)
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |about| about.len())
}

fn fuzz_folder() -> PathBuf {
    paths::root().join("fuzz")
}

fn built() -> PathBuf {
    paths::target().join("fuzz/build")
}

/// A command of cargo-fuzz.
fn cargo_fuzz(what: &str, nightly: &str) -> Result<Command> {
    let mut command = Command::new("rustup");
    command.args(["run", nightly]).arg(tool::cargo_fuzz()?).arg(what);
    // These variables belong to the toolchain that runs this program.
    command.env_remove("CARGO").env_remove("CARGO_TARGET_DIR");
    Ok(command)
}

/// The path of a dictionary.
fn dictionary(name: &str) -> PathBuf {
    fuzz_folder().join("dictionaries").join(format!("{name}.dict"))
}

/// Writes the dictionary of a target: its own words, and those of one format or of all formats.
fn write_dictionary(target: &Target, format: Option<&str>) -> Result<PathBuf> {
    let own = target.words.iter().copied();
    let mut files: Vec<_> = own.chain(format).map(dictionary).collect();
    if format.is_none() {
        let of_format = |path: &Path| paths::extension(path) == "dict" && !is_own(path);
        files.extend(paths::files_recursive(&fuzz_folder().join("dictionaries"), of_format)?);
    }
    let mut words = String::new();
    for file in files {
        words.push_str(&fs::read_to_string(file)?);
    }
    let path = paths::target().join("fuzz").join(format!("{}.dict", target.name));
    fs::write(&path, words)?;
    Ok(path)
}

/// Whether it is the dictionary of a target; the names of format dictionaries contain a game.
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
    // Quarantined memory (freed, but kept to detect use after free) counts toward the memory limit.
    command.env("ASAN_OPTIONS", "quarantine_size_mb=8");
    match run(command) {
        Ok(()) => Ok(()),
        Err(error) => {
            let new: Vec<_> =
                files_in(&findings).difference(&before).map(|path| paths::short(path)).collect();
            match new.as_slice() {
                [] => Err(error),
                new => Err(format!("inputs that trigger a fault: {}", new.join(", ")).into()),
            }
        }
    }
}

fn files_in(folder: &Path) -> BTreeSet<PathBuf> {
    paths::files_recursive(folder, |_| true).unwrap_or_default().into_iter().collect()
}
