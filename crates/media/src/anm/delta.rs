//! Records: the difference between two consecutive frames, as skips, copies and runs.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | `01`..`7f` | this many literal pixels follow |
//! | `00 n v` | `n` times pixel `v` |
//! | `81`..`ff` | skip the number of pixels in the lower seven bits |
//! | `80` and a 16-bit number | `0000` ends the record; up to `7fff` skips; `8001`..`bfff` literal pixels, `c001`..`ffff` a run of the next pixel: the count is in the lower 14 bits |
//!
//! The numbers `4000` and `c000` do nothing, `8000` is invalid. Sources: Electronic Arts' description; the reader of a
//! preservation project.

use record::{Error, Result};

/// The start of every record: the type `B` (bitmap), without extra bytes.
const HEAD: [u8; 4] = [b'B', 0, 0, 0];

/// The bits of a long operation that contain the count.
const LONG: u16 = 0x3fff;

/// The kinds of long operations, by their upper bits.
const LONG_COPY: u16 = 0x8000;
const LONG_RUN: u16 = 0xc000;

/// Minimum length of a run.
const RUN: usize = 4;

/// Minimum number of unchanged pixels that end a copy.
const SKIP: usize = 3;

/// Findings while applying a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Applied {
    /// Bytes after the end of the record.
    pub trailing: usize,
    /// Long skips of exactly 16,384 pixels, which some decoders perform and others ignore.
    pub ambiguous_skips: usize,
}

/// A cursor over the bytes of a record that tracks its offset in the file.
struct Operations<'a> {
    bytes: &'a [u8],
    rest: &'a [u8],
    base: u64,
}

impl<'a> Operations<'a> {
    fn at(&self) -> u64 {
        let read = self.bytes.len().saturating_sub(self.rest.len());
        self.base.saturating_add(u64::try_from(read).unwrap_or(u64::MAX))
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let truncated = || {
            Error::malformed(format!(
                "an operation needs {count} bytes, but only {} are left",
                self.rest.len()
            ))
        };
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(|| truncated().at(self.at()))?;
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        self.take(1).map(|taken| taken.first().copied().unwrap_or_default())
    }

    fn number(&mut self) -> Result<u16> {
        self.take(2).map(|taken| taken.first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes)))
    }
}

/// A frame and the position of the next pixel to write.
struct Canvas<'a> {
    pixels: &'a mut [u8],
    at: usize,
}

impl Canvas<'_> {
    fn next(&mut self, count: usize, offset: u64) -> Result<&mut [u8]> {
        let (start, all) = (self.at, self.pixels.len());
        let end = start.saturating_add(count);
        if end > all {
            let message =
                format!("{count} pixels starting at pixel {start} exceed the frame of {all} pixels");
            return Err(Error::malformed(message).at(offset));
        }
        self.at = end;
        Ok(self.pixels.get_mut(start..end).unwrap_or_default())
    }
}

/// Applies a record to the previous frame. An empty record leaves it unchanged. `base` is the offset of the record in the file.
///
/// # Errors
/// When the record has another type, or its operations are truncated or go past the last pixel; the frame is then partly updated.
pub fn apply(record: &[u8], pixels: &mut [u8], base: u64) -> Result<Applied> {
    let mut operations = Operations { bytes: record, rest: record, base };
    if record.is_empty() {
        return Ok(Applied::default());
    }
    let kind = operations.byte()?;
    if kind != b'B' {
        let message = format!("unknown record type {kind:#04x} (known: 0x42, bitmap)");
        return Err(Error::unsupported(message).at(base));
    }
    let has_more = operations.byte()? != 0;
    let more = operations.number()?;
    if has_more {
        operations.take(usize::from(more).saturating_add(usize::from(more & 1)))?;
    }
    let mut canvas = Canvas { pixels, at: 0 };
    let mut out = Applied::default();
    while !operations.rest.is_empty() {
        let offset = operations.at();
        match operations.byte()? {
            0 => {
                let count = operations.byte()?;
                let pixel = operations.byte()?;
                canvas.next(count.into(), offset)?.fill(pixel);
            }
            0x80 => match operations.number()? {
                0 => {
                    out.trailing = operations.rest.len();
                    return Ok(out);
                }
                0x4000 => out.ambiguous_skips = out.ambiguous_skips.saturating_add(1),
                LONG_RUN => {}
                LONG_COPY => {
                    return Err(Error::malformed("0x8000 is not a valid copy length").at(offset));
                }
                skip @ ..LONG_COPY => drop(canvas.next(skip.into(), offset)?),
                copy @ ..LONG_RUN => {
                    let bytes = operations.take(usize::from(copy & LONG))?;
                    canvas.next(bytes.len(), offset)?.copy_from_slice(bytes);
                }
                run => {
                    let pixel = operations.byte()?;
                    canvas.next(usize::from(run & LONG), offset)?.fill(pixel);
                }
            },
            copy @ ..0x80 => {
                let bytes = operations.take(copy.into())?;
                canvas.next(bytes.len(), offset)?.copy_from_slice(bytes);
            }
            skip => drop(canvas.next(usize::from(skip & 0x7f), offset)?),
        }
    }
    Ok(out)
}

/// Encodes the difference between two frames of the same size as a record.
#[must_use]
pub fn encode(before: &[u8], after: &[u8]) -> Vec<u8> {
    let mut out = HEAD.to_vec();
    let mut at = 0;
    let mut copied = 0_usize..0;
    // Unchanged pixels at the end need no operation.
    let last = before.iter().zip(after).rposition(|(before, after)| before != after);
    let end = last.map_or(0, |last| last.saturating_add(1));
    while at < end {
        let rest = after.get(at..end).unwrap_or_default();
        let same =
            before.get(at..end).unwrap_or_default().iter().zip(rest).take_while(|(a, b)| a == b).count();
        let run = rest.first().map_or(0, |first| rest.iter().take_while(|pixel| *pixel == first).count());
        let length = if same > 0 && (same >= SKIP || copied.is_empty()) {
            put_copies(&mut out, after.get(copied.clone()).unwrap_or_default());
            put_skips(&mut out, same);
            copied = 0..0;
            same
        } else if run >= RUN {
            put_copies(&mut out, after.get(copied.clone()).unwrap_or_default());
            put_runs(&mut out, run, rest.first().copied().unwrap_or_default());
            copied = 0..0;
            run
        } else {
            let start = if copied.is_empty() { at } else { copied.start };
            copied = start..at.saturating_add(1);
            1
        };
        at = at.saturating_add(length);
    }
    put_copies(&mut out, after.get(copied).unwrap_or_default());
    out.extend([0x80, 0, 0]);
    out
}

/// Splits a length into counts of at most 14 bits.
fn pieces(length: usize) -> impl Iterator<Item = u16> {
    let most = usize::from(LONG);
    let full = length.checked_div(most).unwrap_or_default();
    let last = length.checked_rem(most).unwrap_or_default();
    std::iter::repeat_n(LONG, full).chain((last > 0).then(|| u16::try_from(last).unwrap_or(LONG)))
}

fn put_long(out: &mut Vec<u8>, number: u16) {
    let [low, high] = number.to_le_bytes();
    out.extend([0x80, low, high]);
}

fn put_skips(out: &mut Vec<u8>, length: usize) {
    for piece in pieces(length) {
        match u8::try_from(piece) {
            Ok(short) if short < 0x80 => out.push(short | 0x80),
            _ => put_long(out, piece),
        }
    }
}

fn put_runs(out: &mut Vec<u8>, length: usize, pixel: u8) {
    for piece in pieces(length) {
        match u8::try_from(piece) {
            Ok(short) => out.extend([0, short]),
            Err(_) => put_long(out, piece | LONG_RUN),
        }
        out.push(pixel);
    }
}

fn put_copies(out: &mut Vec<u8>, pixels: &[u8]) {
    let mut rest = pixels;
    for piece in pieces(pixels.len()) {
        let (taken, following) = rest.split_at_checked(piece.into()).unwrap_or((rest, &[]));
        match u8::try_from(piece) {
            Ok(short) if short < 0x80 => out.push(short),
            _ => put_long(out, piece | LONG_COPY),
        }
        out.extend_from_slice(taken);
        rest = following;
    }
}
