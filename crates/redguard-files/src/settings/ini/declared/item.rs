//! The keys of ITEM.INI.
//!
//! Source: redguard-preservation 0.10.4; the comments of the shipped file for keys of which only the name is known.

use super::super::key::File::{Exact, Model, Unchecked};
use super::super::key::{File, Group, Key, Missing, ValueKind};

const fn int(name: &'static str, about: &'static str) -> Key {
    Key::integer(name, "", about)
}

const fn list(name: &'static str, about: &'static str) -> Key {
    Key::of(ValueKind::List, name, "", about)
}

const fn label(name: &'static str, about: &'static str) -> Key {
    Key::of(ValueKind::Label, name, "", about)
}

const fn path(name: &'static str, file: File, about: &'static str) -> Key {
    Key::path(name, file, "", about)
}

/// The section with its keys.
pub(super) const GROUPS: &[Group] =
    &[Group { section: "items", about: "Settings of all items, and the items by number.", keys: ITEMS }];

const ITEMS: &[Key] = &[
    Key::path("bitmap_file", Exact, "SYSTEM\\PICKUPS.GXA", "Images of the items."),
    Key::path("bitmap_selected_file", Exact, "SYSTEM\\PICKUPSS.GXA", "Images of the items for the cursor of the inventory."),
    Key::of(ValueKind::List, "start_item_list", "1, 2, 4, 18", "Items that the player receives at the start, in addition to `player_total`: one for each entry."),
    Key::integer("start_item_select", "1", "Item that is selected at the start. Without this key it is the first item."),
    Key::integer("additional_length", "8", "Length of the inventory.").by_name(),
    Key::integer("weapon_sphere_size", "10", "Radius of weapons.").by_name(),
    Key::integer("default_weapon_item", "1", "Weapon that is used if none is selected.").by_name(),
    Key::integer("torch_time", "60", "Time that a torch burns: half as much again in ticks, rounded to even, and at most 255.")
        .missing(Missing::InsteadOfZero(1)),
    int("type[]", "Kind of the item.").names(&["general", "weapon", "hand object", "torch"]),
    int("flags[]", "1: dropping it empties the count; 2: one is dropped after it is used; 4: the count is emptied after it is used. The numbers are added.")
        .range(0, 7),
    Key::switch("hide[]", "", "Hides the item in the inventory. Scripts can use it nevertheless."),
    int("total[]", "Number of these items in the game: the player cannot own more."),
    int("player_max[]", "Number that the player can own."),
    int("player_total[]", "Number that the player owns at the start."),
    label("name[]", "Line of dialogue with the name. A text that starts with byte 0x9E counts as missing."),
    label("description[]", "Line of dialogue with the description."),
    Key::text("use_script[]", "", "Script that runs when a general item is used."),
    int("script_instances[]", "Number of such scripts that can run at the same time; 0 and less for any number."),
    int("bitmap[]", "Frame of the images; without one, the name is shown.").missing(Missing::Nothing),
    path("inventory_object_file[]", Model, "Model in the inventory, from INVENTORY.ROB."),
    path("game_object_file[]", Unchecked, "Model in the world, from the archive of the map."),
    list("add_item_list[]", "Items that the player receives together with this one."),
    list("drop_add_item_list[]", "Items of which the player loses one when this one is received."),
    list("required_item_list[]", "Items that the player must own to receive this one."),
    list("remove_drop_item_list[]", "Items that the player loses when this one is dropped and some of it are left."),
    list("drop_use_item_list[]", "Items of which the player loses one when this one is used."),
    path("hand_object_file[]", Model, "Model in the hand of the player, for weapons and hand objects."),
    path("hilt_object_file[]", Model, "Model in the scabbard, for weapons."),
];
