//! MSZIP compression: deflate blocks, each with the previous blocks as its history.
//!
//! The header is followed by the size of the unpacked file (`u32`, including the sixteen bytes of the header) and the blocks. A
//! block consists of its unpacked size (`u16`, at most 32 KiB), its size in the file (`u16`), the letters "CK", and deflate data.
//! Source: Microsoft's cabinet documentation ("MSZIP"), and files.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use record::{Error, Reader, Record, Result};

use super::header::LENGTH;

/// Maximum unpacked size of a block.
const MAX_BLOCK_SIZE: usize = 32 << 10;

/// Maximum unpacked size of any file, whatever its own size.
const MIN_SIZE_LIMIT: usize = 8 << 20;

/// Maximum ratio of unpacked to packed size beyond that. Real models have a ratio of ten at most.
const MAX_RATIO: usize = 40;

/// Maximum unpacked size in any case.
const MAX_SIZE: usize = 256 << 20;

/// A block of a compressed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// Offset in the unpacked data.
    pub(super) start: usize,
    /// Offset in the file.
    pub(super) offset: usize,
}

/// Returns the unpacked data of a compressed file, its blocks, and the end of the last block.
pub(super) fn unpack(file: &[u8]) -> Result<(Vec<u8>, Vec<Block>, u64)> {
    let mut reader = Reader::new(file);
    reader.take(LENGTH)?;
    let at_size = reader.offset();
    let size = u32::read(&mut reader, ()).map_err(|error| error.in_field("unpacked_size"))?;
    let size = usize::try_from(size).unwrap_or(usize::MAX).saturating_sub(LENGTH);
    check_size(size, file.len()).map_err(|error| error.at(at_size).in_field("unpacked_size"))?;
    let (mut unpacked, mut blocks) = (Vec::new(), Vec::new());
    while unpacked.len() < size {
        let number = blocks.len();
        let offset = usize::try_from(reader.offset()).unwrap_or(usize::MAX);
        blocks.push(Block { start: unpacked.len(), offset });
        block(&mut reader, &mut unpacked, size).map_err(|error| error.in_item(number).in_field("blocks"))?;
    }
    Ok((unpacked, blocks, reader.offset()))
}

/// Returns the compressed form of these bytes, without the header.
pub(super) fn pack(content: &[u8]) -> Result<Vec<u8>> {
    let too_long = || Error::usage("the file is too long to be compressed");
    let size = u32::try_from(content.len().saturating_add(LENGTH)).map_err(|_| too_long())?;
    let mut out = size.to_le_bytes().to_vec();
    for block in content.chunks(MAX_BLOCK_SIZE) {
        let deflated = miniz_oxide::deflate::compress_to_vec(block, LEVEL);
        let packed_size = u16::try_from(deflated.len().saturating_add(2)).map_err(|_| too_long())?;
        let unpacked_size = u16::try_from(block.len()).map_err(|_| too_long())?;
        out.extend(unpacked_size.to_le_bytes());
        out.extend(packed_size.to_le_bytes());
        out.extend(b"CK");
        out.extend(deflated);
    }
    Ok(out)
}

/// Compression level (0 to 10).
const LEVEL: u8 = 9;

fn check_size(size: usize, file: usize) -> Result<()> {
    let max = file.saturating_mul(MAX_RATIO).clamp(MIN_SIZE_LIMIT, MAX_SIZE);
    if size > max {
        let message = format!("size is {size}, but {file} bytes can unpack to at most {max}");
        return Err(Error::limit(message));
    }
    Ok(())
}

/// Unpacks the next block and appends its data.
fn block(reader: &mut Reader<'_>, unpacked: &mut Vec<u8>, size: usize) -> Result<()> {
    let start = reader.offset();
    let unpacked_size = usize::from(u16::read(reader, ())?);
    let before = unpacked.len();
    let end = before.saturating_add(unpacked_size);
    if unpacked_size == 0 || unpacked_size > MAX_BLOCK_SIZE || end > size {
        let left = size.saturating_sub(before);
        let message =
            format!("block size is {unpacked_size}, expected 1 to {MAX_BLOCK_SIZE} ({left} bytes left)");
        return Err(Error::malformed(message).at(start));
    }
    let at_length = reader.offset();
    let packed_size = u16::read(reader, ())?;
    let body = reader.offset();
    let length = reader.check_count(i32::from(packed_size), 1, at_length)?;
    let Some(deflated) = reader.take(length)?.strip_prefix(b"CK") else {
        return Err(Error::malformed("expected a block signature \"CK\"").at(body));
    };
    unpacked.resize(end, 0);
    let mut inflate = DecompressorOxide::new();
    let (status, _, written) =
        decompress(&mut inflate, deflated, unpacked, before, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF);
    if before.saturating_add(written) != end || status == TINFLStatus::Failed {
        let message = format!("the deflate data is damaged after {written} of {unpacked_size} bytes");
        return Err(Error::malformed(message).at(body));
    }
    if status == TINFLStatus::HasMoreOutput {
        let message = format!("the block unpacks to more than the declared {unpacked_size} bytes");
        return Err(Error::malformed(message).at(start));
    }
    Ok(())
}
