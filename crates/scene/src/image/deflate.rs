//! The image data of PNG files: filtered and compressed rows.
//!
//! Most images of these games are small. Creating a compressor for each would take longer than the compression and
//! fragment memory, so each thread reuses one; the crate `png`, which writes everything around the data, creates a
//! new one each time.

use std::cell::RefCell;

use flate2::{Compress, Compression, FlushCompress, Status};

/// Compression level: a third faster than zlib's default of 6, and one percent larger, measured on game textures.
const LEVEL: u32 = 3;

/// Encodes rows of palette indices. They are not filtered, because differences between indices are meaningless.
pub(super) fn indices(indices: &[u8], row_length: usize) -> Vec<u8> {
    let rows = indices.chunks(row_length.max(1));
    let mut filtered = Vec::with_capacity(indices.len() + rows.len());
    for row in rows {
        filtered.push(Filter::None.number());
        filtered.extend_from_slice(row);
    }
    compress(|take| take(&filtered))
}

/// Encodes rows of pixels, each row with the filter that has the smallest results.
pub(super) fn pixels(pixels: &[u8], row_length: usize, pixel_length: usize) -> Vec<u8> {
    let mut above = vec![0; row_length];
    let (mut best, mut other) = (Vec::new(), Vec::new());
    compress(|take| {
        for row in pixels.chunks(row_length.max(1)) {
            let neighbors = Neighbors { row, above: &above, pixel_length };
            let mut least = u64::MAX;
            for filter in FILTERS {
                neighbors.filter(filter, &mut other);
                let sum = sum_of(&other);
                if sum < least {
                    least = sum;
                    std::mem::swap(&mut best, &mut other);
                }
            }
            take(&best);
            above.clear();
            above.extend_from_slice(row);
        }
    })
}

/// Compresses the chunks that `fill` passes on, as zlib data.
#[expect(clippy::expect_used, reason = "it only fails in a state that it never enters")]
fn compress(fill: impl FnOnce(&mut dyn FnMut(&[u8]))) -> Vec<u8> {
    /// Growth of the output buffer in bytes.
    const ROOM: usize = 1 << 12;
    thread_local! {
        static COMPRESSOR: RefCell<Compress> = RefCell::new(Compress::new(Compression::new(LEVEL), true));
    }
    COMPRESSOR.with_borrow_mut(|compressor| {
        compressor.reset();
        let mut out = Vec::with_capacity(ROOM);
        let mut feed = |mut bytes: &[u8], flush: FlushCompress| {
            loop {
                let before = compressor.total_in();
                let status = compressor.compress_vec(bytes, &mut out, flush).expect("a valid state");
                let taken = compressor.total_in() - before;
                bytes = &bytes[taken as usize..];
                let is_done = match flush {
                    FlushCompress::Finish => status == Status::StreamEnd,
                    _ => bytes.is_empty(),
                };
                if is_done {
                    return;
                }
                if out.len() == out.capacity() {
                    out.reserve(ROOM);
                }
            }
        };
        fill(&mut |bytes| feed(bytes, FlushCompress::None));
        feed(&[], FlushCompress::Finish);
        out
    })
}

/// The filter of a row, with the numbers of the PNG specification (section 9).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Filter {
    None,
    Sub,
    Up,
    Average,
    Paeth,
}

const FILTERS: [Filter; 5] = [Filter::None, Filter::Sub, Filter::Up, Filter::Average, Filter::Paeth];

impl Filter {
    const fn number(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Sub => 1,
            Self::Up => 2,
            Self::Average => 3,
            Self::Paeth => 4,
        }
    }
}

/// A row and the row above, of the same length.
struct Neighbors<'a> {
    row: &'a [u8],
    above: &'a [u8],
    pixel_length: usize,
}

impl Neighbors<'_> {
    /// Writes the number of a filter and the filtered row.
    fn filter(&self, filter: Filter, out: &mut Vec<u8>) {
        out.clear();
        out.push(filter.number());
        match filter {
            Filter::None => out.extend_from_slice(self.row),
            Filter::Up => {
                out.extend(self.row.iter().zip(self.above).map(|(it, above)| it.wrapping_sub(*above)));
            }
            Filter::Sub => self.each(out, |it, left, _, _| it.wrapping_sub(left)),
            Filter::Average => self.each(out, |it, left, above, _| it.wrapping_sub(left.midpoint(above))),
            Filter::Paeth => {
                self.each(out, |it, left, above, before| it.wrapping_sub(nearest(left, above, before)));
            }
        }
    }

    /// Filters each byte, given its left, upper and upper left neighbors.
    fn each(&self, out: &mut Vec<u8>, filtered: impl Fn(u8, u8, u8, u8) -> u8) {
        let Some((first, rest)) = self.row.split_at_checked(self.pixel_length) else { return };
        let Some((above_first, above_rest)) = self.above.split_at_checked(self.pixel_length) else { return };
        out.extend(first.iter().zip(above_first).map(|(it, above)| filtered(*it, 0, *above, 0)));
        let here = rest.iter().zip(above_rest);
        let left = self.row.iter().zip(self.above);
        out.extend(here.zip(left).map(|((it, above), (left, before))| filtered(*it, *left, *above, *before)));
    }
}

/// The Paeth predictor: the neighbor that is nearest to `left + above - before`.
fn nearest(left: u8, above: u8, before: u8) -> u8 {
    let [a, b, c] = [left, above, before].map(i16::from);
    let (across, down) = (b.wrapping_sub(c), a.wrapping_sub(c));
    let (from_left, from_above, from_before) =
        (across.unsigned_abs(), down.unsigned_abs(), across.wrapping_add(down).unsigned_abs());
    if from_left <= from_above && from_left <= from_before {
        left
    } else if from_above <= from_before {
        above
    } else {
        before
    }
}

/// Returns the sum of the absolute values of a filtered row's bytes as signed numbers: smaller sums compress better.
fn sum_of(filtered: &[u8]) -> u64 {
    let sum =
        |bytes: &[u8]| bytes.iter().map(|byte| u32::from(byte.cast_signed().unsigned_abs())).sum::<u32>();
    filtered.chunks(1 << 16).map(|part| u64::from(sum(part))).sum()
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, Rgba8, decode, encode_png};

    #[test]
    fn round_trips_images_with_all_filters() {
        // Rows that are constant, steep, similar to the row above, in between, and noisy.
        let number = |x: u32, y: u32, channel: u32| {
            let noise = (x + 1).wrapping_mul(y + 7).wrapping_mul(2_654_435_761 + channel) >> 24;
            match y % 6 {
                0 => noise,
                1 => x * 5 + channel,
                2 => y * 3 + noise % 2,
                3 => (x + y) * 2,
                4 => (x * y) / 3 + channel * 40,
                _ => x ^ y,
            }
        };
        for (width, height, is_solid) in [(1, 1, true), (300, 60, true), (61, 97, false), (2, 500, false)] {
            let pixel = |at: u32| {
                let (x, y) = (at % width, at / width);
                let alpha = if is_solid { 255 } else { number(y, x, 3) };
                [number(x, y, 0), number(x, y, 1), number(x, y, 2), alpha].map(|it| it.to_le_bytes()[0])
            };
            let pixels: Vec<u8> = (0..width * height).flat_map(pixel).collect();
            let picture = Rgba8::new(width, height, pixels).unwrap();
            assert_eq!(decode(&encode_png(&picture), &Limits::default()).unwrap(), picture);
        }
    }
}
