//! The numbers and lists of items that decide what the player can own.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::Context;
use media::ini::Ini;
use record::Error;

use super::super::lookup::{Lookup, Section};
use super::super::value::{integer, integers};
use super::ids;
use crate::location::Named;

/// An item that empties the count when it is dropped.
const EMPTY_ON_DROP: i32 = 1;

/// The kind of weapons.
const WEAPON: i32 = 1;

/// The numbers and lists of an item.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemRules {
    /// Kind: 0 general, 1 weapon, 2 hand object, 3 torch.
    pub kind: i32,
    /// Flags: 1 empties the count on a drop.
    pub flags: i32,
    /// Number in the game.
    pub total: i32,
    /// Number that the player can own.
    pub player_max: i32,
    /// Number that the player owns at the start.
    pub player_total: i32,
    /// Items that are received with this one.
    pub added: Vec<i32>,
    /// Items of which one is lost when this one is received.
    pub taken: Vec<i32>,
    /// Items that must be owned to receive this one.
    pub required: Vec<i32>,
    /// Items that are lost when this one is dropped and some of it are left.
    pub cleared: Vec<i32>,
}

impl ItemRules {
    /// Whether the item is a weapon.
    #[must_use]
    pub const fn is_weapon(&self) -> bool {
        self.kind == WEAPON
    }

    /// Whether dropping the item empties the count.
    #[must_use]
    pub const fn is_emptied_on_drop(&self) -> bool {
        self.flags & EMPTY_ON_DROP != 0
    }

    fn read(section: &Section<'_>, id: u32) -> Self {
        let text = |key| section.value(key, Some(id)).unwrap_or_default();
        let number = |key| integer(text(key));
        let list = |key| match text(key) {
            "" => Vec::new(),
            numbers => integers(numbers),
        };
        Self {
            kind: number("type"),
            flags: number("flags"),
            total: number("total"),
            player_max: number("player_max"),
            player_total: number("player_total"),
            added: list("add_item_list"),
            taken: list("drop_add_item_list"),
            required: list("required_item_list"),
            cleared: list("remove_drop_item_list"),
        }
    }
}

/// The items of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemTable {
    /// The items by number.
    pub items: BTreeMap<i32, ItemRules>,
    /// Items that the player receives at the start: one for each entry.
    pub start: Vec<i32>,
    /// The item that is selected at the start: the first one if the file does not select any. -1 if there are no items.
    pub selected: i32,
}

impl ItemTable {
    /// Reads the items of a file.
    #[must_use]
    pub fn read(ini: &Ini) -> Self {
        Self::of(&Lookup::new(ini))
    }

    /// Reads the items of the game that a file belongs to; `None` if there is no readable table.
    #[must_use]
    pub fn of_game(context: &Context<'_>) -> Option<Arc<Self>> {
        let found = Named::Items.find(context)?;
        let read = || {
            let ini = super::super::items_of_game(context).ok_or_else(|| Error::malformed("no settings"))?;
            let size = context.install.open(&found.location)?.len();
            Ok((Self::read(&ini), usize::try_from(size).unwrap_or(usize::MAX)))
        };
        context.install.decoded(&found.location, "items", read).ok()
    }

    pub(super) fn of(lookup: &Lookup<'_>) -> Self {
        let Some(section) = lookup.section("items") else { return Self { selected: -1, ..Self::default() } };
        // The game cannot refer to larger numbers.
        let numbers = ids(section).into_iter().filter_map(|id| Some((i32::try_from(id).ok()?, id)));
        let items: BTreeMap<_, _> =
            numbers.map(|(number, id)| (number, ItemRules::read(section, id))).collect();
        let text = |key| section.value(key, None).filter(|text| !text.is_empty());
        let first = items.keys().next().copied().unwrap_or(-1);
        let start = text("start_item_list").map(integers).unwrap_or_default();
        Self { start, selected: text("start_item_select").map_or(first, integer), items }
    }
}
