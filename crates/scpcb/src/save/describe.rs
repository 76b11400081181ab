//! The description of a saved game.

use std::collections::BTreeMap;

use asset::{Counts, Description, Detail, counted};
use json::Document;

use super::character;
use super::item::Item;
use super::layout::{Save, State};
use crate::string::BlitzString;

pub(super) fn describe(save: &Save, detail: Detail) -> Description {
    let saved = format!("saved game of {} {}", save.date.text().trim(), save.time.text().trim());
    let Some(state) = &save.state else {
        return Description {
            summary: format!("{saved} of an unknown version"),
            dialect: save.version.text().into_owned(),
            counts: Counts::new().with("bytes not read", save.rest.len()),
            fields: match detail {
                Detail::Brief => brief(save),
                Detail::Full => Document::of(save).unwrap_or_default(),
            },
            ..Description::default()
        };
    };
    let rooms = counted(state.rooms.len(), "room", "rooms");
    let characters = counted(state.characters.len(), "character", "characters");
    let mut counts = Counts::new()
        .with("characters", state.characters.len())
        .with("rooms", state.rooms.len())
        .with("doors", state.doors.len())
        .with("decals", state.decals.len())
        .with("events", state.events.len());
    counts = match &state.items {
        Some(items) => counts.with("items", items.items.len()),
        None => counts.with("bytes not read", save.rest.len()),
    };
    Description {
        summary: format!(
            "{saved}, seed \"{}\", {}, {rooms}, {characters}",
            state.seed.text(),
            level(state.difficulty.level)
        ),
        dialect: save.version.text().into_owned(),
        counts,
        fields: match detail {
            Detail::Brief => brief(save),
            Detail::Full => Document::of(save).unwrap_or_default(),
        },
        ..Description::default()
    }
}

/// The name of a difficulty.
fn level(level: u8) -> String {
    match level {
        0 => "Safe".to_owned(),
        1 => "Euclid".to_owned(),
        2 => "Keter".to_owned(),
        3 => "custom difficulty".to_owned(),
        other => format!("unknown difficulty {other}"),
    }
}

fn brief(save: &Save) -> Document {
    Document::object(|out| {
        out.put("version", &save.version);
        out.put("play_time", &save.play_time);
        out.put("position", &save.position);
        out.put("access_code", &save.access_code);
        let Some(state) = &save.state else { return };
        out.put("seed", &state.seed);
        out.put("difficulty", &level(state.difficulty.level));
        out.put("achievements", &state.achievements.0.iter().filter(|earned| **earned != 0).count());
        out.put("characters", &kinds(state));
        out.put("inventory", &inventory(state));
    })
}

/// The number of characters of each kind.
fn kinds(state: &State) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::new();
    for found in &state.characters {
        let name = character::name(found.kind).map_or_else(|| format!("kind {}", found.kind), str::to_owned);
        let count: &mut usize = kinds.entry(name).or_default();
        *count = count.saturating_add(1);
    }
    kinds
}

/// The items in the inventory, in the order of their slots.
fn inventory(state: &State) -> Vec<&BlitzString> {
    let items = state.items.iter().flat_map(|items| &items.items);
    let mut carried: Vec<&Item> = items.filter(|item| item.slot != Item::NO_SLOT).collect();
    carried.sort_by_key(|item| item.slot);
    carried.into_iter().map(|item| &item.name).collect()
}
