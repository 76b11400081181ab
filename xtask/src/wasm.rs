//! `cargo xtask wasm`: the library without its features, for browsers: no file system, no threads.

use std::process::{Command, ExitCode};

use crate::command::{cargo, run, text};
use crate::step::{Steps, Verdict, passed, passed_with, skipped};
use crate::{Chore, Result, place};

pub(crate) static CHORE: Chore = Chore {
    name: "wasm",
    arguments: "",
    about: "checks the library without its features, and for wasm32-unknown-unknown",
    run: chore,
};

const TARGET: &str = "wasm32-unknown-unknown";

/// The library without any feature.
const BARE: &str = "--package antiquary --no-default-features";

fn chore(arguments: &[String]) -> Result<ExitCode> {
    if let Some(argument) = arguments.first() {
        return Err(format!("wasm does not know {argument}").into());
    }
    let mut all = Steps::new();
    steps(&mut all);
    Ok(all.finish())
}

/// What `cargo xtask test` runs of this.
pub(crate) fn steps(steps: &mut Steps) {
    steps.run("no features", without_features);
    steps.run("wasm", for_wasm);
}

/// Without features nothing touches the disk, starts a thread or asks for the time.
fn without_features() -> Result<Verdict> {
    // The other lints are checked with the project's own settings.
    let lints = "--allow clippy::all --allow clippy::restriction --deny dead_code --deny unused_imports --deny clippy::disallowed_methods";
    let command = &mut cargo(&format!("clippy {BARE} -- {lints}"));
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
    run(&mut cargo(&format!("check {BARE} --target {TARGET}")))?;
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
