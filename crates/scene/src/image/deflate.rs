//! The image data of PNG files: filtered and compressed rows.
//!
//! Most images of these games are small. Creating a compressor for each would take longer than the compression and
//! fragment memory, so each thread reuses one; the crate `png`, which writes everything around the data, creates a
//! new one each time.

use std::cell::RefCell;

use flate2::{Compress, FlushCompress, Status};

use crate::compression::Compression;

thread_local! {
    static COMPRESSORS: RefCell<Compressors> = RefCell::default();
}

/// The compressors of a thread, created when they are needed first.
#[derive(Default)]
struct Compressors {
    /// For fast and usual compression.
    fast: Option<Compress>,
    best: Option<Compress>,
}

impl Compressors {
    /// The level of zlib for fast and usual compression: a third faster than its default of 6, and one percent larger,
    /// measured on game textures.
    const FAST: u32 = 3;
    const BEST: u32 = 9;

    fn of(&mut self, compression: Compression) -> &mut Compress {
        let (slot, level) = match compression {
            Compression::Fast | Compression::Usual => (&mut self.fast, Self::FAST),
            Compression::Best => (&mut self.best, Self::BEST),
        };
        slot.get_or_insert_with(|| Compress::new(::flate2::Compression::new(level), true))
    }
}

/// The way to choose the filter of each row.
#[derive(Clone, Copy)]
enum Strategy {
    /// The same for all rows.
    Same(Filter),
    /// The filter with the smallest results.
    Smallest,
}

/// Encodes rows of palette indices. They are not filtered, because differences between indices are meaningless.
pub(super) fn indices(indices: &[u8], row_length: usize, compression: Compression) -> Vec<u8> {
    rows(Strategy::Same(Filter::None), indices, row_length, 1, compression)
}

/// Encodes rows of pixels.
///
/// Measured on game textures: always filtering with the row above takes half of the usual time, and the results are one
/// percent larger. Best compression is ten percent smaller, but takes about eight times as long.
pub(super) fn pixels(
    pixels: &[u8],
    row_length: usize,
    pixel_length: usize,
    compression: Compression,
) -> Vec<u8> {
    let strategies: &[Strategy] = match compression {
        Compression::Fast => &[Strategy::Same(Filter::Up)],
        Compression::Usual => &[Strategy::Smallest],
        Compression::Best => &[Strategy::Smallest, Strategy::Same(Filter::Up), Strategy::Same(Filter::None)],
    };
    let all =
        strategies.iter().map(|strategy| rows(*strategy, pixels, row_length, pixel_length, compression));
    all.min_by_key(Vec::len).unwrap_or_default()
}

fn rows(
    strategy: Strategy,
    pixels: &[u8],
    row_length: usize,
    pixel_length: usize,
    compression: Compression,
) -> Vec<u8> {
    let mut above = vec![0; row_length];
    let (mut best, mut other) = (Vec::new(), Vec::new());
    compress(compression, |take| {
        for row in pixels.chunks(row_length.max(1)) {
            let neighbors = Neighbors { row, above: &above, pixel_length };
            match strategy {
                Strategy::Same(filter) => neighbors.filter(filter, &mut best),
                Strategy::Smallest => neighbors.smallest(&mut best, &mut other),
            }
            take(&best);
            above.clear();
            above.extend_from_slice(row);
        }
    })
}

/// Compresses the chunks that `fill` passes on, as zlib data.
#[expect(clippy::expect_used, reason = "it only fails in a state that it never enters")]
fn compress(compression: Compression, fill: impl FnOnce(&mut dyn FnMut(&[u8]))) -> Vec<u8> {
    /// Growth of the output buffer in bytes.
    const ROOM: usize = 1 << 12;
    COMPRESSORS.with_borrow_mut(|compressors| {
        let compressor = compressors.of(compression);
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
    /// Writes the row with the filter that has the smallest results.
    fn smallest(&self, best: &mut Vec<u8>, other: &mut Vec<u8>) {
        let mut least = u64::MAX;
        for filter in FILTERS {
            self.filter(filter, other);
            let sum = sum_of(other);
            if sum < least {
                least = sum;
                std::mem::swap(best, other);
            }
        }
    }

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
    use super::super::{Limits, Rgba8, decode, encode_png_with};
    use crate::compression::Compression;

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
            for compression in [Compression::Fast, Compression::Usual, Compression::Best] {
                let png = encode_png_with(&picture, compression);
                assert_eq!(decode(&png, &Limits::default()).unwrap(), picture);
            }
        }
    }
}
