//! MENU.INI, KEYS.INI, REGISTRY.INI, and the settings of sound drivers.

use std::collections::BTreeMap;

use json::{Map, Value, json};
use media::ini::{Ini, Line, Section};

use super::value::{indexed, integer};

/// Returns the values of a key with numbers in brackets, ordered by number.
fn list<'s>(section: &'s Section<'_>, name: &str) -> BTreeMap<u32, &'s str> {
    let mut out = BTreeMap::new();
    for entry in &section.entries {
        if let Some((_, number)) = indexed(&entry.key).filter(|(known, _)| known == name) {
            out.entry(number).or_insert(entry.value.as_ref());
        }
    }
    out
}

/// The menu page that lists movies.
const MOVIES_PAGE: u32 = 3;

pub(super) fn to_json(ini: &Ini) -> Value {
    let sections = ini.sections();
    let number = |section: &Section<'_>| {
        section.name.trim().to_lowercase().strip_prefix("page").and_then(|number| number.parse::<u32>().ok())
    };
    let page = |section: &Section<'_>| {
        let texts: Vec<_> = list(section, "text").into_values().collect();
        let actions: Vec<_> = list(section, "action").into_values().map(integer).collect();
        Some(json!({ "page": number(section)?, "texts": texts, "actions": actions }))
    };
    let movies = sections.iter().find(|section| number(section) == Some(MOVIES_PAGE));
    let movie = |section: &Section<'_>, index: u32, name: &str| {
        let subtitle = |text: &str| {
            let parts: Vec<_> = text.splitn(6, ',').collect();
            let [_, _, _, start, stop, text] = parts.as_slice() else { return json!([0, 0, text]) };
            json!([integer(start), integer(stop), text.trim()])
        };
        let subtitles = list(section, &format!("movie{index}_text")).into_values().map(subtitle);
        json!({ "name": name, "subtitles": subtitles.collect::<Vec<_>>() })
    };
    let movies: Vec<_> = movies
        .map(|section| {
            list(section, "movie_name").into_iter().map(|(index, name)| movie(section, index, name)).collect()
        })
        .unwrap_or_default();
    json!({ "pages": sections.iter().filter_map(page).collect::<Vec<_>>(), "movies": movies })
}

/// Converts the names of keys, and keys that are set more than once.
pub(super) fn keys_to_json(ini: &Ini) -> Value {
    let sections = ini.sections();
    let mut names: BTreeMap<u32, &str> = BTreeMap::new();
    let mut all: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for entry in sections.iter().flat_map(|section| &section.entries) {
        match indexed(&entry.key) {
            Some((name, number)) if name == "key_name" => {
                names.entry(number).or_insert(entry.value.as_ref());
            }
            _ => all.entry(entry.key.to_lowercase()).or_default().push(entry.value.as_ref()),
        }
    }
    // The list ends at the first number without a name, so that a large number cannot make it huge.
    let in_order = (0..).zip(&names).take_while(|(number, (known, _))| number == *known);
    let scancodes: Vec<_> = in_order.map(|(_, (_, name))| *name).collect();
    all.retain(|_, values| values.len() > 1);
    json!({ "scancodes": scancodes, "duplicates": all })
}

pub(super) fn registry_to_json(ini: &Ini) -> Value {
    let mapping = |text: &str| {
        let (archive, mask) = text.split_once(char::is_whitespace)?;
        Some(json!([archive, mask.trim()]))
    };
    let mappings: Vec<_> = ini
        .section("registry")
        .into_iter()
        .flat_map(|section| section.texts)
        .filter_map(|line| mapping(&line.text))
        .collect();
    let mut file32 = Map::new();
    for entry in ini.section("file32").into_iter().flat_map(|section| section.entries) {
        file32.entry(entry.key.to_lowercase()).or_insert_with(|| (integer(&entry.value) != 0).into());
    }
    json!({ "mappings": mappings, "file32": file32 })
}

/// Converts the settings of a driver: a word and a value per line; comments start with `;`.
pub(super) fn driver_to_json(ini: &Ini) -> Value {
    let mut out = Map::new();
    for placed in ini.lines() {
        let Line::Text(text) = placed.line else { continue };
        let text = text.split(';').next().unwrap_or_default().trim();
        if let Some((key, value)) = text.split_once(char::is_whitespace) {
            out.entry(key.to_owned()).or_insert_with(|| value.trim().into());
        }
    }
    json!({ "settings": out })
}
