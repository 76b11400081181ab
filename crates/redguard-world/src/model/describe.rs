//! The description of a model: a summary line, counts, and all fields.

use json::Document;
use std::collections::BTreeMap;

use asset::{Counts, Description, Detail, Items, NameVisitor, counted};

use super::{Model, Node};
use redguard_files::picture::texbsi::ImageKey;

pub(crate) fn describe(model: &Model, detail: Detail) -> Description {
    let (vertices, faces, frames) = (model.vertex_count(), model.face_count(), model.frame_count());
    let shown = model.faces();
    let textures = images(model).len();
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
        ..Description::default()
    }
}

/// Images on the model's faces, each with the first face that uses it.
fn images(model: &Model) -> BTreeMap<ImageKey, usize> {
    let mut out = BTreeMap::new();
    for (number, face) in model.faces().iter().enumerate() {
        if let Some(image) = face.texture.image() {
            out.entry(image).or_insert(number);
        }
    }
    out
}

/// Images on the model's faces, as `302/5` for image 5 of bank 302.
pub(crate) fn textures(model: &Model) -> impl Iterator<Item = String> + use<> {
    images(model).into_keys().map(|image| image.to_string())
}

/// Visits the images on the model's faces. `path` is the path to the model; it ends with a dot unless the model is the file.
pub(crate) fn visit_textures(model: &Model, path: &str, take: NameVisitor<'_>) {
    let faces = match model {
        Model::Glide(_) => "faces",
        Model::Software(_) => "planes",
    };
    for (image, face) in images(model) {
        image.visit_names(format_args!("{path}{faces}[{face}].texture"), take);
    }
}

/// Frames are named by index (frame 0 is the base), because their vertices change with every edit.
pub(crate) fn items(model: &Model) -> Items {
    Items::new()
        .with_named("frames", (0..model.frame_count()).map(|frame| format!("frame {frame}")))
        .with_named("textures", textures(model))
        .with_numbered("collision spheres", "sphere", spheres(model))
}

/// Bounding spheres for collision detection.
pub(crate) fn spheres(model: &Model) -> &[Node] {
    match model {
        Model::Glide(model) => &model.nodes,
        Model::Software(_) => &[],
    }
}

fn brief(model: &Model) -> Document {
    let textures = textures(model);
    match model {
        Model::Glide(model) => Document::object(|out| {
            out.put("header", &model.header)
                .list("textures", textures)
                .list("frame_kinds", model.frames.iter().map(|frame| frame.kind))
                .put("corners", &model.faces.iter().map(|face| face.corners.len()).sum::<usize>())
                .put("nodes", &model.nodes.len())
                .put("vertex_normals", &model.vertex_normals.len());
        }),
        Model::Software(model) => Document::object(|out| {
            out.put("header", &model.header)
                .list("textures", textures)
                .put("block", &model.motion.as_ref().map(|motion| motion.block))
                .put("corners", &model.planes.iter().map(|plane| plane.corners.len()).sum::<usize>());
        }),
    }
}
