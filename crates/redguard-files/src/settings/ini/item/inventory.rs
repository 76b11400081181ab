//! The items that the player owns, and how their numbers change.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::table::{ItemRules, ItemTable};

/// Maximum number of items that are received or lost by one change. Lists of items that name each other never end in the game.
const MAX_CHANGES: usize = 1 << 16;

/// Maximum depth of lists of items that name each other. The game has no such limit, and stops if an item leads to itself.
const MAX_DEPTH: usize = 64;

/// An item, the number of which the player owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OwnedItem {
    /// Number that the player owns.
    pub owned: i32,
    /// Number in the game.
    pub total: i32,
    /// Number that the player can own.
    pub most: i32,
}

/// All items.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Inventory {
    /// The items by number.
    pub all: BTreeMap<i32, OwnedItem>,
    /// Number of the selected item; -1 for none.
    pub selected: i32,
}

impl Inventory {
    /// Returns the items at the start of a game: `player_total` of each, and those of the start list.
    #[must_use]
    pub fn at_start(table: &ItemTable) -> Self {
        let owned = |rules: &ItemRules| OwnedItem {
            owned: rules.player_total,
            total: rules.total,
            most: rules.player_max,
        };
        let all = table.items.iter().map(|(number, rules)| (*number, owned(rules))).collect();
        let mut out = Self { all, selected: table.selected };
        let mut change = Change::of(&mut out, table);
        table.start.iter().for_each(|item| change.acquire(*item, 1));
        out
    }

    /// Returns the number of an item that the player owns.
    #[must_use]
    pub fn owned(&self, item: i32) -> i32 {
        self.all.get(&item).map_or(0, |it| it.owned)
    }

    /// Gives items to the player, within their limits and if the required items are owned, together with the items of their list.
    /// If no item is selected, selects item 1 or the first one that is owned.
    pub fn acquire(&mut self, table: &ItemTable, item: i32, count: i32) {
        Change::of(self, table).acquire(item, count);
    }

    /// Drops items. If some are left, the player also loses the items of their list.
    pub fn drop_items(&mut self, table: &ItemTable, item: i32, count: i32) {
        Change::of(self, table).drop_items(item, count);
    }

    /// Removes items, without their lists.
    pub fn remove(&mut self, item: i32, count: i32) {
        if let Some(it) = self.all.get_mut(&item) {
            it.owned = it.owned.saturating_sub(count.clamp(0, it.owned.max(0)));
        }
    }
}

/// A change of an inventory that may lead to others.
struct Change<'a> {
    inventory: &'a mut Inventory,
    table: &'a ItemTable,
    /// Number of changes that are left.
    left: usize,
    /// Items that are being received, each for the list of the one before.
    active: Vec<i32>,
}

impl<'a> Change<'a> {
    const fn of(inventory: &'a mut Inventory, table: &'a ItemTable) -> Self {
        Self { inventory, table, left: MAX_CHANGES, active: Vec::new() }
    }

    /// Counts a change. Returns whether it is allowed.
    fn step(&mut self) -> bool {
        let next = self.left.checked_sub(1);
        self.left = next.unwrap_or(0);
        next.is_some()
    }

    fn acquire(&mut self, item: i32, count: i32) {
        let Some(it) = self.inventory.all.get(&item) else { return };
        let room = |most: i32| most.saturating_sub(it.owned);
        let count = count.min(room(it.total)).min(room(it.most));
        let is_endless = self.active.contains(&item) || self.active.len() >= MAX_DEPTH;
        if count <= 0 || is_endless || !self.step() || !self.has_required(item) {
            return;
        }
        let table = self.table;
        let rules = table.items.get(&item);
        self.active.push(item);
        for taken in rules.map_or(&[][..], |it| it.taken.as_slice()) {
            self.drop_items(*taken, 1);
        }
        for added in rules.map_or(&[][..], |it| it.added.as_slice()) {
            self.acquire(*added, 1);
        }
        self.active.pop();
        self.select_any();
        if let Some(it) = self.inventory.all.get_mut(&item) {
            it.owned = it.owned.saturating_add(count);
        }
    }

    /// Whether the player owns all required items, and those that they require.
    fn has_required(&mut self, item: i32) -> bool {
        let (mut seen, mut next) = (BTreeSet::from([item]), vec![item]);
        while let Some(item) = next.pop() {
            for required in self.table.items.get(&item).map_or(&[][..], |it| it.required.as_slice()) {
                if self.inventory.owned(*required) <= 0 || !self.step() {
                    return false;
                }
                if seen.insert(*required) {
                    next.push(*required);
                }
            }
        }
        true
    }

    fn drop_items(&mut self, item: i32, count: i32) {
        self.inventory.remove(item, count);
        let Some(rules) = self.table.items.get(&item).filter(|_| count > 0) else { return };
        if rules.is_emptied_on_drop() {
            self.inventory.remove(item, i32::MAX);
        }
        if self.inventory.owned(item) > 0 {
            self.clear(&rules.cleared);
        }
    }

    /// Removes all items of a list, and those of their lists.
    fn clear(&mut self, list: &[i32]) {
        let (mut seen, mut next) = (BTreeSet::new(), list.to_vec());
        while let Some(item) = next.pop().filter(|_| self.step()) {
            if seen.insert(item) {
                self.inventory.remove(item, i32::MAX);
                next.extend(self.table.items.get(&item).into_iter().flat_map(|it| &it.cleared));
            }
        }
    }

    /// Selects an item if none is selected: item 1, else the first weapon that is owned, else the first item that is owned.
    fn select_any(&mut self) {
        if self.inventory.selected >= 0 {
            return;
        }
        let all = &self.inventory.all;
        let is_weapon = |item: &i32| self.table.items.get(item).is_some_and(ItemRules::is_weapon);
        let owned = || all.iter().filter(|(_, it)| it.owned > 0).map(|(item, _)| *item);
        let first = all.contains_key(&1).then_some(1);
        let found = first.or_else(|| owned().find(is_weapon)).or_else(|| owned().next());
        self.inventory.selected = found.unwrap_or(-1);
    }
}

#[cfg(test)]
mod tests {
    use asset::Charset;
    use media::ini::Ini;

    use super::*;

    fn table(text: &str) -> ItemTable {
        ItemTable::read(&Ini::parse(format!("[items]\n{text}").as_bytes(), Charset::Cp437).unwrap())
    }

    fn at_start(text: &str) -> Vec<i32> {
        Inventory::at_start(&table(text)).all.values().map(|it| it.owned).collect()
    }

    #[test]
    fn each_entry_of_the_start_list_adds_one_item_within_the_limits() {
        let gold = "player_total[2]=52\ntotal[2]=1000\nplayer_max[2]=";
        assert_eq!(at_start(&format!("start_item_list=2\n{gold}999")), [53]);
        assert_eq!(at_start(&format!("start_item_list=2\n{gold}52")), [52]);
        // Without a limit, the limit is 0. Items that are owned already are kept.
        assert_eq!(at_start("start_item_list=2, 2, 9\nplayer_total[2]=3\ntotal[2]=9"), [3]);
        assert_eq!(at_start("start_item_list=2, 2, 2\ntotal[2]=2\nplayer_max[2]=9"), [2]);
    }

    #[test]
    fn an_acquired_item_brings_and_takes_others_if_the_required_ones_are_owned() {
        let limits: String = (0..8).map(|id| format!("total[{id}]=9\nplayer_max[{id}]=9\n")).collect();
        let lists = "add_item_list[1]=4, 5\nadd_item_list[4]=5\nrequired_item_list[2]=7\ndrop_add_item_list[3]=6\n\
                     required_item_list[3]=1\nplayer_total[6]=3";
        assert_eq!(at_start(&format!("start_item_list=1, 2, 3\n{limits}{lists}")), [0, 1, 0, 1, 1, 2, 2, 0]);
        // The items that a required item requires are required, too.
        let nested = "required_item_list[1]=2\nrequired_item_list[2]=3\nplayer_total[2]=1";
        assert_eq!(at_start(&format!("start_item_list=1\n{limits}{nested}"))[1], 0);
        assert_eq!(at_start(&format!("start_item_list=1\n{limits}{nested}\nplayer_total[3]=1"))[1], 1);
    }

    #[test]
    fn a_drop_empties_the_count_or_the_items_of_its_list() {
        let table = table(
            "flags[0]=1\nremove_drop_item_list[0]=2\nremove_drop_item_list[1]=2\nremove_drop_item_list[2]=3, 1\n\
             type[3]=0\nstart_item_select=1",
        );
        let all = (0..4).map(|id| (id, OwnedItem { owned: 5, total: 9, most: 9 })).collect();
        let full = Inventory { all, selected: 1 };
        let dropped = |item, count| {
            let mut inventory = full.clone();
            inventory.drop_items(&table, item, count);
            [0, 1, 2, 3].map(|item| inventory.owned(item))
        };
        assert_eq!(dropped(0, 1), [0, 5, 5, 5]);
        assert_eq!(dropped(1, 5), [5, 0, 5, 5]);
        assert_eq!(dropped(1, 1), [5, 0, 0, 0]);
        assert_eq!(dropped(3, 9), [5, 5, 5, 0]);
        assert_eq!(dropped(3, -1), [5, 5, 5, 5]);
    }

    #[test]
    fn an_item_is_selected_if_none_is() {
        let table = table("total[4]=9\nplayer_max[4]=9\ntype[6]=1\nplayer_total[6]=1\nstart_item_select=-1");
        let mut inventory = Inventory::at_start(&table);
        assert_eq!(inventory.selected, -1);
        inventory.acquire(&table, 4, 2);
        assert_eq!((inventory.selected, inventory.owned(4)), (6, 2));
    }

    #[test]
    fn lists_of_items_that_name_each_other_end() {
        let limits: String = (0..40).map(|id| format!("total[{id}]=99\nplayer_max[{id}]=99\n")).collect();
        let lists: String =
            (0..40).map(|id| format!("add_item_list[{id}]={0}, {0}\n", (id + 1) % 40)).collect();
        assert!(at_start(&format!("start_item_list=0\n{limits}{lists}")).iter().all(|owned| *owned <= 99));
        let many: String = (0..5000)
            .map(|id| format!("total[{id}]=1\nplayer_max[{id}]=1\nadd_item_list[{id}]={}\n", id + 1))
            .collect();
        assert_eq!(at_start(&format!("start_item_list=0\n{many}"))[0], 1);
    }
}
