//! The description of a model: a summary line, counts, and all fields.

use record::json::Document;
use std::collections::BTreeSet;

use asset::{Counts, Description, Detail, Items, counted};

use super::{FaceTexture, Model, Node};

pub(crate) fn describe(model: &Model, detail: Detail) -> Description {
    let (vertices, faces, frames) = (model.vertex_count(), model.face_count(), model.frame_count());
    let shown = model.faces();
    let textures: BTreeSet<FaceTexture> = shown.iter().map(|face| face.texture).collect();
    let textures = textures.iter().filter(|texture| matches!(texture, FaceTexture::Image { .. })).count();
    let triangles: usize = shown.iter().map(|face| face.corners.len().saturating_sub(2)).sum();
    let mut summary =
        format!("model, {}, {}", counted(faces, "face", "faces"), counted(textures, "texture", "textures"));
    if frames > 1 {
        summary.push_str(&format!(", {}", counted(frames, "frame", "frames")));
    }
    Description {
        summary,
        dialect: model.version().text().to_owned(),
        counts: Counts::new()
            .with("vertices", vertices)
            .with("faces", faces)
            .with("triangles", triangles)
            .with("frames", frames)
            .with("textures", textures),
        fields: match detail {
            Detail::Brief => brief(model),
            Detail::Full => Document::of(model).unwrap_or_default(),
        },
    }
}

/// Frames have no names but their numbers, from 1 on after the first; their vertices change with every edit.
pub(crate) fn items(model: &Model) -> Items {
    let textures: BTreeSet<FaceTexture> = model.faces().iter().map(|face| face.texture).collect();
    let textures = textures.into_iter().filter_map(|texture| match texture {
        FaceTexture::Image { bank, image } => Some(format!("{bank}/{image}")),
        _ => None,
    });
    Items::new()
        .with_named("frames", (0..model.frame_count()).map(|frame| format!("frame {frame}")))
        .with_named("textures", textures)
        .with_numbered("collision spheres", "sphere", spheres(model))
}

/// The spheres for collision detection.
pub(crate) fn spheres(model: &Model) -> &[Node] {
    match model {
        Model::Glide(model) => &model.nodes,
        Model::Software(_) => &[],
    }
}

fn brief(model: &Model) -> Document {
    match model {
        Model::Glide(model) => Document::object(|out| {
            out.put("header", &model.header)
                .list("frame_kinds", model.frames.iter().map(|frame| frame.kind))
                .put("corners", &model.faces.iter().map(|face| face.corners.len()).sum::<usize>())
                .put("nodes", &model.nodes.len())
                .put("vertex_normals", &model.vertex_normals.len());
        }),
        Model::Software(model) => Document::object(|out| {
            out.put("header", &model.header)
                .put("block", &model.motion.as_ref().map(|motion| motion.block))
                .put("corners", &model.planes.iter().map(|plane| plane.corners.len()).sum::<usize>());
        }),
    }
}
