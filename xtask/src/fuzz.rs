//! `cargo xtask fuzz`: bytes that nobody thought of, given to every reader.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::command::run;
use crate::step::{Steps, passed, passed_with, skipped};
use crate::{Chore, Result, catalogue, corpus, demo, docs, place, tool};

pub(crate) static CHORE: Chore = Chore {
    name: "fuzz",
    arguments: "[SECONDS]",
    about: "fuzzes each target in fuzz/ for SECONDS (60), beginning with the sample game and small files of the corpus;\n\
            needs a nightly toolchain",
    run: chore,
};

/// A way to fuzz.
struct Target {
    /// The program in `fuzz/fuzz_targets`.
    name: &'static str,
    /// What it begins with.
    seeds: Seeds,
    /// Longer files are not tried: they are slower and rarely teach more.
    longest: u64,
    /// No single allocation may be larger, in megabytes.
    largest_allocation: u32,
}

enum Seeds {
    /// Files of the formats that the program knows.
    Formats,
    /// Pictures.
    Pictures,
}

static TARGETS: [Target; 3] = [
    // Reading takes 64 MB and eight times the file at most.
    Target { name: "any", seeds: Seeds::Formats, longest: 32 << 10, largest_allocation: 65 },
    Target { name: "roundtrip", seeds: Seeds::Formats, longest: 32 << 10, largest_allocation: 65 },
    Target { name: "image", seeds: Seeds::Pictures, longest: 8 << 10, largest_allocation: 256 },
];

/// The extensions of pictures in the corpus.
const PICTURES: &[&str] = &["png", "jpg", "bmp", "tga", "sc"];

/// How many files of each kind a target begins with.
const MOST_SEEDS: usize = 12;

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let seconds = match arguments {
        [] => 60,
        [seconds] => seconds.parse().map_err(|_| format!("fuzz takes a number of seconds, not {seconds}"))?,
        _ => return Err("fuzz takes one number of seconds".into()),
    };
    let mut steps = Steps::new();
    if steps.run("build", || docs::build_program().and_then(|()| passed())) {
        fuzz(&mut steps, seconds);
    }
    Ok(steps.finish())
}

/// Fuzzes each target for some seconds. The program must have been built.
pub(crate) fn fuzz(steps: &mut Steps, seconds: u64) {
    let Some(nightly) = tool::nightly() else {
        let why = "there is no nightly toolchain, so nothing was fuzzed: rustup toolchain install nightly";
        steps.run("fuzz", || skipped(why));
        return;
    };
    let sample = place::target().join("fuzz/sample");
    let is_ready = steps.run("fuzz build", || {
        place::empty_folder(&sample)?;
        demo::make(&sample)?;
        run(cargo_fuzz("build", &nightly)?
            .arg("--fuzz-dir")
            .arg(fuzz_folder())
            .arg("--target-dir")
            .arg(built()))?;
        passed()
    });
    for target in TARGETS.iter().filter(|_| is_ready) {
        steps.run(&format!("fuzz {}", target.name), || {
            let seeds = place::target().join("fuzz/seeds").join(target.name);
            let count = gather_seeds(target, &sample, &seeds)?;
            fuzz_target(target, &nightly, &seeds, seconds)?;
            passed_with(format!("no finding in {seconds} s, beginning with {count} files"))
        });
    }
}

/// Copies what a target begins with into a folder of its own: the smallest files of each kind.
fn gather_seeds(target: &Target, sample: &Path, seeds: &Path) -> Result<usize> {
    place::empty_folder(seeds)?;
    let folders: Vec<_> = [sample.to_path_buf()].into_iter().chain(corpus::find()?).collect();
    let mut files = match target.seeds {
        Seeds::Formats => catalogue::recognised(&folders)?,
        Seeds::Pictures => pictures(&folders)?,
    };
    files.retain(|(_, path)| (1..=target.longest).contains(&length(path)));
    files.sort_by_key(|(_, path)| length(path));
    let mut taken = BTreeMap::<String, usize>::new();
    for (kind, path) in files {
        let number = taken.entry(kind.clone()).or_default();
        if *number < MOST_SEEDS {
            *number = number.saturating_add(1);
            fs::copy(&path, seeds.join(format!("{kind}-{number}")))?;
        }
    }
    Ok(taken.values().fold(0, |sum: usize, count| sum.saturating_add(*count)))
}

/// Pictures with their extensions.
fn pictures(folders: &[PathBuf]) -> Result<Vec<(String, PathBuf)>> {
    let mut out = Vec::new();
    for folder in folders {
        let found = place::files_below(folder, |path| PICTURES.contains(&place::extension(path).as_str()))?;
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

fn fuzz_target(target: &Target, nightly: &str, seeds: &Path, seconds: u64) -> Result<()> {
    let known = fuzz_folder().join("corpus").join(target.name);
    let findings = fuzz_folder().join("artifacts").join(target.name);
    fs::create_dir_all(&known)?;
    let before = files_in(&findings);
    let command = &mut cargo_fuzz("run", nightly)?;
    command.arg(target.name).arg("--fuzz-dir").arg(fuzz_folder()).arg("--target-dir").arg(built());
    command.arg(&known).arg(seeds).arg("--");
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
    place::files_below(folder, |_| true).unwrap_or_default().into_iter().collect()
}
