//! The keys of KEYS.INI, and the built-in names of key codes.
//!
//! Sources: redguard-preservation 0.10.4; the printed manual for the meaning of the keys A and D.

use super::super::key::{Group, Key, Missing};

/// The sections with their keys.
pub(super) const GROUPS: &[Group] = &[
    Group { section: "input", about: "Codes of the keys for each action.", keys: INPUT },
    Group { section: "misc", about: "The page of the menu with the controls.", keys: MISC },
    Group { section: "defined", about: "Names of key codes.", keys: DEFINED },
];

/// The largest key code.
const MAX_CODE: i32 = 139;

/// Declares the key that replaces the first code.
const fn user(name: &'static str, about: &'static str) -> Key {
    Key::integer(name, "0", about).unit("key code").range(0, MAX_CODE)
}

/// Declares the two codes of an action.
const fn pair(name: &'static str, about: &'static str) -> Key {
    Key::integer(name, "", about).unit("key code").range(0, MAX_CODE).indices(0, 1)
}

/// Declares the only code of an action.
const fn single(name: &'static str, shipped: &'static str, about: &'static str) -> Key {
    Key::integer(name, shipped, about).unit("key code").range(0, MAX_CODE)
}

const INPUT: &[Key] = &[
    pair("key_up[]", "Move forward: first and second code. 0 is none; the first code is required."),
    pair("key_down[]", "Move backward: first and second code."),
    pair("key_left[]", "Turn left: first and second code."),
    pair("key_right[]", "Turn right: first and second code."),
    pair("key_a[]", "Walk instead of running, or run: first and second code."),
    pair("key_b[]", "Jump: first and second code."),
    pair("key_c[]", "Look around: first and second code."),
    pair("key_d[]", "Activate and attack: first and second code."),
    user("user_key_up", "Replaces the first code of key_up, if not 0. The menu changes it."),
    user("user_key_down", "Replaces the first code of key_down, if not 0. The menu changes it."),
    user("user_key_left", "Replaces the first code of key_left, if not 0. The menu changes it."),
    user("user_key_right", "Replaces the first code of key_right, if not 0. The menu changes it."),
    user("user_key_a", "Replaces the first code of key_a, if not 0. The menu changes it."),
    user("user_key_b", "Replaces the first code of key_b, if not 0. The menu changes it."),
    user("user_key_c", "Replaces the first code of key_c, if not 0. The menu changes it."),
    user("user_key_d", "Replaces the first code of key_d, if not 0. The menu changes it."),
    single("inventory_key", "23", "Open the inventory."),
    single("quick_sword_key", "16", "Draw or sheathe the sword."),
    single("quick_health_key", "35", "Use a health potion."),
    single("map_key", "50", "Open the map."),
    single("log_key", "38", "Open the logbook."),
    single("next_key", "52", "Select the next item."),
    single("prev_key", "51", "Select the previous item."),
];

const MISC: &[Key] =
    &[Key::text("waiting_message", "HIT KEY", "Text that asks for a key.").missing(Missing::Text("WAITING"))];

const DEFINED: &[Key] = &[
    Key::text("key[]", "", "Name of the key code in brackets.").indices(0, 139),
    Key::text("key_name[]", "", "Name of the key code in brackets, like key[].").indices(0, 139),
];

/// The names of the key codes from 0, as in the shipped file. Codes 1 to 127 are scan codes of the keyboard, 128 to 131 the mouse, and
/// 132 to 139 the joystick.
pub const NAMES: [&str; 140] = [
    "empty",
    "escape",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "0",
    "minus",
    "plus",
    "backspace",
    "tab",
    "q",
    "w",
    "e",
    "r",
    "t",
    "y",
    "u",
    "i",
    "o",
    "p",
    "l bracket",
    "r bracket",
    "enter",
    "ctrl",
    "a",
    "s",
    "d",
    "f",
    "g",
    "h",
    "j",
    "k",
    "l",
    ":",
    "\"",
    "tildy",
    "l shift",
    "\\",
    "z",
    "x",
    "c",
    "v",
    "b",
    "n",
    "m",
    "comma",
    "period",
    "slash",
    "r shift",
    "prt scr",
    "alt",
    "space",
    "caps lock",
    "f1",
    "f2",
    "f3",
    "f4",
    "f5",
    "f6",
    "f7",
    "f8",
    "f9",
    "f10",
    "num lock",
    "scrl lock",
    "home",
    "kbd up",
    "page up",
    "num minus",
    "kbd left",
    "unkn 76",
    "kbd right",
    "num plus",
    "end",
    "kbd down",
    "page down",
    "insert",
    "delete",
    "unkn 84",
    "unkn 85",
    "unkn 86",
    "f11",
    "f12",
    "unkn 89",
    "unkn 90",
    "unkn 91",
    "unkn 92",
    "unkn 93",
    "unkn 94",
    "unkn 95",
    "unkn 96",
    "unkn 97",
    "unkn 98",
    "unkn 99",
    "unkn 100",
    "unkn 101",
    "unkn 102",
    "unkn 103",
    "unkn 104",
    "unkn 105",
    "unkn 106",
    "unkn 107",
    "unkn 108",
    "unkn 109",
    "unkn 110",
    "unkn 111",
    "unkn 112",
    "unkn 113",
    "unkn 114",
    "unkn 115",
    "unkn 116",
    "unkn 117",
    "unkn 118",
    "unkn 119",
    "unkn 120",
    "unkn 121",
    "unkn 122",
    "unkn 123",
    "unkn 124",
    "unkn 125",
    "unkn 126",
    "unkn 127",
    "left mouse",
    "right mouse",
    "mouse x",
    "mouse y",
    "button 1",
    "button 2",
    "button 3",
    "button 4",
    "joy left",
    "joy right",
    "joy up",
    "joy down",
];
