//! `cargo xtask ci`: the continuous integration, run locally.

use std::process::{Command, ExitCode};

use crate::command::run;
use crate::{Chore, Result, corpus, paths};

pub(crate) static CHORE: Chore = Chore {
    name: "ci",
    arguments: "",
    about: "clones the last commit into target/ci and runs .ci/run there, as the continuous integration does",
    run: chore,
};

fn chore(arguments: &[String]) -> Result<ExitCode> {
    if let Some(argument) = arguments.first() {
        return Err(format!("unexpected argument {argument}; ci takes none").into());
    }
    let clone = paths::target().join("ci");
    paths::empty_folder(&clone)?;
    run(Command::new("git").args(["clone", "--quiet", "."]).arg(&clone))?;
    let command = &mut Command::new("bash");
    corpus::set_variable(command)?;
    let outcome =
        run(command.arg(".ci/run").current_dir(&clone).env("CI", "true").env_remove("CARGO_TARGET_DIR"));
    Ok(if outcome.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
