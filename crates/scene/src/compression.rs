//! The effort of lossless compression.

use crate::Error;

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

impl Compression {
    /// Returns the level with a name: `fast`, `usual` or `best`.
    ///
    /// # Errors
    /// Fails for any other name.
    pub fn by_name(name: &str) -> Result<Self, Error> {
        match name {
            "fast" => Ok(Self::Fast),
            "usual" => Ok(Self::Usual),
            "best" => Ok(Self::Best),
            _ => Err(Error::usage(format!(
                "unknown compression level \"{name}\" (available: fast, usual, best)"
            ))),
        }
    }
}
