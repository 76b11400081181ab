//! Compares the files of two builds.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::release::finished;
use crate::command::{cargo, run, text};
use crate::step::{Verdict, passed, passed_with};
use crate::system::link;
use crate::{Result, archive, paths};

/// Fails if the working tree has changes that a clone would lack.
pub(super) fn require_commit() -> Result<Verdict> {
    let changes = text(Command::new("git").args(["status", "--porcelain"]))?;
    match changes.lines().next() {
        None => passed(),
        Some(first) => {
            Err(format!("a clone lacks uncommitted changes, such as {}: commit them first", first.trim())
                .into())
        }
    }
}

/// Builds the files again in a clone of the last commit, which is in another folder, and compares all bytes.
pub(super) fn build_again() -> Result<Verdict> {
    let clone = paths::target().join("second-build");
    paths::empty_folder(&clone)?;
    run(Command::new("git").args(["clone", "--quiet", "."]).arg(&clone))?;
    fs::create_dir(clone.join("target"))?;
    link(&paths::tools().to_string_lossy(), &clone.join("target/tools"))?;
    run(cargo("xtask dist").current_dir(&clone).env_remove("CARGO_TARGET_DIR"))?;
    let first = finished();
    let second = clone.join(first.strip_prefix(paths::target().parent().unwrap_or(paths::target()))?);
    let count = require_same_files(&first, &second)?;
    passed_with(format!("{count} files have the same bytes"))
}

/// Compares the files of two folders by name and content. Returns their number; the error lists the differences.
pub(super) fn require_same_files(first: &Path, second: &Path) -> Result<usize> {
    let [of_first, of_second] = [names(first)?, names(second)?];
    let mut differences = Vec::new();
    for name in of_first.symmetric_difference(&of_second) {
        differences.push(format!("{name} is in only one of the folders"));
    }
    for name in of_first.intersection(&of_second) {
        let [one, other] = [first.join(name), second.join(name)];
        if fs::read(&one)? != fs::read(&other)? {
            differences.push(format!("{name}: {}", differing_entries(&one, &other)?.join(", ")));
        }
    }
    if !differences.is_empty() {
        let [first, second] = [first, second].map(paths::short);
        return Err(format!("{first} and {second} differ:\n  {}", differences.join("\n  ")).into());
    }
    if of_first.is_empty() {
        Err(format!("{} is empty", paths::short(first)).into())
    } else {
        Ok(of_first.len())
    }
}

/// The names of all files below a folder.
fn names(folder: &Path) -> Result<BTreeSet<String>> {
    let files = paths::files_recursive(folder, |_| true)?;
    files.iter().map(|path| Ok(path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/"))).collect()
}

/// The entries in which two archives with different bytes differ.
fn differing_entries(one: &Path, other: &Path) -> Result<Vec<String>> {
    let [one, other] = [archive::entries(one)?, archive::entries(other)?];
    let names: BTreeSet<_> = one.keys().chain(other.keys()).collect();
    let differing: Vec<_> =
        names.into_iter().filter(|name| one.get(*name) != other.get(*name)).cloned().collect();
    Ok(if differing.is_empty() {
        vec!["order, times or permissions of its entries".into()]
    } else {
        differing
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Time;

    #[test]
    fn differences_of_archives_are_named() {
        let folder = paths::target().join("compare-tests");
        let time = Time::parse("1000000000,2001,09,09,01,46,40").unwrap();
        let [first, second] = ["first", "second"].map(|name| folder.join(name));
        for (root, text) in [(&first, "one"), (&second, "two")] {
            let input = folder.join("in");
            paths::empty_folder(&input).unwrap();
            paths::empty_folder(root).unwrap();
            fs::write(input.join("same.txt"), "same").unwrap();
            fs::write(input.join("text.txt"), text).unwrap();
            archive::zip(&input, "top", &root.join("a.zip"), &time).unwrap();
            fs::write(root.join("b.txt"), "b").unwrap();
        }
        let error = require_same_files(&first, &second).unwrap_err().to_string();
        assert!(error.ends_with("differ:\n  a.zip: top/text.txt"), "{error}");
        fs::remove_file(second.join("b.txt")).unwrap();
        let error = require_same_files(&first, &second).unwrap_err().to_string();
        assert!(error.contains("b.txt is in only one of the folders"), "{error}");
        assert_eq!(require_same_files(&first, &first).unwrap(), 2);
    }
}
