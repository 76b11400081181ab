//! The layout of a separate script file (`.AI`): sections with a four-letter tag, a big-endian length and their bytes, as in maps. Numbers
//! within sections are little-endian.
//!
//! No file is known, because the game was not shipped with any. Documented is only the section AIAN: a byte, then animation groups as in
//! RAGR of maps. The frame of the sections is assumed to be that of the other files with sections. All other sections are kept as bytes,
//! and so is an AIAN section that does not fit this layout.
//!
//! Source: redguard-preservation's documentation of maps, item attachment and scripts.

use record::{Bytes, Error, Record, Result};
use serde::{Deserialize, Serialize};

use crate::map::AnimationCommand;
use asset::FixedText;

/// A separate script file.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(check = no_rest_without_end)]
#[serde(deny_unknown_fields)]
pub struct AiFile {
    /// Sections in file order; a tag may repeat.
    #[record(until = &END || end, limit = MAX_SECTIONS)]
    pub sections: Vec<Section>,
    /// Whether the file ends with `END `.
    #[record(present = &END)]
    pub end: bool,
    /// Bytes after the end.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// A section.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(tag = FixedText<4>, length = u32, length_order = big)]
pub enum Section {
    /// AIAN: animation groups.
    #[record(tag = GROUPS, when = are_groups(rest))]
    #[serde(rename = "AIAN")]
    Groups(Groups),
    /// Any other section, or a section that does not fit its layout.
    #[record(unknown)]
    #[serde(rename = "other")]
    Other {
        /// Four-letter tag.
        #[record(check = not_the_end)]
        tag: FixedText<4>,
        /// Content.
        data: Bytes,
    },
}

/// AIAN.
#[derive(Record, Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[record(check = no_rest_without_list_end)]
#[serde(deny_unknown_fields)]
pub struct Groups {
    /// Highest number of an animation group, as in the object of a map.
    pub most_group: u8,
    /// The groups.
    #[record(until = &LIST_END || end)]
    pub groups: Vec<Group>,
    /// Whether a size of 0 ends the list.
    #[record(present = &LIST_END)]
    pub list_end: bool,
    /// Bytes after the list.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// A group of animation commands.
#[derive(Record, Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Purpose: an index into the group names of the game.
    #[record(begin(length: u16))]
    pub number: u16,
    /// Ticks per frame in the low byte.
    pub animation: u16,
    /// Low byte: 0 if it can be interrupted, 1 if it must play to its end, 2 if no panic follows.
    pub kind: u16,
    /// The commands. In JSON, each is a list: its name, then its parameters, as in maps.
    #[record(count = u16)]
    #[serde(with = "command_list")]
    pub commands: Vec<AnimationCommand>,
    /// Bytes after the commands.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// The tag of the section with animation groups.
pub(super) const GROUPS: [u8; 4] = *b"AIAN";

/// The maximum number of sections. A map has two dozen.
const MAX_SECTIONS: usize = 1 << 12;

/// The sizes in bytes of a group without its length and commands, and of a command.
const GROUP: usize = 8;
const COMMAND: usize = 3;

const END: [u8; 4] = *b"END ";
const LIST_END: [u8; 2] = [0; 2];

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

fn no_rest_without_end(file: &AiFile) -> Result<()> {
    no_rest(file.end, &file.rest, "rest must be empty without an END tag")
}

fn no_rest_without_list_end(section: &Groups) -> Result<()> {
    no_rest(section.list_end, &section.rest, "rest must be empty without the end of the list")
}

fn no_rest(has_end: bool, rest: &Bytes, message: &str) -> Result<()> {
    if !has_end && !rest.is_empty() {
        return Err(Error::usage(message.to_owned()).in_field("rest"));
    }
    Ok(())
}

fn not_the_end(tag: &FixedText<4>) -> Result<()> {
    if tag.0 == END { Err(Error::usage("a section cannot have the tag END")) } else { Ok(()) }
}

/// Whether the bytes are a number and complete animation groups.
fn are_groups(bytes: &[u8]) -> bool {
    let Some((_, mut rest)) = bytes.split_first() else { return false };
    while !rest.is_empty() && !rest.starts_with(&LIST_END) {
        let Some(after) = after_group(rest) else { return false };
        rest = after;
    }
    true
}

/// Returns the bytes after a group; `None` if it is not complete.
fn after_group(bytes: &[u8]) -> Option<&[u8]> {
    let (length, after) = bytes.split_first_chunk::<2>()?;
    let (group, after) = after.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
    let [.., a, b] = group.first_chunk::<GROUP>()?;
    let commands = usize::from(u16::from_le_bytes([*a, *b])).checked_mul(COMMAND)?;
    (group.len() >= commands.checked_add(GROUP)?).then_some(after)
}

/// The JSON of commands, in which jumps follow their targets.
mod command_list {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::map::AnimationCommand;
    use crate::map::assembled::AssembledCommand;
    use crate::map::assembled::command::{editable, stored};

    pub(super) fn serialize<S: Serializer>(
        commands: &[AnimationCommand],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        editable(commands).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<AnimationCommand>, D::Error> {
        let commands = Vec::<AssembledCommand>::deserialize(deserializer)?;
        stored(&commands).map_err(D::Error::custom)
    }
}
