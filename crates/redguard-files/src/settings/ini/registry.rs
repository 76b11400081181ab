//! REGISTRY.INI: the archives in which the game would look up files, if it opened any.

use json::{Document, Value, json};
use media::ini::Ini;

use super::Kind;
use super::lookup::{Lookup, Section};
use super::row::Row;
use super::unknown;

/// Converts the archives with their patterns, and the switches.
pub(super) fn to_json(ini: &Ini) -> Document {
    let lookup = Lookup::new(ini);
    let texts = lookup.section("registry").into_iter().flat_map(|section| &section.texts);
    let mapping = |text: &str| {
        let (archive, pattern) = text.split_once(char::is_whitespace)?;
        Some(json!([archive, pattern.trim()]))
    };
    let mappings: Vec<Value> = texts.filter_map(|text| mapping(text.text())).collect();
    let switches = switches(lookup.section("file32"));
    Document::object(|out| {
        out.put("mappings", &mappings)
            .put("file32", &switches)
            .put("unknown_keys", &unknown::to_json(&lookup, Kind::Registry));
    })
}

fn switches(section: Option<&Section<'_>>) -> Document {
    let keys = Kind::Registry.group("file32").map_or(&[][..], |group| group.keys);
    Document::object(|out| {
        for (key, reading) in Row::new(section, keys, None).readings() {
            out.put(key.name, &(reading.value != 0));
        }
    })
}
