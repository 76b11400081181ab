//! Models whose stored length is a few bytes too large.
//!
//! The engine reads chunks until the length is used up. At the end of the file nothing is left to read, so a length that is too
//! large by fewer bytes than a chunk header has is harmless. If it is larger, the file is truncated.

use std::borrow::Cow;

use record::{Error, Reader, Result, Span, Visit, Visitor, Writer};

/// Size of a chunk header in bytes.
const CHUNK_HEADER: usize = 8;

/// Byte range of the length of the model, after the signature.
const LENGTH: std::ops::Range<usize> = 4..8;

/// Returns the stored length and the correct length.
fn lengths(bytes: &[u8]) -> Option<(i32, i32)> {
    let stored = i32::from_le_bytes(bytes.get(LENGTH)?.try_into().ok()?);
    let left = i32::try_from(bytes.len().checked_sub(LENGTH.end)?).ok()?;
    Some((stored, left))
}

/// Returns the file with a corrected length, and the excess of the stored length.
pub(super) fn corrected(bytes: &[u8]) -> (Cow<'_, [u8]>, u8) {
    let excess = lengths(bytes).and_then(|(stored, left)| {
        let excess = u8::try_from(stored.checked_sub(left)?).ok()?;
        (excess > 0 && usize::from(excess) < CHUNK_HEADER).then_some((excess, left))
    });
    match excess {
        Some((excess, left)) => (with_length(bytes.to_vec(), left).into(), excess),
        None => (bytes.into(), 0),
    }
}

/// Returns the file with a length that is too large by `excess`.
///
/// # Errors
/// [`Kind::Usage`](record::Kind::Usage) if the engine would look for another chunk, and for bytes after the end of the model.
pub(super) fn with_excess(bytes: Vec<u8>, excess: u8) -> Result<Vec<u8>> {
    if excess == 0 {
        return Ok(bytes);
    }
    let wrong = |message: &str| Err(Error::usage(message).in_field("excess_length"));
    if usize::from(excess) >= CHUNK_HEADER {
        return wrong("must be less than 8");
    }
    match lengths(&bytes) {
        Some((stored, left)) if stored == left => {
            Ok(with_length(bytes, stored.saturating_add(excess.into())))
        }
        _ => wrong("no bytes may follow the end of the model"),
    }
}

fn with_length(mut bytes: Vec<u8>, length: i32) -> Vec<u8> {
    if let Some(stored) = bytes.get_mut(LENGTH) {
        stored.copy_from_slice(&length.to_le_bytes());
    }
    bytes
}

/// Reports the stored length to another visitor instead of the corrected one.
pub(super) struct Stored<'a> {
    pub(super) visitor: &'a mut dyn Visitor,
    pub(super) excess_length: u8,
}

impl Visitor for Stored<'_> {
    fn span(&mut self, span: Span<'_>) -> Visit {
        let length = span.value.to_string().parse::<i64>();
        match length {
            Ok(length) if span.path == "length" && self.excess_length > 0 => {
                let stored = length.saturating_add(self.excess_length.into());
                self.visitor.span(Span { value: &stored, ..span })
            }
            _ => self.visitor.span(span),
        }
    }

    fn enters(&mut self, path: &str) -> bool {
        self.visitor.enters(path)
    }

    fn describe(&mut self, path: &str, doc: &'static record::FieldDoc) {
        self.visitor.describe(path, doc);
    }
}

/// Reads the field, which occupies no bytes.
pub(super) fn read(_reader: &mut Reader<'_>) -> Result<u8> {
    Ok(0)
}

/// Writes the field, which occupies no bytes.
pub(super) fn write(_excess: &u8, _writer: &mut Writer) -> Result<()> {
    Ok(())
}
