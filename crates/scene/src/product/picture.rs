//! Images as products: palette indices or color channels, with one or more frames.

use std::fmt;

use crate::image::{Gray16, Indexed8, IndexedAnimation, Rgba8};

/// An image, static or animated; rows from the top, sRGB.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Picture {
    /// Palette indices, in one or more frames.
    Indexed(IndexedAnimation),
    /// Red, green, blue and alpha; one frame.
    Rgba(Rgba8),
    /// Grayscale with 16 bits; one frame. Formats without 16-bit support use the upper 8 bits.
    Gray(Gray16),
}

impl Picture {
    /// Width in pixels.
    #[must_use]
    pub const fn width(&self) -> u32 {
        match self {
            Self::Indexed(animation) => animation.width(),
            Self::Rgba(picture) => picture.width(),
            Self::Gray(picture) => picture.width(),
        }
    }

    /// Height in pixels.
    #[must_use]
    pub const fn height(&self) -> u32 {
        match self {
            Self::Indexed(animation) => animation.height(),
            Self::Rgba(picture) => picture.height(),
            Self::Gray(picture) => picture.height(),
        }
    }

    /// Returns the number of frames, at least one.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        match self {
            Self::Indexed(animation) => animation.frames().len(),
            Self::Rgba(_) | Self::Gray(_) => 1,
        }
    }

    /// Returns one frame as a separate image; `None` if it does not exist.
    #[must_use]
    pub fn frame(&self, number: usize) -> Option<Self> {
        match self {
            Self::Indexed(animation) => animation.frame(number).map(Self::Indexed),
            Self::Rgba(_) | Self::Gray(_) => (number == 0).then(|| self.clone()),
        }
    }

    /// Converts the first frame to RGBA.
    #[must_use]
    pub fn to_rgba8(&self) -> Rgba8 {
        match self {
            Self::Rgba(picture) => picture.clone(),
            Self::Gray(picture) => picture.to_rgba8(),
            Self::Indexed(animation) => animation.first().to_rgba8(),
        }
    }
}

impl From<IndexedAnimation> for Picture {
    fn from(animation: IndexedAnimation) -> Self {
        Self::Indexed(animation)
    }
}

impl From<Indexed8> for Picture {
    fn from(picture: Indexed8) -> Self {
        Self::Indexed(picture.into())
    }
}

impl From<Rgba8> for Picture {
    fn from(picture: Rgba8) -> Self {
        Self::Rgba(picture)
    }
}

impl From<Gray16> for Picture {
    fn from(picture: Gray16) -> Self {
        Self::Gray(picture)
    }
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Indexed(animation) => animation.fmt(f),
            Self::Gray(picture) => write!(f, "Gray({}x{})", picture.width(), picture.height()),
            Self::Rgba(picture) => write!(f, "Rgba({}x{})", picture.width(), picture.height()),
        }
    }
}
