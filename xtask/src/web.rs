//! `cargo xtask web`: builds the page of the explorer, which is embedded in the program, and tests it in a browser.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::command::{can_run, npm, npm_in, run};
use crate::step::{Steps, Verdict, passed, passed_with, skipped};
use crate::{Chore, Result, corpus, paths};

pub(crate) static CHORE: Chore = Chore {
    name: "web",
    arguments: "[--test]",
    about: "builds the page of `antiquary view`, which the next build of the program embeds\n\
            --test tests the page of the built program in a browser",
    run: chore,
};

/// Names of browser programs.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let mut all = Steps::new();
    match arguments {
        [] => drop(all.run("page", build)),
        [argument] if argument == "--test" => test_steps(&mut all),
        _ => return Err("unexpected argument; web accepts only --test".into()),
    }
    Ok(all.finish())
}

/// Checks the types, format and style of the page and the editor extension, and runs the unit tests of the page.
pub(crate) fn check() -> Result<Verdict> {
    if !can_run("node") && !paths::is_ci() {
        return skipped(
            "Node.js was not found, so the page was not checked: install it (https://nodejs.org)",
        );
    }
    install()?;
    npm(&folder(), &["run", "--silent", "check"])?;
    npm(&folder(), &["run", "--silent", "unit"])?;
    passed()
}

/// Adds the steps of this chore that need the built program to those of `cargo xtask test`.
pub(crate) fn test_steps(steps: &mut Steps) {
    steps.run("explorer", test);
}

/// Builds the page.
pub(crate) fn build() -> Result<Verdict> {
    if !can_run("node") && !paths::is_ci() {
        return skipped(
            "Node.js was not found, so the page of the explorer was not built: install it (https://nodejs.org)",
        );
    }
    install()?;
    npm(&folder(), &["run", "--silent", "build"])?;
    passed()
}

fn folder() -> PathBuf {
    paths::root().join("web")
}

/// Installs the npm packages of the page unless they are up to date.
fn install() -> Result<()> {
    let lock = fs::read_to_string(folder().join("package-lock.json"))?;
    let mark = folder().join("node_modules").join(".installed");
    if fs::read_to_string(&mark).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    npm(&folder(), &["ci", "--no-audit", "--no-fund"])?;
    Ok(fs::write(mark, lock)?)
}

/// Tests the page of the last built program in a browser.
fn test() -> Result<Verdict> {
    if !can_run("node") && !paths::is_ci() {
        return skipped("Node.js was not found, so the page was not tested in a browser");
    }
    // The tests also look for a browser; without one, the step is reported as skipped here.
    let is_named = std::env::var_os("ANTIQUARY_BROWSER").is_some();
    if !is_named && !BROWSERS.iter().any(can_run) {
        return skipped(
            "no browser was found to test the page: install Chromium, or set ANTIQUARY_BROWSER to the path of a browser",
        );
    }
    install()?;
    match drive() {
        Ok(()) => passed(),
        Err(first) => {
            // A browser on a busy machine may time out once; a second failure is a fault.
            println!("{first}; trying again");
            drive()?;
            passed_with("at the second attempt")
        }
    }
}

fn drive() -> Result<()> {
    let mut command = npm_in(&folder());
    command.args(["test", "--silent"]).env("ANTIQUARY_BIN", paths::program());
    corpus::set_variable(&mut command)?;
    run(&mut command)
}
