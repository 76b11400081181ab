//! Unpacks images to PNGs for editing, and packs them again; for banks and single images.

use std::collections::{BTreeMap, BTreeSet};

use asset::unpack::BlobNames;
use asset::{Error, Parts, Report, Unpacked, ViewSource};
use json::pointer;
use media::picture::{Budget, Edited, Index0, ViewPalettes, read_view};
use record::Result;
use serde::Serialize;

use super::image::{LocatedImage, UncertainPalettes};
use super::layout::Image;
use super::warning::ImageCodes;
use crate::picture::palette::PaletteChoices;

/// An image to unpack.
pub(crate) struct ImageToUnpack<'a> {
    pub(crate) located: LocatedImage<'a>,
    /// The base name of the views and the blob.
    pub(crate) name: String,
    /// The JSON pointer to the image in the record.
    pub(crate) pointer: String,
    pub(crate) key: Index0,
}

/// Moves the pixels of each image from the record into a blob, and writes every frame as a view.
pub(crate) fn unpack(
    file: &impl Serialize,
    images: &[ImageToUnpack<'_>],
    palettes: &PaletteChoices,
    parts: &mut Parts<'_>,
    report: &mut Report,
) -> Result<()> {
    let (mut views, mut budget, mut uncertain) =
        (ViewPalettes::default(), Budget::default(), UncertainPalettes::default());
    let data = |image: &ImageToUnpack<'_>| data_pointer(image.located.image, &image.pointer);
    let names = images.iter().filter_map(|image| Some((data(image)?, format!("{}.bin", image.name))));
    let names: BTreeMap<String, String> = names.collect();
    let blobs = parts.typed_with_blobs(file, &mut |path, _| names.get(&pointer(path)).cloned())?;
    if !parts.wants_views() {
        return Ok(());
    }
    for image in images {
        let data = data(image);
        let Some(blob) = data.and_then(|data| blobs.get(&data)) else { continue };
        let Some((animation, chosen)) = image.located.animation(palettes, image.key, &mut budget, report)
        else {
            continue;
        };
        uncertain.count(&chosen);
        let count = animation.frames().len();
        for number in 0..count {
            let Some(still) = animation.still(number) else { continue };
            let name = if count > 1 { format!("{}-{number:02}", image.name) } else { image.name.clone() };
            let sizes = header_pointers(image.located.image, &image.pointer);
            let shows: Vec<ViewSource<'_>> =
                sizes.iter().map(|size| ViewSource::Record(size)).chain([ViewSource::Blob(blob)]).collect();
            let view = parts.view(&name, still, &shows)?;
            views.note(view, animation.palette(), chosen.origin.name());
        }
    }
    uncertain.report(palettes, image_codes(images).guessed, image_codes(images).no_palette, report);
    parts.context(&views)
}

fn image_codes(images: &[ImageToUnpack<'_>]) -> &'static ImageCodes {
    images.first().map_or(&super::warning::IMAGE, |image| image.located.codes)
}

/// Applies edited views to their images. `images` are the images of the file with their JSON pointers, `blobs` the names of their
/// pixel blobs.
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
    let views: ViewPalettes = folder.context()?;
    let mut used = BTreeSet::new();
    for (pointer, image) in images {
        let Some(data) = data_pointer(image, pointer) else { continue };
        let Some(blob) = blobs.get(&data) else { continue };
        let own: Vec<_> = edited.iter().filter(|view| view.blobs.iter().any(|shown| shown == blob)).collect();
        if own.is_empty() {
            continue;
        }
        used.extend(own.iter().map(|view| view.name.as_str()));
        let layout = image.layout(0).map_err(|error| error.in_file("record.json"))?;
        Budget::default().take(layout.width, layout.height, layout.frames)?;
        let frames = image.frames(&layout)?;
        let mut changed = Vec::new();
        for view in own {
            let number = if frames.frames.len() > 1 { frame_number(&view.name) } else { Some(0) };
            let old = number.and_then(|number| frames.frames.get(number));
            let (Some(number), Some(old)) = (number, old) else {
                let message = format!("views/{} does not match any frame of the image", view.name);
                return Err(Error::usage(message));
            };
            let old = Edited { width: frames.width, height: frames.height, indices: old.clone() };
            let palette = views.palette(&view.name)?;
            changed.push((number, read_view(view, &palette, Some(&old), codes.inexact, report)?));
        }
        put(image, &layout, frames.frames, changed)?;
    }
    media::picture::refuse_unused(&edited, &used)
}

/// Applies edited frames to an image: in place if the size matches, otherwise by rebuilding the image.
fn put(
    image: &mut Image,
    layout: &super::ImageLayout,
    mut frames: Vec<Vec<u8>>,
    changed: Vec<(usize, Edited)>,
) -> Result<()> {
    let is_old = |frame: &Edited| (frame.width, frame.height) == (layout.width, layout.height);
    if changed.iter().all(|(_, frame)| is_old(frame)) {
        let changed: Vec<_> = changed.into_iter().map(|(number, frame)| (number, frame.indices)).collect();
        return image.set_frames(layout, &changed);
    }
    let Some((width, height)) = changed.first().map(|(_, frame)| (frame.width, frame.height)) else {
        return Ok(());
    };
    let all = changed.len() == frames.len();
    if !all || changed.iter().any(|(_, frame)| (frame.width, frame.height) != (width, height)) {
        return Err(Error::usage(format!(
            "a frame is {width} x {height} pixels, but the image is {} x {}; resize all {} frames to the same size",
            layout.width,
            layout.height,
            frames.len()
        )));
    }
    for (number, frame) in changed {
        if let Some(slot) = frames.get_mut(number) {
            *slot = frame.indices;
        }
    }
    image.rebuild(width, height, &frames)
}

/// Returns the frame number in the name of a view: 3 for `D02031-03.png`.
fn frame_number(view: &str) -> Option<usize> {
    let stem = view.rsplit_once('.').map_or(view, |(stem, _)| stem);
    // Duplicate names have a suffix: `D02031-03~2.png`.
    let stem = stem.split_once('~').map_or(stem, |(stem, _)| stem);
    stem.rsplit_once('-')?.1.parse().ok()
}

/// Returns the JSON pointer to the pixels of the image at `pointer`.
fn data_pointer(image: &Image, pointer: &str) -> Option<String> {
    let data = |section: &super::Section| matches!(section, super::Section::Data(_));
    let index = image.sections.iter().position(data)?;
    Some(format!("{pointer}/sections/{index}/Data"))
}

/// Returns the JSON pointers to the fields of the image size.
fn header_pointers(image: &Image, pointer: &str) -> Vec<String> {
    let header = |section: &super::Section| matches!(section, super::Section::Header(_));
    let index = image.sections.iter().position(header);
    let field = |name: &str| index.map(|index| format!("{pointer}/sections/{index}/Header/{name}"));
    ["width", "height", "frame_count"].into_iter().filter_map(field).collect()
}
