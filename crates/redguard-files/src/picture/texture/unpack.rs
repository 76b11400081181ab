//! Unpacks the records of a set to PNGs for editing, and packs them again.

use std::collections::BTreeMap;

use asset::{Context, Error, Parts, Report, Unpacked, ViewSource};
use json::Step;
use media::picture::{Budget, Edited, ViewPalettes, read_view};
use record::Result;

use super::layout::TextureSet;
use super::pixel::PixelEncoding;
use super::{damaged, report_missing_palette, set_at, warning};
use crate::picture::Renderer;
use crate::picture::palette::PaletteChoices;

/// Moves the pixels from the record into a blob, and writes every frame as a view. Solid colors have no pixels.
pub(super) fn unpack(
    set: &TextureSet,
    context: &Context<'_>,
    parts: &mut Parts<'_>,
    report: &mut Report,
) -> Result<()> {
    let blobs = parts.typed_with_blobs(set, &mut |path, _| {
        (path == [Step::Member("body")]).then(|| "body.bin".to_owned())
    })?;
    if !parts.wants_views() {
        return Ok(());
    }
    let palettes = PaletteChoices::new(context, Renderer::Software)?;
    let (number, chosen) = (set_at(context), palettes.choose(None));
    let (mut views, mut budget, mut shown) = (ViewPalettes::default(), Budget::default(), 0_usize);
    for index in 0..set.records.len() {
        let encoding = match set.layout(index) {
            Some(Ok(layout)) => layout.encoding,
            Some(Err(error)) => {
                damaged(&error, index, report);
                continue;
            }
            None => continue,
        };
        if encoding == PixelEncoding::Solid {
            continue;
        }
        let Some(frames) = set.picture(index, number, &mut budget, report) else { continue };
        let animation = frames.animation(set.key(index, context).apply(&chosen.colors))?;
        shown = shown.saturating_add(1);
        let sizes =
            ["width", "height", "frame_count"].map(|name| format!("/records/{index}/descriptor/{name}"));
        let shows: Vec<ViewSource<'_>> = sizes
            .iter()
            .map(|size| ViewSource::Record(size))
            .chain(blobs.get("/body").map(ViewSource::Blob))
            .collect();
        let count = animation.frames().len();
        for frame in 0..count {
            let Some(still) = animation.still(frame) else { continue };
            let name = if count > 1 { format!("{index:03}-{frame:02}") } else { format!("{index:03}") };
            let view = parts.view(&name, still, &shows)?;
            views.note(view, animation.palette(), chosen.origin.name());
        }
    }
    report_missing_palette(&chosen, &palettes, shown, report);
    parts.context(&views)
}

/// Returns the record and frame number in the name of a view: 12 and 3 for `012-03`.
fn parse_view_name(stem: &str) -> Option<(usize, usize)> {
    match stem.split_once('-') {
        Some((record, frame)) => Some((record.parse().ok()?, frame.parse().ok()?)),
        None => Some((stem.parse().ok()?, 0)),
    }
}

/// Writes the set from the record and the blob, and from the views for edited records.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut set: TextureSet = folder.typed()?;
    let edited = folder.edited_views()?;
    if edited.is_empty() {
        return set.write();
    }
    let views: ViewPalettes = folder.context()?;
    let mut painted: BTreeMap<usize, Vec<(usize, &asset::unpack::EditedView)>> = BTreeMap::new();
    for view in &edited {
        let (record, frame) = parse_view_name(view.stem())
            .ok_or_else(|| Error::usage(format!("views/{} does not match any record", view.name)))?;
        painted.entry(record).or_default().push((frame, view));
    }
    for (index, changed) in painted {
        let missing = || Error::usage(format!("record {index} was edited, but does not exist"));
        let layout = set
            .layout(index)
            .ok_or_else(missing)?
            .map_err(|error| error.in_item(index).in_field("records"))?;
        let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
        let (width, height) = (side(layout.width), side(layout.height));
        Budget::default().take(width, height, side(layout.frames))?;
        let old = |frame: usize| set.frame(&layout, frame).map(|indices| Edited { width, height, indices });
        let before: Vec<Edited> = (0..layout.frames).map(old).collect::<Result<_>>()?;
        let mut frames = before.clone();
        for (frame, view) in changed {
            let slot = frames.get_mut(frame);
            let slot = slot.ok_or_else(|| {
                Error::usage(format!("views/{} does not match any frame of the record", view.name))
            })?;
            *slot = read_view(view, &views.palette(&view.name)?, Some(&*slot), &warning::INEXACT, report)?;
        }
        if frames == before {
            continue;
        }
        if let Some(first) = frames.first().map(|frame| (frame.width, frame.height))
            && frames.iter().any(|frame| (frame.width, frame.height) != first)
        {
            return Err(Error::usage(format!(
                "the frames of record {index} have different sizes; resize all to the same size"
            )));
        }
        let length = set.len();
        set.set_frames(index, &layout, &frames)?;
        if set.len() > length {
            let message = format!("record {index} was moved to the end of the file");
            report.warn(&warning::MOVED, message).in_field(format!("records[{index}]"));
        }
    }
    set.write()
}
