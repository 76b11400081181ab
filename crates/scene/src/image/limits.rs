//! Limits on the memory used for decoding.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use super::Format;
use crate::Error;

/// Limits for decoding an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum of width times height. A pixel takes four bytes when decoded, and up to twelve during decoding.
    pub max_pixels: u64,
}

impl Default for Limits {
    /// 64 Mi pixels, such as 8192 x 8192.
    fn default() -> Self {
        Self { max_pixels: 64 << 20 }
    }
}

impl Limits {
    /// Refuses an image that is too large according to its header.
    pub(super) fn check(self, format: Format, width: u32, height: u32) -> Result<(), Error> {
        if u64::from(width).saturating_mul(u64::from(height)) > self.max_pixels {
            return Err(format.too_large(width, height, self.max_pixels));
        }
        Ok(())
    }

    /// Returns the number of bytes that a decoder may allocate.
    pub(super) fn bytes(self) -> u64 {
        self.max_pixels.saturating_mul(12).saturating_add(1 << 20)
    }
}
