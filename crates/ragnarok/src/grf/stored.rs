//! The bytes of one entry: read piece by piece, deciphered, inflated.

use std::borrow::Cow;
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
pub(super) struct Stored<'a> {
    source: &'a Source,
    /// What is still to be read, blocks that are filled up included.
    place: Range<u64>,
    /// How many bytes are still to be given out.
    left: u64,
    decipher: Option<Decipher>,
}

impl<'a> Stored<'a> {
    /// The first `packed` bytes of a place in an archive.
    pub(super) fn new(source: &'a Source, place: Range<u64>, packed: u32, cipher: Cipher) -> Self {
        let decipher = (cipher != Cipher::None).then(|| Decipher::new(cipher, packed));
        Self { source, place, left: packed.into(), decipher }
    }

    /// The offset of the next byte.
    fn offset(&self) -> u64 {
        self.place.start
    }

    /// The next piece; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Cow<'a, [u8]>>> {
        if self.left == 0 || self.place.is_empty() {
            return Ok(None);
        }
        let end = self.place.start.saturating_add(PIECE).min(self.place.end);
        let mut piece = self.source.read(self.place.start..end)?;
        self.place.start = end;
        if let Some(decipher) = &mut self.decipher {
            let bytes = piece.to_mut();
            // Only the last piece can end within a block.
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            decipher.apply(bytes);
        }
        let length = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        if length > self.left {
            let kept = usize::try_from(self.left).unwrap_or(usize::MAX);
            match &mut piece {
                Cow::Borrowed(bytes) => *bytes = bytes.get(..kept).unwrap_or(bytes),
                Cow::Owned(bytes) => bytes.truncate(kept),
            }
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
pub(super) fn inflate(stored: &mut Stored<'_>, size: u64, take: &mut dyn FnMut(&[u8])) -> Result<()> {
    let begin = stored.offset();
    let mut state = Decompress::new(true);
    let mut room = vec![0; ROOM.min(usize::try_from(size).unwrap_or(ROOM).saturating_add(1))];
    let mut is_first = true;
    loop {
        let at = stored.offset();
        let Some(piece) = stored.next()? else { return Err(ends_early(begin)) };
        if std::mem::take(&mut is_first) && piece.first() == Some(&0) {
            let what = "unsupported compression (the first byte is 0: LZMA, or specific to a private server)";
            return Err(Error::unsupported(what).at(begin));
        }
        let mut input: &[u8] = &piece;
        loop {
            let (used, made) = (state.total_in(), state.total_out());
            let status = state
                .decompress(input, &mut room, FlushDecompress::None)
                .map_err(|_| Error::malformed("the zlib stream is damaged").at(at))?;
            let used = usize::try_from(state.total_in().saturating_sub(used)).unwrap_or(usize::MAX);
            let made = usize::try_from(state.total_out().saturating_sub(made)).unwrap_or(usize::MAX);
            input = input.get(used..).unwrap_or_default();
            if state.total_out() > size {
                return Err(
                    Error::malformed(format!("it unpacks to more than the expected {size} bytes")).at(begin)
                );
            }
            take(room.get(..made).unwrap_or_default());
            match status {
                Status::StreamEnd if state.total_out() == size => return Ok(()),
                Status::StreamEnd => {
                    let found = state.total_out();
                    return Err(
                        Error::malformed(format!("it unpacks to {found} bytes instead of {size}")).at(begin)
                    );
                }
                Status::Ok | Status::BufError if made == room.len() => {}
                Status::Ok | Status::BufError if input.is_empty() => break,
                Status::Ok => {}
                Status::BufError => return Err(ends_early(begin)),
            }
        }
    }
}

fn ends_early(begin: u64) -> Error {
    Error::malformed("the zlib stream ends early").at(begin)
}
