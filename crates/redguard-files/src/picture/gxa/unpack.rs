//! Unpacks the frames of a file to PNGs for editing, and packs them again.

use std::collections::BTreeSet;

use asset::{Error, Parts, Report, Unpacked, ViewSource};
use json::Step;
use media::picture::refuse_unused;
use media::picture::{Edited, ViewPalettes, read_view};
use record::Result;
use scene::image::Indexed8;

use super::layout::{Frame, Gxa, Pixels};
use super::warning;

/// Moves the pixels of each frame from the record into a blob, and writes each frame as a view.
pub(super) fn unpack(
    gxa: &Gxa,
    palette: &[[u8; 4]],
    parts: &mut Parts<'_>,
    report: &mut Report,
) -> Result<()> {
    let blobs = parts.typed_with_blobs(gxa, &mut |path, _| match path {
        [Step::Member("frames"), Step::Item(index), Step::Member("pixels"), ..] => {
            Some(format!("{index:02}.bin"))
        }
        _ => None,
    })?;
    if !parts.wants_views() {
        return Ok(());
    }
    let mut views = ViewPalettes::default();
    for unpacked in gxa.unpacked() {
        let (index, frame, unpacked) = match unpacked {
            Ok(unpacked) => unpacked,
            Err(error) => {
                report.warn_error(&warning::DAMAGED, &error);
                continue;
            }
        };
        let Some(blob) = blobs.get(&pixels_pointer(index, frame)) else { continue };
        let picture =
            Indexed8::new(frame.width.into(), frame.height.into(), unpacked.indices, palette.to_vec());
        let [width, height] = ["width", "height"].map(|name| format!("/frames/{index}/{name}"));
        let shows = [ViewSource::Blob(blob), ViewSource::Record(&width), ViewSource::Record(&height)];
        let view = parts.view(&format!("{index:02}"), picture?, &shows)?;
        views.note(view, palette, "the file's");
    }
    parts.context(&views)
}

/// Returns the JSON pointer to the stored pixels of a frame.
fn pixels_pointer(index: usize, frame: &Frame) -> String {
    let kind = match frame.pixels {
        Pixels::Raw(_) => "Raw",
        Pixels::Rle(_) => "Rle",
        Pixels::Lzhuf { .. } => "Lzhuf/data",
    };
    format!("/frames/{index}/pixels/{kind}")
}

/// Writes the file from the record and the blobs, and from the views for edited frames.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let (mut gxa, blobs): (Gxa, _) = folder.typed_with_names()?;
    let edited = folder.edited_views()?;
    if edited.is_empty() {
        return gxa.write();
    }
    let views: ViewPalettes = folder.context()?;
    let mut used = BTreeSet::new();
    for (index, frame) in gxa.frames.iter_mut().enumerate() {
        let pointer = pixels_pointer(index, frame);
        let Some(blob) = blobs.get(&pointer) else { continue };
        let Some(view) = edited.iter().find(|view| view.blobs.iter().any(|shown| shown == blob)) else {
            continue;
        };
        used.insert(view.name.as_str());
        let old = frame.unpack(0).map_err(|error| error.in_item(index).in_field("frames"))?;
        let old = Edited { width: frame.width.into(), height: frame.height.into(), indices: old.indices };
        let new = read_view(view, &views.palette(&view.name)?, Some(&old), &warning::INEXACT, report)?;
        if new == old {
            continue;
        }
        let side = |length: u32| {
            let message = format!("views/{} has a side of {length} pixels (limit: 65535)", view.name);
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
    }
    refuse_unused(&edited, &used)?;
    gxa.write()
}
