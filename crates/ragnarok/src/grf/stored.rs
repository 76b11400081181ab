//! The bytes of one entry: read in chunks, decrypted and decompressed.

use std::ops::Range;

use flate2::{Decompress, FlushDecompress, Status};
use record::{Error, Result, Source};

use super::cipher::{Cipher, Decryptor};

/// Number of bytes read at once, a multiple of the block size.
const CHUNK: u64 = 1 << 18;

/// Size of the output buffer for decompression, in bytes.
const BUFFER_SIZE: usize = 1 << 16;

/// Maximum compression ratio of a zlib stream.
const MAX_RATIO: u64 = 1032;

/// A run of stored bytes, which is returned decrypted and in chunks.
#[derive(Clone)]
pub(super) struct Stored {
    source: Source,
    /// The range that is still to be read, including the padding of the last block.
    range: Range<u64>,
    /// Number of bytes that are still to be returned.
    left: u64,
    decryptor: Option<Decryptor>,
}

impl Stored {
    /// Creates a reader of the first `packed` bytes of a range of an archive.
    pub(super) fn new(source: &Source, range: Range<u64>, packed: u32, cipher: Cipher) -> Self {
        let decryptor = (cipher != Cipher::None).then(|| Decryptor::new(cipher, packed));
        Self { source: source.clone(), range, left: packed.into(), decryptor }
    }

    /// The offset of the next byte.
    fn offset(&self) -> u64 {
        self.range.start
    }

    /// Returns the next chunk, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Vec<u8>>> {
        if self.left == 0 || self.range.is_empty() {
            return Ok(None);
        }
        let end = self.range.start.saturating_add(CHUNK).min(self.range.end);
        let mut chunk = self.source.read(self.range.start..end)?.into_owned();
        self.range.start = end;
        if let Some(decryptor) = &mut self.decryptor {
            // Only the last chunk can end within a block.
            chunk.resize(chunk.len().next_multiple_of(8), 0);
            decryptor.apply(&mut chunk);
        }
        let length = u64::try_from(chunk.len()).unwrap_or(u64::MAX);
        if length > self.left {
            chunk.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
        }
        self.left = self.left.saturating_sub(length);
        Ok(Some(chunk))
    }
}

/// Whether `packed` bytes can be decompressed to `size` bytes.
pub(super) fn is_possible(packed: u64, size: u64) -> bool {
    size <= packed.saturating_mul(MAX_RATIO)
}

/// Decompresses a zlib stream to exactly `size` bytes, which are passed to `sink` in chunks. Stops as soon as there are more. Bytes after
/// the end of the stream are ignored.
pub(super) fn inflate(stored: Stored, size: u64, sink: &mut dyn FnMut(&[u8])) -> Result<()> {
    let mut inflate = Inflate::new(stored, size);
    while let Some(chunk) = inflate.next()? {
        sink(chunk);
    }
    Ok(())
}

/// A zlib stream that is decompressed in chunks to exactly `size` bytes.
pub(super) struct Inflate {
    stored: Stored,
    size: u64,
    /// Offset of the stream in the archive.
    begin: u64,
    state: Decompress,
    /// The current chunk of the stream, its offset in the archive, and the number of its bytes already used.
    chunk: Vec<u8>,
    chunk_at: u64,
    used: usize,
    needs_more: bool,
    buffer: Vec<u8>,
    is_done: bool,
}

impl Inflate {
    pub(super) fn new(stored: Stored, size: u64) -> Self {
        let begin = stored.offset();
        let buffer = BUFFER_SIZE.min(usize::try_from(size).unwrap_or(BUFFER_SIZE).saturating_add(1));
        Self {
            stored,
            size,
            begin,
            state: Decompress::new(true),
            chunk: Vec::new(),
            chunk_at: begin,
            used: 0,
            needs_more: true,
            buffer: vec![0; buffer],
            is_done: false,
        }
    }

    /// Returns the next bytes, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>> {
        while !self.is_done {
            if self.needs_more {
                self.read_chunk()?;
            }
            let produced = self.step()?;
            if produced > 0 {
                return Ok(self.buffer.get(..produced));
            }
        }
        Ok(None)
    }

    fn read_chunk(&mut self) -> Result<()> {
        let at = self.stored.offset();
        let Some(chunk) = self.stored.next()? else { return Err(ends_early(self.begin)) };
        if self.chunk.is_empty() && chunk.first() == Some(&0) {
            let message =
                "unsupported compression (the first byte is 0: LZMA, or specific to a private server)";
            return Err(Error::unsupported(message).at(self.begin));
        }
        (self.chunk, self.chunk_at, self.used, self.needs_more) = (chunk, at, 0, false);
        Ok(())
    }

    /// Fills the buffer with decompressed bytes and returns their number.
    fn step(&mut self) -> Result<usize> {
        let input = self.chunk.get(self.used..).unwrap_or_default();
        let (used, produced) = (self.state.total_in(), self.state.total_out());
        let status = self
            .state
            .decompress(input, &mut self.buffer, FlushDecompress::None)
            .map_err(|_| Error::malformed("the zlib stream is damaged").at(self.chunk_at))?;
        let total = self.state.total_out();
        let used = usize::try_from(self.state.total_in().saturating_sub(used)).unwrap_or(usize::MAX);
        let produced = usize::try_from(total.saturating_sub(produced)).unwrap_or(usize::MAX);
        self.used = self.used.saturating_add(used);
        if total > self.size {
            let message = format!("it unpacks to more than the expected {} bytes", self.size);
            return Err(Error::malformed(message).at(self.begin));
        }
        match status {
            Status::StreamEnd if total == self.size => self.is_done = true,
            Status::StreamEnd => {
                let message = format!("it unpacks to {total} bytes instead of {}", self.size);
                return Err(Error::malformed(message).at(self.begin));
            }
            Status::Ok | Status::BufError if produced == self.buffer.len() => {}
            Status::Ok | Status::BufError if self.used >= self.chunk.len() => self.needs_more = true,
            Status::Ok => {}
            Status::BufError => return Err(ends_early(self.begin)),
        }
        Ok(produced)
    }
}

fn ends_early(begin: u64) -> Error {
    Error::malformed("the zlib stream ends early").at(begin)
}
