//! `cargo xtask editors`: the extension for Visual Studio Code is compiled, and its grammar is run over a text with every construct.

use std::fs;
use std::process::ExitCode;

use crate::command::{is_there, npm};
use crate::step::{Steps, Verdict, passed, skipped};
use crate::{Chore, Result, place};

pub(crate) static CHORE: Chore = Chore {
    name: "editors",
    arguments: "",
    about: "compiles the extension for Visual Studio Code and tests its grammar",
    run: chore,
};

/// What of the extension is compiled and tested.
const FILES: [&str; 4] =
    ["package.json", "package-lock.json", "tsconfig.json", "language-configuration.json"];
const FOLDERS: [&str; 3] = ["src", "syntaxes", "test"];

fn chore(arguments: &[String]) -> Result<ExitCode> {
    if let Some(argument) = arguments.first() {
        return Err(format!("editors does not know {argument}").into());
    }
    let mut all = Steps::new();
    steps(&mut all);
    Ok(all.finish())
}

/// What `cargo xtask test` runs of this.
pub(crate) fn steps(steps: &mut Steps) {
    steps.run("editors", check);
}

fn check() -> Result<Verdict> {
    if !is_there("node") && !place::is_ci() {
        return skipped(
            "Node.js is not there, so the editor extension was not tested: install it (https://nodejs.org)",
        );
    }
    let (from, to) = (place::root().join("editors/vscode"), place::tools().join("vscode"));
    let lock = "package-lock.json";
    let wanted = fs::read_to_string(from.join(lock))?;
    let is_installed = to.join("node_modules").is_dir()
        && fs::read_to_string(to.join(lock)).is_ok_and(|found| found == wanted);
    if !is_installed {
        place::empty_folder(&to)?;
        // The list of what is installed comes last, so that an installation that fails is done again.
        fs::copy(from.join("package.json"), to.join("package.json"))?;
        fs::copy(from.join(lock), to.join(lock))?;
        let installed = npm(&to, &["ci", "--no-audit", "--no-fund"]);
        if let Err(error) = installed {
            fs::remove_file(to.join(lock))?;
            return Err(error);
        }
    }
    for file in FILES {
        fs::copy(from.join(file), to.join(file))?;
    }
    for folder in FOLDERS {
        place::empty_folder(&to.join(folder))?;
        for entry in fs::read_dir(from.join(folder))? {
            let entry = entry?;
            fs::copy(entry.path(), to.join(folder).join(entry.file_name()))?;
        }
    }
    npm(&to, &["run", "--silent", "compile"])?;
    npm(&to, &["test", "--silent"])?;
    passed()
}
