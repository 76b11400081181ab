//! The documentation of all declared keys.

use asset::SettingDoc;

use super::Kind;
use super::key::{Effect, Key, Missing, ValueKind};

/// Returns the documentation of all keys, by file and section.
#[must_use]
pub fn all() -> Vec<SettingDoc> {
    let keys = Kind::ALL.into_iter().flat_map(|kind| {
        let groups = kind.groups().iter();
        groups.flat_map(move |group| group.keys.iter().map(move |key| (kind, group.section, key)))
    });
    keys.map(|(kind, section, key)| documentation(kind, section, key)).collect()
}

fn documentation(kind: Kind, section: &'static str, key: &Key) -> SettingDoc {
    SettingDoc {
        file: kind.file(),
        section,
        key: key.name,
        ty: type_of(key.kind),
        unit: key.unit,
        shipped: key.shipped,
        missing: missing(key),
        valid: valid(key),
        effect: match key.effect {
            Effect::Known => "known",
            Effect::Name => "name",
            Effect::None => "none",
        },
        about: key.about,
    }
}

fn type_of(kind: ValueKind) -> String {
    match kind {
        ValueKind::Integer => "integer".into(),
        ValueKind::Switch => "switch".into(),
        ValueKind::Float => "number".into(),
        ValueKind::Text => "text".into(),
        ValueKind::Label => "label".into(),
        ValueKind::Path(_) => "path".into(),
        ValueKind::Pair => "two integers".into(),
        ValueKind::Color => "red, green, blue".into(),
        ValueKind::Integers(count) => format!("{count} integers"),
        ValueKind::Wave => "amplitude, speed, frequency".into(),
        ValueKind::List => "list of integers".into(),
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
