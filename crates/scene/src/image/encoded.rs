//! Encoded images: image files within a scene.

use std::sync::Arc;

use twox_hash::XxHash3_128;

/// The first eight bytes of every PNG.
pub(super) const PNG_SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// A named image of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Name of the image, which is also used for the file in `.gltf` output.
    pub name: String,
    /// The image file.
    pub encoded: Encoded,
}

/// A PNG or JPEG file that is valid in glTF. Created by [`for_gltf`](super::for_gltf) and
/// [`png_for_gltf`](super::png_for_gltf).
#[derive(Clone, PartialEq, Eq)]
pub struct Encoded {
    /// Format of the bytes.
    pub kind: ImageKind,
    /// Content of the file.
    pub bytes: Arc<[u8]>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The use of its alpha channel, as far as it is known.
    pub alpha: Alpha,
    /// Whether the source file was complete.
    pub integrity: Integrity,
}

impl Encoded {
    /// Returns a digest of the bytes in hexadecimal digits, which identifies unedited images.
    #[must_use]
    pub fn digest(&self) -> String {
        format!("{:032x}", XxHash3_128::oneshot(&self.bytes))
    }
}

impl std::fmt::Debug for Encoded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, bytes, width, height, alpha, integrity } = self;
        write!(f, "Encoded({kind:?}, {width}x{height}, {} bytes, {alpha:?}, {integrity:?})", bytes.len())
    }
}

/// The image formats that glTF supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ImageKind {
    /// Portable Network Graphics.
    Png,
    /// Baseline or progressive JPEG, grayscale or color.
    Jpeg,
}

impl ImageKind {
    /// Returns `image/png` or `image/jpeg`.
    pub const fn mime_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }

    /// Whether a file starts with the signature of this format.
    pub fn begins(self, bytes: &[u8]) -> bool {
        bytes.starts_with(match self {
            Self::Png => &PNG_SIGNATURE,
            Self::Jpeg => &[0xff, 0xd8, 0xff],
        })
    }

    /// Returns `png` or `jpg`.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
        }
    }
}

/// The use of an image's alpha channel, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Alpha {
    /// All pixels are opaque.
    Opaque,
    /// The format has alpha, but the pixels were not examined.
    Possible,
    /// Every pixel is either opaque or fully transparent, and some are transparent.
    Binary,
    /// Some pixels are semitransparent.
    Blended,
}

/// Whether a file was complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Integrity {
    /// The file ends as expected.
    Complete,
    /// A JPEG without an end marker, which may be truncated, so the lower part may be gray. The marker was added.
    Truncated,
}
