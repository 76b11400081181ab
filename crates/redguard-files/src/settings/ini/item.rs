//! ITEM.INI: the items that the player can own.

use std::collections::{BTreeMap, BTreeSet};

use asset::{NameKind, NameVisitor, Named};
use json::{Map, Value, json, push_member};
use media::ini::{Ini, Line};

use super::value::{indexed, integers, of_text};

/// Keys whose values are texts, even if they look like numbers.
pub(super) const TEXTS: [&str; 2] = ["name", "description"];

/// Converts the items by number: the settings of each, and the comment above it.
pub(super) fn to_json(ini: &Ini) -> Value {
    let mut items: BTreeMap<u32, Map<String, Value>> = BTreeMap::new();
    let mut comment = None;
    for placed in ini.lines() {
        match placed.line {
            Line::Comment(text) => {
                comment =
                    Some(text.trim_start_matches(';').trim().to_owned()).filter(|text| !text.is_empty());
            }
            Line::Entry(key, value) => {
                let above = comment.take();
                let Some((name, id)) = indexed(&key) else { continue };
                let item = items.entry(id).or_insert_with(|| {
                    let mut item = Map::new();
                    item.insert("id".into(), id.into());
                    item.insert("label".into(), above.into());
                    item
                });
                let value = || match name.as_str() {
                    name if TEXTS.contains(&name) => value.as_ref().into(),
                    name if name.ends_with("_list") => integers(&value).into(),
                    _ => of_text(&value),
                };
                item.entry(name.clone()).or_insert_with(value);
            }
            _ => comment = None,
        }
    }
    json!({ "items": items.into_values().collect::<Vec<_>>() })
}

/// Returns the names of the items by number: the comments above them.
pub(super) fn names(ini: &Ini) -> BTreeMap<i32, String> {
    let mut out = BTreeMap::new();
    let mut comment = None;
    for placed in ini.lines() {
        match placed.line {
            Line::Comment(text) => comment = Some(text.trim_start_matches(';').trim().to_owned()),
            Line::Entry(key, _) => {
                let id = indexed(&key).and_then(|(_, id)| i32::try_from(id).ok());
                if let (Some(id), Some(name)) = (id, comment.take().filter(|name| !name.is_empty())) {
                    out.entry(id).or_insert(name);
                }
            }
            _ => comment = None,
        }
    }
    out
}

/// Returns the number of items.
pub(super) fn count(ini: &Ini) -> usize {
    let sections = ini.sections();
    let entries = sections.iter().flat_map(|section| &section.entries);
    entries.filter_map(|entry| indexed(&entry.key)).map(|(_, id)| id).collect::<BTreeSet<_>>().len()
}

/// Visits the names of the items: the comments above them, and the labels that the game uses.
pub(super) fn visit_names(ini: &Ini, take: NameVisitor<'_>) {
    let (mut section, mut comment) = (String::new(), None);
    for placed in ini.lines() {
        match placed.line {
            Line::Section(name) => {
                section.clear();
                push_member(&mut section, &name);
            }
            Line::Comment(text) => comment = Some(text.trim_start_matches(';').trim().to_owned()),
            Line::Entry(key, value) => {
                let above = comment.take();
                let is_text = indexed(&key).is_some_and(|(name, _)| TEXTS.contains(&name.as_str()));
                let mut path = section.clone();
                push_member(&mut path, &key);
                if is_text {
                    take(Named::new(NameKind::Label, value.trim(), format_args!("{path}")));
                }
                let name = above.filter(|_| is_text).filter(|name| !name.is_empty());
                if let Some(name) = &name {
                    take(Named::new(NameKind::Item, name, format_args!("{path}")));
                }
            }
            _ => comment = None,
        }
    }
}
