//! `cargo xtask web`: the page of the explorer is built, so that the program built after it holds it; and it is tested in a real browser.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::command::{is_there, npm, npm_in, run};
use crate::step::{Steps, Verdict, passed, passed_with, skipped};
use crate::{Chore, Result, corpus, place};

pub(crate) static CHORE: Chore = Chore {
    name: "web",
    arguments: "[--test]",
    about: "builds the page of `antiquary view`; the program must be built after it\n\
            --test drives the built program's page in a browser",
    run: chore,
};

/// What a browser may be called.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let mut all = Steps::new();
    match arguments {
        [] => drop(all.run("page", build)),
        [argument] if argument == "--test" => test_steps(&mut all),
        _ => return Err("web knows only --test".into()),
    }
    Ok(all.finish())
}

/// Checks the types, format and style of the page and the editor extension, and runs the unit tests of the page.
pub(crate) fn check() -> Result<Verdict> {
    if !is_there("node") && !place::is_ci() {
        return skipped("Node.js was not found, so the page was not checked: install it (https://nodejs.org)");
    }
    install()?;
    npm(&folder(), &["run", "--silent", "check"])?;
    npm(&folder(), &["run", "--silent", "unit"])?;
    passed()
}

/// What `cargo xtask test` runs of this once the program is built.
pub(crate) fn test_steps(steps: &mut Steps) {
    steps.run("explorer", test);
}

/// Builds the page.
pub(crate) fn build() -> Result<Verdict> {
    if !is_there("node") && !place::is_ci() {
        return skipped(
            "Node.js was not found, so the page of the explorer was not built: install it (https://nodejs.org)",
        );
    }
    install()?;
    npm(&folder(), &["run", "--silent", "build"])?;
    passed()
}

fn folder() -> PathBuf {
    place::root().join("web")
}

/// Installs what the page is made of, unless it is there.
fn install() -> Result<()> {
    let lock = fs::read_to_string(folder().join("package-lock.json"))?;
    let mark = folder().join("node_modules").join(".installed");
    if fs::read_to_string(&mark).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    npm(&folder(), &["ci", "--no-audit", "--no-fund"])?;
    Ok(fs::write(mark, lock)?)
}

/// Drives the page of the program that was built last.
fn test() -> Result<Verdict> {
    if !is_there("node") && !place::is_ci() {
        return skipped("Node.js was not found, so the page was not tested in a browser");
    }
    // The tests look for a browser themselves; here it is only said loudly that there is none.
    let is_named = std::env::var_os("ANTIQUARY_BROWSER").is_some();
    if !is_named && !BROWSERS.iter().any(is_there) {
        return skipped(
            "no browser was found to test the page in: install Chromium, or name one in ANTIQUARY_BROWSER",
        );
    }
    install()?;
    match drive() {
        Ok(()) => passed(),
        Err(first) => {
            // A browser on a busy machine may be late once; what fails twice is a fault.
            println!("{first}; once more");
            drive()?;
            passed_with("at the second try")
        }
    }
}

fn drive() -> Result<()> {
    let mut command = npm_in(&folder());
    command.args(["test", "--silent"]).env("ANTIQUARY_BIN", place::program());
    corpus::tell(&mut command)?;
    run(&mut command)
}
