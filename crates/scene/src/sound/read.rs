//! Reading of WAV files: PCM of 8, 16, 24 and 32 bits, and 32-bit floating-point samples, with the loops of a `smpl`
//! chunk. Other formats are refused with their name.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use super::write::{FLOAT, PCM};
use super::{Depth, SampleFormat, SampleLoop, Sound};
use crate::Error;
use crate::error::{bad_sound as bad, unsupported_sound as unsupported};

/// The format number that refers to the extended header of 40 bytes.
const EXTENSIBLE: u16 = 0xfffe;

/// The bytes of a format GUID after the format number.
const GUID: [u8; 14] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];

/// The length that programs write if they cannot seek back to fill it in.
const UNKNOWN_LENGTH: u32 = u32::MAX;

/// Whether bytes start like a WAV file.
#[must_use]
pub fn is_wav(bytes: &[u8]) -> bool {
    matches!(tag_at(bytes, 0), Some(b"RIFF" | b"RF64" | b"RIFX")) && tag_at(bytes, 8) == Some(b"WAVE")
}

/// Reads a WAV file.
///
/// # Errors
/// If the file is not a WAV file, is truncated, or contains anything but PCM of 8 to 32 bits or 32-bit floating-point
/// samples.
pub fn decode_wav(bytes: &[u8]) -> Result<Sound, Error> {
    if !is_wav(bytes) {
        return Err(bad(0, "not a RIFF WAVE file"));
    }
    if tag_at(bytes, 0) != Some(b"RIFF") {
        return Err(unsupported("RF64 or RIFX"));
    }
    let (mut form, mut data, mut loops) = (None, None, None);
    let mut at = 12;
    while let Some(chunk) = Chunk::at(bytes, at)? {
        match &chunk.tag {
            b"fmt " if form.is_none() => form = Some(read_form(&chunk)?),
            b"data" if data.is_none() => data = Some((chunk.start, chunk.body)),
            b"smpl" if loops.is_none() => loops = Some(read_loops(&chunk)?),
            _ => {}
        }
        at = chunk.next;
    }
    let form = form.ok_or_else(|| bad(12, "no \"fmt \" chunk"))?;
    let (start, data) = data.ok_or_else(|| bad(12, "no \"data\" chunk"))?;
    let frame = usize::try_from(form.frame()).unwrap_or(usize::MAX);
    if !data.len().is_multiple_of(frame) {
        return Err(bad(
            start,
            format!("the data length {} is not a multiple of the frame size {frame}", data.len()),
        ));
    }
    let mut sound = Sound { form, data: data.to_vec(), loops };
    let frames = sound.frames();
    for it in sound.loops.iter_mut().flatten() {
        it.end = it.end.min(u32::try_from(frames).unwrap_or(u32::MAX));
    }
    if let Some(loops) = &mut sound.loops {
        loops.retain(|it| it.start < it.end);
    }
    Ok(sound)
}

/// A chunk of a WAV file.
struct Chunk<'a> {
    tag: [u8; 4],
    /// Offset of its body.
    start: usize,
    body: &'a [u8],
    /// Offset of the next chunk.
    next: usize,
}

impl<'a> Chunk<'a> {
    /// Reads the chunk at an offset; `None` if there is no room for another one.
    fn at(bytes: &'a [u8], at: usize) -> Result<Option<Self>, Error> {
        let (Some(tag), Some(length)) = (tag_at(bytes, at), u32_at(bytes, at.saturating_add(4))) else {
            return Ok(None);
        };
        let start = at.saturating_add(8);
        let left = bytes.get(start..).unwrap_or_default();
        let size = usize::try_from(length).unwrap_or(usize::MAX);
        let body = match left.get(..size) {
            Some(body) => body,
            None if tag == b"data" && length == UNKNOWN_LENGTH => left,
            None => {
                let name = String::from_utf8_lossy(tag).into_owned();
                let problem =
                    format!("the chunk {name:?} is {length} bytes long, but only {} are left", left.len());
                return Err(bad(at, problem));
            }
        };
        let next = start.saturating_add(body.len()).saturating_add(body.len() % 2);
        Ok(Some(Self { tag: *tag, start, body, next }))
    }
}

fn read_form(chunk: &Chunk<'_>) -> Result<SampleFormat, Error> {
    let cut = || bad(chunk.start, format!("the \"fmt \" chunk is too short ({} bytes)", chunk.body.len()));
    let word = |at: usize| u16_at(chunk.body, at).ok_or_else(cut);
    let (mut kind, channels, frame, bits) = (word(0)?, word(2)?, word(12)?, word(14)?);
    let rate = u32_at(chunk.body, 4).ok_or_else(cut)?;
    if kind == EXTENSIBLE {
        let (valid, rest) = (word(18)?, chunk.body.get(26..40).ok_or_else(cut)?);
        kind = word(24)?;
        if rest != GUID {
            return Err(unsupported("a vendor-specific format"));
        }
        // If fewer bits than a sample has are valid, they are the high ones.
        if valid > bits {
            let problem = format!("{valid} valid bits in {bits}-bit samples");
            return Err(bad(chunk.start.saturating_add(18), problem));
        }
    }
    let depth = match (kind, bits) {
        (PCM, 8) => Depth::Eight,
        (PCM, 16) => Depth::Sixteen,
        (PCM, 24) => Depth::TwentyFour,
        (PCM, 32) => Depth::ThirtyTwo,
        (FLOAT, 32) => Depth::Float,
        (PCM, _) => return Err(unsupported(format!("{bits} bits per sample"))),
        (FLOAT, _) => return Err(unsupported(format!("{bits}-bit floating-point samples"))),
        _ => return Err(unsupported(name_of(kind))),
    };
    let form = SampleFormat { rate, channels, depth };
    if channels == 0 || u64::from(frame) != form.frame() {
        let problem = format!("a frame size of {frame} bytes for {channels} channels of {bits} bits");
        return Err(bad(chunk.start, problem));
    }
    if rate == 0 {
        return Err(bad(chunk.start.saturating_add(4), "a sample rate of 0"));
    }
    Ok(form)
}

/// Returns the common name of an unsupported format.
fn name_of(kind: u16) -> String {
    let name = match kind {
        2 => "Microsoft ADPCM",
        6 => "A-law samples",
        7 => "mu-law samples",
        0x11 => "IMA ADPCM",
        0x55 => "MP3",
        _ => return format!("format {kind:#x}"),
    };
    name.to_owned()
}

fn read_loops(chunk: &Chunk<'_>) -> Result<Vec<SampleLoop>, Error> {
    let cut = || bad(chunk.start, format!("the \"smpl\" chunk is too short ({} bytes)", chunk.body.len()));
    let count = u32_at(chunk.body, 28).ok_or_else(cut)?;
    let entries = chunk.body.get(36..).ok_or_else(cut)?.as_chunks::<24>().0;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let entries = entries.get(..count).ok_or_else(|| {
        bad(chunk.start.saturating_add(28), format!("the \"smpl\" chunk is too short for {count} loops"))
    })?;
    let read = |entry: &[u8; 24]| {
        let field = |at: usize| u32_at(entry, at).unwrap_or(0);
        SampleLoop { start: field(8), end: field(12).saturating_add(1), times: field(20) }
    };
    Ok(entries.iter().map(read).collect())
}

fn tag_at(bytes: &[u8], at: usize) -> Option<&[u8; 4]> {
    bytes.get(at..)?.first_chunk()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}
