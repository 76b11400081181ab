//! In place of the writer of TrueType fonts, in builds without the feature `font`.

use record::{Error, Result};

use super::PixelFont;

/// The font as a TrueType font.
///
/// # Errors
/// Always: this build was made without the feature `font`.
pub fn write_ttf(_font: &PixelFont) -> Result<Vec<u8>> {
    Err(Error::unsupported("TrueType fonts cannot be written without the feature `font`"))
}
