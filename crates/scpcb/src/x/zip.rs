//! MSZIP: blocks of deflate, each with what the blocks before it hold as its history.
//!
//! The header is followed by the size of the unpacked file (`u32`, the sixteen bytes of the header included). Then follow blocks: how many
//! bytes it holds (`u16`, at most 32 KiB), how many it takes in the file (`u16`), the letters "CK", and deflate.
//! Source: Microsoft's cabinet documentation ("MSZIP"), and files.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use record::{Error, Reader, Record, Result};

use super::header::LENGTH;

/// Maximum unpacked size of a block.
const MAX_BLOCK_SIZE: usize = 32 << 10;

/// A file of any size may unpack to this much.
const ALWAYS: usize = 8 << 20;

/// A larger one to this many times its size. Real models come to ten times at most.
const RATIO: usize = 40;

/// The most that is unpacked at all.
const MAX_SIZE: usize = 256 << 20;

/// A block of a compressed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// Its offset in the unpacked data.
    pub(super) start: usize,
    /// Its offset in the file.
    pub(super) offset: usize,
}

/// What a compressed file holds, its blocks, and where the last of them ends.
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

/// What follows the header of a compressed file that holds these bytes.
pub(super) fn pack(content: &[u8]) -> Result<Vec<u8>> {
    let too_long = || Error::usage("the file is too long to be compressed");
    let size = u32::try_from(content.len().saturating_add(LENGTH)).map_err(|_| too_long())?;
    let mut out = size.to_le_bytes().to_vec();
    for block in content.chunks(MAX_BLOCK_SIZE) {
        let deflated = miniz_oxide::deflate::compress_to_vec(block, LEVEL);
        let takes = u16::try_from(deflated.len().saturating_add(2)).map_err(|_| too_long())?;
        let holds = u16::try_from(block.len()).map_err(|_| too_long())?;
        out.extend(holds.to_le_bytes());
        out.extend(takes.to_le_bytes());
        out.extend(b"CK");
        out.extend(deflated);
    }
    Ok(out)
}

/// How well blocks are compressed, of 10.
const LEVEL: u8 = 9;

fn check_size(size: usize, file: usize) -> Result<()> {
    let most = file.saturating_mul(RATIO).clamp(ALWAYS, MAX_SIZE);
    if size > most {
        let message = format!("size is {size}, but {file} bytes can unpack to at most {most}");
        return Err(Error::limit(message));
    }
    Ok(())
}

/// Unpacks the next block behind those before it.
fn block(reader: &mut Reader<'_>, unpacked: &mut Vec<u8>, size: usize) -> Result<()> {
    let start = reader.offset();
    let holds = usize::from(u16::read(reader, ())?);
    let before = unpacked.len();
    let end = before.saturating_add(holds);
    if holds == 0 || holds > MAX_BLOCK_SIZE || end > size {
        let left = size.saturating_sub(before);
        let message = format!("block size is {holds}, expected 1 to {MAX_BLOCK_SIZE} ({left} bytes left)");
        return Err(Error::malformed(message).at(start));
    }
    let at_length = reader.offset();
    let takes = u16::read(reader, ())?;
    let body = reader.offset();
    let length = reader.check_count(i32::from(takes), 1, at_length)?;
    let Some(deflated) = reader.take(length)?.strip_prefix(b"CK") else {
        return Err(Error::malformed("expected a block signature \"CK\"").at(body));
    };
    unpacked.resize(end, 0);
    let mut inflate = DecompressorOxide::new();
    let (status, _, written) =
        decompress(&mut inflate, deflated, unpacked, before, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF);
    if before.saturating_add(written) != end || status == TINFLStatus::Failed {
        let message = format!("the deflate data is damaged after {written} of {holds} bytes");
        return Err(Error::malformed(message).at(body));
    }
    if status == TINFLStatus::HasMoreOutput {
        let message = format!("the block unpacks to more than the declared {holds} bytes");
        return Err(Error::malformed(message).at(start));
    }
    Ok(())
}
