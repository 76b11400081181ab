//! Animations with a palette: frames of one size, shown in sequence and repeated forever.

use super::Indexed8;
use crate::{Error, error};

/// An animation with one frame size, palette and frame duration; rows from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct IndexedAnimation {
    width: u32,
    height: u32,
    palette: Vec<[u8; 4]>,
    frames: Vec<Vec<u8>>,
    delay: Delay,
}

/// The duration of a frame: a fraction of a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delay {
    /// Numerator of the fraction.
    pub numerator: u16,
    /// Denominator of the fraction; 0 means 100.
    pub denominator: u16,
}

impl Delay {
    /// Creates a delay in milliseconds.
    #[must_use]
    pub const fn milliseconds(count: u16) -> Self {
        Self { numerator: count, denominator: 1000 }
    }

    /// Returns the delay in milliseconds, rounded down.
    #[must_use]
    pub fn in_milliseconds(self) -> u16 {
        let denominator = if self.denominator == 0 { 100 } else { u32::from(self.denominator) };
        let milliseconds = (u32::from(self.numerator) * 1000).checked_div(denominator).unwrap_or_default();
        u16::try_from(milliseconds).unwrap_or(u16::MAX)
    }

    /// Returns the total duration of `frames` frames in hundredths of a second, rounded.
    fn hundredths(self, frames: u64) -> u64 {
        let denominator = match self.denominator {
            0 => 100,
            number => u64::from(number),
        };
        let numerator = u64::from(self.numerator).saturating_mul(frames).saturating_mul(200);
        numerator.saturating_add(denominator).checked_div(denominator.saturating_mul(2)).unwrap_or_default()
    }

    /// Returns the delay of each frame for formats that use hundredths of a second. Remainders are carried over to
    /// the next frame, so that the total duration is unchanged.
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
    /// Creates an animation from frames with one index per pixel and a palette of RGBA colors (sRGB).
    ///
    /// # Errors
    /// Like [`Indexed8::new`] for each frame; also if there are no frames.
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
        let animation = Self { width, height, palette, frames, delay };
        // The first frame is validated as an image, the others against the first.
        let first = animation.frames.first().cloned().unwrap_or_default();
        Indexed8::new(width, height, first, animation.palette.clone())?;
        animation.frames.iter().try_for_each(|frame| animation.check(frame))?;
        Ok(animation)
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

    /// Width in pixels.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// RGBA color of each index.
    pub fn palette(&self) -> &[[u8; 4]] {
        &self.palette
    }

    /// The frames, with one index per pixel.
    pub fn frames(&self) -> &[Vec<u8>] {
        &self.frames
    }

    /// Duration of each frame.
    pub const fn delay(&self) -> Delay {
        self.delay
    }

    /// Returns a frame as an image; `None` if it does not exist.
    pub fn still(&self, frame: usize) -> Option<Indexed8> {
        let indices = self.frames.get(frame)?.clone();
        Indexed8::new(self.width, self.height, indices, self.palette.clone()).ok()
    }

    /// Returns a frame as an animation of one frame; `None` if it does not exist.
    #[must_use]
    pub fn frame(&self, frame: usize) -> Option<Self> {
        let frames = vec![self.frames.get(frame)?.clone()];
        let Self { width, height, delay, .. } = *self;
        Some(Self { width, height, palette: self.palette.clone(), frames, delay })
    }

    /// Returns the first frame as an image.
    #[must_use]
    pub fn first(&self) -> Indexed8 {
        let indices = self.frames.first().cloned().unwrap_or_default();
        Indexed8::new_unchecked(self.width, self.height, indices, self.palette.clone())
    }
}

/// Converts an image to an animation of one frame.
impl From<Indexed8> for IndexedAnimation {
    fn from(picture: Indexed8) -> Self {
        let (width, height) = (picture.width(), picture.height());
        let (indices, palette) = picture.into_parts();
        Self { width, height, palette, frames: vec![indices], delay: Delay::milliseconds(0) }
    }
}
