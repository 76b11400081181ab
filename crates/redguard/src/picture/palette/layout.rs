//! What stands in a `.COL` file: 776 bytes, little-endian.
//!
//! Sources: UESP, "Mod:Palette Files"; redguard-preservation's documentation of the format; a shipped CLDTEST.COL is empty.

use asset::picture::Colors;
use record::{Bytes, Error, Record};
use serde::{Deserialize, Serialize};

/// How long every sound file is.
pub const FILE_SIZE: u32 = 776;

/// The number that tells a palette.
pub const MAGIC: u32 = 0xb123;

/// A `.COL` file.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Palette {
    /// The length of the file, 776.
    pub file_size: u32,
    /// Always 0xb123.
    pub magic: u32,
    /// The colours, 8 bits a channel.
    pub colors: Colors,
    /// What stands behind them: nothing in sound files.
    pub rest: Bytes,
}

/// The colours as the Glide renderer shows those of a world: cut to 6 bits a channel, the first one black.
#[must_use]
pub fn as_glide_shows(colors: &Colors) -> Colors {
    let mut out = colors.map(|channel| channel & 0xfc);
    if let Some(first) = out.0.first_mut() {
        *first = [0; 3];
    }
    out
}

impl Palette {
    /// A palette file of these colours.
    #[must_use]
    pub fn new(colors: Colors) -> Self {
        Self { file_size: FILE_SIZE, magic: MAGIC, colors, rest: Bytes::default() }
    }

    pub(super) fn not_a_palette(&self) -> Option<Error> {
        let wrong = self.magic != MAGIC;
        wrong.then(|| {
            let message = format!("{:#x} stands where a palette has {MAGIC:#x}", self.magic);
            Error::malformed(message).at(4).in_field("magic")
        })
    }
}
