//! What is amiss with a model: places, numbers, and textures that are not there.

use asset::{Context, Report, counted};
use record::{Layout, Place};

use super::glide::{Kind4, SINGLE};
use super::reading::bend;
use super::{Face, Glide, Model, NormalRef, Paint, warning};

/// The length of the header, behind which models of the software renderer leave some room.
const HEADER: u64 = 64;

/// Everything amiss with a model.
pub(super) fn check(model: &Model, context: &Context<'_>, report: &mut Report) {
    check_parts(model, report);
    match super::scene::Materials::new(context, model.version()) {
        Ok(mut materials) => {
            materials.find_all(model);
            materials.tell_missing(report);
        }
        Err(error) => {
            report.warn(&warning::TEXTURE_BAD, error.message());
        }
    }
}

/// What is amiss with the model itself.
pub(crate) fn check_parts(model: &Model, report: &mut Report) {
    check_layout(model, report);
    check_faces(model, report);
    if let Model::Glide(model) = model {
        check_glide(model, report);
    }
}

fn check_layout(model: &Model, report: &mut Report) {
    let layout: &Layout = model.layout();
    let mut places: Vec<&Place> = layout.places.iter().filter(|place| place.length > 0).collect();
    places.sort_by_key(|place| (place.start, place.length));
    let mut before: Option<&Place> = None;
    for place in places {
        let end = place.start.saturating_add(place.length);
        if let Some(before) = before.filter(|before| before.start.saturating_add(before.length) > place.start)
        {
            let name =
                |place: &Place| if place.part.is_empty() { "header".into() } else { place.part.clone() };
            let message = format!("{} and {} share bytes", name(before), name(place));
            report.warn(&warning::OVERLAP, message).in_field(name(place));
        }
        if before.is_none_or(|before| before.start.saturating_add(before.length) < end) {
            before = Some(place);
        }
    }
    // Data about the object, room behind the header, and the one region of a model that moves, are where they should be.
    let expected = |start: u64| match model {
        Model::Glide(_) => false,
        Model::Software(model) => {
            model.motion.is_some() || u64::from(model.header.offset_object_data) == start || start == HEADER
        }
    };
    for (number, gap) in layout.gaps.iter().enumerate().filter(|(_, gap)| !expected(gap.start)) {
        let message = format!("{} to no part", counted(gap.bytes.len(), "byte belongs", "bytes belong"));
        report.warn(&warning::UNREAD, message).in_field(format!("gaps[{number}]"));
    }
}

fn check_faces(model: &Model, report: &mut Report) {
    let (part, count) = match model {
        Model::Glide(_) => ("faces", "header.num_faces"),
        Model::Software(_) => ("planes", "header.num_planes"),
    };
    let faces = model.faces();
    let lost: usize =
        faces.iter().map(|face| face.corners.iter().filter(|corner| corner.vertex.is_none()).count()).sum();
    if lost > 0 {
        let message = format!(
            "{} beyond the {} there are",
            counted(lost, "corner names a vertex", "corners name vertices"),
            model.vertex_count()
        );
        report.warn(&warning::BAD_VERTEX, message).in_field(part);
    }
    let unknown = || {
        faces.iter().filter_map(|face| match face.paint {
            Paint::Unknown(word) => Some(word),
            _ => None,
        })
    };
    if let Some(first) = unknown().next() {
        let message = format!(
            "{} a texture word that names no image, the first {first:#x}",
            counted(unknown().count(), "face has", "faces have")
        );
        report.warn(&warning::BAD_TEXTURE, message).in_field(part);
    }
    if matches!(model, Model::Software(_)) {
        check_bends(model, &faces, report);
    }
    if faces.is_empty() {
        report.warn(&warning::NO_SHAPE, "the model has no faces").in_field(count);
    }
}

/// An image lies flat on a flat face. Where it does not on most, the coordinates of later corners may be no steps.
fn check_bends(model: &Model, faces: &[Face], report: &mut Report) {
    /// Texels that rounding may make of nothing.
    const ROUNDING: f32 = 1.0;
    let positions = model.positions(0);
    let painted = faces.iter().filter(|face| matches!(face.paint, Paint::Image { .. }));
    let bends: Vec<f32> = painted.filter_map(|face| bend(face, &positions)).collect();
    let bent = bends.iter().filter(|bend| **bend > ROUNDING).count();
    if bent.saturating_mul(2) > bends.len() {
        let message = format!(
            "on {bent} of {} the image does not lie flat: --uv first-three may show it better",
            counted(bends.len(), "face with more than three corners", "faces with more than three corners")
        );
        report.warn(&warning::BENT, message).in_field("planes");
    }
}

fn check_glide(model: &Glide, report: &mut Report) {
    let header = &model.header;
    let corners: usize = model.faces.iter().map(|face| face.corners.len()).sum();
    if usize::try_from(header.total_face_vertices).ok() != Some(corners) {
        let message =
            format!("the header counts {} corners, the faces have {corners}", header.total_face_vertices);
        report.warn(&warning::CORNERS, message).in_field("header.total_face_vertices");
    }
    let strays = model.normal_indices.iter().flatten();
    let strays = strays.filter(|index| matches!(index, NormalRef::Stray { .. })).count();
    if strays > 0 {
        let message = format!("{} no vertex normal", counted(strays, "corner names", "corners name"));
        report.warn(&warning::BAD_NORMAL, message).in_field("normal_indices");
    }
    let infinite = |normal: &&[f32; 3]| normal.iter().any(|number| number.is_infinite());
    let infinite = model.vertex_normals.iter().filter(infinite).count();
    if infinite > 0 {
        let message = format!("{} infinite", counted(infinite, "vertex normal is", "vertex normals are"));
        report.warn(&warning::NOT_FINITE, message).in_field("vertex_normals");
    }
    match model.frames.first() {
        Some(first) => {
            for (what, found, wanted) in [
                ("vertices", first.offset_vertices, header.offset_vertex_coords),
                ("normals", first.offset_normals, header.offset_face_normals),
            ] {
                if found != wanted {
                    let message =
                        format!("the first frame names {found:#x} for its {what}, the header {wanted:#x}");
                    report.warn(&warning::FIRST_FRAME, message).in_field("frames[0]");
                }
            }
            if Kind4::new(first.kind).is_none() && first.kind != SINGLE {
                let message = format!("the kind {} is not known", first.kind);
                report.warn(&warning::KIND, message).in_field("frames[0].kind");
            }
            let unread = model.frames.len().saturating_sub(1);
            if model.is_single() && unread > 0 {
                let frames = counted(unread, "further frame is", "further frames are");
                let message = format!("the kind 8 has a single frame: {frames} not shown");
                report.warn(&warning::UNSHOWN, message).in_field("frames");
            }
        }
        None => {
            report.warn(&warning::NO_FRAMES, "there is no frame").in_field("header.num_frames");
        }
    }
    let named = model.nodes.iter().flat_map(|node| &node.faces);
    let wrong = named
        .filter(|face| {
            face.offset.is_some()
                || !face.face_times_4.is_multiple_of(4)
                || usize::from(face.face_times_4 / 4) >= model.faces.len()
        })
        .count();
    if wrong > 0 {
        let message = format!("{} out of place", counted(wrong, "face of a node is", "faces of nodes are"));
        report.warn(&warning::NODE_FACE, message).in_field("nodes");
    }
}
