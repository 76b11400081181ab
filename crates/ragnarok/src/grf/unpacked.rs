//! A packed file that is unpacked where it is read, from its start: so a large one is copied, or looked at, without being in memory.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use record::{Error, ReadAt, Result};

use super::stored::{Inflate, Stored};

/// How often it is unpacked from its start again. Whoever reads more often backwards needs the whole file.
const MOST_STARTS: u32 = 64;

/// A packed file.
pub(super) struct Unpacked {
    stored: Stored,
    length: u64,
    /// More bytes are not given at once.
    most: u64,
    name: String,
    place: Mutex<Place>,
}

/// How far it was read.
#[derive(Default)]
struct Place {
    /// Goes on where the last read ended.
    cursor: Option<Cursor>,
    /// How often it was unpacked from its start.
    starts: u32,
}

/// A stream that was inflated up to a place.
struct Cursor {
    inflate: Inflate,
    /// The number of bytes before `ahead`.
    at: u64,
    /// What was inflated, but not read.
    ahead: Vec<u8>,
}

impl Unpacked {
    pub(super) fn new(stored: Stored, length: u64, most: u64, name: String) -> Self {
        Self { stored, length, most, name, place: Mutex::default() }
    }

    fn start(&self, starts: &mut u32) -> Result<Cursor> {
        *starts = starts.saturating_add(1);
        if *starts > MOST_STARTS {
            return Err(self.too_large());
        }
        Ok(Cursor { inflate: Inflate::new(self.stored.clone(), self.length), at: 0, ahead: Vec::new() })
    }

    fn too_large(&self) -> Error {
        Error::limit(format!(
            "{} unpacks to {}, which is more than the archive and 8 MB: extract it, and open the extracted file",
            self.name,
            asset::counted(self.length, "byte", "bytes"),
        ))
    }
}

impl Cursor {
    /// Reads a range that does not start before the cursor.
    fn read(&mut self, range: Range<u64>) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        while self.at < range.end {
            if self.ahead.is_empty() {
                let Some(piece) = self.inflate.next()? else { break };
                self.ahead.extend_from_slice(piece);
            }
            let wanted = if self.at < range.start { range.start } else { range.end };
            let count = usize::try_from(wanted.saturating_sub(self.at)).unwrap_or(usize::MAX);
            let taken = self.ahead.drain(..count.min(self.ahead.len()));
            let (is_wanted, length) = (self.at >= range.start, taken.len());
            if is_wanted {
                if out.is_empty() {
                    let length = range.end.saturating_sub(range.start);
                    out.reserve_exact(usize::try_from(length).unwrap_or_default());
                }
                out.extend(taken);
            }
            self.at = self.at.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
        }
        Ok(out)
    }
}

impl ReadAt for Unpacked {
    fn read_at(&self, range: Range<u64>) -> Result<Vec<u8>> {
        let count = range.end.saturating_sub(range.start);
        if count > self.most {
            return Err(self.too_large());
        }
        let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        let mut cursor = match place.cursor.take().filter(|cursor| cursor.at <= range.start) {
            Some(cursor) => cursor,
            None => self.start(&mut place.starts)?,
        };
        let bytes = cursor.read(range)?;
        place.cursor = Some(cursor);
        Ok(bytes)
    }
}
