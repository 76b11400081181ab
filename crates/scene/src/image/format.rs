//! Image formats, and what can be wrong with a file of one.

use std::fmt;

use crate::Error;
use crate::error::to_offset;

/// An image format, as recognized by content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Portable Network Graphics.
    Png,
    /// JPEG.
    Jpeg,
    /// Windows bitmap.
    Bmp,
    /// Truevision Targa.
    Tga,
    /// Graphics Interchange Format; recognized only.
    Gif,
    /// DirectDraw surface.
    Dds,
}

impl Format {
    /// Whether [`decode`](super::decode) reads it; the others are only recognized.
    #[must_use]
    pub const fn is_decoded(self) -> bool {
        !matches!(self, Self::Gif)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Bmp => "BMP",
            Self::Tga => "TGA",
            Self::Gif => "GIF",
            Self::Dds => "DDS",
        })
    }
}

impl Format {
    /// A problem with a file of this format.
    pub(crate) fn bad(self, offset: usize, problem: impl Into<String>) -> Error {
        Error::malformed(format!("{self} image: {}", problem.into())).at(to_offset(offset))
    }

    /// Something a file of this format may have and this program cannot do.
    pub(super) fn unsupported(self, problem: impl Into<String>) -> Error {
        Error::unsupported(format!("{self} image: {} is not supported", problem.into()))
    }

    /// A file of this format beyond the given limit of pixels.
    pub(super) fn too_large(self, width: u32, height: u32, max_pixels: u64) -> Error {
        Error::limit(format!(
            "{self} image: {width} x {height} pixels are more than the limit of {max_pixels}"
        ))
    }
}
