//! Checks a saved game for values that the game does not write.

use std::collections::BTreeMap;

use asset::Report;

use super::item::{Item, Items};
use super::layout::{Difficulty, Save, State};
use super::{character, warning};

/// The last slot of the inventory.
const LAST_SLOT: u8 = 9;

pub(super) fn check(save: &Save, report: &mut Report) {
    check_position(&save.position, || "position".to_owned(), report);
    let Some(state) = &save.state else {
        let (version, left) = (save.version.text(), save.rest.len());
        let message = format!(
            "unknown version \"{version}\" (known: 1.3.10, 1.3.11); the {left} bytes after it are kept as bytes"
        );
        report.warn(&warning::UNKNOWN_VERSION, message).in_field("version");
        return;
    };
    check_difficulty(&state.difficulty, report);
    check_characters(state, report);
    check_rooms(state, report);
    for (index, door) in state.doors.iter().enumerate() {
        check_position(&door.position, || format!("state.doors[{index}].position"), report);
        check_flag(door.open, || format!("state.doors[{index}].open"), report);
    }
    for (index, decal) in state.decals.iter().enumerate() {
        check_position(&decal.position, || format!("state.decals[{index}].position"), report);
    }
    match &state.items {
        Some(items) => check_items(items, report),
        None => {
            let message = format!(
                "the items ({} bytes) are kept as bytes: they are not those of the original game",
                save.rest.len()
            );
            report.warn(&warning::ITEMS_KEPT, message).in_field("rest");
        }
    }
}

fn check_difficulty(difficulty: &Difficulty, report: &mut Report) {
    let mut expect = |found: u8, last: u8, noun: &str, field: &str| {
        if found > last {
            let message = format!("{noun} {found} (expected 0 to {last})");
            report.warn(&warning::DIFFICULTY, message).in_field(format!("state.difficulty.{field}"));
        }
    };
    expect(difficulty.level, Difficulty::CUSTOM, "difficulty", "level");
    if let Some(custom) = &difficulty.custom {
        expect(custom.save_type, 2, "save type", "custom.save_type");
        expect(custom.other_factors, 2, "other factors", "custom.other_factors");
    }
}

fn check_characters(state: &State, report: &mut Report) {
    let ids = Ids::of("character", "state.characters", state.characters.iter().map(|one| one.id), report);
    for (index, one) in state.characters.iter().enumerate() {
        let field = |name: &str| format!("state.characters[{index}].{name}");
        if character::name(one.kind).is_none() {
            let message = format!("kind {} (known: 1 to 22 without 5)", one.kind);
            report.warn(&warning::UNKNOWN_CHARACTER, message).in_field(field("kind"));
        }
        check_position(&one.position, || field("position"), report);
        if one.target != 0 {
            ids.expect(one.target, || field("target"), report);
        }
    }
    for (index, room) in state.rooms.iter().enumerate() {
        for (slot, id) in room.characters.iter().enumerate().filter(|(_, id)| **id > 0) {
            ids.expect(*id, || format!("state.rooms[{index}].characters[{slot}]"), report);
        }
    }
}

fn check_rooms(state: &State, report: &mut Report) {
    for (index, room) in state.rooms.iter().enumerate() {
        check_position(&room.position, || format!("state.rooms[{index}].position"), report);
        for lever in &*room.levers {
            check_flag(*lever, || format!("state.rooms[{index}].levers"), report);
        }
    }
    let with_player = state.rooms.iter().filter(|room| room.has_player == 1).count();
    if with_player != 1 {
        let message = format!("the player is in {with_player} rooms (expected 1)");
        report.warn(&warning::PLAYER_ROOM, message).in_field("state.rooms");
    }
}

fn check_items(items: &Items, report: &mut Report) {
    let ids = Ids::of("item", "state.items.items", items.items.iter().map(|item| item.id), report);
    let mut slots: BTreeMap<u8, usize> = BTreeMap::new();
    for (index, item) in items.items.iter().enumerate() {
        let field = |name: &str| format!("state.items.items[{index}].{name}");
        check_position(&item.position, || field("position"), report);
        if item.slot == Item::NO_SLOT {
            continue;
        }
        let first = *slots.entry(item.slot).or_insert(index);
        if item.slot > LAST_SLOT {
            let message = format!("slot {} (expected 0 to {LAST_SLOT}, or 66 for none)", item.slot);
            report.warn(&warning::SLOT, message).in_field(field("slot"));
        } else if first != index {
            let message = format!("slot {} is already used by items[{first}]", item.slot);
            report.warn(&warning::SLOT, message).in_field(field("slot"));
        }
    }
    for (index, container) in items.containers.iter().enumerate() {
        let field = format!("state.items.containers[{index}]");
        ids.expect(container.id, || format!("{field}.id"), report);
        for (slot, id) in container.contents.iter().enumerate().filter(|(_, id)| **id != -1) {
            ids.expect(*id, || format!("{field}.contents[{slot}]"), report);
        }
    }
}

fn check_position(position: &[f32; 3], field: impl Fn() -> String, report: &mut Report) {
    if let Some(bad) = position.iter().find(|number| !number.is_finite()) {
        report.warn(&warning::NOT_FINITE, format!("{bad} is not a position")).in_field(field());
    }
}

fn check_flag(flag: u8, field: impl Fn() -> String, report: &mut Report) {
    if flag > 1 {
        report.warn(&warning::FLAG, format!("{flag} (expected 0 or 1)")).in_field(field());
    }
}

/// The identifiers of characters or items.
struct Ids {
    noun: &'static str,
    first: BTreeMap<i32, usize>,
}

impl Ids {
    /// Collects the identifiers of a list, and reports duplicates.
    fn of(noun: &'static str, list: &str, ids: impl Iterator<Item = i32>, report: &mut Report) -> Self {
        let mut first = BTreeMap::new();
        for (index, id) in ids.enumerate() {
            let before = *first.entry(id).or_insert(index);
            if before != index {
                let message = format!("identifier {id} is already used by {noun}s[{before}]");
                report.warn(&warning::SAME_ID, message).in_field(format!("{list}[{index}].id"));
            }
        }
        Self { noun, first }
    }

    fn expect(&self, id: i32, field: impl Fn() -> String, report: &mut Report) {
        if !self.first.contains_key(&id) {
            let message = format!("no {} has the identifier {id}", self.noun);
            report.warn(&warning::UNKNOWN_ID, message).in_field(field());
        }
    }
}
