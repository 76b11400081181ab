//! Images as products: indices into a palette, or channels; one frame or several.

use std::fmt;

use crate::image::{Gray16, Indexed8, IndexedAnimation, Rgba8};

/// An image, still or moving; rows from the top, sRGB.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Picture {
    /// Indices into a palette, in one frame or more.
    Indexed(IndexedAnimation),
    /// Red, green, blue and alpha; one frame.
    Rgba(Rgba8),
    /// Brightness with 16 bits; one frame. What has no room for them takes the upper 8.
    Gray(Gray16),
}

impl Picture {
    /// Pixels across.
    #[must_use]
    pub const fn width(&self) -> u32 {
        match self {
            Self::Indexed(film) => film.width(),
            Self::Rgba(picture) => picture.width(),
            Self::Gray(picture) => picture.width(),
        }
    }

    /// Pixels down.
    #[must_use]
    pub const fn height(&self) -> u32 {
        match self {
            Self::Indexed(film) => film.height(),
            Self::Rgba(picture) => picture.height(),
            Self::Gray(picture) => picture.height(),
        }
    }

    /// How many frames it has: at least one.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        match self {
            Self::Indexed(film) => film.frames().len(),
            Self::Rgba(_) | Self::Gray(_) => 1,
        }
    }

    /// One frame as an image of its own; `None` when there is no such frame.
    #[must_use]
    pub fn frame(&self, number: usize) -> Option<Self> {
        match self {
            Self::Indexed(film) => film.frame(number).map(Self::Indexed),
            Self::Rgba(_) | Self::Gray(_) => (number == 0).then(|| self.clone()),
        }
    }

    /// The first frame as red, green, blue and alpha.
    #[must_use]
    pub fn to_rgba8(&self) -> Rgba8 {
        match self {
            Self::Rgba(picture) => picture.clone(),
            Self::Gray(picture) => picture.to_rgba8(),
            Self::Indexed(film) => film.first().to_rgba8(),
        }
    }
}

impl From<IndexedAnimation> for Picture {
    fn from(film: IndexedAnimation) -> Self {
        Self::Indexed(film)
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
            Self::Indexed(film) => film.fmt(f),
            Self::Gray(picture) => write!(f, "Gray({}x{})", picture.width(), picture.height()),
            Self::Rgba(picture) => write!(f, "Rgba({}x{})", picture.width(), picture.height()),
        }
    }
}
