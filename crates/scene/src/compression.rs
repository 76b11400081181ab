//! The effort of lossless compression.

/// The compression level of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    /// Fastest.
    Fast,
    /// The usual level of other programs.
    #[default]
    Usual,
    /// Smallest, in several times the time.
    Best,
}
