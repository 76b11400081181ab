//! Pictures of the game: indices into a palette, in one frame or several, and what becomes of them.

pub(crate) mod alone;
mod edit;
mod gallery;
#[cfg(test)]
mod tests;

use asset::{Context, FormatOption, OptionValue};
use record::{Error, Result};
use scene::image::{Delay, Film8};

pub(crate) use edit::{Edited, Views, matched, read_picture, read_view};
pub(crate) use gallery::{Gallery, Usual, is_apart};

use crate::palette::Colors;

/// `--key-colour`.
pub(crate) const INDEX_0: FormatOption = FormatOption {
    name: "key-colour",
    about: "Whether the first colour of the palette is seen through.",
    value: OptionValue::Choice {
        values: &[
            ("auto", "as far as the file tells; else clear, as in sprites and on the screen"),
            ("clear", "seen through; the colour itself is kept"),
            ("opaque", "a colour like the others, as on terrain, in the sky and on most models"),
        ],
        default: "auto",
    },
};

/// `--frames`.
pub(crate) const FRAMES: FormatOption = FormatOption {
    name: "frames",
    about: "What becomes of a picture with several frames.",
    value: OptionValue::Choice {
        values: &[
            ("auto", "one animated picture; bitmaps of menus one picture for each frame"),
            ("together", "one animated picture (APNG)"),
            ("apart", "one picture for each frame"),
        ],
        default: "auto",
    },
};

/// Whether the first colour of a palette is seen through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index0 {
    /// It is the key colour. Its red, green and blue are kept.
    Clear,
    /// It is a colour like the others.
    Opaque,
}

impl Index0 {
    /// What was asked for, or else what the file tells.
    pub(crate) fn asked(context: &Context<'_>, told: Self) -> Self {
        match context.options.choice(INDEX_0.name) {
            "clear" => Self::Clear,
            "opaque" => Self::Opaque,
            _ => told,
        }
    }

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
    /// The frames in the colours of a palette.
    ///
    /// # Errors
    /// When there are no pixels.
    pub fn film(self, palette: Vec<[u8; 4]>) -> Result<Film8> {
        let Self { width, height, frames, delay } = self;
        Film8::new(width, height, frames, palette, delay).map_err(|error| asset::from_scene(&error))
    }
}

/// How long the engine shows a frame: it counts 18.2 ticks a second, and a frame stays for the delay rounded to ticks, at least one.
#[must_use]
pub fn ticks(milliseconds: i16) -> u16 {
    let milliseconds = u32::try_from(milliseconds).unwrap_or_default();
    let ticks = milliseconds.saturating_mul(182).saturating_add(5000) / 10_000;
    u16::try_from(ticks).unwrap_or(u16::MAX).max(1)
}

/// So many ticks of the engine's clock, of which 18.2065 make a second.
#[must_use]
pub fn delay_of(ticks: u16) -> Delay {
    Delay { numerator: ticks.saturating_mul(100), denominator: 1821 }
}

/// No picture has more pixels, all its frames together.
pub const MOST_PIXELS: u64 = 64 << 20;

/// How many pixels the pictures of one file may still have: rows can be shared, so a small file can ask for any number.
#[derive(Debug)]
pub(crate) struct Budget(u64);

impl Budget {
    /// For one file.
    pub(crate) fn new() -> Self {
        Self(MOST_PIXELS.saturating_mul(4))
    }

    /// Takes the pixels of one picture.
    pub(crate) fn take(&mut self, width: u32, height: u32, frames: u32) -> Result<()> {
        let pixels = u64::from(width).saturating_mul(height.into()).saturating_mul(frames.into());
        if pixels > MOST_PIXELS {
            return Err(Error::limit(format!(
                "{frames} frames of {width} x {height} pixels are more than the {MOST_PIXELS} pixels that are read of one picture"
            )));
        }
        self.0 = self.0.checked_sub(pixels).ok_or_else(|| {
            let most = Self::new().0;
            Error::limit(format!(
                "with this picture the file has more than the {most} pixels that are read of one"
            ))
        })?;
        Ok(())
    }
}
