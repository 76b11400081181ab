//! COMBAT.INI: the attacks, defenses and taunts of actors.

use json::{Map, Value, json};
use media::ini::{Ini, Section};

use super::value::of_text;

/// The names of the lists, which precede the number in section names.
pub(super) const LISTS: [&str; 3] = ["attack", "defend", "taunt"];

/// Returns the number of a section of a list.
pub(super) fn number_of(section: &Section<'_>, list: &str) -> Option<u32> {
    let name = section.name.trim().to_lowercase();
    let number = name.strip_prefix(list)?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok())?
}

/// Returns the sections of a list by number; if several have the same number, the first is used.
pub(super) fn list<'s, 'a>(sections: &'s [Section<'a>], list: &str) -> Vec<(u32, &'s Section<'a>)> {
    let mut found: Vec<_> =
        sections.iter().filter_map(|section| Some((number_of(section, list)?, section))).collect();
    found.sort_by_key(|(number, _)| *number);
    found.dedup_by_key(|(number, _)| *number);
    found
}

pub(super) fn to_json(ini: &Ini) -> Value {
    let sections = ini.sections();
    let rows = |name: &str| {
        let row = |(number, section): (u32, &Section<'_>)| {
            let mut out = Map::new();
            out.insert("index".into(), number.into());
            for entry in &section.entries {
                let key = entry.key.to_lowercase();
                // A label may consist of digits.
                let is_text = key == "rtx_label";
                let value = || if is_text { entry.value.as_ref().into() } else { of_text(&entry.value) };
                out.entry(key).or_insert_with(value);
            }
            Value::Object(out)
        };
        list(&sections, name).into_iter().map(row).collect::<Vec<_>>()
    };
    let [attack, defend, taunt] = LISTS;
    json!({ "attacks": rows(attack), "defends": rows(defend), "taunts": rows(taunt) })
}
