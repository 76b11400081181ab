//! `cargo xtask deny`: checks licenses, bans, sources and known vulnerabilities of all dependencies against the policy in `deny.toml`.

use std::process::{Command, ExitCode};

use crate::command::run;
use crate::step::{Steps, Verdict, passed, passed_except};
use crate::{Chore, Result, tool};

pub(crate) static CHORE: Chore = Chore {
    name: "deny",
    arguments: "",
    about: "checks all dependencies against the policy in deny.toml",
    run: chore,
};

fn chore(arguments: &[String]) -> Result<ExitCode> {
    if let Some(argument) = arguments.first() {
        return Err(format!("unexpected argument {argument}; deny takes none").into());
    }
    let mut all = Steps::new();
    steps(&mut all);
    Ok(all.finish())
}

/// Adds the steps of this chore to those of `cargo xtask test`.
pub(crate) fn steps(steps: &mut Steps) {
    steps.run("dependencies", check);
}

fn check() -> Result<Verdict> {
    let program = tool::cargo_deny()?;
    let deny = |words: &[&str]| run(Command::new(&program).arg("deny").args(words));
    deny(&["--locked", "check", "--hide-inclusion-graph", "licenses", "bans", "sources"])?;
    // Advisories are checked only if their database can be downloaded.
    if deny(&["--locked", "fetch", "db"]).is_err() {
        return passed_except("", ["the advisory database could not be reached".to_owned()]);
    }
    deny(&["--locked", "check", "--hide-inclusion-graph", "advisories"])?;
    passed()
}
