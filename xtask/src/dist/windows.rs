//! The program for Windows, run under Wine.

use std::path::Path;
use std::process::Command;

use super::compare;
use super::release::PROGRAM;
use super::target::WINDOWS;
use crate::command::{antiquary, can_run, cargo, run};
use crate::step::{Verdict, passed_with, skipped};
use crate::{Result, demo, paths};

pub(super) const NO_WINE: &str =
    "Wine was not found, so the program for Windows was not run; to install it: apt install wine wine64";

/// A command that runs a Windows program under Wine, if that is installed.
pub(super) fn under_wine(program: &Path) -> Option<Command> {
    if !can_run("wine") {
        return None;
    }
    let mut command = Command::new("wine");
    command.arg(program).env("WINEPREFIX", paths::target().join("wine"));
    // Neither debug output nor offers to download other programs.
    command.env("WINEDEBUG", "-all").env("WINEDLLOVERRIDES", "mscoree,mshtml=");
    Some(command)
}

/// Builds the program without most optimizations, runs its demonstration, and compares all files with those of the program of this
/// machine, which must have been built.
pub(super) fn test() -> Result<Verdict> {
    let missing = WINDOWS.missing_for_program()?;
    if !missing.is_empty() {
        return skipped(format!("the program for Windows was not built: {}", missing.join("; ")));
    }
    if !can_run("wine") {
        return skipped(NO_WINE);
    }
    // In this profile, procedural macros and build scripts are shared with the other steps.
    let build = &mut cargo("build --release --config profile.release.opt-level=1 --package");
    run(build.args([PROGRAM, "--target", WINDOWS.program]))?;
    let program =
        paths::target().join(WINDOWS.program).join("release").join(WINDOWS.system.program("antiquary"));
    let folder = paths::target().join("windows");
    let [here, there] = ["here", "windows"].map(|name| folder.join(name));
    demo::run_quietly(antiquary(), &here)?;
    demo::run_quietly(under_wine(&program).ok_or(NO_WINE)?, &there)?;
    passed_with(format!("{} files are the same under Wine", compare::require_same_files(&here, &there)?))
}
