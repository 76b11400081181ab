//! `cargo xtask package`: packages every crate for crates.io and checks the minimum supported Rust version.

use std::fmt::Write;
use std::fs;
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::command::{cargo, run, text};
use crate::step::{Steps, Verdict, passed_with};
use crate::{Chore, Result, paths, rust_version};

pub(crate) static CHORE: Chore = Chore {
    name: "package",
    arguments: "",
    about: "packages all crates for crates.io, and compares rust-version with the requirements of the dependencies",
    run: chore,
};

/// Keys that each manifest must have, because crates.io displays them.
const KEYS: &[&str] =
    &["description", "license", "repository", "readme", "keywords", "categories", "rust_version"];

/// Files that each package must contain.
const NEEDED: &[&str] = &["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Files that cargo adds to a package.
const ADDED: &[&str] = &[".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml.orig"];

/// Other files that a package may contain: the build script.
const ALLOWED: &[&str] = &["build.rs"];

/// The version of all crates.
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn chore(arguments: &[String]) -> Result<ExitCode> {
    if let Some(argument) = arguments.first() {
        return Err(format!("unexpected argument {argument}; package takes none").into());
    }
    let mut all = Steps::new();
    steps(&mut all);
    Ok(all.finish())
}

/// Adds the steps of this chore to those of `cargo xtask test`.
pub(crate) fn steps(steps: &mut Steps) {
    steps.run("rust-version", rust_version::check);
    steps.run("packages", check);
}

/// Packages all published crates and compiles the packages.
fn check() -> Result<Verdict> {
    let metadata: Value = serde_json::from_str(&text(&mut cargo("metadata --format-version 1 --no-deps"))?)?;
    let crates: Vec<_> = metadata
        .get("packages")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter(|package| package.get("publish").is_none_or(Value::is_null))
        .collect();
    let mut names = Vec::new();
    for package in crates {
        let name = package.get("name").and_then(Value::as_str).unwrap_or_default();
        let listed = text(cargo("package --list --allow-dirty --package").arg(name))?;
        let defects: Vec<_> =
            missing_keys(package).chain(forced_features(package)).chain(wrong_files(&listed)).collect();
        if !defects.is_empty() {
            return Err(format!("{name}: {}", defects.join("; ")).into());
        }
        names.push(name);
    }
    let packages = names.iter().flat_map(|name| ["--package", *name]);
    run(cargo("package --quiet --allow-dirty --no-verify").args(packages))?;
    compile(&names)?;
    passed_with(format!("{} crates, compiled from their packages", names.len()))
}

/// Compiles the contents of all packages in one workspace, in which they replace each other's crates.io dependencies.
fn compile(names: &[&str]) -> Result<()> {
    let (from, to) = (paths::target().join("package"), paths::target().join("unpacked-packages"));
    paths::empty_folder(&to)?;
    let mut manifest =
        "[workspace]\nresolver = \"3\"\nmembers = [\"*-[0-9]*\"]\n\n[patch.crates-io]\n".to_owned();
    for name in names {
        let package = format!("{name}-{VERSION}");
        run(Command::new("tar").arg("-xzf").arg(from.join(format!("{package}.crate"))).arg("-C").arg(&to))?;
        writeln!(manifest, "{name} = {{ path = \"{package}\" }}")?;
    }
    fs::write(to.join("Cargo.toml"), manifest)?;
    fs::copy(paths::root().join("Cargo.lock"), to.join("Cargo.lock"))?;
    let mut check = cargo("check --quiet --workspace");
    run(check.current_dir(&to).env("CARGO_TARGET_DIR", paths::target().join("check-packages")))
}

/// Required keys that the manifest lacks.
fn missing_keys(package: &Value) -> impl Iterator<Item = String> {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    KEYS.iter()
        .filter(move |key| package.get(**key).is_none_or(is_empty))
        .map(|key| format!("Cargo.toml has no {}", key.replace('_', "-")))
}

/// Features of `serde_json` that a package enables. They would apply to the entire program of a user and change its JSON.
fn forced_features(package: &Value) -> impl Iterator<Item = String> {
    let dependencies = package.get("dependencies").and_then(Value::as_array).into_iter().flatten();
    dependencies
        .filter(|dependency| dependency.get("name").is_some_and(|name| name == "serde_json"))
        .filter(|dependency| dependency.get("kind").is_none_or(Value::is_null))
        .filter_map(|dependency| dependency.get("features")?.as_array())
        .flatten()
        .filter_map(Value::as_str)
        .map(|feature| format!("Cargo.toml enables the feature {feature} of serde_json for all users"))
}

/// Missing files, and files that do not belong in a package.
fn wrong_files(listed: &str) -> impl Iterator<Item = String> {
    let missing = NEEDED
        .iter()
        .filter(move |needed| !listed.lines().any(|file| file == **needed))
        .map(|file| format!("{file} is missing from the package"));
    let unexpected = listed
        .lines()
        .map(|file| file.replace('\\', "/"))
        .filter(|file| !file.starts_with("src/") && !file.starts_with("examples/"))
        .filter(|file| ![NEEDED, ADDED, ALLOWED].concat().contains(&file.as_str()))
        .map(|file| format!("{file} does not belong in the package"));
    missing.chain(unexpected)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn requires_the_keys_that_the_registry_displays() {
        let package = json!({"description": "d", "license": "MIT", "repository": "r", "readme": null, "keywords": [], "categories": ["c"], "rust_version": "1.88"});
        let found: Vec<_> = missing_keys(&package).collect();
        assert_eq!(found, ["Cargo.toml has no readme", "Cargo.toml has no keywords"]);
    }

    #[test]
    fn refuses_features_that_change_the_json_of_users() {
        let package = |kind: Value| json!({"dependencies": [{"name": "serde", "kind": null, "features": ["derive"]}, {"name": "serde_json", "kind": kind, "features": ["preserve_order"]}]});
        assert_eq!(
            forced_features(&package(Value::Null)).collect::<Vec<_>>(),
            ["Cargo.toml enables the feature preserve_order of serde_json for all users"]
        );
        assert_eq!(forced_features(&package(json!("dev"))).count(), 0);
    }

    #[test]
    fn allows_only_sources_licenses_and_readme() {
        let listed = "Cargo.toml\nCargo.toml.orig\nREADME.md\nLICENSE-MIT\nsrc/lib.rs\ntests/data.bin\n";
        let found: Vec<_> = wrong_files(listed).collect();
        assert_eq!(
            found,
            ["LICENSE-APACHE is missing from the package", "tests/data.bin does not belong in the package"]
        );
    }
}
