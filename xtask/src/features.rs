//! `cargo xtask features`: checks the library with each feature alone, with none, and for browsers, without a file system and threads.

use std::process::{Command, ExitCode};

use crate::command::{cargo, run, text};
use crate::step::{Steps, Verdict, passed, passed_with, skipped};
use crate::{Chore, Result, paths};

pub(crate) static CHORE: Chore = Chore {
    name: "features",
    arguments: "",
    about: "checks the library with each feature alone and with none, and for wasm32-unknown-unknown",
    run: chore,
};

const TARGET: &str = "wasm32-unknown-unknown";

/// Features of the library; each must compile alone.
const FEATURES: [&str; 8] = ["scpcb", "ragnarok", "redguard", "scripts", "gallery", "fs", "parallel", "font"];

/// The library without a file system and without threads.
const IN_MEMORY: &str = "--package antiquary --no-default-features --features games,scripts,gallery,font";

/// Only lints for unused code: the step `clippy` checks the others.
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
        return Err(format!("unexpected argument {argument}; features takes none").into());
    }
    let mut all = Steps::new();
    steps(&mut all);
    Ok(all.finish())
}

/// Adds the steps of this chore to those of `cargo xtask test`.
pub(crate) fn steps(steps: &mut Steps) {
    steps.run("features", each_feature);
    steps.run("in memory", in_memory);
    steps.run("wasm", for_wasm);
}

/// Checks that no code is unused with only one feature enabled.
fn each_feature() -> Result<Verdict> {
    for feature in std::iter::once("").chain(FEATURES) {
        let command = &mut cargo("clippy --package antiquary --no-default-features --features");
        run(command.arg(feature).args(LINTS))?;
    }
    passed_with(format!("none, {}", FEATURES.join(", ")))
}

/// Checks that without a file system nothing accesses the disk, starts a thread or reads the clock.
fn in_memory() -> Result<Verdict> {
    let command = &mut cargo(&format!("clippy {IN_MEMORY}"));
    command.args(LINTS).args(["--deny", "clippy::disallowed_methods"]);
    run(command.env("CLIPPY_CONF_DIR", paths::root().join("xtask/wasm")))?;
    passed()
}

fn for_wasm() -> Result<Verdict> {
    if !has_target() {
        // If it cannot be installed, the step is reported as skipped.
        if let Err(error) = run(Command::new("rustup").args(["target", "add", TARGET])) {
            return skipped(format!("the standard library for {TARGET} could not be installed: {error}"));
        }
    }
    run(&mut cargo(&format!("check {IN_MEMORY} --target {TARGET}")))?;
    passed_with(TARGET)
}

/// Whether the standard library for the target is installed.
fn has_target() -> bool {
    let Ok(libraries) = text(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]))
    else {
        return false;
    };
    std::path::Path::new(libraries.trim()).is_dir()
}
