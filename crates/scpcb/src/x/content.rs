//! What follows the header, unpacked, and where in the file each byte of it comes from.

use std::borrow::Cow;
use std::ops::Range;

use asset::Charset;
use record::{Error, Kind, Result};

use super::header::{Header, LENGTH};
use super::zip::{self, Block};

/// The bytes that hold a model's objects.
#[derive(Debug)]
pub(super) struct Content<'a> {
    pub(super) header: Header,
    /// The whole file; or, of a compressed one, what its blocks hold.
    bytes: Cow<'a, [u8]>,
    /// The offset after the header.
    start: usize,
    /// Of a compressed file: its blocks in order.
    blocks: Vec<Block>,
    /// Of a compressed file: where its last block ends.
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

    /// The range of objects.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.bytes.len()
    }

    /// The bytes of a part; none when it is not all there.
    pub(super) fn get(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// The text of a part. Files know nothing of charsets; the game's is windows-1252.
    pub(super) fn text(&self, range: Range<usize>) -> String {
        Charset::Windows1252.decode(self.get(range)).into_owned()
    }

    /// The offset in the file: of a compressed file, that of the block the byte comes from.
    pub(super) fn offset(&self, at: usize) -> u64 {
        let offset = match self.block(at) {
            Some(block) => block.offset,
            None => at,
        };
        u64::try_from(offset).unwrap_or(u64::MAX)
    }

    fn block(&self, at: usize) -> Option<&Block> {
        let behind = self.blocks.partition_point(|block| block.start <= at);
        self.blocks.get(behind.checked_sub(1)?)
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
