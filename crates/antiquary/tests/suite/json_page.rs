//! The book's pages on JSON and on settings document every member that Redguard's files are resolved to.

use std::collections::BTreeSet;

use antiquary::asset::{Detail, MemorySink};
use antiquary::{CATALOG, DescribeOptions, Inputs, Session, sample};
use json::Value;

const PAGE: &str = include_str!("../../../../docs/src/json.md");

/// The page on the keys of settings files.
const SETTINGS: &str = include_str!("../../../../docs/src/settings.md");

/// Members whose own members are names or numbers from the game.
const BY_NAME: [&str; 15] = [
    "rahd",
    "attributes",
    "texture_counts",
    "rotation_counts",
    "uv_by_rotation",
    "attribute_aliases",
    "palette_by_rgm",
    "palette_by_wld",
    "items",
    "attacks",
    "defends",
    "taunts",
    "duplicates",
    "sound_remaps",
    "file32",
];

fn collect(value: &Value, out: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                out.insert(name.clone());
                if !BY_NAME.contains(&name.as_str()) {
                    collect(value, out);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, out)),
        _ => {}
    }
}

/// Whether a page documents a member, or the key or the section of settings with its name.
fn is_documented(name: &str) -> bool {
    let is_section = || SETTINGS.contains(&format!("### [{name}] of "));
    let is_key = || {
        SETTINGS.lines().filter_map(key_of).any(|key| key == name || key.strip_prefix("world_") == Some(name))
    };
    PAGE.contains(&format!("`{name}`")) || is_section() || is_key()
}

/// Returns the key that a row of a table documents, without its index.
fn key_of(row: &str) -> Option<&str> {
    let (key, _) = row.strip_prefix("| `")?.split_once('`')?;
    key.split('[').next()
}

#[test]
fn every_resolved_member_is_on_the_page() {
    let (folder, mut sink) = (tempfile::tempdir().unwrap(), MemorySink::new());
    sample::write(CATALOG, &mut sink).unwrap();
    for (name, bytes) in sink.files() {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let inputs = Inputs::collect(&[folder.path().join("redguard")]);
    let run = Session::default().describe(&inputs, &DescribeOptions::default().detail(Detail::Full)).unwrap();
    let mut members = BTreeSet::new();
    for outcome in &run.outcomes {
        let Some(description) = &outcome.description else { continue };
        if let Some(resolved) = description.fields.root().get("resolved") {
            collect(&resolved.to_value(), &mut members);
        }
    }
    assert!(members.len() > 150, "{members:#?}");
    let missing: Vec<_> = members.iter().filter(|name| !is_documented(name)).collect();
    assert_eq!(missing, [""; 0]);
}
