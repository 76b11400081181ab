//! `cargo xtask demo`: shows in a minute what the program can do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::command::{antiquary, run};
use crate::step::{Steps, Verdict, passed_with};
use crate::{Chore, Result, docs, place, web};

/// The folder that the demo converts into.
const CONVERTED: &str = "converted";

pub(crate) static CHORE: Chore = Chore {
    name: "demo",
    arguments: "[FOLDER]",
    about: "builds the program, lets it write a small sample game into FOLDER (./sample) and convert it,\n\
            and says how to look at it: the gallery is FOLDER/converted/index.html",
    run: chore,
};

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let folder = match arguments {
        [] => place::root().join("sample"),
        [folder] if !folder.starts_with('-') => std::path::absolute(folder)?,
        _ => return Err("demo takes one folder".into()),
    };
    let mut steps = Steps::new();
    steps.run("page", web::build);
    let _ = steps.run("build", || {
        docs::build_program()?;
        passed_with(place::short(&place::program()))
    }) && steps.run("demo", || make(&folder));
    Ok(steps.finish())
}

/// Writes the sample games and converts them. What an earlier demo wrote is replaced.
pub(crate) fn make(folder: &Path) -> Result<Verdict> {
    run(antiquary().arg("demo").arg("-o").arg(place::short(folder)).arg("--force"))?;
    passed_with(format!("{} scenes in {}", scenes(folder)?.len(), place::short(folder)))
}

/// The folders of the sample games.
pub(crate) fn games(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
    let mut games: Vec<_> = entries.iter().map(fs::DirEntry::path).filter(|path| path.is_dir()).collect();
    games.retain(|path| !path.ends_with(CONVERTED));
    games.sort();
    Ok(games)
}

fn scenes(folder: &Path) -> Result<Vec<PathBuf>> {
    Ok(place::files_recursive(folder, |path| place::extension(path) == "glb")?)
}
