//! The header, the first sixteen letters of a file: magic, version, encoding, float size.

use std::fmt;

use record::{Error, Result};
use serde::Serialize;

/// Length of the header in bytes.
pub(super) const LENGTH: usize = 16;

/// The first letters of every file.
pub(super) const MAGIC: &[u8] = b"xof ";

/// Version and encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Header {
    /// First two digits of the version: 3.
    pub major: u8,
    /// Last two digits of the version: 2 or 3.
    pub minor: u8,
    /// Encoding of the contents.
    pub encoding: Encoding,
    /// Size of floats. Only used in binary files.
    pub float_size: FloatSize,
}

/// Encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// `txt `: text.
    Text,
    /// `bin `: binary tokens.
    Binary,
    /// `tzip`: text in MSZIP blocks.
    CompressedText,
    /// `bzip`: binary tokens in MSZIP blocks.
    CompressedBinary,
}

/// Size of floats in bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum FloatSize {
    /// `0032`.
    #[serde(rename = "32")]
    Single,
    /// `0064`.
    #[serde(rename = "64")]
    Double,
}

impl Encoding {
    /// Whether the unpacked contents are binary tokens.
    #[must_use]
    pub const fn is_binary(self) -> bool {
        matches!(self, Self::Binary | Self::CompressedBinary)
    }

    /// Whether the contents are compressed in MSZIP blocks.
    #[must_use]
    pub const fn is_compressed(self) -> bool {
        matches!(self, Self::CompressedText | Self::CompressedBinary)
    }

    fn of(letters: &[u8]) -> Option<Self> {
        Some(match letters {
            b"txt " => Self::Text,
            b"bin " => Self::Binary,
            b"tzip" => Self::CompressedText,
            b"bzip" => Self::CompressedBinary,
            _ => return None,
        })
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Text => "text",
            Self::Binary => "binary",
            Self::CompressedText => "compressed text",
            Self::CompressedBinary => "compressed binary",
        })
    }
}

impl FloatSize {
    /// Returns the size of a float in bytes.
    pub(super) const fn bytes(self) -> usize {
        match self {
            Self::Single => 4,
            Self::Double => 8,
        }
    }
}

/// Displays the encoding and version, such as `text 0303`.
impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:02}{:02}", self.encoding, self.major, self.minor)?;
        match self.float_size {
            FloatSize::Double if self.encoding.is_binary() => f.write_str(", 64-bit floats"),
            _ => Ok(()),
        }
    }
}

impl Header {
    /// Whether these first bytes are a header.
    pub(super) fn is_at_start_of(bytes: &[u8]) -> bool {
        let digits = |range| bytes.get(range).and_then(number).is_some();
        bytes.starts_with(MAGIC) && digits(4..6) && digits(6..8) && bytes.get(8..12).is_some_and(is_format)
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.is_empty() {
            return Err(Error::malformed("the file is empty").at(0));
        }
        if !bytes.starts_with(MAGIC) {
            return Err(Error::malformed("expected the signature \"xof \"").at(0));
        }
        let word = |range, start: u64, what: &str| {
            bytes.get(range).ok_or_else(|| {
                Error::malformed(format!("the file ends within the header, before {what}")).at(start)
            })
        };
        let version: &[u8] = word(4..8, 4, "the version")?;
        let (Some(major), Some(minor)) =
            (version.get(..2).and_then(number), version.get(2..).and_then(number))
        else {
            let message =
                format!("expected a version of four digits like \"0303\", found {}", quoted(version));
            return Err(Error::malformed(message).at(4).in_field("version"));
        };
        let letters = word(8..12, 8, "the encoding")?;
        let Some(encoding) = Encoding::of(letters) else {
            let message = format!(
                "unknown encoding {} (known: \"txt \", \"bin \", \"tzip\", \"bzip\")",
                quoted(letters)
            );
            return Err(Error::unsupported(message).at(8).in_field("encoding"));
        };
        let float_size = match word(12..16, 12, "the size of floats")? {
            b"0032" => FloatSize::Single,
            b"0064" => FloatSize::Double,
            other => {
                let message =
                    format!("expected a float size of \"0032\" or \"0064\" bits, found {}", quoted(other));
                return Err(Error::malformed(message).at(12).in_field("float_size"));
            }
        };
        Ok(Self { major, minor, encoding, float_size })
    }
}

/// Whether these letters are an encoding. `com ` is an older way to mark compression; no such files are known.
fn is_format(letters: &[u8]) -> bool {
    Encoding::of(letters).is_some() || letters == b"com "
}

/// Parses two digits.
fn number(digits: &[u8]) -> Option<u8> {
    match digits {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => {
            tens.checked_sub(b'0')?.checked_mul(10)?.checked_add(ones.checked_sub(b'0')?)
        }
        _ => None,
    }
}

fn quoted(letters: &[u8]) -> String {
    format!("\"{}\"", letters.escape_ascii())
}
