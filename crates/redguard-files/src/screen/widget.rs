//! The values that entries of the menu show: check boxes, sliders and names of keys.

use std::collections::BTreeMap;

use asset::Report;

use super::file::GameFiles;
use super::formula::slider_step;
use crate::settings::ini::lookup::Lookup;
use crate::settings::ini::system::System;

/// The keys of KEYS.INI by their actions, the first of which is [`FIRST_KEY`]. The first eight have a secondary key, and a key of
/// the user that replaces them.
const KEYS: [&str; 15] = [
    "key_up",
    "key_down",
    "key_left",
    "key_right",
    "key_a",
    "key_b",
    "key_c",
    "key_d",
    "inventory_key",
    "quick_sword_key",
    "quick_health_key",
    "map_key",
    "log_key",
    "next_key",
    "prev_key",
];

/// The action that sets the first key.
const FIRST_KEY: i32 = 710;

/// The number of keys with a key of the user.
const USER_KEYS: usize = 8;

/// The value that an entry shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Widget {
    /// A check box with its frame.
    CheckBox(i32),
    /// A slider with its step.
    Slider(i32),
    /// The name of a key.
    Key(String),
}

/// The values of entries by their actions, computed once.
#[derive(Default)]
pub(super) struct Widgets(BTreeMap<i32, Option<Widget>>);

impl Widgets {
    /// Returns the value for an action; `None` if its entry shows none.
    pub(super) fn of(
        &mut self,
        action: i32,
        files: &mut GameFiles<'_>,
        report: &mut Report,
    ) -> Option<Widget> {
        let known = self.0.entry(action);
        known.or_insert_with(|| Widget::of(action, files, report)).clone()
    }
}

impl Widget {
    fn of(action: i32, files: &mut GameFiles<'_>, report: &mut Report) -> Option<Self> {
        let number = |section, key| System::of_game(files.context()).integer(section, key);
        match action {
            504 => Some(Self::CheckBox(number("dialog", "dialog_print_text"))),
            505 => Some(Self::CheckBox(number("screen", "smk_interlace"))),
            603 => Some(Self::CheckBox(number("dialog", "dialog_use_speech"))),
            601 => Some(Self::Slider(slider_step(number("system", "volume")))),
            602 => Some(Self::Slider(slider_step(number("system", "redbook_volume")))),
            _ => key_of(action, files, report).map(Self::Key),
        }
    }
}

/// Returns the name of the key that an action sets.
fn key_of(action: i32, files: &mut GameFiles<'_>, report: &mut Report) -> Option<String> {
    let index = usize::try_from(action.checked_sub(FIRST_KEY)?).ok()?;
    let key = KEYS.get(index)?;
    let ini = files.settings("KEYS.INI", "names of keys are not drawn", report)?;
    let lookup = Lookup::new(&ini);
    let input = lookup.section("input")?;
    let code = if index < USER_KEYS {
        let user = input.integer(&format!("user_{key}"), None);
        if user == 0 { input.integer(key, Some(0)) } else { user }
    } else {
        input.integer(key, None)
    };
    let (names, code) = (lookup.section("defined")?, Some(u32::try_from(code).ok()?));
    names.text("key", code).or_else(|| names.text("key_name", code)).map(ToOwned::to_owned)
}
