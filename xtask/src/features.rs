//! `cargo xtask features`: the library with each of its features alone and with none, and for browsers: no file system, no threads.

use std::process::{Command, ExitCode};

use crate::command::{cargo, run, text};
use crate::step::{Steps, Verdict, passed, passed_with, skipped};
use crate::{Chore, Result, place};

pub(crate) static CHORE: Chore = Chore {
    name: "features",
    arguments: "",
    about: "checks the library with each feature alone and with none, and for wasm32-unknown-unknown",
    run: chore,
};

const TARGET: &str = "wasm32-unknown-unknown";

/// Features of the library, each of which must compile alone.
const FEATURES: [&str; 8] = ["scpcb", "ragnarok", "redguard", "scripts", "gallery", "fs", "parallel", "font"];

/// The library without a file system and without threads.
const IN_MEMORY: &str = "--package antiquary --no-default-features --features games,scripts,gallery,font";

/// The other lints are checked with the project's own settings.
const LINTS: [&str; 10] = [
    "--",
    "--allow",
    "clippy::all",
    "--allow",
    "clippy::restriction",
    "--deny",
    "dead_code",
    "--deny",
    "unused_imports",
    "--deny=unused_variables",
];

fn chore(arguments: &[String]) -> Result<ExitCode> {
    if let Some(argument) = arguments.first() {
        return Err(format!("features does not know {argument}").into());
    }
    let mut all = Steps::new();
    steps(&mut all);
    Ok(all.finish())
}

/// What `cargo xtask test` runs of this.
pub(crate) fn steps(steps: &mut Steps) {
    steps.run("features", each_feature);
    steps.run("in memory", in_memory);
    steps.run("wasm", for_wasm);
}

/// Nothing is left over where a feature is off.
fn each_feature() -> Result<Verdict> {
    for feature in std::iter::once("").chain(FEATURES) {
        let command = &mut cargo("clippy --package antiquary --no-default-features --features");
        run(command.arg(feature).args(LINTS))?;
    }
    passed_with(format!("none, {}", FEATURES.join(", ")))
}

/// Where there is no file system, nothing touches the disk, starts a thread or asks for the time.
fn in_memory() -> Result<Verdict> {
    let command = &mut cargo(&format!("clippy {IN_MEMORY}"));
    command.args(LINTS).args(["--deny", "clippy::disallowed_methods"]);
    run(command.env("CLIPPY_CONF_DIR", place::root().join("xtask/wasm")))?;
    passed()
}

fn for_wasm() -> Result<Verdict> {
    if !has_target() {
        // Where it cannot be installed, that is told and not taken for success.
        if let Err(error) = run(Command::new("rustup").args(["target", "add", TARGET])) {
            return skipped(format!(
                "Rust's standard library for {TARGET} is not installed, and cannot be: {error}"
            ));
        }
    }
    run(&mut cargo(&format!("check {IN_MEMORY} --target {TARGET}")))?;
    passed_with(TARGET)
}

/// Whether Rust's standard library for the target is installed.
fn has_target() -> bool {
    let Ok(libraries) = text(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]))
    else {
        return false;
    };
    std::path::Path::new(libraries.trim()).is_dir()
}
