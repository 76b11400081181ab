//! Moving pictures with a palette: frames of one size, shown one after the other for ever.

use super::Indexed8;
use crate::{Error, error};

/// Frames of one size and one palette, each shown equally long; rows from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct IndexedAnimation {
    width: u32,
    height: u32,
    palette: Vec<[u8; 4]>,
    frames: Vec<Vec<u8>>,
    delay: Delay,
}

/// How long a frame is shown: a fraction of a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delay {
    /// Above the line.
    pub numerator: u16,
    /// Below the line; 0 counts as 100.
    pub denominator: u16,
}

impl Delay {
    /// A number of thousandths of a second.
    #[must_use]
    pub const fn milliseconds(count: u16) -> Self {
        Self { numerator: count, denominator: 1000 }
    }

    /// A number of thousandths of a second, rounded down.
    #[must_use]
    pub fn in_milliseconds(self) -> u16 {
        let below = if self.denominator == 0 { 100 } else { u32::from(self.denominator) };
        let whole = (u32::from(self.numerator) * 1000).checked_div(below).unwrap_or_default();
        u16::try_from(whole).unwrap_or(u16::MAX)
    }

    /// Hundredths of a second that have passed when `frames` frames were shown, rounded.
    fn hundredths(self, frames: u64) -> u64 {
        let below = match self.denominator {
            0 => 100,
            number => u64::from(number),
        };
        let above = u64::from(self.numerator).saturating_mul(frames).saturating_mul(200);
        above.saturating_add(below).checked_div(below.saturating_mul(2)).unwrap_or_default()
    }

    /// How long each frame is shown in a file that counts hundredths of a second. The rest of one goes into the next, so that the
    /// whole keeps its length.
    pub(super) fn in_hundredths(self) -> impl Iterator<Item = u16> {
        (0_u64..).map(move |frame| {
            let (before, after) = (self.hundredths(frame), self.hundredths(frame.saturating_add(1)));
            u16::try_from(after.saturating_sub(before)).unwrap_or(u16::MAX)
        })
    }
}

impl std::fmt::Debug for IndexedAnimation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { width, height, palette, frames, delay } = self;
        let (colors, frames) = (palette.len(), frames.len());
        write!(f, "IndexedAnimation({width}x{height}, {colors} colors, {frames} frames, {delay:?})")
    }
}

impl IndexedAnimation {
    /// A film of these frames, each one index a pixel, and their palette of red, green, blue and alpha (sRGB).
    ///
    /// # Errors
    /// As [`Indexed8::new`] for each frame; an error when there is no frame.
    pub fn new(
        width: u32,
        height: u32,
        frames: Vec<Vec<u8>>,
        palette: Vec<[u8; 4]>,
        delay: Delay,
    ) -> Result<Self, Error> {
        if frames.is_empty() {
            return Err(error::count("frames", 0, 1));
        }
        let film = Self { width, height, palette, frames, delay };
        // The first is checked by what makes pictures, the others against it.
        let first = film.frames.first().cloned().unwrap_or_default();
        Indexed8::new(width, height, first, film.palette.clone())?;
        film.frames.iter().try_for_each(|frame| film.check(frame))?;
        Ok(film)
    }

    fn check(&self, frame: &[u8]) -> Result<(), Error> {
        let length = self.frames.first().map_or(0, Vec::len);
        if frame.len() != length {
            let expected = length as u64;
            let (width, height) = (self.width, self.height);
            return Err(error::pixel_count(width, height, frame.len(), expected));
        }
        let (last, count) =
            (usize::from(frame.iter().copied().max().unwrap_or_default()), self.palette.len());
        if last >= count {
            return Err(error::out_of_range("palette", last, count));
        }
        Ok(())
    }

    /// Pixels across.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Pixels down.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Red, green, blue and alpha of each index.
    pub fn palette(&self) -> &[[u8; 4]] {
        &self.palette
    }

    /// The frames, one index a pixel.
    pub fn frames(&self) -> &[Vec<u8>] {
        &self.frames
    }

    /// How long each frame is shown.
    pub const fn delay(&self) -> Delay {
        self.delay
    }

    /// One frame as a picture; `None` when there is no such frame.
    pub fn still(&self, frame: usize) -> Option<Indexed8> {
        let indices = self.frames.get(frame)?.clone();
        Indexed8::new(self.width, self.height, indices, self.palette.clone()).ok()
    }

    /// One frame as a film of its own; `None` when there is no such frame.
    #[must_use]
    pub fn frame(&self, frame: usize) -> Option<Self> {
        let frames = vec![self.frames.get(frame)?.clone()];
        let Self { width, height, delay, .. } = *self;
        Some(Self { width, height, palette: self.palette.clone(), frames, delay })
    }

    /// The first frame as a picture.
    #[must_use]
    pub fn first(&self) -> Indexed8 {
        let indices = self.frames.first().cloned().unwrap_or_default();
        Indexed8::of_checked(self.width, self.height, indices, self.palette.clone())
    }
}

/// A film of one frame.
impl From<Indexed8> for IndexedAnimation {
    fn from(picture: Indexed8) -> Self {
        let (width, height) = (picture.width(), picture.height());
        let (indices, palette) = picture.into_parts();
        Self { width, height, palette, frames: vec![indices], delay: Delay::milliseconds(0) }
    }
}
