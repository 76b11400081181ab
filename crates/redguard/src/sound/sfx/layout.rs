//! What stands in an `.SFX` file: a header that counts, one section with all effects in a row, and a mark of the end.
//!
//! The lengths of the two sections have the high byte first, everything else the low byte. There is no table: the game finds an effect
//! by its place, counted from 0.
//! Sources: UESP, "Mod:SFX File Format"; redguard-preservation's documentation; counted by others on the game: 118 effects.

use record::{Bytes, Error, Record, Result};
use serde::{Deserialize, Serialize};

use crate::sound::SoundHeader;
use asset::FixedText;

/// A file of effects.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoundBank {
    /// What the program that made it wrote about itself: "Conveted by SoupFX".
    #[record(begin(name = "header", tag = HEADER_TAG, section_size: u32, order = big))]
    pub description: FixedText<32>,
    /// What stands behind the count, within the header's length: nothing in sound files.
    #[record(before(effect_count: u32 = effects.len()), end)]
    #[serde(default, skip_serializing_if = "is_empty")]
    pub header_rest: Bytes,
    /// The effects; scripts and animations name them by their place.
    #[record(begin(name = "effects", tag = EFFECTS_TAG, section_size: u32, order = big), count = effect_count)]
    pub effects: Vec<Effect>,
    /// What stands behind the last effect, within the section's length: nothing in sound files.
    #[record(end)]
    #[serde(default, skip_serializing_if = "is_empty")]
    pub effects_rest: Bytes,
    /// What stands behind the section: "END ".
    #[record(check = no_second_header)]
    pub end: Bytes,
}

/// One effect.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// What its samples are like.
    pub header: SoundHeader,
    /// Its samples: of 8 bits without a sign, of 16 bits with one; left before right.
    #[record(count = header.data_length)]
    pub pcm: Bytes,
}

/// The tag of the header.
pub(super) const HEADER_TAG: &[u8; 4] = b"FXHD";

/// The tag of the section with the effects.
const EFFECTS_TAG: &[u8; 4] = b"FXDT";

/// The mark of the end.
pub(super) const END: &[u8] = b"END ";

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

fn no_second_header(end: &Bytes) -> Result<()> {
    if end.starts_with(HEADER_TAG) {
        return Err(Error::malformed("a second header stands behind the effects"));
    }
    Ok(())
}
