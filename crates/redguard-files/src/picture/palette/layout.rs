//! The layout of a `.COL` file: 776 bytes, little-endian.
//!
//! Sources: UESP, "Mod:Palette Files"; redguard-preservation's documentation of the format. One shipped file, CLDTEST.COL, is
//! empty.

use media::picture::Colors;
use record::{Bytes, Error, Record};
use serde::{Deserialize, Serialize};

/// The size in bytes of every valid file.
pub const FILE_SIZE: u32 = 776;

/// The signature of a palette file.
pub const MAGIC: u32 = 0xb123;

/// A `.COL` file.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Palette {
    /// The length of the file: 776.
    pub file_size: u32,
    /// Always 0xb123.
    pub magic: u32,
    /// The colors, 8 bits per channel.
    pub colors: Colors,
    /// Bytes after the colors; empty in valid files.
    pub rest: Bytes,
}

/// Returns the colors as displayed by the Glide renderer: reduced to 6 bits per channel, the first one black.
#[must_use]
pub fn as_displayed_by_glide(colors: &Colors) -> Colors {
    let mut out = colors.map(|channel| channel & 0xfc);
    if let Some(first) = out.0.first_mut() {
        *first = [0; 3];
    }
    out
}

impl Palette {
    /// Creates a palette file with these colors.
    #[must_use]
    pub fn new(colors: Colors) -> Self {
        Self { file_size: FILE_SIZE, magic: MAGIC, colors, rest: Bytes::default() }
    }

    pub(super) fn not_a_palette(&self) -> Option<Error> {
        let wrong = self.magic != MAGIC;
        wrong.then(|| {
            let message = format!("expected {MAGIC:#x}, found {:#x}", self.magic);
            Error::malformed(message).at(4).in_field("magic")
        })
    }
}
