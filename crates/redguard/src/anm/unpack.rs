//! The frames of a film as PNGs to paint on, and back.

use std::collections::{BTreeMap, BTreeSet};

use asset::{Error, Parts, Report, Shows, Unpacked};
use record::{Result, json};
use scene::image::{Indexed8, encode_indexed_png};

use super::layout::Anm;
use super::{damaged, warning};
use crate::blob;
use crate::picture::{Edited, Index0, Views, read_view};
use crate::texbsi::unpack::refuse_unused;

/// What stands behind the records of a page stays in the record while it is shorter.
const SHORT: usize = 64;

/// Moves each record of the file into a blob, and writes each frame as a view.
pub(super) fn unpack(anm: &Anm, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
    let mut record = blob::to_record(anm)?;
    let mut blobs = BTreeMap::new();
    for (number, page) in anm.pages.iter().enumerate() {
        for index in 0..page.records.len() {
            let pointer = format!("/pages/{number}/records/{index}");
            let name = usize::from(page.descriptor.first_record).saturating_add(index);
            let name = blob::move_out(&mut record, &pointer, &format!("record-{name:03}.bin"), parts)?;
            blobs.insert((number, index), name);
        }
        if page.rest.len() > SHORT {
            let pointer = format!("/pages/{number}/rest");
            blob::move_out(&mut record, &pointer, &format!("page-{number:03}-rest.bin"), parts)?;
        }
    }
    if anm.rest.len() > SHORT {
        blob::move_out(&mut record, "/rest", "rest.bin", parts)?;
    }
    parts.record(json::to_vec(&record)?)?;
    let palette = Index0::Opaque.apply(&anm.palette);
    let frames = match anm.frames() {
        Ok((frames, error)) => {
            error.iter().for_each(|error| damaged(error, report));
            frames
        }
        Err(error) => {
            damaged(&error, report);
            Vec::new()
        }
    };
    let mut views = Views::default();
    let (width, height) = (anm.header.width.into(), anm.header.height.into());
    for (number, (frame, record)) in frames.into_iter().zip(anm.records()).enumerate() {
        let Some(blob) = blobs.get(&record.place) else { continue };
        let picture = Indexed8::new(width, height, frame, palette.clone());
        let png = encode_indexed_png(&picture.map_err(|error| asset::from_scene(&error))?);
        let view = parts.view(&format!("{number:03}.png"), &png, &[Shows::Blob(blob)])?;
        views.note(view, &palette, "the file's");
    }
    parts.context(&views)
}

/// Writes the file from the record and the blobs; painted frames from their views.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut anm: Anm = blob::typed(folder)?;
    let edited = folder.edited_views()?;
    if edited.is_empty() {
        return anm.write();
    }
    let views: Views = folder.context()?;
    let (old, _) = anm.frames()?;
    let (width, height) = (anm.header.width.into(), anm.header.height.into());
    let (mut changed, mut used) = (BTreeMap::new(), BTreeSet::new());
    for view in &edited {
        let number = view.name.strip_suffix(".png").and_then(|number| number.parse::<usize>().ok());
        let Some((number, frame)) = number.and_then(|number| Some((number, old.get(number)?))) else {
            continue;
        };
        used.insert(view.name.as_str());
        let old = Edited { width, height, indices: frame.clone() };
        let new = read_view(view, &views.palette(&view.name)?, Some(&old), &warning::INEXACT, report)?;
        if (new.width, new.height) != (width, height) {
            let message = format!(
                "views/{} has {} x {} pixels; all frames of a film have the same size, {width} x {height}",
                view.name, new.width, new.height
            );
            return Err(Error::usage(message));
        }
        if new != old {
            changed.insert(number, new.indices);
        }
    }
    refuse_unused(&edited, &used)?;
    if !changed.is_empty() {
        anm.set_frames(&changed)?;
    }
    anm.write()
}
