//! Packed files that are unpacked while being read, from their start. Large files can thus be copied or inspected without being in memory.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use record::{Error, ReadAt, Result};

use super::stored::{Inflate, Stored};

/// Maximum number of times that unpacking restarts. Reading backward more often requires the entire file.
const MAX_STARTS: u32 = 64;

/// A packed file.
pub(super) struct Unpacked {
    stored: Stored,
    length: u64,
    /// Maximum number of bytes returned at once.
    limit: u64,
    name: String,
    state: Mutex<State>,
}

/// The progress of reading.
#[derive(Default)]
struct State {
    /// The position after the last read.
    cursor: Option<Cursor>,
    /// Number of times that unpacking has started.
    starts: u32,
}

/// A stream that has been decompressed up to a position.
struct Cursor {
    inflate: Inflate,
    /// The number of bytes before `ahead`.
    at: u64,
    /// Decompressed bytes that have not been read.
    ahead: Vec<u8>,
}

impl Unpacked {
    pub(super) fn new(stored: Stored, length: u64, limit: u64, name: String) -> Self {
        Self { stored, length, limit, name, state: Mutex::default() }
    }

    fn start(&self, starts: &mut u32) -> Result<Cursor> {
        *starts = starts.saturating_add(1);
        if *starts > MAX_STARTS {
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
        if count > self.limit {
            return Err(self.too_large());
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut cursor = match state.cursor.take().filter(|cursor| cursor.at <= range.start) {
            Some(cursor) => cursor,
            None => self.start(&mut state.starts)?,
        };
        let bytes = cursor.read(range)?;
        state.cursor = Some(cursor);
        Ok(bytes)
    }
}
