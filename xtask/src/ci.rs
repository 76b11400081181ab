//! `cargo xtask ci`: what the continuous integration does, on this machine.

use std::process::{Command, ExitCode};

use crate::command::run;
use crate::{Chore, Result, corpus, place};

pub(crate) static CHORE: Chore = Chore {
    name: "ci",
    arguments: "",
    about: "clones what is committed into target/ci and runs .ci/run there, as the continuous integration does",
    run: chore,
};

fn chore(arguments: &[String]) -> Result<ExitCode> {
    if let Some(argument) = arguments.first() {
        return Err(format!("ci does not know {argument}").into());
    }
    let clone = place::target().join("ci");
    place::empty_folder(&clone)?;
    run(Command::new("git").args(["clone", "--quiet", "."]).arg(&clone))?;
    let command = &mut Command::new("bash");
    corpus::tell(command)?;
    let outcome =
        run(command.arg(".ci/run").current_dir(&clone).env("CI", "true").env_remove("CARGO_TARGET_DIR"));
    Ok(if outcome.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
