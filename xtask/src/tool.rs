//! Tools that chores need: found on the machine, or installed into `target/tools`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::command::{can_run, cargo, npm, run, text};
use crate::{Result, paths};

/// The versions that the chores are tested with.
const MDBOOK: &str = "0.5.4";
const CBINDGEN: &str = "0.29.4";
const CARGO_DENY: &str = "0.20.2";
const CARGO_FUZZ: &str = "0.13.2";
const CARGO_PUBLIC_API: &str = "0.52.0";
/// Two major versions of Blender, as its Python module.
const BLENDERS: [&str; 2] = ["4.5.15", "5.0.1"];
/// The oldest and the newest version of Blender that the extension supports.
const BLENDERS_OF_EXTENSION: [&str; 2] = ["4.2.23", "5.0.1"];

/// The path of mdBook, which is installed if necessary.
pub(crate) fn mdbook() -> Result<PathBuf> {
    match find("mdbook") {
        Some(path) => Ok(path),
        None => install("mdbook", MDBOOK, &["--no-default-features", "--features", "search"]),
    }
}

/// The path of cbindgen, which is installed if necessary. Another version may write a different header, so one on the path is used
/// only if it is the same.
pub(crate) fn cbindgen() -> Result<PathBuf> {
    let is_same = |path: &PathBuf| {
        let version = text(Command::new(path).arg("--version"));
        version.is_ok_and(|version| version.trim().ends_with(CBINDGEN))
    };
    match [PathBuf::from("cbindgen"), bin("cbindgen")].into_iter().find(is_same) {
        Some(path) => Ok(path),
        None => install("cbindgen", CBINDGEN, &[]),
    }
}

/// The path of cargo-deny, which is installed if necessary.
pub(crate) fn cargo_deny() -> Result<PathBuf> {
    match find("cargo-deny") {
        Some(path) => Ok(path),
        None => install("cargo-deny", CARGO_DENY, &["--no-default-features"]),
    }
}

/// The path of cargo-fuzz, which is installed if necessary.
pub(crate) fn cargo_fuzz() -> Result<PathBuf> {
    match find("cargo-fuzz") {
        Some(path) => Ok(path),
        None => install("cargo-fuzz", CARGO_FUZZ, &[]),
    }
}

/// The path of cargo-public-api, which is installed if necessary.
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

/// The path of the script that runs the Khronos validator, which is installed next to it if necessary.
pub(crate) fn validator() -> Result<PathBuf> {
    script("validator", "validate.mjs")
}

/// The path of the script that runs the Kaitai compiler, which is installed next to it if necessary.
pub(crate) fn kaitai() -> Result<PathBuf> {
    script("kaitai", "compare.mjs")
}

/// The path of a script in a folder next to this program's source, with the packages of its lock file.
fn script(folder: &str, name: &str) -> Result<PathBuf> {
    let (from, to) = (paths::root().join("xtask").join(folder), paths::tools().join(folder));
    let wanted = fs::read_to_string(from.join("package-lock.json"))?;
    let is_installed = to.join("node_modules").is_dir()
        && fs::read_to_string(to.join("package-lock.json")).is_ok_and(|found| found == wanted);
    if !is_installed {
        paths::empty_folder(&to)?;
        fs::copy(from.join("package.json"), to.join("package.json"))?;
        fs::write(to.join("package-lock.json"), wanted)?;
        npm(&to, &["ci", "--no-audit", "--no-fund"])?;
    }
    let runner = to.join(name);
    fs::copy(from.join(name), &runner)?;
    Ok(runner)
}

/// The folders of Blender's Python module, one for each version, installed if necessary. A version that cannot be installed is skipped
/// with a message.
pub(crate) fn blenders() -> Result<Vec<PathBuf>> {
    install_blenders(&BLENDERS)
}

/// Like [`blenders`], for the versions that the extension is tested with.
pub(crate) fn blenders_of_extension() -> Result<Vec<PathBuf>> {
    install_blenders(&BLENDERS_OF_EXTENSION)
}

fn install_blenders(versions: &[&str]) -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for version in versions {
        let folder = paths::tools().join(format!("bpy-{version}"));
        if !folder.join("bpy").is_dir() {
            println!("bpy {version} was not found; installing it into {}", paths::short(&paths::tools()));
            let unfinished = paths::tools().join(format!("bpy-{version}.part"));
            paths::empty_folder(&unfinished)?;
            let mut pip = Command::new("python3");
            pip.args(["-m", "pip", "install", "--quiet", "--root-user-action", "ignore", "--target"])
                .arg(&unfinished);
            if run(pip.arg(format!("bpy=={version}"))).is_err() {
                println!(
                    "SKIPPED: bpy {version} could not be installed, so this version of Blender is not tested"
                );
                continue;
            }
            fs::rename(&unfinished, &folder)?;
        }
        out.push(folder);
    }
    Ok(out)
}

/// The program of this name on the path, or the one that was installed earlier.
fn find(name: &str) -> Option<PathBuf> {
    [PathBuf::from(name), bin(name)].into_iter().find(|path| can_run(path))
}

fn bin(name: &str) -> PathBuf {
    paths::tools().join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn install(name: &str, version: &str, more: &[&str]) -> Result<PathBuf> {
    println!("{name} was not found; installing it into {}", paths::short(&paths::tools()));
    // Without optimizations: these tools do little, and compile in a third of the time.
    let command = &mut cargo("install --locked --debug");
    command.args([name, "--version", version]).args(more);
    // Without this variable, cargo builds in a temporary folder and removes it.
    run(command.arg("--root").arg(paths::tools()).env_remove("CARGO_TARGET_DIR"))?;
    Ok(bin(name))
}
