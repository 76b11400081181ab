//! Checks that `rust-version` in the manifests of the published crates is exactly the highest version that they and their dependencies
//! require.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::command::{cargo, text};
use crate::step::{Verdict, passed_with};
use crate::{Result, paths};

/// A version of Rust: 1.88 is the same as 1.88.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RustVersion([u32; 3]);

impl RustVersion {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let mut next = || parts.next().map_or(Some(0), |part| part.parse().ok());
        let version = Self([next()?, next()?, next()?]);
        parts.next().is_none().then_some(version)
    }
}

/// A package as `cargo metadata` lists it.
struct Package<'a> {
    name: &'a str,
    version: &'a str,
    rust_version: Option<&'a str>,
    is_ours: bool,
    is_published: bool,
}

/// The version that the crates themselves require, and the API that requires it.
const OWN: (&str, &str) = ("1.89", "std::fs::File::try_lock");

/// Checks that `rust-version` is the highest version that the published crates require or their dependencies declare, and equal to the
/// `msrv` of Clippy.
pub(crate) fn check() -> Result<Verdict> {
    let metadata: Value = serde_json::from_str(&text(&mut cargo("metadata --format-version 1 --locked"))?)?;
    let declared = declared(&metadata)?;
    let mut needs = vec![highest(&metadata)?, (OWN.0.to_owned(), OWN.1.to_owned())];
    needs.sort_by_key(|(version, _)| RustVersion::parse(version));
    let (needed, by) = needs.pop().ok_or("no dependency declares a rust-version")?;
    if RustVersion::parse(&declared) != RustVersion::parse(&needed) {
        return Err(format!("rust-version is {declared} in Cargo.toml, but {by} requires {needed}").into());
    }
    let clippy = fs::read_to_string(paths::root().join("clippy.toml"))?;
    let line = format!("msrv = \"{declared}\"");
    if !clippy.lines().any(|found| found == line) {
        return Err(format!("clippy.toml must contain {line}, the rust-version in Cargo.toml").into());
    }
    passed_with(format!("{declared}, required by {by}"))
}

/// The `rust-version` of the published crates, which must be the same for all.
fn declared(metadata: &Value) -> Result<String> {
    let mut versions = BTreeSet::new();
    for package in packages(metadata).filter(|package| package.is_ours && package.is_published) {
        let version = package.rust_version.ok_or_else(|| format!("{} has no rust-version", package.name))?;
        versions.insert(version);
    }
    match Vec::from_iter(versions).as_slice() {
        [version] => Ok((*version).to_owned()),
        versions => {
            Err(format!("the crates declare different rust-versions: {}", versions.join(", ")).into())
        }
    }
}

/// The highest version that a dependency of a published crate declares, and the names of these dependencies, without dev-dependencies.
fn highest(metadata: &Value) -> Result<(String, String)> {
    let published = published(metadata);
    let foreign = packages(metadata)
        .zip(list(metadata, "/packages"))
        .filter(|(package, value)| !package.is_ours && published.contains(string(value, "id")))
        .filter_map(|(package, _)| Some((RustVersion::parse(package.rust_version?)?, package)));
    let foreign: Vec<_> = foreign.collect();
    let top = foreign.iter().map(|(version, _)| *version).max();
    let by: Vec<_> =
        foreign.iter().filter(|(version, _)| Some(*version) == top).map(|(_, package)| package).collect();
    let first =
        by.first().and_then(|package| package.rust_version).ok_or("no dependency declares a rust-version")?;
    let names: Vec<_> = by.iter().map(|package| format!("{} {}", package.name, package.version)).collect();
    Ok((first.to_owned(), names.join(", ")))
}

/// The ids of the published crates and of all their dependencies, including build dependencies.
fn published(metadata: &Value) -> BTreeSet<&str> {
    let ours = packages(metadata).zip(list(metadata, "/packages"));
    let mut waiting: Vec<_> = ours
        .filter(|(package, _)| package.is_ours && package.is_published)
        .map(|(_, value)| string(value, "id"))
        .collect();
    let mut out = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !out.insert(id) {
            continue;
        }
        let node = list(metadata, "/resolve/nodes").find(|node| string(node, "id") == id);
        for dependency in node.into_iter().flat_map(|node| list(node, "/deps")) {
            if list(dependency, "/dep_kinds").any(|kind| string(kind, "kind") != "dev") {
                waiting.push(string(dependency, "pkg"));
            }
        }
    }
    out
}

fn packages(metadata: &Value) -> impl Iterator<Item = Package<'_>> {
    list(metadata, "/packages").map(|value| Package {
        name: string(value, "name"),
        version: string(value, "version"),
        rust_version: value.pointer("/rust_version").and_then(Value::as_str),
        is_ours: value.pointer("/source").is_none_or(Value::is_null),
        is_published: value.pointer("/publish").is_none_or(Value::is_null),
    })
}

fn list<'a>(value: &'a Value, pointer: &str) -> impl Iterator<Item = &'a Value> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

fn string<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn metadata() -> Value {
        let ours = |name: &str, publish: Value| json!({"id": name, "name": name, "version": "0.1.0", "source": null, "rust_version": "1.80", "publish": publish});
        let foreign = |name: &str, rust_version: &str| json!({"id": name, "name": name, "version": "1.0.0", "source": "registry", "rust_version": rust_version});
        let node = |id: &str, deps: &[(&str, Option<&str>)]| {
            let deps: Vec<_> =
                deps.iter().map(|(pkg, kind)| json!({"pkg": pkg, "dep_kinds": [{"kind": kind}]})).collect();
            json!({"id": id, "deps": deps})
        };
        json!({
            "packages": [
                ours("lib", json!(null)), ours("chores", json!([])),
                foreign("old", "1.63.0"), foreign("new", "1.80"), foreign("tests", "1.95"), foreign("tools", "1.90"),
            ],
            "resolve": {"nodes": [
                node("lib", &[("old", None), ("tests", Some("dev"))]),
                node("old", &[("new", Some("build"))]),
                node("chores", &[("tools", None)]),
            ]},
        })
    }

    #[test]
    fn ignores_dependencies_of_tests_and_chores() {
        assert_eq!(declared(&metadata()).unwrap(), "1.80");
        assert_eq!(highest(&metadata()).unwrap(), ("1.80".to_owned(), "new 1.0.0".to_owned()));
    }

    #[test]
    fn compares_versions_as_numbers() {
        assert!(RustVersion::parse("1.100").unwrap() > RustVersion::parse("1.88.0").unwrap());
        assert_eq!(RustVersion::parse("1.88"), RustVersion::parse("1.88.0"));
        assert_eq!(RustVersion::parse("stable"), None);
    }
}
