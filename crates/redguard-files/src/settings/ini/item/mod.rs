//! ITEM.INI: the items that the player can own.

pub mod inventory;
pub mod table;

use std::collections::{BTreeMap, BTreeSet};

use asset::{Context, NameKind, NameVisitor, Named};
use json::{Map, Value, json, push_member};
use media::ini::{Ini, Line};

use crate::sound::rtx;

use super::Kind;
use super::key::{Group, Key, Name};
use super::lookup::{Lookup, Section, without_comment};
use super::value::indexed;
use inventory::Inventory;
use table::ItemTable;

/// Keys whose values are labels.
const TEXTS: [&str; 2] = ["name", "description"];

/// Names of the flags, from the lowest bit.
const FLAGS: [&str; 3] = ["empty_on_drop", "drop_after_use", "empty_after_use"];

/// The first character of a text that counts as missing: byte 0x9E.
const MISSING_TEXT: char = '₧';

/// The longest time that a torch burns, in ticks.
const MAX_TORCH: i64 = 255;

/// Returns the declared keys of the section with items.
pub(super) fn group() -> Option<&'static Group> {
    Kind::Item.groups().first()
}

fn keys(is_indexed: bool) -> impl Iterator<Item = &'static Key> {
    group().into_iter().flat_map(|group| group.keys).filter(move |key| key.is_indexed() == is_indexed)
}

/// Returns the numbers of the items: the indices of known keys.
pub(super) fn ids(section: &Section<'_>) -> BTreeSet<u32> {
    let is_known = |name: &Name| group().is_some_and(|group| group.find(name).is_some());
    let indices = section.entries.iter().filter(|entry| is_known(&entry.name));
    indices.filter_map(|entry| entry.name.index).collect()
}

/// Converts the items to JSON. In a game, they include the texts of their labels.
pub(super) fn to_json(ini: &Ini, context: Option<&Context<'_>>) -> Value {
    let lookup = Lookup::new(ini);
    let table = ItemTable::of(&lookup);
    let rows = Rows {
        labels: labels(ini),
        texts: context.and_then(rtx::texts),
        inventory: Inventory::at_start(&table),
        selected: table.selected,
    };
    let section = lookup.section("items");
    let items = section.map(|section| ids(section).into_iter().map(|id| rows.item(section, id)));
    json!({
        "header": header(section, &table),
        "items": items.map(Iterator::collect::<Vec<_>>).unwrap_or_default(),
        "unknown_keys": super::unknown::to_json(&lookup, Kind::Item),
    })
}

fn header(section: Option<&Section<'_>>, table: &ItemTable) -> Map<String, Value> {
    let mut out = Map::new();
    for key in keys(false) {
        let reading = key.read(section.and_then(|section| section.value(key.name, None)));
        let value = match key.name {
            "start_item_select" if reading.is_default => table.selected.max(0).into(),
            _ => reading.value,
        };
        out.insert(key.name.to_owned(), value);
    }
    let time = out.get("torch_time").and_then(Value::as_i64).unwrap_or(0);
    out.insert("torch_ticks".to_owned(), torch_ticks(time).into());
    out
}

/// Returns the time that a torch burns in ticks: 1.5 times the number, with a half rounded to even.
fn torch_ticks(time: i64) -> i64 {
    let double = time.clamp(0, MAX_TORCH).saturating_mul(3);
    let (ticks, is_half) = (double / 2, double % 2 == 1);
    let is_odd = ticks % 2 == 1;
    ticks.saturating_add(i64::from(is_half && is_odd)).min(MAX_TORCH)
}

/// What the rows of items are derived from.
struct Rows {
    labels: BTreeMap<u32, String>,
    texts: Option<std::sync::Arc<soup::SpokenLines>>,
    inventory: Inventory,
    selected: i32,
}

impl Rows {
    fn item(&self, section: &Section<'_>, id: u32) -> Map<String, Value> {
        let mut out = Map::new();
        out.insert("id".to_owned(), id.into());
        out.insert("label".to_owned(), self.labels.get(&id).cloned().into());
        for key in keys(true) {
            let value = section.read(key, Some(id)).value;
            let derived = match key.base() {
                "type" => Some(("type_name", key.name_of_value(&value).into())),
                "flags" => Some(("flag_names", flag_names(&value))),
                "name" => Some(("name_text", self.text(&value))),
                "description" => Some(("description_text", self.text(&value))),
                _ => None,
            };
            out.insert(key.base().to_owned(), value);
            out.extend(derived.map(|(name, value)| (name.to_owned(), value)));
        }
        let number = i32::try_from(id).ok();
        let owned = number.map_or(0, |number| self.inventory.owned(number));
        out.insert("owned_at_start".to_owned(), owned.into());
        out.insert("selected_at_start".to_owned(), (number == Some(self.selected)).into());
        out
    }

    /// Returns the text of a label; null if there is none.
    fn text(&self, label: &Value) -> Value {
        let text = label.as_str().and_then(|label| self.texts.as_ref()?.get(label));
        text.filter(|text| !text.starts_with(MISSING_TEXT)).into()
    }
}

fn flag_names(flags: &Value) -> Value {
    let flags = flags.as_i64().unwrap_or(0);
    let is_set = |(bit, _): &(u32, &str)| flags.checked_shr(*bit).is_some_and(|flags| flags & 1 == 1);
    (0..).zip(FLAGS).filter(is_set).map(|(_, name)| name).collect()
}

/// Returns the comment above the first line of each item, by number.
fn labels(ini: &Ini) -> BTreeMap<u32, String> {
    let (mut out, mut comment) = (BTreeMap::new(), None);
    for placed in ini.lines() {
        match placed.line {
            Line::Comment(text) => comment = Some(text.trim_start_matches(';').trim().to_owned()),
            Line::Entry(key, _) => {
                let above = comment.take();
                if let Some((_, id)) = indexed(&key) {
                    out.entry(id).or_insert(above);
                }
            }
            _ => comment = None,
        }
    }
    let filled = |(id, label): (u32, Option<String>)| Some((id, label.filter(|label| !label.is_empty())?));
    out.into_iter().filter_map(filled).collect()
}

/// Returns the names of the items by number: the comments above them.
pub(super) fn names(ini: &Ini) -> BTreeMap<i32, String> {
    labels(ini).into_iter().filter_map(|(id, label)| Some((i32::try_from(id).ok()?, label))).collect()
}

/// Returns the number of items.
pub(super) fn count(ini: &Ini) -> usize {
    Lookup::new(ini).section("items").map_or(0, |section| ids(section).len())
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
                    take(Named::new(NameKind::Label, without_comment(&value), format_args!("{path}")));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torch_burns_half_as_many_ticks_again_rounded_to_even() {
        for (time, ticks) in [(60, 90), (61, 92), (1, 2), (3, 4), (169, 254), (170, 255), (171, 255), (-5, 0)]
        {
            assert_eq!(torch_ticks(time), ticks, "{time}");
        }
        assert_eq!(torch_ticks(i64::MAX), 255);
    }
}
