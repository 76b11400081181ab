//! ITEM.INI: what the player can own.

use std::collections::BTreeMap;

use asset::ini::{Ini, Line};
use serde_json::{Map, Value, json};

use super::value::{indexed, integers, of_text};

/// Keys whose values are texts, even where they look like numbers.
const TEXTS: [&str; 2] = ["name", "description"];

/// The items by number: what is said of each, and the comment above it.
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
