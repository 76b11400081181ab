//! The records of a set as PNGs to paint on, and back.

use std::collections::BTreeMap;

use asset::{Context, Error, Parts, Report, Shows, Unpacked};
use record::Result;
use record::json::Step;
use scene::image::encode_indexed_png;

use super::layout::TextureSet;
use super::pixel::Form;
use super::{damaged, set_at, tell_grey, warning};
use crate::picture::palette::{Home, Shelf};
use asset::picture::{Budget, Edited, Views, read_view};

/// Moves the pixels from the record into a blob, and writes every frame as a view. Solid colours have nothing to paint on.
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
    let shelf = Shelf::new(context, Home::Software)?;
    let (number, chosen) = (set_at(context), shelf.choose(None));
    let (mut views, mut budget, mut shown) = (Views::default(), Budget::default(), 0_usize);
    for index in 0..set.records.len() {
        let form = match set.shape(index) {
            Some(Ok(shape)) => shape.form,
            Some(Err(error)) => {
                damaged(&error, index, report);
                continue;
            }
            None => continue,
        };
        if form == Form::Solid {
            continue;
        }
        let Some(frames) = set.picture(index, number, &mut budget, report) else { continue };
        let film = frames.film(set.key(index, context).apply(&chosen.colors))?;
        shown = shown.saturating_add(1);
        let sizes =
            ["width", "height", "frame_count"].map(|name| format!("/records/{index}/descriptor/{name}"));
        let shows: Vec<Shows<'_>> =
            sizes.iter().map(|size| Shows::Record(size)).chain(blobs.get("/body").map(Shows::Blob)).collect();
        let count = film.frames().len();
        for frame in 0..count {
            let Some(still) = film.still(frame) else { continue };
            let wish =
                if count > 1 { format!("{index:03}-{frame:02}.png") } else { format!("{index:03}.png") };
            let view = parts.view(&wish, &encode_indexed_png(&still), &shows)?;
            views.note(view, film.palette(), chosen.shown.name());
        }
    }
    tell_grey(&chosen, &shelf, shown, report);
    parts.context(&views)
}

/// The record and the frame of a view's name: 12 and 3 of `012-03.png`.
fn place_of(view: &str) -> Option<(usize, usize)> {
    let stem = view.strip_suffix(".png")?;
    match stem.split_once('-') {
        Some((record, frame)) => Some((record.parse().ok()?, frame.parse().ok()?)),
        None => Some((stem.parse().ok()?, 0)),
    }
}

/// Writes the set from the record and the blob; painted records from their views.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut set: TextureSet = folder.typed()?;
    let edited = folder.edited_views()?;
    if edited.is_empty() {
        return set.write();
    }
    let views: Views = folder.context()?;
    let mut painted: BTreeMap<usize, Vec<(usize, &asset::unpack::EditedView)>> = BTreeMap::new();
    for view in &edited {
        let (record, frame) =
            place_of(&view.name).ok_or_else(|| Error::usage(format!("views/{} is no record", view.name)))?;
        painted.entry(record).or_default().push((frame, view));
    }
    for (index, changed) in painted {
        let missing = || Error::usage(format!("record {index} was painted, but the set does not have it"));
        let shape = set
            .shape(index)
            .ok_or_else(missing)?
            .map_err(|error| error.in_item(index).in_field("records"))?;
        let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
        let (width, height) = (side(shape.width), side(shape.height));
        Budget::default().take(width, height, side(shape.frames))?;
        let old = |frame: usize| set.frame(&shape, frame).map(|indices| Edited { width, height, indices });
        let before: Vec<Edited> = (0..shape.frames).map(old).collect::<Result<_>>()?;
        let mut frames = before.clone();
        for (frame, view) in changed {
            let place = frames.get_mut(frame);
            let place = place.ok_or_else(|| {
                Error::usage(format!("views/{} is a frame that the record does not have", view.name))
            })?;
            *place = read_view(view, &views.palette(&view.name)?, Some(&*place), &warning::INEXACT, report)?;
        }
        if frames == before {
            continue;
        }
        if let Some(first) = frames.first().map(|frame| (frame.width, frame.height))
            && frames.iter().any(|frame| (frame.width, frame.height) != first)
        {
            return Err(Error::usage(format!(
                "the frames of record {index} have several sizes: change the size of all alike"
            )));
        }
        let length = set.len();
        set.set_frames(index, &shape, &frames)?;
        if set.len() > length {
            let message = format!("record {index} stands at the end of the file now");
            report.warn(&warning::MOVED, message).in_field(format!("records[{index}]"));
        }
    }
    set.write()
}
