//! `#[derive(Record)]`: programs that use its attributes, and the messages for attributes that are misused.
//!
//! To update the messages: `TRYBUILD=overwrite cargo test -p antiquary-record --test suite derive`.

#![allow(clippy::string_slice, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::fs;

/// The source of the derive that lists the attributes.
const ATTRIBUTES: &str = include_str!("../../../record-derive/src/attribute.rs");

#[test]
fn accepts_every_attribute_and_explains_misuse() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/derive/pass/*.rs");
    cases.compile_fail("tests/derive/fail/*.rs");
}

#[test]
fn every_attribute_is_used_by_a_program() {
    let mut used = Used::default();
    for entry in fs::read_dir("tests/derive/pass").unwrap() {
        used.collect(&fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    for (of, count, used) in [("Container", 16, &used.container), ("Field", 18, &used.field)] {
        let known = match_arms(of);
        assert!(known.len() >= count, "found only {known:?} in `impl {of}`");
        let unused: Vec<_> = known.difference(used).collect();
        assert!(
            unused.is_empty(),
            "no file in tests/derive/pass uses these attributes of `{of}`: {unused:?}"
        );
    }
}

/// Returns the names in the match arms of `impl <type>` in the source of the derive.
fn match_arms(of: &str) -> BTreeSet<String> {
    let start = ATTRIBUTES.find(&format!("\nimpl {of} {{")).unwrap();
    let body = &ATTRIBUTES[start..];
    let body = &body[..body.find("\n}\n").unwrap()];
    let arm = |line: &str| {
        let (name, rest) = line.trim().strip_prefix('"')?.split_once('"')?;
        rest.contains("=>").then(|| name.to_owned())
    };
    body.lines().filter_map(arm).collect()
}

/// Names of attributes in the source of a program.
#[derive(Default)]
struct Used {
    /// On structs, enums and variants.
    container: BTreeSet<String>,
    field: BTreeSet<String>,
}

impl Used {
    fn collect(&mut self, source: &str) {
        for (at, start) in source.match_indices("#[record(") {
            let list = &source[at + start.len()..];
            let (names, rest) = entries(list);
            let item = rest.trim_start();
            let is_field = item.split_once(':').is_some_and(|(name, _)| is_field_name(name));
            if is_field { self.field.extend(names) } else { self.container.extend(names) }
        }
    }
}

/// Returns the names of the entries of a list up to its closing parenthesis, and the text after the attribute.
fn entries(list: &str) -> (Vec<String>, &str) {
    let (mut depth, mut in_string, mut start) = (0, false, 0);
    let mut names = Vec::new();
    for (at, character) in list.char_indices() {
        let ends_entry = depth == 0 && !in_string && matches!(character, ',' | ')');
        if ends_entry {
            let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
            let entry = list[start..at].trim_start();
            names.push(entry.split(|character| !is_name(character)).next().unwrap().to_owned());
            start = at + 1;
        }
        match character {
            ')' if ends_entry => return (names, list[start..].trim_start_matches(']')),
            '"' => in_string = !in_string,
            '(' | '[' | '{' if !in_string => depth += 1,
            ')' | ']' | '}' if !in_string => depth -= 1,
            _ => {}
        }
    }
    panic!("an attribute without its closing parenthesis: {list}");
}

fn is_field_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}
