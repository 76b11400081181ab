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
            and tells how to look at it: the gallery is FOLDER/converted/index.html",
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
    let is_made = steps.run("build", || {
        docs::build_program()?;
        passed_with(place::short(&place::program()))
    }) && steps.run("demo", || make(&folder));
    if is_made {
        print!("{}", next_steps(&folder)?);
    }
    Ok(steps.finish())
}

/// Writes the sample games and converts them. What an earlier demo wrote is replaced.
pub(crate) fn make(folder: &Path) -> Result<Verdict> {
    run(antiquary().arg("demo").arg("-o").arg(folder).arg("--force"))?;
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

fn next_steps(folder: &Path) -> Result<String> {
    let mut out = String::from("\n=== what to do now\n");
    out.push_str("Look at everything that was converted; open this page in a browser:\n");
    out.push_str(&format!("  {}\n", folder.join(CONVERTED).join("index.html").display()));
    if let Some(scene) = scenes(folder)?.first() {
        out.push_str(&format!("Walk around in a scene, {} for example:\n", scene.display()));
        out.push_str("  drag it onto the page https://gltf-viewer.donmccurdy.com (it stays on this computer), or import it in Blender\n");
    }
    let program = place::short(&place::program());
    let all: Vec<_> = games(folder)?.iter().map(|game| place::short(game)).collect();
    out.push_str(&format!(
        "Browse, see, hear and search everything in a browser:\n  {program} view {}\n",
        all.join(" ")
    ));
    for game in games(folder)? {
        out.push_str(&format!(
            "See what the files hold, byte for byte if you like:\n  {program} scan {}\n",
            place::short(&game)
        ));
    }
    out.push_str(&format!("Read on in docs/src/start.md, or: {program} --help\n"));
    Ok(out)
}
