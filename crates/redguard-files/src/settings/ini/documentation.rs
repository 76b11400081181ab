//! The documentation of all declared keys.

use asset::SettingDoc;

use super::Kind;
use super::key::{Effect, Group, Key, Missing, ValueKind};

/// Returns the documentation of all keys, by file and section.
#[must_use]
pub(super) fn all() -> Vec<SettingDoc> {
    let keys = Kind::ALL.into_iter().flat_map(|kind| {
        let groups = kind.groups().iter();
        groups.flat_map(move |group| group.keys.iter().map(move |key| documentation(kind, group, key)))
    });
    keys.collect()
}

/// Names of the numbers of a switch.
const SWITCH: &[&str] = &["off", "on"];

fn documentation(kind: Kind, group: &Group, key: &Key) -> SettingDoc {
    SettingDoc {
        file: kind.file(),
        dialect: kind.name(),
        section: group.section,
        section_about: group.about,
        key: key.name,
        ty: key.doc.ty,
        unit: key.unit,
        shipped: key.shipped,
        missing: missing(key),
        valid: valid(key),
        names: if key.kind == ValueKind::Switch { SWITCH } else { key.names },
        effect: match key.effect {
            Effect::Known => "known",
            Effect::Name => "name",
            Effect::None => "none",
        },
        about: key.doc.about,
    }
}

fn missing(key: &Key) -> String {
    let listed = |numbers: &[i32]| numbers.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
    match key.missing {
        Missing::Zero if key.is_integer() => "0".into(),
        Missing::Zero | Missing::Nothing => String::new(),
        Missing::InsteadOfZero(number) => format!("0 counts as {number}"),
        Missing::Below(least, number) if least == number => format!("at least {least}"),
        Missing::Below(least, number) => format!("below {least} counts as {number}"),
        Missing::Text(text) => text.into(),
        Missing::Numbers(numbers) => listed(numbers),
    }
}

fn valid(key: &Key) -> String {
    let named = key.names.iter().enumerate().map(|(number, name)| format!("{number} {name}"));
    match (key.names, key.range) {
        ([_, ..], _) => named.collect::<Vec<_>>().join(", "),
        ([], Some((least, i32::MAX))) => format!("{least} and above"),
        ([], Some((least, most))) => format!("{least} to {most}"),
        ([], None) => String::new(),
    }
}
