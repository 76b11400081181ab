//! What the player owns.

use std::collections::BTreeMap;

use asset::Context;
use serde::{Deserialize, Serialize};

use crate::settings::ini;
use crate::settings::ini::value::{indexed, integer, integers};

/// An item of ITEM.INI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Item {
    /// How many the player owns.
    pub(super) owned: i32,
    /// How many there are in the game.
    pub(super) total: i32,
    /// How many the player can own.
    pub(super) most: i32,
}

/// All items.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Items {
    pub(super) all: BTreeMap<i32, Item>,
    /// The selected one.
    pub(super) selected: i32,
}

/// Where an item has no limit.
const NO_LIMIT: i32 = i32::MAX;

impl Items {
    /// Those of a new game.
    pub(super) fn of_game(context: &Context<'_>) -> Self {
        let Some(file) = ini::of_game(context, "ITEM.INI") else { return Self::default() };
        let mut out = Self { all: BTreeMap::new(), selected: -1 };
        let mut owned = Vec::new();
        for section in file.sections() {
            for entry in &section.entries {
                let value = &*entry.value;
                match entry.key.to_lowercase().as_str() {
                    "start_item_list" => owned = integers(value),
                    "start_item_select" => out.selected = integer(value),
                    _ => {}
                }
                let Some((name, number)) = indexed(&entry.key) else { continue };
                let Ok(number) = i32::try_from(number) else { continue };
                let item =
                    out.all.entry(number).or_insert(Item { owned: 0, total: NO_LIMIT, most: NO_LIMIT });
                match name.as_str() {
                    "total" => item.total = integer(value),
                    "player_max" => item.most = integer(value),
                    _ => {}
                }
            }
        }
        for number in owned {
            out.add(number, 1);
        }
        out
    }

    pub(super) fn owned(&self, number: i32) -> i32 {
        self.all.get(&number).map_or(0, |it| it.owned)
    }

    /// Adds so many of an item, as far as its limits allow; a negative number takes them away.
    pub(super) fn add(&mut self, number: i32, count: i32) {
        if let Some(item) = self.all.get_mut(&number) {
            let most = item.total.min(item.most).max(0);
            item.owned = item.owned.saturating_add(count).clamp(0, most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_hold() {
        let mut items = Items::default();
        items.all.insert(3, Item { owned: 1, total: 9, most: 5 });
        items.add(3, 10);
        assert_eq!(items.owned(3), 5);
        items.add(3, -7);
        items.add(4, 1);
        assert_eq!((items.owned(3), items.owned(4)), (0, 0));
    }
}
