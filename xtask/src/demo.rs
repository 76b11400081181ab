//! `cargo xtask demo`: a demonstration of the program in one minute.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::command::{antiquary, run};
use crate::step::{Steps, Verdict, passed_with};
use crate::{Chore, Result, docs, paths, web};

/// The folder that the demo converts into.
const CONVERTED: &str = "converted";

pub(crate) static CHORE: Chore = Chore {
    name: "demo",
    arguments: "[FOLDER]",
    about: "builds the program, writes small sample games into FOLDER (./sample) and converts them;\n\
            the gallery is FOLDER/converted/index.html",
    run: chore,
};

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let folder = match arguments {
        [] => paths::root().join("sample"),
        [folder] if !folder.starts_with('-') => std::path::absolute(folder)?,
        _ => return Err("unexpected argument; demo accepts at most one folder".into()),
    };
    let mut steps = Steps::new();
    steps.run("page", web::build);
    let _ = steps.run("build", || {
        docs::build_program()?;
        passed_with(paths::short(&paths::program()))
    }) && steps.run("demo", || make(&folder));
    Ok(steps.finish())
}

/// Writes the sample games and converts them. Files of an earlier demo are replaced.
pub(crate) fn make(folder: &Path) -> Result<Verdict> {
    run(antiquary().arg("demo").arg("-o").arg(paths::short(folder)).arg("--force"))?;
    passed_with(format!("{} scenes in {}", scenes(folder)?.len(), paths::short(folder)))
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
    Ok(paths::files_recursive(folder, |path| paths::extension(path) == "glb")?)
}
