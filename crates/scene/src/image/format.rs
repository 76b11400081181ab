//! Image formats and their errors.

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
    /// Graphics Interchange Format; only recognized.
    Gif,
    /// DirectDraw surface.
    Dds,
}

impl Format {
    /// Whether [`decode`](super::decode) supports the format; others are only recognized.
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
    /// Creates an error for an invalid file of this format.
    pub(crate) fn bad(self, offset: usize, problem: impl Into<String>) -> Error {
        Error::malformed(format!("{self} image: {}", problem.into())).at(to_offset(offset))
    }

    /// Creates an error for an unsupported feature of this format.
    pub(super) fn unsupported(self, problem: impl Into<String>) -> Error {
        Error::unsupported(format!("{self} image: {} is not supported", problem.into()))
    }

    /// Creates an error for an image with more pixels than the limit.
    pub(super) fn too_large(self, width: u32, height: u32, max_pixels: u64) -> Error {
        Error::limit(format!(
            "{self} image: {width} x {height} pixels are more than the limit of {max_pixels}"
        ))
    }
}
