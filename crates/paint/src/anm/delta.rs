//! Records: how a frame differs from the one before, as skips, copies and runs.
//!
//! | bytes | what |
//! | --- | --- |
//! | `01`..`7f` | so many pixels follow |
//! | `00 n v` | pixel `v`, `n` times |
//! | `81`..`ff` | skip the lower seven bits |
//! | `80` and a number | 0 ends the record; up to `7fff` skip; `8001`..`bfff` so many of the lower 14 bits follow; `c001`..`ffff` the next pixel so often |
//!
//! The numbers `4000` and `c000` do nothing, `8000` must not be. Source: redguard-preservation; Electronic Arts' description.

use record::{Error, Result};

/// What every record starts with: it is about the bitmap, and nothing stands between.
const HEAD: [u8; 4] = [b'B', 0, 0, 0];

/// The lower bits of a long number.
const LONG: u16 = 0x3fff;

/// Long numbers, by their upper bits.
const LONG_COPY: u16 = 0x8000;
const LONG_RUN: u16 = 0xc000;

/// Fewer equal pixels are not worth a run.
const RUN: usize = 4;

/// Fewer pixels that stay as they are do not end a copy.
const SKIP: usize = 3;

/// What a record did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Applied {
    /// Bytes behind its end.
    pub left: usize,
    /// Long skips of exactly 16,384, which some readers skip and others do not.
    pub doubtful: usize,
}

/// The bytes of a record that are still to be read, and where they stand in the file.
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
        let cut = || {
            Error::malformed(format!("an operation needs {count} bytes, the record has {}", self.rest.len()))
        };
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(|| cut().at(self.at()))?;
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

/// The pixels of a frame that are still to come.
struct Canvas<'a> {
    pixels: &'a mut [u8],
    at: usize,
}

impl Canvas<'_> {
    fn next(&mut self, count: usize, place: u64) -> Result<&mut [u8]> {
        let (start, all) = (self.at, self.pixels.len());
        let end = start.saturating_add(count);
        if end > all {
            let message = format!("{count} pixels from pixel {start} on go past the last of {all}");
            return Err(Error::malformed(message).at(place));
        }
        self.at = end;
        Ok(self.pixels.get_mut(start..end).unwrap_or_default())
    }
}

/// Turns the frame before into the frame of a record. An empty record leaves it as it is. `base` is where the record stands in the file.
///
/// # Errors
/// When the record is of another kind, or its operations are cut short or go past the last pixel; the frame is half done then.
pub fn apply(record: &[u8], pixels: &mut [u8], base: u64) -> Result<Applied> {
    let mut operations = Operations { bytes: record, rest: record, base };
    if record.is_empty() {
        return Ok(Applied::default());
    }
    let kind = operations.byte()?;
    if kind != b'B' {
        let message = format!("a record of kind {kind:#04x}, where only 0x42, the bitmap, is known");
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
        let place = operations.at();
        match operations.byte()? {
            0 => {
                let count = operations.byte()?;
                let pixel = operations.byte()?;
                canvas.next(count.into(), place)?.fill(pixel);
            }
            0x80 => match operations.number()? {
                0 => {
                    out.left = operations.rest.len();
                    return Ok(out);
                }
                0x4000 => out.doubtful = out.doubtful.saturating_add(1),
                LONG_RUN => {}
                LONG_COPY => {
                    return Err(Error::malformed("0x8000 is no length of a copy").at(place));
                }
                skip @ ..LONG_COPY => drop(canvas.next(skip.into(), place)?),
                copy @ ..LONG_RUN => {
                    let bytes = operations.take(usize::from(copy & LONG))?;
                    canvas.next(bytes.len(), place)?.copy_from_slice(bytes);
                }
                run => {
                    let pixel = operations.byte()?;
                    canvas.next(usize::from(run & LONG), place)?.fill(pixel);
                }
            },
            copy @ ..0x80 => {
                let bytes = operations.take(copy.into())?;
                canvas.next(bytes.len(), place)?.copy_from_slice(bytes);
            }
            skip => drop(canvas.next(usize::from(skip & 0x7f), place)?),
        }
    }
    Ok(out)
}

/// The record that turns one frame into another of the same size.
#[must_use]
pub fn encode(before: &[u8], after: &[u8]) -> Vec<u8> {
    let mut out = HEAD.to_vec();
    let mut at = 0;
    let mut copied = 0_usize..0;
    // What equals the frame before at the end need not be said.
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

/// Lengths of at most 14 bits that sum up to a length.
fn pieces(length: usize) -> impl Iterator<Item = u16> {
    let most = usize::from(LONG);
    let whole = length.checked_div(most).unwrap_or_default();
    let last = length.checked_rem(most).unwrap_or_default();
    std::iter::repeat_n(LONG, whole).chain((last > 0).then(|| u16::try_from(last).unwrap_or(LONG)))
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
        let (taken, behind) = rest.split_at_checked(piece.into()).unwrap_or((rest, &[]));
        match u8::try_from(piece) {
            Ok(short) if short < 0x80 => out.push(short),
            _ => put_long(out, piece | LONG_COPY),
        }
        out.extend_from_slice(taken);
        rest = behind;
    }
}
