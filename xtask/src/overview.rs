//! Tests that the architecture page lists exactly the folders of the project.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::command::text;
use crate::paths;

/// The names in the first column of the table of crates.
fn listed(page: &str) -> BTreeSet<String> {
    let (_, table) = page.split_once("\n| crate | purpose |\n").unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|')).skip(1);
    rows.filter_map(|row| Some(row.split('`').nth(1)?.to_owned())).collect()
}

/// The folders of these files: crates by name, the other top-level folders with a trailing slash. Hidden folders are ignored.
fn folders<'a>(files: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let folder = |file: &str| match file.split('/').collect::<Vec<_>>().as_slice() {
        ["crates", name, _, ..] => Some((*name).to_owned()),
        ["crates", ..] | [_] => None,
        [name, ..] => (!name.starts_with('.')).then(|| format!("{name}/")),
        [] => None,
    };
    files.filter_map(folder).collect()
}

#[test]
fn the_architecture_page_lists_all_folders() {
    let files = text(Command::new("git").arg("ls-files").current_dir(paths::root())).unwrap();
    let page = fs::read_to_string(paths::root().join("docs/src/architecture.md")).unwrap();
    assert_eq!(listed(&page), folders(files.lines()));
}

#[test]
fn reads_folders_from_tables_and_paths() {
    let page =
        "text\n| crate | purpose |\n| --- | --- |\n| `a` | uses `b` |\n| `c/` | tools |\n\n| `d` | other |\n";
    let expected = BTreeSet::from(["a".to_owned(), "c/".to_owned()]);
    assert_eq!(listed(page), expected);
    assert_eq!(folders(["crates/a/src/lib.rs", "c/x.rs", "README.md", ".ci/run"].into_iter()), expected);
}
