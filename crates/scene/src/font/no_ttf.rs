//! Replacement for the writer of TrueType fonts in builds without the feature `font`.

use record::{Error, Result};

use super::PixelFont;

/// Writes a font as a TrueType font.
///
/// # Errors
/// Always: this build does not have the feature `font`.
pub fn write_ttf(_font: &PixelFont) -> Result<Vec<u8>> {
    Err(Error::unsupported("TrueType fonts cannot be written without the feature `font`"))
}
