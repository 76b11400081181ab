//! Images as PNGs to paint on, and back: for banks and for images alone.

use std::collections::{BTreeMap, BTreeSet};

use asset::unpack::BlobNames;
use asset::{Error, Parts, Report, Shows, Unpacked};
use record::Result;
use record::json::pointer;
use scene::image::encode_indexed_png;
use serde::Serialize;

use super::image::{Place, Uncertain};
use super::layout::Image;
use super::warning::ImageCodes;
use crate::picture::palette::Shelf;
use asset::picture::{Budget, Edited, Index0, Views, read_view};

/// An image that is being unpacked.
pub(crate) struct Unpacking<'a> {
    pub(crate) place: Place<'a>,
    /// What its views and its blob are called.
    pub(crate) name: String,
    /// Where it stands in the record, as a JSON pointer.
    pub(crate) pointer: String,
    pub(crate) key: Index0,
}

/// Moves the pixels of each image from the record into a blob, and writes every frame as a view.
pub(crate) fn unpack(
    file: &impl Serialize,
    images: &[Unpacking<'_>],
    shelf: &Shelf,
    parts: &mut Parts<'_>,
    report: &mut Report,
) -> Result<()> {
    let (mut views, mut budget, mut uncertain) = (Views::default(), Budget::default(), Uncertain::default());
    let data = |image: &Unpacking<'_>| data_pointer(image.place.image, &image.pointer);
    let wishes = images.iter().filter_map(|image| Some((data(image)?, format!("{}.bin", image.name))));
    let wishes: BTreeMap<String, String> = wishes.collect();
    let blobs = parts.typed_with_blobs(file, &mut |path, _| wishes.get(&pointer(path)).cloned())?;
    if !parts.wants_views() {
        return Ok(());
    }
    for image in images {
        let data = data(image);
        let Some(blob) = data.and_then(|data| blobs.get(&data)) else { continue };
        let Some((film, chosen)) = image.place.film(shelf, image.key, &mut budget, report) else { continue };
        uncertain.count(&chosen);
        let count = film.frames().len();
        for number in 0..count {
            let Some(still) = film.still(number) else { continue };
            let wish = if count > 1 {
                format!("{}-{number:02}.png", image.name)
            } else {
                format!("{}.png", image.name)
            };
            let sizes = header_pointers(image.place.image, &image.pointer);
            let shows: Vec<Shows<'_>> =
                sizes.iter().map(|size| Shows::Record(size)).chain([Shows::Blob(blob)]).collect();
            let view = parts.view(&wish, &encode_indexed_png(&still), &shows)?;
            views.note(view, film.palette(), chosen.shown.name());
        }
    }
    uncertain.tell(shelf, image_codes(images).guessed, image_codes(images).grey, report);
    parts.context(&views)
}

fn image_codes(images: &[Unpacking<'_>]) -> &'static ImageCodes {
    images.first().map_or(&super::warning::IMAGE, |image| image.place.codes)
}

/// Puts painted views into their images. `images` are those of the file with their pointers into the record, `blobs` the names of their pixels.
pub(crate) fn pack_views(
    folder: &Unpacked,
    blobs: &BlobNames,
    images: &mut [(String, &mut Image)],
    codes: &'static ImageCodes,
    report: &mut Report,
) -> Result<()> {
    let edited = folder.edited_views()?;
    if edited.is_empty() {
        return Ok(());
    }
    let views: Views = folder.context()?;
    let mut used = BTreeSet::new();
    for (pointer, image) in images {
        let Some(data) = data_pointer(image, pointer) else { continue };
        let Some(blob) = blobs.get(&data) else { continue };
        let own: Vec<_> = edited.iter().filter(|view| view.blobs.iter().any(|shown| shown == blob)).collect();
        if own.is_empty() {
            continue;
        }
        used.extend(own.iter().map(|view| view.name.as_str()));
        let shape = image.shape(0).map_err(|error| error.in_file("record.json"))?;
        Budget::default().take(shape.width, shape.height, shape.frames)?;
        let frames = image.frames(&shape)?;
        let mut changed = Vec::new();
        for view in own {
            let number = if frames.frames.len() > 1 { frame_number(&view.name) } else { Some(0) };
            let old = number.and_then(|number| frames.frames.get(number));
            let (Some(number), Some(old)) = (number, old) else {
                let message = format!("views/{} is a frame that the image does not have", view.name);
                return Err(Error::usage(message));
            };
            let old = Edited { width: frames.width, height: frames.height, indices: old.clone() };
            let palette = views.palette(&view.name)?;
            changed.push((number, read_view(view, &palette, Some(&old), codes.inexact, report)?));
        }
        put(image, &shape, frames.frames, changed)?;
    }
    asset::picture::refuse_unused(&edited, &used)
}

/// Puts painted frames into an image: into its rows when they have its size, else the image is made anew.
fn put(
    image: &mut Image,
    shape: &super::Shape,
    mut frames: Vec<Vec<u8>>,
    changed: Vec<(usize, Edited)>,
) -> Result<()> {
    let is_old = |frame: &Edited| (frame.width, frame.height) == (shape.width, shape.height);
    if changed.iter().all(|(_, frame)| is_old(frame)) {
        let changed: Vec<_> = changed.into_iter().map(|(number, frame)| (number, frame.indices)).collect();
        return image.set_frames(shape, &changed);
    }
    let Some((width, height)) = changed.first().map(|(_, frame)| (frame.width, frame.height)) else {
        return Ok(());
    };
    let all = changed.len() == frames.len();
    if !all || changed.iter().any(|(_, frame)| (frame.width, frame.height) != (width, height)) {
        return Err(Error::usage(format!(
            "a frame has {width} x {height} pixels, the image has {} x {}: change the size of all {} frames alike",
            shape.width,
            shape.height,
            frames.len()
        )));
    }
    for (number, frame) in changed {
        if let Some(place) = frames.get_mut(number) {
            *place = frame.indices;
        }
    }
    image.remake(width, height, &frames)
}

/// The number of a frame in the name of its view: 3 of `D02031-03.png`.
fn frame_number(view: &str) -> Option<usize> {
    let stem = view.rsplit_once('.').map_or(view, |(stem, _)| stem);
    // A name that was taken has a number of its own at the end: `D02031-03~2.png`.
    let stem = stem.split_once('~').map_or(stem, |(stem, _)| stem);
    stem.rsplit_once('-')?.1.parse().ok()
}

/// The JSON pointer to the pixels of an image that stands at `pointer`.
fn data_pointer(image: &Image, pointer: &str) -> Option<String> {
    let data = |section: &super::Section| matches!(section, super::Section::Data(_));
    let index = image.sections.iter().position(data)?;
    Some(format!("{pointer}/sections/{index}/Data"))
}

/// The JSON pointers to what a frame's size says.
fn header_pointers(image: &Image, pointer: &str) -> Vec<String> {
    let header = |section: &super::Section| matches!(section, super::Section::Header(_));
    let index = image.sections.iter().position(header);
    let field = |name: &str| index.map(|index| format!("{pointer}/sections/{index}/Header/{name}"));
    ["width", "height", "frame_count"].into_iter().filter_map(field).collect()
}
