//! `cargo xtask package`: every crate as crates.io would take it, and the oldest Rust that they need.

use std::fmt::Write;
use std::fs;
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::command::{cargo, run, text};
use crate::step::{Steps, Verdict, passed_with};
use crate::{Chore, Result, place, rust_version};

pub(crate) static CHORE: Chore = Chore {
    name: "package",
    arguments: "",
    about: "makes the packages of all crates for crates.io, and compares rust-version with what the dependencies ask for",
    run: chore,
};

/// What crates.io shows of a crate, and what each manifest must therefore have.
const KEYS: &[&str] =
    &["description", "license", "repository", "readme", "keywords", "categories", "rust_version"];

/// Files that each package must hold.
const NEEDED: &[&str] = &["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Files that cargo adds.
const ADDED: &[&str] = &[".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml.orig"];

/// What a package may hold besides its source: the program that runs before it is built.
const ALLOWED: &[&str] = &["build.rs"];

/// The version of all of them.
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn chore(arguments: &[String]) -> Result<ExitCode> {
    if let Some(argument) = arguments.first() {
        return Err(format!("package does not know {argument}").into());
    }
    let mut all = Steps::new();
    steps(&mut all);
    Ok(all.finish())
}

/// What `cargo xtask test` runs of this.
pub(crate) fn steps(steps: &mut Steps) {
    steps.run("rust-version", rust_version::check);
    steps.run("packages", check);
}

/// Makes the packages of all crates that are published.
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

/// Compiles all packages as what they hold, together: each finds the others as it would on crates.io.
fn compile(names: &[&str]) -> Result<()> {
    let (from, to) = (place::target().join("package"), place::target().join("unpacked-packages"));
    place::empty_folder(&to)?;
    let mut manifest =
        "[workspace]\nresolver = \"3\"\nmembers = [\"*-[0-9]*\"]\n\n[patch.crates-io]\n".to_owned();
    for name in names {
        let package = format!("{name}-{VERSION}");
        run(Command::new("tar").arg("-xzf").arg(from.join(format!("{package}.crate"))).arg("-C").arg(&to))?;
        writeln!(manifest, "{name} = {{ path = \"{package}\" }}")?;
    }
    fs::write(to.join("Cargo.toml"), manifest)?;
    fs::copy(place::root().join("Cargo.lock"), to.join("Cargo.lock"))?;
    let mut check = cargo("check --quiet --workspace");
    run(check.current_dir(&to).env("CARGO_TARGET_DIR", place::target().join("check-packages")))
}

/// What the manifest does not say.
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

/// Features of `serde_json` that would be on in the whole program of a user, and change what it parses and writes.
fn forced_features(package: &Value) -> impl Iterator<Item = String> {
    let dependencies = package.get("dependencies").and_then(Value::as_array).into_iter().flatten();
    dependencies
        .filter(|dependency| dependency.get("name").is_some_and(|name| name == "serde_json"))
        .filter(|dependency| dependency.get("kind").is_none_or(Value::is_null))
        .filter_map(|dependency| dependency.get("features")?.as_array())
        .flatten()
        .filter_map(Value::as_str)
        .map(|feature| format!("Cargo.toml turns on the feature {feature} of serde_json for everybody"))
}

/// Files that are missing, and files that do not belong into a package.
fn wrong_files(listed: &str) -> impl Iterator<Item = String> {
    let missing = NEEDED
        .iter()
        .filter(move |needed| !listed.lines().any(|file| file == **needed))
        .map(|file| format!("{file} is missing from the package"));
    let foreign = listed
        .lines()
        .map(|file| file.replace('\\', "/"))
        .filter(|file| !file.starts_with("src/") && !file.starts_with("examples/"))
        .filter(|file| ![NEEDED, ADDED, ALLOWED].concat().contains(&file.as_str()))
        .map(|file| format!("{file} does not belong into the package"));
    missing.chain(foreign)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_package_needs_what_the_registry_shows() {
        let package = json!({"description": "d", "license": "MIT", "repository": "r", "readme": null, "keywords": [], "categories": ["c"], "rust_version": "1.88"});
        let found: Vec<_> = missing_keys(&package).collect();
        assert_eq!(found, ["Cargo.toml has no readme", "Cargo.toml has no keywords"]);
    }

    #[test]
    fn a_package_changes_no_json_of_its_users() {
        let package = |kind: Value| json!({"dependencies": [{"name": "serde", "kind": null, "features": ["derive"]}, {"name": "serde_json", "kind": kind, "features": ["preserve_order"]}]});
        assert_eq!(
            forced_features(&package(Value::Null)).collect::<Vec<_>>(),
            ["Cargo.toml turns on the feature preserve_order of serde_json for everybody"]
        );
        assert_eq!(forced_features(&package(json!("dev"))).count(), 0);
    }

    #[test]
    fn a_package_holds_its_source_its_licenses_and_nothing_else() {
        let listed = "Cargo.toml\nCargo.toml.orig\nREADME.md\nLICENSE-MIT\nsrc/lib.rs\ntests/data.bin\n";
        let found: Vec<_> = wrong_files(listed).collect();
        assert_eq!(
            found,
            ["LICENSE-APACHE is missing from the package", "tests/data.bin does not belong into the package"]
        );
    }
}
