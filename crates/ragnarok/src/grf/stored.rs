//! The bytes of one entry: read piece by piece, deciphered, inflated.

use std::ops::Range;

use flate2::{Decompress, FlushDecompress, Status};
use record::{Error, Result, Source};

use super::cipher::{Cipher, Decipher};

/// How much is read at once: whole blocks.
const PIECE: u64 = 1 << 18;

/// How much is inflated at once.
const ROOM: usize = 1 << 16;

/// A zlib stream gives at most so many times its own bytes.
const RATIO: u64 = 1032;

/// A run of stored bytes, given out deciphered piece by piece.
#[derive(Clone)]
pub(super) struct Stored {
    source: Source,
    /// What is still to be read, blocks that are filled up included.
    place: Range<u64>,
    /// How many bytes are still to be given out.
    left: u64,
    decipher: Option<Decipher>,
}

impl Stored {
    /// The first `packed` bytes of a place in an archive.
    pub(super) fn new(source: &Source, place: Range<u64>, packed: u32, cipher: Cipher) -> Self {
        let decipher = (cipher != Cipher::None).then(|| Decipher::new(cipher, packed));
        Self { source: source.clone(), place, left: packed.into(), decipher }
    }

    /// The offset of the next byte.
    fn offset(&self) -> u64 {
        self.place.start
    }

    /// The next piece; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Vec<u8>>> {
        if self.left == 0 || self.place.is_empty() {
            return Ok(None);
        }
        let end = self.place.start.saturating_add(PIECE).min(self.place.end);
        let mut piece = self.source.read(self.place.start..end)?.into_owned();
        self.place.start = end;
        if let Some(decipher) = &mut self.decipher {
            // Only the last piece can end within a block.
            piece.resize(piece.len().next_multiple_of(8), 0);
            decipher.apply(&mut piece);
        }
        let length = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        if length > self.left {
            piece.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
        }
        self.left = self.left.saturating_sub(length);
        Ok(Some(piece))
    }
}

/// Whether so many packed bytes can give so many unpacked ones.
pub(super) fn is_possible(packed: u64, size: u64) -> bool {
    size <= packed.saturating_mul(RATIO)
}

/// Inflates a zlib stream that must give exactly `size` bytes, and hands them on piece by piece. Stops as soon as there are more.
/// Bytes after the end of the stream are left alone.
pub(super) fn inflate(stored: Stored, size: u64, take: &mut dyn FnMut(&[u8])) -> Result<()> {
    let mut inflate = Inflate::new(stored, size);
    while let Some(piece) = inflate.next()? {
        take(piece);
    }
    Ok(())
}

/// A zlib stream that must give exactly so many bytes, inflated piece by piece.
pub(super) struct Inflate {
    stored: Stored,
    size: u64,
    /// Where the stream begins.
    begin: u64,
    state: Decompress,
    /// A piece of the stream, where it stands, and how much of it is used.
    piece: Vec<u8>,
    piece_at: u64,
    used: usize,
    needs_more: bool,
    room: Vec<u8>,
    is_done: bool,
}

impl Inflate {
    pub(super) fn new(stored: Stored, size: u64) -> Self {
        let begin = stored.offset();
        let room = ROOM.min(usize::try_from(size).unwrap_or(ROOM).saturating_add(1));
        Self {
            stored,
            size,
            begin,
            state: Decompress::new(true),
            piece: Vec::new(),
            piece_at: begin,
            used: 0,
            needs_more: true,
            room: vec![0; room],
            is_done: false,
        }
    }

    /// The next bytes; `None` behind the last ones.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>> {
        while !self.is_done {
            if self.needs_more {
                self.read_piece()?;
            }
            let made = self.step()?;
            if made > 0 {
                return Ok(self.room.get(..made));
            }
        }
        Ok(None)
    }

    fn read_piece(&mut self) -> Result<()> {
        let at = self.stored.offset();
        let Some(piece) = self.stored.next()? else { return Err(ends_early(self.begin)) };
        if self.piece.is_empty() && piece.first() == Some(&0) {
            let what = "unsupported compression (the first byte is 0: LZMA, or specific to a private server)";
            return Err(Error::unsupported(what).at(self.begin));
        }
        (self.piece, self.piece_at, self.used, self.needs_more) = (piece, at, 0, false);
        Ok(())
    }

    /// Inflates as much as there is room for, and tells how much that is.
    fn step(&mut self) -> Result<usize> {
        let input = self.piece.get(self.used..).unwrap_or_default();
        let (used, made) = (self.state.total_in(), self.state.total_out());
        let status = self
            .state
            .decompress(input, &mut self.room, FlushDecompress::None)
            .map_err(|_| Error::malformed("the zlib stream is damaged").at(self.piece_at))?;
        let total = self.state.total_out();
        let used = usize::try_from(self.state.total_in().saturating_sub(used)).unwrap_or(usize::MAX);
        let made = usize::try_from(total.saturating_sub(made)).unwrap_or(usize::MAX);
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
            Status::Ok | Status::BufError if made == self.room.len() => {}
            Status::Ok | Status::BufError if self.used >= self.piece.len() => self.needs_more = true,
            Status::Ok => {}
            Status::BufError => return Err(ends_early(self.begin)),
        }
        Ok(made)
    }
}

fn ends_early(begin: u64) -> Error {
    Error::malformed("the zlib stream ends early").at(begin)
}
