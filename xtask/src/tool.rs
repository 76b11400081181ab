//! Tools that chores need: found, or installed below `target/tools`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::command::{cargo, is_there, npm, run, text};
use crate::{Result, place};

/// The versions that chores are known to work with.
const MDBOOK: &str = "0.5.4";
const CARGO_DENY: &str = "0.20.2";
const CARGO_FUZZ: &str = "0.13.2";
const CARGO_PUBLIC_API: &str = "0.52.0";
/// Two generations of Blender, as its Python module.
const BLENDERS: [&str; 2] = ["4.5.15", "5.0.1"];

/// mdBook, installed if need be.
pub(crate) fn mdbook() -> Result<PathBuf> {
    match find("mdbook") {
        Some(path) => Ok(path),
        None => install("mdbook", MDBOOK, &["--no-default-features", "--features", "search"]),
    }
}

/// cargo-deny, installed if need be.
pub(crate) fn cargo_deny() -> Result<PathBuf> {
    match find("cargo-deny") {
        Some(path) => Ok(path),
        None => install("cargo-deny", CARGO_DENY, &["--no-default-features"]),
    }
}

/// cargo-fuzz, installed if need be.
pub(crate) fn cargo_fuzz() -> Result<PathBuf> {
    match find("cargo-fuzz") {
        Some(path) => Ok(path),
        None => install("cargo-fuzz", CARGO_FUZZ, &[]),
    }
}

/// cargo-public-api, installed if need be.
pub(crate) fn cargo_public_api() -> Result<PathBuf> {
    match find("cargo-public-api") {
        Some(path) => Ok(path),
        None => install("cargo-public-api", CARGO_PUBLIC_API, &[]),
    }
}

/// The name of a nightly toolchain, if there is one.
pub(crate) fn nightly() -> Option<String> {
    let list = text(Command::new("rustup").args(["toolchain", "list"])).ok()?;
    let name = list.lines().find(|line| line.starts_with("nightly"))?;
    name.split_whitespace().next().map(str::to_owned)
}

/// The Khronos validator with our runner beside it, installed if need be: the runner's path.
pub(crate) fn validator() -> Result<PathBuf> {
    let (from, to) = (place::root().join("xtask/validator"), place::tools().join("validator"));
    let wanted = fs::read_to_string(from.join("package-lock.json"))?;
    let is_installed = to.join("node_modules").is_dir()
        && fs::read_to_string(to.join("package-lock.json")).is_ok_and(|found| found == wanted);
    if !is_installed {
        place::empty_folder(&to)?;
        fs::copy(from.join("package.json"), to.join("package.json"))?;
        fs::write(to.join("package-lock.json"), wanted)?;
        npm(&to, &["ci", "--no-audit", "--no-fund"])?;
    }
    let runner = to.join("validate.mjs");
    fs::copy(from.join("validate.mjs"), &runner)?;
    Ok(runner)
}

/// The folders of Blender's Python module, one for each version, installed if need be. A version that cannot be installed is left out, which is said.
pub(crate) fn blenders() -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for version in BLENDERS {
        let folder = place::tools().join(format!("bpy-{version}"));
        if !folder.join("bpy").is_dir() {
            println!("bpy {version} is not there: it is installed below {}", place::short(&place::tools()));
            let unfinished = place::tools().join(format!("bpy-{version}.part"));
            place::empty_folder(&unfinished)?;
            let mut pip = Command::new("python3");
            pip.args(["-m", "pip", "install", "--quiet", "--root-user-action", "ignore", "--target"])
                .arg(&unfinished);
            if run(pip.arg(format!("bpy=={version}"))).is_err() {
                println!(
                    "SKIPPED: bpy {version} cannot be installed, so nothing goes through that version of Blender"
                );
                continue;
            }
            fs::rename(&unfinished, &folder)?;
        }
        out.push(folder);
    }
    Ok(out)
}

/// The user's own program of this name, or ours if it is there already.
fn find(name: &str) -> Option<PathBuf> {
    [PathBuf::from(name), bin(name)].into_iter().find(|path| is_there(path))
}

fn bin(name: &str) -> PathBuf {
    place::tools().join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn install(name: &str, version: &str, more: &[&str]) -> Result<PathBuf> {
    println!("{name} is not there: it is installed below {}", place::short(&place::tools()));
    // Unoptimised: these tools have little to do, and compile in a third of the time.
    let command = &mut cargo("install --locked --debug");
    command.args([name, "--version", version]).args(more);
    // Without a target folder of its own, cargo builds in a temporary one and leaves nothing behind.
    run(command.arg("--root").arg(place::tools()).env_remove("CARGO_TARGET_DIR"))?;
    Ok(bin(name))
}
