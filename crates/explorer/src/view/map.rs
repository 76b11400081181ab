//! Overview of an entire file: the distribution of its bytes, and its outermost fields.

use antiquary::Source;
use antiquary::asset::{Span, Visit};
use serde::Serialize;

use super::span::first_step;
use crate::entry::Entry;
use crate::file::File;
use crate::query::Query;
use crate::{Explorer, Fault, Response};

/// Default and maximum number of blocks.
const BLOCKS: u64 = 256;
const MAX_BLOCKS: u64 = 4096;
/// Number of bytes sampled per block.
const SAMPLE: u64 = 64 << 10;
/// Maximum number of regions.
const MAX_REGIONS: usize = 1000;
/// Minimum number of regions; below it, deeper fields are used, up to this depth.
const MIN_REGIONS: usize = 8;
const MAX_DEPTH: usize = 4;

#[derive(Serialize)]
struct Map {
    total: u64,
    blocks: Vec<Block>,
    regions: Vec<Region>,
}

#[derive(Serialize)]
struct Block {
    start: u64,
    end: u64,
    /// Entropy: 0 if all bytes are equal, 1 if they are uniformly distributed.
    entropy: f64,
    /// Fraction of zero bytes.
    zeros: f64,
}

#[derive(Serialize)]
struct Region {
    start: u64,
    end: u64,
    path: String,
}

impl Explorer {
    pub(super) fn map_view(&self, entry: &Entry<'_>, query: &Query) -> Result<Response, Fault> {
        let source = entry.source()?;
        let total = source.len();
        let wanted = query.number("blocks")?.unwrap_or(BLOCKS).clamp(1, MAX_BLOCKS).min(total.max(1));
        let size = total.div_ceil(wanted).max(1);
        let starts = (0..wanted).map(|index| index * size).take_while(|start| *start < total);
        let blocks = starts.map(|start| block(&source, start, (start + size).min(total)));
        let blocks = blocks.collect::<Result<_, _>>()?;
        let mut regions = Vec::new();
        if self.format_of(entry).is_some()
            && let Ok(file) = self.file(entry.clone())
            && file.has_spans()
        {
            regions = regions_of(&file);
        }
        Response::json(&Map { total, blocks, regions })
    }
}

/// Returns the outermost fields, or deeper ones if there are few.
fn regions_of(file: &File<'_>) -> Vec<Region> {
    let mut out = Vec::new();
    for depth in 1..=MAX_DEPTH {
        let found = regions_at(file, depth);
        if found.len() < MAX_REGIONS || out.is_empty() {
            out = found;
        }
        if out.len() >= MIN_REGIONS {
            break;
        }
    }
    out
}

/// Returns the fields at this depth, in byte order.
fn regions_at(file: &File<'_>, depth: usize) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    // A damaged file is traced up to the damage.
    let _ = file.trace(&mut |span: Span<'_>| {
        let path = first_steps(span.path, depth);
        let count = regions.len();
        match regions.last_mut().filter(|last| last.path == path && last.end <= span.start) {
            Some(last) => last.end = span.end,
            None if count >= MAX_REGIONS => return Visit::Stop,
            None => regions.push(Region { start: span.start, end: span.end, path: path.to_owned() }),
        }
        Visit::Continue
    });
    regions
}

/// Returns the first steps of a path.
fn first_steps(path: &str, depth: usize) -> &str {
    let mut end = 0_usize;
    for _ in 0..depth {
        end += first_step(path.get(end..).unwrap_or_default()).len();
    }
    path.get(..end).unwrap_or(path)
}

fn block(source: &Source, start: u64, end: u64) -> Result<Block, antiquary::Error> {
    let bytes = source.read(start..end.min(start + SAMPLE))?;
    let mut counts = [0_u32; 256];
    for byte in &*bytes {
        counts[usize::from(*byte)] += 1;
    }
    let all = bytes.len().max(1) as f64;
    let shares = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / all);
    let bits: f64 = shares.map(|share| -share * share.log2()).sum();
    let zeros = counts.first().map_or(0.0, |count| f64::from(*count) / all);
    Ok(Block { start, end, entropy: bits / 8.0, zeros })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_zero_for_equal_bytes_and_one_for_all_bytes() {
        let of = |bytes: Vec<u8>| {
            let length = u64::try_from(bytes.len()).unwrap();
            block(&Source::from_bytes(bytes), 0, length).unwrap()
        };
        let zeros = of(vec![0; 512]);
        assert!(zeros.entropy.abs() < 1e-9 && (zeros.zeros - 1.0).abs() < 1e-9);
        let all = of((0..=255).collect());
        assert!((all.entropy - 1.0).abs() < 1e-9);
    }
}
