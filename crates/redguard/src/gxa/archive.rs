//! A bitmap file as a container: each frame is a `.GXA` file of its own, and a picture can take its place.

use std::io::Write;

use asset::archive::{Content, Entry};
use asset::{Archive, Asset, Context, Description, Detail, Parts, Report, Sink, Target};
use record::{Bytes, Error, Result, Source, Visitor};
use scene::image::{Indexed8, sniff};

use super::layout::{FIRST, Frame, FramesLength, Gxa, Pixels};
use super::warning;
use crate::picture::{Edited, matched, read_picture};

/// The frames of a file as files.
#[derive(Debug)]
pub(super) struct Frames {
    gxa: Gxa,
    entries: Vec<Entry>,
}

/// How many bytes a file has besides its frames: three chunks, the header, the palette and the end.
const AROUND: u64 = 24 + 34 + 768 + 4;

impl Frames {
    pub(super) fn new(gxa: Gxa) -> Self {
        let entry = |(index, frame): (usize, &Frame)| {
            let stored =
                u64::try_from(frame.pixels.stored().len()).unwrap_or(u64::MAX).saturating_add(frame.head());
            let packing = match frame.pixels {
                Pixels::Raw(_) => "",
                Pixels::Rle(_) => ", run lengths",
                Pixels::Lzhuf { .. } => ", LZHUF",
            };
            Entry {
                name: format!("{index:02}.GXA"),
                length: stored.saturating_add(AROUND),
                stored,
                content: Content::File,
                note: format!("{} x {}{packing}", frame.width, frame.height),
            }
        };
        let entries = gxa.frames.iter().enumerate().map(entry).collect();
        Self { gxa, entries }
    }

    /// The file with only this frame.
    fn alone(&self, index: usize) -> Result<Gxa> {
        let frame = self.gxa.frames.get(index).ok_or_else(|| Error::usage("there is no such frame"))?;
        Ok(Gxa {
            banner: self.gxa.banner,
            palette: self.gxa.palette.clone(),
            length: FramesLength::Bytes,
            frames: vec![frame.clone()],
            frames_rest: Bytes::default(),
            end: true,
            rest: Bytes::default(),
        })
    }
}

/// A frame with other content.
fn replaced(
    gxa: &Gxa,
    context: &Context<'_>,
    (index, frame): (usize, &mut Frame),
    (name, content): (&str, &[u8]),
    report: &mut Report,
) -> Result<()> {
    let palette = gxa.palette(context);
    // It begins with the letters of a bitmap of another kind.
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
        let picture = picture.map_err(|error| asset::from_scene(&error))?.to_rgba8();
        (frame.x_offset, frame.y_offset) = (other_frame.x_offset, other_frame.y_offset);
        matched(name, &picture, &palette, None, &warning::INEXACT, report)
    };
    let side = |length: u32| {
        let message = format!("{name} has a side of {length} pixels, more than a frame can say");
        u16::try_from(length).map_err(|_| Error::usage(message))
    };
    (frame.width, frame.height) = (side(new.width)?, side(new.height)?);
    let lzhuf = matches!(frame.pixels, Pixels::Lzhuf { .. });
    frame.repack(new.indices);
    if lzhuf {
        let how = if matches!(frame.pixels, Pixels::Raw(_)) { "raw" } else { "as run lengths" };
        let message = format!("frame {index} was packed with LZHUF and is stored {how} now");
        report.warn(&warning::REPACKED, message).in_field(format!("frames[{index}].pixels"));
    }
    Ok(())
}

/// A `.GXA` file with one frame.
fn single(content: &[u8]) -> Result<Gxa> {
    let gxa = Gxa::read(content).map_err(|error| {
        let message = error.message();
        Error::unsupported(format!(
            "it is neither a .GXA file nor a picture (PNG, JPEG, BMP, TGA): {message}"
        ))
    })?;
    match gxa.frames.len() {
        1 => Ok(gxa),
        count => Err(Error::usage(format!("it has {count} frames, but one takes the place of one"))),
    }
}

impl Archive for Frames {
    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn open(&self, index: usize) -> Result<Source> {
        self.alone(index)?.write().map(Source::from)
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
        let mut gxa = self.gxa.clone();
        let frame = gxa.frames.get_mut(index).ok_or_else(|| Error::usage("there is no such frame"))?;
        replaced(&self.gxa, context, (index, frame), (name, &content.read_all()?), report)?;
        Ok(out.write_all(&gxa.write()?)?)
    }
}

/// In everything else it is the file itself.
impl Asset for Frames {
    fn describe(&self, detail: Detail) -> Description {
        self.gxa.describe(detail)
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        self.gxa.check(context, report);
    }

    fn export(
        &self,
        context: &Context<'_>,
        target: &Target<'_>,
        sink: &mut dyn Sink,
        report: &mut Report,
    ) -> Result<()> {
        self.gxa.export(context, target, sink, report)
    }

    fn archive(&self) -> Option<&dyn Archive> {
        Some(self)
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        self.gxa.unpack(context, parts, report)
    }

    fn spans(&self, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
        self.gxa.spans(source, visitor)
    }
}
