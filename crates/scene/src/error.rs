//! What can go wrong, in sentences a user can act on.

use crate::image::Format;

/// Why a scene could not be written or read, or an image could not be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number glTF cannot hold: infinite or not a number.
    #[error("{place}: the number {value} cannot be written, glTF knows finite numbers only")]
    NotFinite {
        /// Which item of which list of which thing.
        place: String,
        /// The number found.
        value: f32,
    },
    /// An id or index that points at nothing.
    #[error("{place}: number {index} is out of range, there are {count}")]
    OutOfRange {
        /// Which item of which list of which thing.
        place: String,
        /// The index found.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A list whose length does not fit the list it belongs to.
    #[error("{place}: {found} items where {expected} were expected")]
    Count {
        /// Which list of which thing.
        place: String,
        /// The length found.
        found: usize,
        /// The length that fits.
        expected: usize,
    },
    /// Something glTF forbids, or that viewers would ignore without a word.
    #[error("{place}: {problem}")]
    Forbidden {
        /// Which thing.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Something of a font that no font file holds, or that is too large to draw.
    #[error("{place}: {problem}")]
    BadFont {
        /// Which part of the font.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A file longer than its format can say.
    #[error("the file would be {bytes} bytes long, more than the 4294967295 its format can hold")]
    FileTooLong {
        /// Its length.
        bytes: u64,
    },
    /// Bytes that are no image of a known format.
    #[error("not an image of a known format (PNG, JPEG, BMP, TGA)")]
    UnknownImage,
    /// An image whose bytes do not follow its format.
    #[error("{format} image: {problem}, at offset {offset:#x}")]
    BadImage {
        /// The format it seems to be.
        format: Format,
        /// Where in the file, or where the part that could not be read starts.
        offset: usize,
        /// What was found and what was expected.
        problem: String,
    },
    /// A sound image of a kind that is not read.
    #[error("{format} image: {problem} is not supported")]
    UnsupportedImage {
        /// The format.
        format: Format,
        /// What it would take.
        problem: String,
    },
    /// An image beyond the given limits.
    #[error("{format} image: {width} x {height} pixels are more than the limit of {max_pixels}")]
    ImageTooLarge {
        /// The format.
        format: Format,
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The limit that was set.
        max_pixels: u64,
    },
    /// A WAV file that does not follow its format.
    #[error("WAV: {problem}, at offset {offset:#x}")]
    BadSound {
        /// Where in the file.
        offset: usize,
        /// What was found and what was expected.
        problem: String,
    },
    /// A sound WAV file of a kind that is not read.
    #[error("WAV: {problem} is not supported, only PCM of 8 or 16 bits is")]
    UnsupportedSound {
        /// What it would take.
        problem: String,
    },
    /// A glTF file that does not follow its format.
    #[error("glTF: {place}: {problem}")]
    BadGltf {
        /// Which thing of which list of the document.
        place: String,
        /// What was found and what was expected.
        problem: String,
    },
    /// A glTF file that may be sound, but needs what is not read.
    #[error("glTF: {problem}")]
    UnsupportedGltf {
        /// What it would take.
        problem: String,
    },
    /// A glTF file that asks for more memory than its size allows.
    #[error("glTF: {place}: {problem}")]
    GltfTooLarge {
        /// Which thing of which list of the document.
        place: String,
        /// What it asks for.
        problem: String,
    },
    /// Pixels that do not make a picture of the given size.
    #[error("a picture of {width} x {height} pixels takes {expected} bytes, {found} were given")]
    PixelCount {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Bytes given.
        found: usize,
        /// Bytes needed.
        expected: u64,
    },
}
