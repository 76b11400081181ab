//! Pictures of indices into a palette, in one frame or several: what formats of any game share.

pub mod alone;
mod color;
mod edit;
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
    "How images with several frames are written.",
    &[
        ("auto", "one animated image; menu bitmaps as one image per frame"),
        ("together", "one animated image (APNG)"),
        ("apart", "one image per frame"),
    ],
    &[FrameChoice::Auto, FrameChoice::Together, FrameChoice::Apart],
);

/// What becomes of the frames of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameChoice {
    /// What is usual for the format.
    Auto,
    /// One animated picture.
    Together,
    /// A picture for each.
    Apart,
}

/// What `--frames` says about the frames of a picture that usually stay together.
#[must_use]
pub fn frame_files(context: &Context<'_>) -> FrameFiles {
    match context.options.choice(&FRAMES) {
        FrameChoice::Auto | FrameChoice::Together => FrameFiles::Together,
        FrameChoice::Apart => FrameFiles::Apart,
    }
}

/// The index of the pictures of a file, which starts with `head`.
#[must_use]
pub const fn index(head: Map<String, Value>) -> Index {
    Index { head, list: "images", lines: IndexLayout::Expanded }
}

/// Whether the first color of a palette is seen through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index0 {
    /// It is the key color. Its red, green and blue are kept.
    Clear,
    /// It is a color like the others.
    Opaque,
}

impl Index0 {
    /// A palette with alpha.
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

/// Indices of a picture, frame by frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frames {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// One index a pixel, rows from the top; at least one frame.
    pub frames: Vec<Vec<u8>>,
    /// How long a frame is shown.
    pub delay: Delay,
}

impl Frames {
    /// The frames in the colors of a palette.
    ///
    /// # Errors
    /// When there are no pixels.
    pub fn film(self, palette: Vec<[u8; 4]>) -> Result<IndexedAnimation> {
        let Self { width, height, frames, delay } = self;
        IndexedAnimation::new(width, height, frames, palette, delay)
    }
}

/// No picture has more pixels, all its frames together.
pub const MOST_PIXELS: u64 = 64 << 20;

/// How many pixels the pictures of one file may still have: rows can be shared, so a small file can ask for any number.
#[derive(Debug)]
pub struct Budget(u64);

impl Default for Budget {
    /// For one file.
    fn default() -> Self {
        Self(MOST_PIXELS.saturating_mul(4))
    }
}

impl Budget {
    /// Takes the pixels of one picture.
    ///
    /// # Errors
    /// When it has more than [`MOST_PIXELS`], or more than the file may still have.
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
