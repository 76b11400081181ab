//! An image as a file inside the scene.

use std::sync::Arc;

use twox_hash::XxHash3_128;

/// The first eight bytes of every PNG.
pub(super) const PNG_SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// A named image of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// What the image is called; the `.gltf` form names its file after it.
    pub name: String,
    /// The file.
    pub encoded: Encoded,
}

/// A PNG or JPEG file that is fit for glTF. Made by [`for_gltf`](super::for_gltf) and [`png_for_gltf`](super::png_for_gltf).
#[derive(Clone, PartialEq, Eq)]
pub struct Encoded {
    /// What the bytes are.
    pub kind: ImageKind,
    /// The file's bytes.
    pub bytes: Arc<[u8]>,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// What is known about its alpha.
    pub alpha: Alpha,
    /// Whether the file was complete.
    pub integrity: Integrity,
}

impl Encoded {
    /// A digest of the bytes in hexadecimal digits, by which an edited image is recognized.
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

/// The image formats glTF holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ImageKind {
    /// Portable Network Graphics.
    Png,
    /// Baseline or progressive JPEG, grey or color.
    Jpeg,
}

impl ImageKind {
    /// `image/png` or `image/jpeg`.
    pub const fn mime_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }

    /// Whether a file starts like this kind of image.
    pub fn begins(self, bytes: &[u8]) -> bool {
        bytes.starts_with(match self {
            Self::Png => &PNG_SIGNATURE,
            Self::Jpeg => &[0xff, 0xd8, 0xff],
        })
    }

    /// `png` or `jpg`.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
        }
    }
}

/// What is known about an image's alpha.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Alpha {
    /// All pixels are solid.
    Opaque,
    /// The format has alpha; the pixels were not looked at.
    Possible,
    /// Every pixel is solid or fully clear, and some are clear.
    Binary,
    /// Some pixels are in between.
    Blended,
}

/// Whether a file was complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Integrity {
    /// It ends as it should.
    Complete,
    /// A JPEG without its end marker: cut short perhaps, so the lower part may be grey. The marker was added.
    Truncated,
}
