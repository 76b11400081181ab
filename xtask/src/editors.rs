//! `cargo xtask editors`: compiles the extension for Visual Studio Code and tests its grammar with every construct of the language.

use std::fs;
use std::process::ExitCode;

use crate::command::{can_run, npm};
use crate::step::{Steps, Verdict, passed, skipped};
use crate::{Chore, Result, paths};

pub(crate) static CHORE: Chore = Chore {
    name: "editors",
    arguments: "",
    about: "compiles the extension for Visual Studio Code and tests its grammar",
    run: chore,
};

/// The files and folders of the extension that are compiled and tested.
const FILES: [&str; 4] =
    ["package.json", "package-lock.json", "tsconfig.json", "language-configuration.json"];
const FOLDERS: [&str; 3] = ["src", "syntaxes", "test"];

fn chore(arguments: &[String]) -> Result<ExitCode> {
    if let Some(argument) = arguments.first() {
        return Err(format!("unexpected argument {argument}; editors takes none").into());
    }
    let mut all = Steps::new();
    steps(&mut all);
    Ok(all.finish())
}

/// Adds the steps of this chore to those of `cargo xtask test`.
pub(crate) fn steps(steps: &mut Steps) {
    steps.run("editors", check);
}

fn check() -> Result<Verdict> {
    if !can_run("node") && !paths::is_ci() {
        return skipped(
            "Node.js was not found, so the editor extension was not tested: install it (https://nodejs.org)",
        );
    }
    let (from, to) = (paths::root().join("editors/vscode"), paths::tools().join("vscode"));
    let lock = "package-lock.json";
    let wanted = fs::read_to_string(from.join(lock))?;
    let is_installed = to.join("node_modules").is_dir()
        && fs::read_to_string(to.join(lock)).is_ok_and(|found| found == wanted);
    if !is_installed {
        paths::empty_folder(&to)?;
        // The lock file marks a complete installation: it is removed if the installation fails.
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
        paths::empty_folder(&to.join(folder))?;
        for entry in fs::read_dir(from.join(folder))? {
            let entry = entry?;
            fs::copy(entry.path(), to.join(folder).join(entry.file_name()))?;
        }
    }
    npm(&to, &["run", "--silent", "compile"])?;
    npm(&to, &["test", "--silent"])?;
    passed()
}
