//! How much memory decoding may take.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use super::Format;
use crate::Error;

/// How much an image may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Width times height at most. A decoded pixel takes four bytes, and up to twelve while it is being decoded.
    pub max_pixels: u64,
}

impl Default for Limits {
    /// 64 Mi pixels: 8192 x 8192.
    fn default() -> Self {
        Self { max_pixels: 64 << 20 }
    }
}

impl Limits {
    /// Refuses an image that is too large, by its header.
    pub(super) fn check(self, format: Format, width: u32, height: u32) -> Result<(), Error> {
        if u64::from(width).saturating_mul(u64::from(height)) > self.max_pixels {
            return Err(format.too_large(width, height, self.max_pixels));
        }
        Ok(())
    }

    /// Bytes a decoder may take.
    pub(super) fn bytes(self) -> u64 {
        self.max_pixels.saturating_mul(12).saturating_add(1 << 20)
    }
}
