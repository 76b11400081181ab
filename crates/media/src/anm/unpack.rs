//! Unpacking the frames of an animation as PNG files, and packing edited ones.

use std::collections::{BTreeMap, BTreeSet};

use asset::{Error, Parts, Report, Unpacked, ViewSource};
use json::Step;
use record::Result;
use scene::image::Indexed8;

use super::layout::Anm;
use super::warning;
use crate::picture::refuse_unused;
use crate::picture::{Edited, Index0, ViewPalettes, read_view};

/// Maximum length of bytes after the records of a page that stay in the record.
const SHORT: usize = 64;

/// Writes each record of the file to a blob, and each frame to a view.
pub(super) fn unpack(anm: &Anm, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
    let blobs = parts.typed_with_blobs(anm, &mut |path, bytes| blob_name(anm, path, bytes))?;
    if !parts.wants_views() {
        return Ok(());
    }
    let palette = Index0::Opaque.apply(&anm.palette);
    let frames = match anm.frames() {
        Ok((frames, error)) => {
            if let Some(error) = &error {
                report.warn_error(&warning::DAMAGED, error);
            }
            frames
        }
        Err(error) => {
            report.warn_error(&warning::DAMAGED, &error);
            Vec::new()
        }
    };
    let mut views = ViewPalettes::default();
    let (width, height) = (anm.header.width.into(), anm.header.height.into());
    for (number, (frame, record)) in frames.into_iter().zip(anm.records()).enumerate() {
        let (page, index) = record.location;
        let Some(blob) = blobs.get(&format!("/pages/{page}/records/{index}")) else { continue };
        let picture = Indexed8::new(width, height, frame, palette.clone());
        let view = parts.view(&format!("{number:03}"), picture?, &[ViewSource::Blob(blob)])?;
        views.note(view, &palette, "the file's");
    }
    parts.context(&views)
}

/// Returns the blob name of a run of bytes; `None` if the bytes stay in the record.
fn blob_name(anm: &Anm, path: &[Step<'_>], bytes: &[u8]) -> Option<String> {
    match path {
        [Step::Member("pages"), Step::Item(page), Step::Member("records"), Step::Item(index)] => {
            let first = usize::from(anm.pages.get(*page)?.descriptor.first_record);
            Some(format!("record-{:03}.bin", first.saturating_add(*index)))
        }
        [Step::Member("pages"), Step::Item(page), Step::Member("rest")] if bytes.len() > SHORT => {
            Some(format!("page-{page:03}-rest.bin"))
        }
        [Step::Member("rest")] if bytes.len() > SHORT => Some("rest.bin".to_owned()),
        _ => None,
    }
}

/// Builds the file from the record and the blobs, with edited frames from their views.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut anm: Anm = folder.typed()?;
    let edited = folder.edited_views()?;
    if edited.is_empty() {
        return anm.write();
    }
    let views: ViewPalettes = folder.context()?;
    let (old, _) = anm.frames()?;
    let (width, height) = (anm.header.width.into(), anm.header.height.into());
    let (mut changed, mut used) = (BTreeMap::new(), BTreeSet::new());
    for view in &edited {
        let number = view.stem().parse::<usize>().ok();
        let Some((number, frame)) = number.and_then(|number| Some((number, old.get(number)?))) else {
            continue;
        };
        used.insert(view.name.as_str());
        let old = Edited { width, height, indices: frame.clone() };
        let new = read_view(view, &views.palette(&view.name)?, Some(&old), &warning::INEXACT, report)?;
        if (new.width, new.height) != (width, height) {
            let message = format!(
                "views/{} is {} x {} pixels, but all frames of this animation must be {width} x {height}",
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
