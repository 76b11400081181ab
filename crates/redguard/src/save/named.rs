//! Flags in JSON: each with its name, so that people find it.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::Serializer;
use serde::{Deserialize as DeriveDeserialize, Serialize};

use super::flag::FLAGS;
use super::layout::Flag;

/// The name of a flag; empty for numbers beyond those of the game.
pub(super) fn name_of(number: usize) -> &'static str {
    FLAGS.get(number).map_or("", |flag| flag.name)
}

#[derive(Serialize, DeriveDeserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    value: i32,
    state: u8,
}

pub(super) fn serialize<S: Serializer>(flags: &[Flag], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(flags.iter().enumerate().map(|(number, flag)| {
        let name = FLAGS.get(number).map(|known| known.name.to_owned());
        Named { name, value: flag.value, state: flag.state }
    }))
}

/// A flag is found by its place; a name that belongs to another place is refused, so that lines which were moved do no harm.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Flag>, D::Error> {
    let flags = Vec::<Named>::deserialize(deserializer)?;
    let flag = |(number, flag): (usize, Named)| {
        let known = name_of(number);
        match flag.name {
            Some(name) if !known.is_empty() && name != known => {
                Err(D::Error::custom(format!("flag {number} is {known}, not {name}: flags keep their order")))
            }
            _ => Ok(Flag { value: flag.value, state: flag.state }),
        }
    };
    flags.into_iter().enumerate().map(flag).collect()
}
