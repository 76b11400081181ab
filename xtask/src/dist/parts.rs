//! Lists of the parts of a program or library, in the format CycloneDX.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::release::Release;
use crate::archive::Time;
use crate::command::{npm_in, run, text};
use crate::{Result, tool};

/// The name of the list in an archive.
pub(super) const NAME: &str = "parts.cdx.json";

/// Writes a list into a folder.
pub(super) fn write(folder: &Path, list: &Value) -> Result<()> {
    Ok(fs::write(folder.join(NAME), format!("{list:#}\n"))?)
}

/// Lists the crates that a crate consists of on a Rust target.
pub(super) fn of_crate(release: &Release, name: &str, target: &str) -> Result<Value> {
    let sources = release.sources()?;
    let folder = sources.join("crates").join(name);
    let tool = &mut Command::new(tool::cargo_cyclonedx()?);
    tool.args(["cyclonedx", "--format", "json", "--spec-version", "1.5", "--no-build-deps", "--quiet"]);
    tool.args(["--target", target, "--override-filename", "parts", "--manifest-path"]);
    tool.arg(folder.join("Cargo.toml")).env("SOURCE_DATE_EPOCH", release.time.seconds.to_string());
    run(tool)?;
    let list = fs::read_to_string(folder.join("parts.json"))?;
    Ok(serde_json::from_str(&list.replace(&*sources.to_string_lossy(), ""))?)
}

/// Lists the npm packages of the lock file in a folder, without those for development.
pub(super) fn of_npm(folder: &Path, time: &Time) -> Result<Value> {
    let npm = &mut npm_in(folder);
    npm.args(["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"]);
    with_time(serde_json::from_str(&text(npm)?)?, time)
}

/// Replaces the current time by that of the commit, and removes the random serial number.
fn with_time(mut list: Value, time: &Time) -> Result<Value> {
    let fields = list.as_object_mut().ok_or("npm has printed no list of parts")?;
    fields.remove("serialNumber");
    let metadata = fields.get_mut("metadata").and_then(Value::as_object_mut);
    metadata.ok_or("npm's list of parts has no metadata")?.insert("timestamp".into(), json!(time.iso()));
    Ok(list)
}

/// Adds the parts of another list, and what it describes, as parts of a list.
pub(super) fn merged(mut list: Value, mut other: Value) -> Result<Value> {
    let described = other.pointer_mut("/metadata/component").map(Value::take);
    let mut components = described.into_iter().collect::<Vec<_>>();
    components.extend(
        other.get_mut("components").and_then(Value::as_array_mut).into_iter().flat_map(std::mem::take),
    );
    let mut dependencies = Vec::new();
    dependencies.extend(
        other.get_mut("dependencies").and_then(Value::as_array_mut).into_iter().flat_map(std::mem::take),
    );
    for (key, more) in [("components", components), ("dependencies", dependencies)] {
        let items = list.get_mut(key).and_then(Value::as_array_mut);
        items.ok_or_else(|| format!("the list of parts has no {key}"))?.extend(more);
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_and_its_packages_are_parts_of_the_program() {
        let list = json!({"metadata": {"component": {"name": "program"}}, "components": [{"name": "crate"}], "dependencies": []});
        let page = json!({"metadata": {"component": {"name": "page"}}, "components": [{"name": "three"}], "dependencies": [{"ref": "three"}]});
        let merged = merged(list, page).unwrap();
        let names: Vec<_> = merged["components"]
            .as_array()
            .unwrap()
            .iter()
            .map(|part| part["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["crate", "page", "three"]);
        assert_eq!(merged["dependencies"], json!([{"ref": "three"}]));
        assert_eq!(merged["metadata"]["component"]["name"], "program");
    }

    #[test]
    fn lists_do_not_depend_on_the_current_time() {
        let time = Time::parse("1000000000,2001,09,09,01,46,40").unwrap();
        let list =
            json!({"serialNumber": "urn:uuid:1", "metadata": {"timestamp": "2026-11-29T09:44:10.477Z"}});
        assert_eq!(
            with_time(list, &time).unwrap(),
            json!({"metadata": {"timestamp": "2001-09-09T01:46:40Z"}})
        );
    }
}
