//! Tests that modules which read numbers from files enable the lints for arithmetic, indexing and conversions that can fail, and that
//! release builds check for overflow.

use std::collections::BTreeMap;
use std::fs;

use crate::paths;

/// The lints that each of these modules enables for itself and its submodules.
const LINTS: [&str; 3] =
    ["clippy::indexing_slicing", "clippy::arithmetic_side_effects", "clippy::as_conversions"];

/// Code that converts bytes to numbers, or passes bytes to another crate that does.
const READS: [&str; 10] = [
    "from_le_bytes",
    "from_be_bytes",
    "from_ne_bytes",
    "Record for ",
    "LayoutReader",
    "Decoder::new",
    "DecodeOptions",
    "bcdec_rs::",
    "decompress_to_vec",
    "Decompress::new",
];

/// Files that look like readers but are not, each with the reason.
const EXEMPT: [(&str, &str); 1] =
    [("crates/scene/src/image/encode.rs", "the bytes are those of a color, and the number is a hash")];

/// Source files by their paths from the root of the project.
type Sources = BTreeMap<String, String>;

/// The sources of the crates, without tests. The derive for records is omitted: its code is compiled in other crates.
fn sources() -> Sources {
    let mut out = Sources::new();
    for entry in fs::read_dir(paths::root().join("crates")).unwrap() {
        let folder = entry.unwrap().path().join("src");
        for file in paths::files_recursive(&folder, |path| paths::extension(path) == "rs").unwrap() {
            let path = file.strip_prefix(paths::root()).unwrap().to_string_lossy().replace('\\', "/");
            let is_test = path.split('/').any(|part| part == "tests") || path.ends_with("tests.rs");
            if !is_test && !path.starts_with("crates/record-derive/") {
                out.insert(path, fs::read_to_string(&file).unwrap());
            }
        }
    }
    out
}

/// The files that read numbers but are in no module tree that enables the lints.
fn unguarded(sources: &Sources) -> Vec<&str> {
    let is_guarded = |path: &str| trees(path).iter().any(|top| sources.get(top).is_some_and(|it| warns(it)));
    let found = sources.iter().filter(|(path, text)| reads(text) && !is_guarded(path));
    found.map(|(path, _)| path.as_str()).collect()
}

/// The files that may enable lints for a file: itself, its parent modules, and the root of the crate.
fn trees(path: &str) -> Vec<String> {
    let mut out = vec![path.to_owned()];
    let mut folder = path;
    while let Some((parent, _)) = folder.rsplit_once('/') {
        out.push(format!("{parent}.rs"));
        out.extend(["mod.rs", "lib.rs", "main.rs"].map(|name| format!("{parent}/{name}")));
        if parent.ends_with("/src") {
            break;
        }
        folder = parent;
    }
    out
}

/// Whether a file enables all the lints for its tree.
fn warns(text: &str) -> bool {
    let lists = text.split("#![warn(").skip(1).filter_map(|rest| rest.split_once(")]"));
    let named: Vec<_> = lists.flat_map(|(list, _)| list.split(',')).map(str::trim).collect();
    LINTS.iter().all(|lint| named.contains(lint))
}

/// Whether code reads numbers from files. Comments and tests at the end are ignored.
fn reads(text: &str) -> bool {
    let code = text.split_once("\nmod tests {").map_or(text, |(code, _)| code);
    let lines: Vec<_> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let takes_records = lines.iter().any(|line| line.contains("record::"));
    let names = |line: &str, name| line.split(|it: char| !it.is_alphanumeric()).any(|word| word == name);
    lines.iter().any(|line| {
        READS.iter().any(|mark| line.contains(mark))
            || line.contains("derive(") && names(line, "Record")
            || takes_records && names(line, "Reader")
    })
}

/// The profiles without overflow checks; only those of external dependencies may lack them.
fn unchecked_profiles(manifest: &str) -> Vec<String> {
    let mut out = Vec::new();
    let (mut section, mut release_checks) = ("", false);
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        }
        let Some((name, value)) = line.split_once('=') else { continue };
        if name.trim() == "overflow-checks" && section.starts_with("[profile.") {
            let value = value.split('#').next().unwrap_or_default().trim();
            release_checks |= section == "[profile.release]" && value == "true";
            if value != "true" && !section.ends_with(".package.\"*\"]") {
                out.push(format!("{section} has no overflow checks"));
            }
        }
    }
    if !release_checks {
        out.push("[profile.release] does not enable overflow checks".to_owned());
    }
    out
}

#[test]
fn readers_of_numbers_enable_the_arithmetic_lints() {
    let mut sources = sources();
    for (path, reason) in EXEMPT {
        assert!(
            sources.remove(path).is_some_and(|text| reads(&text)),
            "{path} is exempt, but reads no numbers: {reason}"
        );
    }
    let found = unguarded(&sources);
    assert!(
        found.is_empty(),
        "these files read numbers; write `#![warn({})]` at the top of each or of a parent module:\n{}",
        LINTS.join(", "),
        found.join("\n")
    );
}

#[test]
fn releases_check_for_overflow() {
    let manifest = fs::read_to_string(paths::root().join("Cargo.toml")).unwrap();
    assert_eq!(unchecked_profiles(&manifest), [""; 0]);
}

#[test]
fn finds_a_reader_without_lints() {
    let warn = format!("//! A tree.\n\n#![warn({})]\n", LINTS.join(", "));
    let part = "#![warn(clippy::indexing_slicing)]\n";
    let files = [
        ("crates/a/src/lib.rs", warn.as_str()),
        ("crates/a/src/x/y.rs", "#[derive(Record, Debug)]"),
        ("crates/b/src/lib.rs", part),
        ("crates/b/src/plain.rs", "// from_le_bytes\n#[cfg(test)]\nmod tests {\nu32::from_le_bytes"),
        ("crates/b/src/number.rs", "u32::from_le_bytes(bytes)"),
        ("crates/b/src/record.rs", "impl antiquary_record::Record for Name {"),
        ("crates/b/src/reader.rs", "use record::{Error, Reader};"),
        ("crates/b/src/other.rs", "struct Reader;"),
        ("crates/b/src/tree.rs", &warn),
        ("crates/b/src/tree/deep/leaf.rs", "u32::from_be_bytes(bytes)"),
        ("crates/b/src/folder/mod.rs", &warn),
        ("crates/b/src/folder/leaf.rs", "gif::DecodeOptions::new()"),
        ("crates/b/src/folder.other/leaf.rs", "gif::DecodeOptions::new()"),
    ];
    let sources = files.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
    assert_eq!(
        unguarded(&sources),
        ["folder.other/leaf.rs", "number.rs", "reader.rs", "record.rs"]
            .map(|name| format!("crates/b/src/{name}"))
    );
}

#[test]
fn finds_a_profile_without_overflow_checks() {
    let dependencies = "[profile.release.package.\"*\"]\noverflow-checks = false\n";
    let good = format!("[profile.release]\noverflow-checks = true # always\n{dependencies}");
    assert_eq!(unchecked_profiles(&good), [""; 0]);
    assert_eq!(unchecked_profiles(dependencies).len(), 1);
    assert_eq!(unchecked_profiles(&good.replace("true", "false")).len(), 2);
    let own = "[profile.dist.package.antiquary-light]\nopt-level = 3\noverflow-checks = false\n";
    assert_eq!(
        unchecked_profiles(&format!("{good}{own}")),
        ["[profile.dist.package.antiquary-light] has no overflow checks"]
    );
}
