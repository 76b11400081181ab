//! KEYS.INI: the keys for each action, and the names of key codes.

use std::collections::BTreeMap;

use json::{Document, Value, json};
use media::ini::Ini;

use super::Kind;
use super::key::Key;
use super::lookup::{Lookup, Section};
use super::row::Row;
use super::unknown;

pub use super::declared::KEY_NAMES;

/// An action of the player that keys are bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Action {
    /// Name in the keys of the file.
    pub name: &'static str,
    /// What the action does.
    pub meaning: &'static str,
    /// Key with the first code, and the second one if the action has two.
    pub key: &'static str,
    /// Key with the code that replaces the first one.
    pub user_key: Option<&'static str>,
}

const fn two(name: &'static str, meaning: &'static str, key: &'static str, user_key: &'static str) -> Action {
    Action { name, meaning, key, user_key: Some(user_key) }
}

const fn one(name: &'static str, key: &'static str) -> Action {
    Action { name, meaning: name, key, user_key: None }
}

/// The actions in the order of the menu.
pub const ACTIONS: [Action; 15] = [
    two("up", "forward", "key_up", "user_key_up"),
    two("down", "backward", "key_down", "user_key_down"),
    two("left", "left", "key_left", "user_key_left"),
    two("right", "right", "key_right", "user_key_right"),
    two("a", "walk or run", "key_a", "user_key_a"),
    two("b", "jump", "key_b", "user_key_b"),
    two("c", "look", "key_c", "user_key_c"),
    two("d", "activate and attack", "key_d", "user_key_d"),
    one("inventory", "inventory_key"),
    one("sword", "quick_sword_key"),
    one("health", "quick_health_key"),
    one("map", "map_key"),
    one("log", "log_key"),
    one("next", "next_key"),
    one("previous", "prev_key"),
];

/// The codes of an action; 0 is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// First code.
    pub primary: i32,
    /// Second code; `None` for an action that has only one.
    pub secondary: Option<i32>,
    /// Code that replaces the first one, if not 0; `None` for an action without it.
    pub user: Option<i32>,
}

impl Binding {
    fn read(action: &Action, section: Option<&Section<'_>>) -> Self {
        let row = |index| Row::new(section, keys("input"), Some(index));
        Self {
            primary: row(0).integer(action.key),
            secondary: action.user_key.map(|_| row(1).integer(action.key)),
            user: action.user_key.map(|key| row(0).integer(key)),
        }
    }

    /// Returns the code that the game uses as the first one.
    #[must_use]
    pub fn effective(&self) -> i32 {
        self.user.filter(|code| *code != 0).unwrap_or(self.primary)
    }
}

/// The keys for each action, and the names of key codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bindings {
    /// Codes of each of the [actions](ACTIONS).
    pub bindings: [Binding; 15],
    /// Names of the codes in the file.
    pub names: Vec<Option<String>>,
    /// Text that asks for a key.
    pub waiting_message: String,
}

impl Bindings {
    /// Reads the file.
    #[must_use]
    pub fn read(ini: &Ini) -> Self {
        Self::of(&Lookup::new(ini))
    }

    fn of(lookup: &Lookup<'_>) -> Self {
        let input = lookup.section("input");
        let mut names = vec![None; KEY_NAMES.len()];
        for entry in lookup.section("defined").into_iter().flat_map(Section::firsts) {
            let is_name = keys("defined").iter().any(|key| key.base() == entry.name.base);
            let code = entry.name.index.filter(|_| is_name).and_then(|code| usize::try_from(code).ok());
            let name = Some(entry.value()).filter(|name| !name.is_empty());
            if let (Some(slot), Some(name)) = (code.and_then(|code| names.get_mut(code)), name) {
                slot.get_or_insert_with(|| name.to_owned());
            }
        }
        let misc = Row::new(lookup.section("misc"), keys("misc"), None);
        Self {
            bindings: ACTIONS.map(|action| Binding::read(&action, input)),
            names,
            waiting_message: misc.text("waiting_message").unwrap_or_default(),
        }
    }

    /// Returns the name of a code: that of the file, otherwise the built-in one; `None` for 0 and for codes that the game does not know.
    #[must_use]
    pub fn name(&self, code: i32) -> Option<&str> {
        let code = usize::try_from(code).ok().filter(|code| *code > 0)?;
        self.names.get(code)?.as_deref().or_else(|| KEY_NAMES.get(code).copied())
    }

    fn binding_to_json(&self, action: &Action, binding: &Binding) -> Value {
        let name = |code: Option<i32>| code.and_then(|code| self.name(code));
        let effective = binding.effective();
        json!({
            "action": action.name, "meaning": action.meaning,
            "primary": binding.primary, "primary_name": name(Some(binding.primary)),
            "secondary": binding.secondary, "secondary_name": name(binding.secondary),
            "user": binding.user, "user_name": name(binding.user),
            "effective": effective, "effective_name": name(Some(effective)),
        })
    }
}

/// Returns the declared keys of a section.
fn keys(section: &str) -> &'static [Key] {
    Kind::Keys.group(section).map_or(&[], |group| group.keys)
}

/// Converts the bindings, the names of key codes, and keys that are set more than once.
pub(super) fn to_json(ini: &Ini) -> Document {
    let lookup = Lookup::new(ini);
    let file = Bindings::of(&lookup);
    let bindings = ACTIONS.iter().zip(&file.bindings);
    Document::object(|out| {
        out.put("waiting_message", &file.waiting_message)
            .list("bindings", bindings.map(|(action, binding)| file.binding_to_json(action, binding)))
            .put("names", &file.names)
            .list("scancodes", file.names.iter().map_while(Option::as_deref))
            .put("duplicates", &duplicates(&lookup))
            .put("unknown_keys", &unknown::to_json(&lookup, Kind::Keys));
    })
}

/// Returns the keys that occur more than once, in any sections, with their values as written, in the order of the file.
fn duplicates<'l>(lookup: &'l Lookup<'_>) -> BTreeMap<String, Vec<&'l str>> {
    let mut entries: Vec<_> = lookup.sections().iter().flat_map(|section| &section.entries).collect();
    entries.sort_by_key(|entry| entry.line);
    let mut all: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for entry in entries {
        all.entry(entry.name.to_string()).or_default().push(entry.raw.as_ref());
    }
    all.retain(|_, values| values.len() > 1);
    all
}

#[cfg(test)]
mod tests {
    use super::super::value::SYNTAX;
    use super::*;

    fn file(text: &str) -> Bindings {
        Bindings::read(&Ini::parse(text.as_bytes(), SYNTAX).unwrap())
    }

    #[test]
    fn a_user_key_replaces_the_first_code_unless_it_is_0() {
        let file = file(
            "[input]\nkey_up[0]=17\nkey_up[1]=138\nUSER_KEY_UP = 72 ; remap\nkey_d[0]=18\nuser_key_d=0\nlog_key=38\n",
        );
        let [up, .., d] = &file.bindings[..8] else { panic!("eight actions") };
        assert_eq!((up.primary, up.secondary, up.user, up.effective()), (17, Some(138), Some(72), 72));
        assert_eq!((d.secondary, d.effective()), (Some(0), 18));
        assert_eq!(file.bindings[12], Binding { primary: 38, secondary: None, user: None });
        assert_eq!((ACTIONS[4].meaning, ACTIONS[7].meaning), ("walk or run", "activate and attack"));
    }

    #[test]
    fn codes_without_a_name_in_the_file_have_the_built_in_one() {
        let file = file(
            "[misc]\nwaiting_message=\n[defined]\nkey[72]=arrow up\nkey_name[17]=double u\nkey[140]=none\nkey[1]= ; none\n",
        );
        let codes = [72, 17, 1, 0, 31, 128, 139, 140, -1];
        let names = ["arrow up", "double u", "escape", "", "s", "left mouse", "joy down", "", ""];
        assert_eq!(codes.map(|code| file.name(code).unwrap_or_default()), names);
        assert_eq!((file.names.len(), &file.names[31]), (140, &None));
        assert_eq!(file.waiting_message, "WAITING");
    }
}
