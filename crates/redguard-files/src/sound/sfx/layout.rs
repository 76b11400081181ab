//! The layout of an `.SFX` file: a header with the number of effects, a section with all effects, and an end tag.
//!
//! The lengths of the two sections are big-endian, everything else is little-endian. There is no index: the game finds an effect
//! by its number, counted from 0.
//! Sources: UESP, "Mod:SFX File Format"; redguard-preservation's documentation; third-party counts of the game's file: 118
//! effects.

use record::{Bytes, Error, Record, Result};
use serde::{Deserialize, Serialize};

use crate::sound::SoundHeader;
use asset::FixedText;

/// A sound effect file.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoundBank {
    /// The name of the authoring tool: "Conveted by SoupFX".
    #[record(begin(name = "header", tag = HEADER_TAG, section_size: u32, order = big))]
    pub description: FixedText<32>,
    /// Bytes after the count, within the header section's length; empty in valid files.
    #[record(before(effect_count: u32 = effects.len()), end)]
    #[serde(default, skip_serializing_if = "is_empty")]
    pub header_rest: Bytes,
    /// The effects. Scripts and animations refer to them by number.
    #[record(begin(name = "effects", tag = EFFECTS_TAG, section_size: u32, order = big), count = effect_count)]
    pub effects: Vec<Effect>,
    /// Bytes after the last effect, within the section's length; empty in valid files.
    #[record(end)]
    #[serde(default, skip_serializing_if = "is_empty")]
    pub effects_rest: Bytes,
    /// The end tag, "END ".
    #[record(check = no_second_header)]
    pub end: Bytes,
}

/// A sound effect.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// The sound header.
    pub header: SoundHeader,
    /// The samples: 8-bit unsigned or 16-bit signed, left channel first.
    #[record(count = header.data_length)]
    pub pcm: Bytes,
}

/// The tag of the header section.
pub(super) const HEADER_TAG: &[u8; 4] = b"FXHD";

/// The tag of the section with the effects.
const EFFECTS_TAG: &[u8; 4] = b"FXDT";

/// The end tag.
pub(super) const END: &[u8] = b"END ";

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

fn no_second_header(end: &Bytes) -> Result<()> {
    if end.starts_with(HEADER_TAG) {
        return Err(Error::malformed("unexpected second header after the effects"));
    }
    Ok(())
}
