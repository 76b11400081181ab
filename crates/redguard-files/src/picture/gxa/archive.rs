//! A bitmap file as an archive: each frame is a separate `.GXA` file and can be replaced by an image.

use std::io::Write;

use asset::archive::{Content, Entry};
use asset::{Archive, Context, Report};
use media::picture::{Edited, matched, read_picture};
use record::{Bytes, Error, Result, Source};
use scene::image::{Indexed8, sniff};

use super::layout::{FIRST, Frame, FramesLength, Gxa, Pixels};
use super::warning;

/// The size of a file without its frames: three chunk headers, the header, the palette and the end tag.
const CONTAINER_SIZE: u64 = 24 + 34 + 768 + 4;

/// Returns the archive entry of a frame.
fn entry_of(index: usize, frame: &Frame) -> Entry<'static> {
    let stored = u64::try_from(frame.pixels.stored().len()).unwrap_or(u64::MAX).saturating_add(frame.head());
    let packing = match frame.pixels {
        Pixels::Raw(_) => "",
        Pixels::Rle(_) => ", run lengths",
        Pixels::Lzhuf { .. } => ", LZHUF",
    };
    Entry {
        name: format!("{index:02}.GXA").into(),
        length: stored.saturating_add(CONTAINER_SIZE),
        stored,
        content: Content::File,
        note: format!("{} x {}{packing}", frame.width, frame.height).into(),
    }
}

/// Returns a file with only this frame.
fn extract(gxa: &Gxa, index: usize) -> Result<Gxa> {
    let frame = gxa.frames.get(index).ok_or_else(|| Error::usage("frame index out of range"))?;
    Ok(Gxa {
        banner: gxa.banner,
        palette: gxa.palette.clone(),
        length: FramesLength::Bytes,
        frames: vec![frame.clone()],
        frames_rest: Bytes::default(),
        end: true,
        rest: Bytes::default(),
    })
}

/// Replaces the content of a frame.
fn replaced(
    gxa: &Gxa,
    context: &Context<'_>,
    (index, frame): (usize, &mut Frame),
    (name, content): (&str, &[u8]),
    report: &mut Report,
) -> Result<()> {
    let palette = gxa.palette(context);
    // The tag of a `.GXA` file starts with the signature of Windows bitmaps.
    let is_own = content.starts_with(&FIRST);
    let new = if !is_own && sniff(content).is_some() {
        let old = frame.unpack(0).ok();
        let old = old.map(|old| Edited {
            width: frame.width.into(),
            height: frame.height.into(),
            indices: old.indices,
        });
        let new = read_picture(name, content, &palette, old.as_ref(), &warning::INEXACT, report)?;
        if Some(&new) == old.as_ref() {
            return Ok(());
        }
        new
    } else {
        let other = single(content)?;
        let [other_frame] = other.frames.as_slice() else { return Ok(()) };
        if other.palette == gxa.palette {
            *frame = other_frame.clone();
            return Ok(());
        }
        let indices = other_frame.unpack(0)?.indices;
        let size = (other_frame.width.into(), other_frame.height.into());
        let picture = Indexed8::new(size.0, size.1, indices, other.palette(context));
        let picture = picture?.to_rgba8();
        (frame.x_offset, frame.y_offset) = (other_frame.x_offset, other_frame.y_offset);
        matched(name, &picture, &palette, None, &warning::INEXACT, report)
    };
    let side = |length: u32| {
        let message = format!("{name} has a side of {length} pixels (limit: 65535)");
        u16::try_from(length).map_err(|_| Error::usage(message))
    };
    (frame.width, frame.height) = (side(new.width)?, side(new.height)?);
    let lzhuf = matches!(frame.pixels, Pixels::Lzhuf { .. });
    frame.repack(new.indices);
    if lzhuf {
        let how = if matches!(frame.pixels, Pixels::Raw(_)) { "raw" } else { "as run lengths" };
        let message = format!("frame {index} was compressed with LZHUF; it is now stored {how}");
        report.warn(&warning::REPACKED, message).in_field(format!("frames[{index}].pixels"));
    }
    Ok(())
}

/// Reads a `.GXA` file with exactly one frame.
fn single(content: &[u8]) -> Result<Gxa> {
    let gxa = Gxa::read(content).map_err(|error| {
        let message = error.message();
        Error::unsupported(format!("not a .GXA file or an image (PNG, JPEG, BMP, TGA): {message}"))
    })?;
    match gxa.frames.len() {
        1 => Ok(gxa),
        count => Err(Error::usage(format!(
            "it has {count} frames; replacing one frame needs a file with exactly one"
        ))),
    }
}

impl Archive for Gxa {
    fn count(&self) -> usize {
        self.frames.len()
    }

    fn entry(&self, index: usize) -> Option<Entry<'_>> {
        self.frames.get(index).map(|frame| entry_of(index, frame))
    }

    fn open(&self, index: usize) -> Result<Source> {
        extract(self, index)?.write().map(Source::from)
    }

    fn replace(
        &self,
        context: &Context<'_>,
        index: usize,
        name: &str,
        content: &Source,
        out: &mut dyn Write,
        report: &mut Report,
    ) -> Result<()> {
        let mut gxa = self.clone();
        let frame = gxa.frames.get_mut(index).ok_or_else(|| Error::usage("frame index out of range"))?;
        replaced(self, context, (index, frame), (name, &content.read_all()?), report)?;
        Ok(out.write_all(&gxa.write()?)?)
    }
}
