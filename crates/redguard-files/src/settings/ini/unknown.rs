//! Keys that the game does not know.

use files::suggest::nearest;
use json::{Value, json};
use record::{Error, Result};

use super::Kind;
use super::key::{Key, Name};
use super::lookup::{Entry, Lookup};

/// A key that is not declared for its section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UnknownKey {
    /// Section in lowercase.
    pub section: String,
    /// Key as written.
    pub key: String,
    /// Value with its comment.
    pub value: String,
    /// Line number, from 1.
    pub line: usize,
    /// Offset of the line.
    pub offset: u64,
    /// The declared key with the most similar name, with the same index.
    pub nearest: Option<String>,
    /// The sections in which the key is declared.
    pub others: Vec<&'static str>,
}

/// Returns the unknown keys of declared sections.
pub(super) fn keys(lookup: &Lookup<'_>, kind: Kind) -> Vec<UnknownKey> {
    let in_section = |section: &super::lookup::Section<'_>| {
        if kind.group(&section.name).is_none() {
            return Vec::new();
        }
        let unknown = section.entries.iter().filter(|entry| kind.find(&section.name, &entry.name).is_none());
        unknown.map(|entry| unknown_key(kind, &section.name, entry)).collect()
    };
    lookup.sections().iter().flat_map(in_section).collect()
}

fn unknown_key(kind: Kind, section: &str, entry: &Entry<'_>) -> UnknownKey {
    let others = kind.groups().iter().filter(|other| other.find(&entry.name).is_some());
    UnknownKey {
        section: section.to_owned(),
        key: entry.written.as_ref().to_owned(),
        value: entry.raw.as_ref().to_owned(),
        line: entry.line,
        offset: entry.offset,
        nearest: similar(kind, section, &entry.name),
        others: others.map(|group| group.section).collect(),
    }
}

/// Returns the declared key with the most similar name, with the same index and the same number in the name.
fn similar(kind: Kind, section: &str, name: &Name) -> Option<String> {
    let is_like = |key: &&Key| key.is_indexed() == name.index.is_some();
    let bases: Vec<String> =
        kind.keys(section).filter(is_like).map(|key| key.numbered_like(&name.base)).collect();
    let base = nearest(&name.base, bases.iter().map(String::as_str))?;
    Some(Name { base: base.to_owned(), index: name.index }.to_string())
}

/// Returns the declared section with the most similar name.
pub(super) fn similar_section(kind: Kind, section: &str) -> Option<String> {
    let name = section.trim_end_matches(|it: char| it.is_ascii_digit());
    let number = section.get(name.len()..).filter(|number| !number.is_empty()).unwrap_or("00");
    let names = kind.groups().iter().map(|group| group.section.replace('#', number));
    let names: Vec<String> = names.filter(|name| name != section).collect();
    nearest(section, names.iter().map(String::as_str)).map(str::to_owned)
}

/// Refuses a new section that the game does not read.
///
/// # Errors
/// When the sections of the kind are declared, and the section is not one of them.
pub(super) fn refuse_section(kind: Option<Kind>, section: &str) -> Result<()> {
    let Some(kind) = kind.filter(|kind| !kind.groups().is_empty()) else { return Ok(()) };
    let name = section.trim().to_lowercase();
    if kind.group(&name).is_some() {
        return Ok(());
    }
    let hint = match similar_section(kind, &name) {
        Some(similar) => format!("; did you mean \"{similar}\"?"),
        None => {
            let known: Vec<_> = kind.groups().iter().map(|group| group.section).collect();
            format!(" (known: {})", known.join(", "))
        }
    };
    Err(Error::usage(format!("the game does not read the section [{}]{hint}", section.trim())))
}

/// Converts the unknown keys to JSON.
pub(super) fn to_json(lookup: &Lookup<'_>, kind: Kind) -> Value {
    let row = |it: UnknownKey| {
        json!({ "section": it.section, "key": it.key, "value": it.value, "line": it.line,
            "nearest": it.nearest })
    };
    keys(lookup, kind).into_iter().map(row).collect::<Vec<_>>().into()
}
