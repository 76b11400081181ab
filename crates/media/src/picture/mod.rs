//! Pictures of palette indices, with one or more frames, for formats of any game.

mod color;
mod edit;
pub mod single;
#[cfg(test)]
mod tests;

use json::{Map, Value};
use record::{Error, Result};
use scene::image::{Delay, IndexedAnimation};

pub use color::{Colors, from_hex, hex};
pub use edit::{
    Edited, ViewPalettes, decode_picture, indices_of, is_colored, matched, read_picture, read_view,
    refuse_unused,
};

use asset::Context;
use asset::option::Choice;
use asset::product::{FrameFiles, Index, IndexLayout};

/// `--frames`.
pub const FRAMES: Choice<FrameChoice> = Choice::new(
    "frames",
    "How to write images with several frames.",
    &[
        ("auto", "one animated image; menu bitmaps as one image per frame"),
        ("together", "one animated image"),
        ("apart", "one image per frame"),
    ],
    &[FrameChoice::Auto, FrameChoice::Together, FrameChoice::Apart],
);

/// The output of the frames of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameChoice {
    /// The default of the format.
    Auto,
    /// One animated image.
    Together,
    /// One image per frame.
    Apart,
}

/// Returns the output selected by `--frames`, for pictures whose frames are kept together by default.
#[must_use]
pub fn frame_files(context: &Context<'_>) -> FrameFiles {
    match context.options.choice(&FRAMES) {
        FrameChoice::Auto | FrameChoice::Together => FrameFiles::Together,
        FrameChoice::Apart => FrameFiles::Apart,
    }
}

/// Returns the index of the pictures of a file, which starts with `head`.
#[must_use]
pub const fn index(head: Map<String, Value>) -> Index {
    Index { head, list: "images", lines: IndexLayout::Expanded }
}

/// Whether the first color of a palette is transparent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index0 {
    /// The first color is transparent. Its red, green and blue are preserved.
    Clear,
    /// The first color is opaque.
    Opaque,
}

impl Index0 {
    /// Returns a palette with alpha.
    #[must_use]
    pub fn apply(self, colors: &Colors) -> Vec<[u8; 4]> {
        let mut out: Vec<[u8; 4]> =
            colors.0.iter().map(|[red, green, blue]| [*red, *green, *blue, 255]).collect();
        if let (Self::Clear, Some([.., alpha])) = (self, out.first_mut()) {
            *alpha = 0;
        }
        out
    }
}

/// The frames of a picture as palette indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frames {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// One index per pixel, rows from the top; at least one frame.
    pub frames: Vec<Vec<u8>>,
    /// Duration of a frame.
    pub delay: Delay,
}

impl Frames {
    /// Creates an animation with a palette.
    ///
    /// # Errors
    /// When there are no pixels.
    pub fn animation(self, palette: Vec<[u8; 4]>) -> Result<IndexedAnimation> {
        let Self { width, height, frames, delay } = self;
        IndexedAnimation::new(width, height, frames, palette, delay)
    }
}

/// Maximum number of pixels of a picture, including all frames.
pub const MOST_PIXELS: u64 = 64 << 20;

/// The remaining number of pixels for the pictures of a file. Rows can be shared, so a small file can contain any number of
/// pixels.
#[derive(Debug)]
pub struct Budget(u64);

impl Default for Budget {
    /// The limit for a file.
    fn default() -> Self {
        Self(MOST_PIXELS.saturating_mul(4))
    }
}

impl Budget {
    /// Subtracts the pixels of a picture.
    ///
    /// # Errors
    /// When the picture has more than [`MOST_PIXELS`] pixels, or more than the remaining number.
    pub fn take(&mut self, width: u32, height: u32, frames: u32) -> Result<()> {
        let pixels = u64::from(width).saturating_mul(height.into()).saturating_mul(frames.into());
        if pixels > MOST_PIXELS {
            return Err(Error::limit(format!(
                "{frames} frames of {width} x {height} pixels exceed the limit of {MOST_PIXELS} pixels"
            )));
        }
        self.0 = self.0.checked_sub(pixels).ok_or_else(|| {
            let most = Self::default().0;
            Error::limit(format!("with this image the file exceeds the limit of {most} pixels"))
        })?;
        Ok(())
    }
}
