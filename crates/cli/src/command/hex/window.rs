//! The bytes for the listing, read in blocks: the file may be larger than memory.

use antiquary::{Error, Source};

use super::clamped;

/// Number of bytes read at once.
const BLOCK: u64 = 1 << 16;

/// The most recently read block of a file.
#[derive(Debug)]
pub(super) struct Window<'a> {
    source: &'a Source,
    start: u64,
    bytes: Vec<u8>,
}

impl<'a> Window<'a> {
    /// An empty window.
    pub(super) fn new(source: &'a Source) -> Self {
        Self { source, start: 0, bytes: Vec::new() }
    }

    /// Bytes from an offset: at most `length`, and at most one block.
    pub(super) fn read(&mut self, start: u64, length: u64) -> Result<&[u8], Error> {
        let wanted = clamped(self.source, start, length.min(BLOCK));
        let length = usize::try_from(wanted.end.saturating_sub(wanted.start)).unwrap_or(0);
        if self.buffered(wanted.start, length).is_none() {
            let block = clamped(self.source, wanted.start, BLOCK);
            self.start = wanted.start;
            self.bytes = self.source.read(block)?.into_owned();
        }
        Ok(self.buffered(wanted.start, length).unwrap_or_default())
    }

    fn buffered(&self, start: u64, length: usize) -> Option<&[u8]> {
        let from = usize::try_from(start.checked_sub(self.start)?).ok()?;
        self.bytes.get(from..from.checked_add(length)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_forward_and_backward_but_never_past_the_end() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|number| number.to_le_bytes()[0]).collect();
        let source = Source::from(bytes.clone());
        let mut window = Window::new(&source);
        for start in [0_u32, 65_530, 199_990, 3, 70_000] {
            let from = usize::try_from(start).unwrap();
            let to = (from + 20).min(bytes.len());
            assert_eq!(window.read(start.into(), 20).unwrap(), &bytes[from..to]);
        }
        assert_eq!(window.read(200_000, 8).unwrap(), b"");
        assert_eq!(window.read(u64::MAX, 8).unwrap(), b"");
    }
}
