//! The items that the player owns.

use std::collections::BTreeMap;

use asset::Context;
use record::{Error, Result};
use serde::{Deserialize, Serialize};

use redguard_files::save;
use redguard_files::settings::ini;
use redguard_files::settings::ini::value::{indexed, integer, integers};

/// An item of ITEM.INI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Item {
    /// The number that the player owns.
    pub(super) owned: i32,
    /// The total number in the game.
    pub(super) total: i32,
    /// The maximum number that the player can own.
    pub(super) most: i32,
}

/// All items.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Items {
    pub(super) all: BTreeMap<i32, Item>,
    /// The number of the selected item.
    pub(super) selected: i32,
}

/// The limit of an item without a limit.
const NO_LIMIT: i32 = i32::MAX;

impl Items {
    /// Returns the items of a new game.
    pub(super) fn of_game(context: &Context<'_>) -> Self {
        let Some(file) = ini::items_of_game(context) else { return Self::default() };
        let mut out = Self { all: BTreeMap::new(), selected: -1 };
        let mut owned = Vec::new();
        for section in file.sections() {
            for entry in &section.entries {
                let value = entry.without_comment();
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

    /// Loads the items of a saved game, including their limits. The last item has no record and is not changed.
    pub(super) fn load(&mut self, saved: &save::Items) -> Result<()> {
        let records = saved.records.len();
        let known = self.all.keys().next_back().map_or(0, |last| usize::try_from(*last).unwrap_or_default());
        if !self.all.is_empty() && records != known {
            let message = format!(
                "the saved game has {records} item records, but ITEM.INI has {} items",
                known.saturating_add(1)
            );
            return Err(Error::usage(message));
        }
        let items = saved.records.iter().map(|it| Item {
            owned: it.player_total,
            total: it.total,
            most: it.player_max,
        });
        self.all.extend((0..).zip(items));
        self.selected = saved.selected;
        Ok(())
    }

    /// Stores the owned items and the selected item in a saved game.
    pub(super) fn store(&self, saved: &mut save::Items) {
        for (number, record) in (0..).zip(&mut saved.records) {
            if let Some(item) = self.all.get(&number) {
                record.player_total = item.owned;
            }
        }
        saved.selected = self.selected;
    }

    pub(super) fn owned(&self, number: i32) -> i32 {
        self.all.get(&number).map_or(0, |it| it.owned)
    }

    /// Adds a number of items, within the limits; a negative number removes items.
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
    fn a_saved_game_has_all_items_except_the_last() {
        let record = |owned| save::Item {
            hide: 1,
            total: 9,
            player_max: 5,
            player_total: owned,
            unknown_0x0e: 77,
            ..save::Item::default()
        };
        let mut saved = save::Items { records: vec![record(2), record(0)], selected: 2 };
        let mut items = Items::default();
        items.all.extend([0, 1, 2].map(|it| (it, Item { owned: 1, total: NO_LIMIT, most: NO_LIMIT })));
        items.load(&saved).unwrap();
        assert_eq!(([0, 1, 2].map(|it| items.owned(it)), items.selected), ([2, 0, 1], 2));
        items.add(1, 100);
        items.add(2, 100);
        items.selected = -1;
        items.store(&mut saved);
        // All other fields of the records are kept.
        assert_eq!(saved, save::Items { records: vec![record(2), record(5)], selected: -1 });
        saved.records.pop();
        let error = items.load(&saved).unwrap_err().to_string();
        assert_eq!(error, "the saved game has 1 item records, but ITEM.INI has 3 items");
    }

    #[test]
    fn item_counts_stay_within_their_limits() {
        let mut items = Items::default();
        items.all.insert(3, Item { owned: 1, total: 9, most: 5 });
        items.add(3, 10);
        assert_eq!(items.owned(3), 5);
        items.add(3, -7);
        items.add(4, 1);
        assert_eq!((items.owned(3), items.owned(4)), (0, 0));
    }
}
