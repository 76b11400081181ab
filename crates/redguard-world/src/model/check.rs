//! Checks a model: overlapping parts, invalid references, missing textures.

use asset::{Context, Report, counted};
use record::{Extent, Layout};

use super::glide::{FrameEncoding, SINGLE};
use super::interpretation::uv_deviation;
use super::{Face, FaceTexture, Glide, Model, NormalRef, warning};

/// Size of the header in bytes. Models of the software renderer have unused bytes after it.
const HEADER: u64 = 64;

/// Reports all defects of a model.
pub(crate) fn check(model: &Model, context: &Context<'_>, report: &mut Report) {
    check_parts(model, report);
    match super::scene::Materials::new(context, model.version()) {
        Ok(mut materials) => {
            materials.find_all(model);
            materials.report_missing(report);
        }
        Err(error) => {
            report.warn(&warning::TEXTURE_DAMAGED, error.message());
        }
    }
}

/// Reports the defects of the model alone, without its textures.
pub(crate) fn check_parts(model: &Model, report: &mut Report) {
    check_layout(model, report);
    check_faces(model, report);
    if let Model::Glide(model) = model {
        check_glide(model, report);
    }
}

fn check_layout(model: &Model, report: &mut Report) {
    let layout: &Layout = model.layout();
    let mut extents: Vec<&Extent> = layout.places.iter().filter(|extent| extent.length > 0).collect();
    extents.sort_by_key(|extent| (extent.start, extent.length));
    let mut before: Option<&Extent> = None;
    for extent in extents {
        let end = extent.start.saturating_add(extent.length);
        if let Some(before) =
            before.filter(|before| before.start.saturating_add(before.length) > extent.start)
        {
            let name =
                |extent: &Extent| if extent.part.is_empty() { "header".into() } else { extent.part.clone() };
            let message = format!("{} and {} share bytes", name(before), name(extent));
            report.warn(&warning::OVERLAP, message).in_field(name(extent));
        }
        if before.is_none_or(|before| before.start.saturating_add(before.length) < end) {
            before = Some(extent);
        }
    }
    // Object data, the unused bytes after the header, and the extra region of an animated model are expected gaps.
    let expected = |start: u64| match model {
        Model::Glide(_) => false,
        Model::Software(model) => {
            model.motion.is_some() || u64::from(model.header.offset_object_data) == start || start == HEADER
        }
    };
    for (number, gap) in layout.gaps.iter().enumerate().filter(|(_, gap)| !expected(gap.start)) {
        let message = format!("{} not belong to any part", counted(gap.bytes.len(), "byte does", "bytes do"));
        report.warn(&warning::UNREAD, message).in_field(format!("layout.gaps[{number}]"));
    }
}

fn check_faces(model: &Model, report: &mut Report) {
    let (part, count) = match model {
        Model::Glide(_) => ("faces", "header.num_faces"),
        Model::Software(_) => ("planes", "header.num_planes"),
    };
    let faces = model.faces();
    let invalid: usize =
        faces.iter().map(|face| face.corners.iter().filter(|corner| corner.vertex.is_none()).count()).sum();
    if invalid > 0 {
        let message = format!(
            "{} out of range ({} vertices)",
            counted(invalid, "corner has a vertex index", "corners have vertex indices"),
            model.vertex_count()
        );
        report.warn(&warning::INVALID_VERTEX, message).in_field(part);
    }
    let unknown = || {
        faces.iter().filter_map(|face| match face.texture {
            FaceTexture::Unknown(word) => Some(word),
            _ => None,
        })
    };
    if let Some(first) = unknown().next() {
        let message = format!(
            "{} an invalid texture word, the first {first:#x}",
            counted(unknown().count(), "face has", "faces have")
        );
        report.warn(&warning::INVALID_TEXTURE, message).in_field(part);
    }
    if matches!(model, Model::Software(_)) {
        check_uvs(model, &faces, report);
    }
    if faces.is_empty() {
        report.warn(&warning::NO_FACES, "the model has no faces").in_field(count);
    }
}

/// Checks that the texture coordinates of planar faces form an affine map. If those of most faces do not, the later corners may not be
/// stored as deltas.
fn check_uvs(model: &Model, faces: &[Face], report: &mut Report) {
    /// Tolerance for rounding, in texels.
    const ROUNDING: f32 = 1.0;
    let positions = model.positions(0);
    let painted = faces.iter().filter(|face| matches!(face.texture, FaceTexture::Image { .. }));
    let deviations: Vec<f32> = painted.filter_map(|face| uv_deviation(face, &positions)).collect();
    let deviating = deviations.iter().filter(|uv_deviation| **uv_deviation > ROUNDING).count();
    if deviating.saturating_mul(2) > deviations.len() {
        let message = format!(
            "texture coordinates are not planar on {deviating} of {}; try --uv first-three",
            counted(
                deviations.len(),
                "face with more than three corners",
                "faces with more than three corners"
            )
        );
        report.warn(&warning::UV_NOT_PLANAR, message).in_field("planes");
    }
}

fn check_glide(model: &Glide, report: &mut Report) {
    let header = &model.header;
    let corners: usize = model.faces.iter().map(|face| face.corners.len()).sum();
    if usize::try_from(header.total_face_vertices).ok() != Some(corners) {
        let message = format!(
            "total_face_vertices is {}, but the faces have {corners} corners",
            header.total_face_vertices
        );
        report.warn(&warning::CORNERS, message).in_field("header.total_face_vertices");
    }
    let dangling = model.normal_indices.iter().flatten();
    let dangling = dangling.filter(|index| matches!(index, NormalRef::Dangling { .. })).count();
    if dangling > 0 {
        let message =
            format!("{} no valid vertex normal", counted(dangling, "corner references", "corners reference"));
        report.warn(&warning::INVALID_NORMAL, message).in_field("normal_indices");
    }
    let infinite = |normal: &&[f32; 3]| normal.iter().any(|number| number.is_infinite());
    let infinite = model.vertex_normals.iter().filter(infinite).count();
    if infinite > 0 {
        let message = format!("{} infinite", counted(infinite, "vertex normal is", "vertex normals are"));
        report.warn(&warning::NOT_FINITE, message).in_field("vertex_normals");
    }
    match model.frames.first() {
        Some(first) => {
            for (what, found, expected) in [
                ("vertices", first.offset_vertices, header.offset_vertex_coords),
                ("normals", first.offset_normals, header.offset_face_normals),
            ] {
                if found != expected {
                    let message = format!(
                        "the {what} of the first frame are at {found:#x}, but the header has {expected:#x}"
                    );
                    report.warn(&warning::FIRST_FRAME, message).in_field("frames[0]");
                }
            }
            if FrameEncoding::new(first.kind).is_none() && first.kind != SINGLE {
                let message = format!("unknown frame kind {}", first.kind);
                report.warn(&warning::KIND, message).in_field("frames[0].kind");
            }
            let unread = model.frames.len().saturating_sub(1);
            if model.is_single() && unread > 0 {
                let frames = counted(unread, "further frame is", "further frames are");
                let message = format!("frame kind 8 has a single frame; {frames} ignored");
                report.warn(&warning::EXTRA_FRAMES, message).in_field("frames");
            }
        }
        None => {
            report.warn(&warning::NO_FRAMES, "the model has no frames").in_field("header.num_frames");
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
        let message = format!(
            "{} invalid",
            counted(wrong, "face reference of a node is", "face references of nodes are")
        );
        report.warn(&warning::NODE_FACE, message).in_field("nodes");
    }
}
