//! Serializes and deserializes flags with their names.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::Serializer;
use serde::{Deserialize as DeriveDeserialize, Serialize};

use super::flag::{FLAGS, Flag};

/// Returns the name of a flag; empty for numbers that the game does not use.
pub(super) fn name_of(number: usize) -> &'static str {
    FLAGS.get(number).map_or("", |flag| flag.name)
}

#[derive(Serialize, DeriveDeserialize)]
#[serde(deny_unknown_fields)]
struct NamedFlag {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    value: i32,
    state: u8,
}

pub(super) fn serialize<S: Serializer>(flags: &[Flag], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(flags.iter().enumerate().map(|(number, flag)| {
        let name = FLAGS.get(number).map(|known| known.name.to_owned());
        NamedFlag { name, value: flag.value, state: flag.state }
    }))
}

/// Deserializes flags by position. A name that belongs to a different position is rejected, to detect reordered lines.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Flag>, D::Error> {
    let flags = Vec::<NamedFlag>::deserialize(deserializer)?;
    let flag = |(number, flag): (usize, NamedFlag)| {
        let known = name_of(number);
        match flag.name {
            Some(name) if !known.is_empty() && name != known => Err(D::Error::custom(format!(
                "flag {number} must be {known}, not {name} (do not reorder flags)"
            ))),
            _ => Ok(Flag { value: flag.value, state: flag.state }),
        }
    };
    flags.into_iter().enumerate().map(flag).collect()
}
