//! The unpacked contents after the header, with their offsets in the file.

use std::borrow::Cow;
use std::ops::Range;

use asset::Charset;
use record::{Error, Kind, Result};

use super::header::{Header, LENGTH};
use super::zip::{self, Block};

/// The bytes of a model's objects.
#[derive(Debug)]
pub(super) struct Content<'a> {
    pub(super) header: Header,
    /// The entire file, or the unpacked blocks of a compressed one.
    bytes: Cow<'a, [u8]>,
    /// Offset after the header.
    start: usize,
    /// Blocks of a compressed file, in order.
    blocks: Vec<Block>,
    /// End of the last block of a compressed file, or of the file.
    pub(super) end: u64,
}

impl<'a> Content<'a> {
    pub(super) fn read(file: &'a [u8]) -> Result<Self> {
        let header = Header::read(file)?;
        let length = u64::try_from(file.len()).unwrap_or(u64::MAX);
        if header.encoding.is_compressed() {
            let (bytes, blocks, end) = zip::unpack(file)?;
            return Ok(Self { header, bytes: bytes.into(), start: 0, blocks, end });
        }
        Ok(Self { header, bytes: file.into(), start: LENGTH, blocks: Vec::new(), end: length })
    }

    /// Returns the range of the objects.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.bytes.len()
    }

    /// Returns the bytes of a range; empty if the range is not complete.
    pub(super) fn get(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Returns the text of a range. Files do not specify a charset; the game uses Windows-1252.
    pub(super) fn text(&self, range: Range<usize>) -> String {
        Charset::Windows1252.decode(self.get(range)).into_owned()
    }

    /// Returns the offset in the file; for a compressed file, the offset of the byte's block.
    pub(super) fn offset(&self, at: usize) -> u64 {
        let offset = match self.block(at) {
            Some(block) => block.offset,
            None => at,
        };
        u64::try_from(offset).unwrap_or(u64::MAX)
    }

    fn block(&self, at: usize) -> Option<&Block> {
        let next = self.blocks.partition_point(|block| block.start <= at);
        self.blocks.get(next.checked_sub(1)?)
    }

    /// Adds the offset in the unpacked data to a message, for compressed files.
    pub(super) fn located(&self, at: usize, message: &str) -> String {
        if self.header.encoding.is_compressed() {
            return format!(
                "{message} ({at:#x} bytes into the unpacked data; the offset is that of the compressed block)"
            );
        }
        message.to_owned()
    }

    pub(super) fn malformed(&self, at: usize, message: &str) -> Error {
        self.error(Kind::Malformed, at, message)
    }

    pub(super) fn error(&self, kind: Kind, at: usize, message: &str) -> Error {
        Error::new(kind, self.located(at, message)).at(self.offset(at))
    }
}
