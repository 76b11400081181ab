//! `cargo xtask api`: the public interface of the libraries, as lists that a change must update.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::command::text;
use crate::step::{Steps, Verdict, passed_with, skipped};
use crate::{Chore, Result, paths, tool};

pub(crate) static CHORE: Chore = Chore {
    name: "api",
    arguments: "[--write]",
    about: "compares the public items of the libraries with the lists in the folder api\n\
            --write updates the lists; needs a nightly toolchain",
    run: chore,
};

/// The libraries that programs depend on, directly or as modules of `antiquary`.
const LIBRARIES: [&str; 15] = [
    "antiquary",
    "antiquary-asset",
    "antiquary-files",
    "antiquary-json",
    "antiquary-media",
    "antiquary-ragnarok",
    "antiquary-record",
    "antiquary-redguard",
    "antiquary-redguard-files",
    "antiquary-redguard-scripts",
    "antiquary-redguard-world",
    "antiquary-render",
    "antiquary-scene",
    "antiquary-scpcb",
    "antiquary-soup",
];

/// The folder of the lists, relative to the root of the project.
const FOLDER: &str = "api";

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let writes = match arguments {
        [] => false,
        [argument] if argument == "--write" => true,
        _ => return Err("unexpected argument; api accepts only --write".into()),
    };
    let mut all = Steps::new();
    all.run("api", || check(writes));
    Ok(all.finish())
}

/// Adds the steps of this chore to those of `cargo xtask test`.
pub(crate) fn steps(steps: &mut Steps) {
    steps.run("api", || check(false));
}

fn check(writes: bool) -> Result<Verdict> {
    let Some(nightly) = tool::nightly() else {
        return skipped(
            "no nightly toolchain was found, so the lists were not compared; to install it: rustup toolchain install nightly",
        );
    };
    let version = text(Command::new("rustup").args(["run", &nightly, "rustc", "--version"]))?;
    let written_with = paths::root().join(FOLDER).join("nightly.txt");
    if !writes && fs::read_to_string(&written_with)? != version {
        return skipped(format!(
            "the lists were written with a different nightly than {}, so they may differ",
            version.trim()
        ));
    }
    let program = tool::cargo_public_api()?;
    let mut changed = Vec::new();
    for library in LIBRARIES {
        let mut command = Command::new("rustup");
        command.current_dir(paths::root()).args(["run", &nightly]).arg(&program);
        command.args(["public-api", "--package", library, "--color", "never", "-sss"]);
        let now = text(&mut command)?;
        let file = list_of(library);
        let before = fs::read_to_string(&file).unwrap_or_default();
        if now == before {
            continue;
        }
        if writes {
            fs::create_dir_all(paths::root().join(FOLDER))?;
            fs::write(&file, &now)?;
        }
        changed.push(summary(library, &before, &now));
    }
    if writes {
        fs::write(&written_with, &version)?;
    }
    match changed.is_empty() || writes {
        true => passed_with(format!("{} libraries, {} lists changed", LIBRARIES.len(), changed.len())),
        false => Err(format!(
            "{}\nif this is intended, describe it in CHANGELOG.md and run cargo xtask api --write",
            changed.join("\n")
        )
        .into()),
    }
}

fn list_of(library: &str) -> PathBuf {
    paths::root().join(FOLDER).join(format!("{library}.txt"))
}

/// The first removed and added items.
fn summary(library: &str, before: &str, now: &str) -> String {
    const MAX_LINES: usize = 10;
    let gone = before.lines().filter(|line| !now.lines().any(|other| other == *line));
    let new = now.lines().filter(|line| !before.lines().any(|other| other == *line));
    let gone = gone.take(MAX_LINES).map(|line| format!("- {line}"));
    let lines: Vec<_> = gone.chain(new.take(MAX_LINES).map(|line| format!("+ {line}"))).collect();
    format!("{library}:\n{}", lines.join("\n"))
}
