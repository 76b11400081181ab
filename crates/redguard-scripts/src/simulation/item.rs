//! The items that the player owns, and saved games.

use record::{Error, Result};

use redguard_files::save;

pub(super) use redguard_files::settings::ini::item::inventory::{Inventory, OwnedItem};

/// Loads the items of a saved game, including their limits. The last item has no record and is not changed.
pub(super) fn load(items: &mut Inventory, saved: &save::Items) -> Result<()> {
    let records = saved.records.len();
    let known = items.all.keys().next_back().map_or(0, |last| usize::try_from(*last).unwrap_or_default());
    if !items.all.is_empty() && records != known {
        let message = format!(
            "the saved game has {records} item records, but ITEM.INI has {} items",
            known.saturating_add(1)
        );
        return Err(Error::usage(message));
    }
    let all = saved.records.iter().map(|it| OwnedItem {
        owned: it.player_total,
        total: it.total,
        most: it.player_max,
    });
    items.all.extend((0..).zip(all));
    items.selected = saved.selected;
    Ok(())
}

/// Stores the owned items and the selected item in a saved game.
pub(super) fn store(items: &Inventory, saved: &mut save::Items) {
    for (number, record) in (0..).zip(&mut saved.records) {
        if let Some(item) = items.all.get(&number) {
            record.player_total = item.owned;
        }
    }
    saved.selected = items.selected;
}

#[cfg(test)]
mod tests {
    use redguard_files::settings::ini::item::table::ItemTable;

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
        let mut items = Inventory::default();
        items.all.extend([0, 1, 2].map(|it| (it, OwnedItem { owned: 1, total: 100, most: 100 })));
        load(&mut items, &saved).unwrap();
        assert_eq!(([0, 1, 2].map(|it| items.owned(it)), items.selected), ([2, 0, 1], 2));
        items.acquire(&ItemTable::default(), 1, 100);
        items.acquire(&ItemTable::default(), 2, 100);
        items.selected = -1;
        store(&items, &mut saved);
        // All other fields of the records are kept.
        assert_eq!(saved, save::Items { records: vec![record(2), record(5)], selected: -1 });
        saved.records.pop();
        let error = load(&mut items, &saved).unwrap_err().to_string();
        assert_eq!(error, "the saved game has 1 item records, but ITEM.INI has 3 items");
    }
}
