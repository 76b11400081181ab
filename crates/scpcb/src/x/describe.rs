//! Describes a model: summary, counts and all fields.

use asset::{Counts, Description, Detail};
use record::json::Document;
use serde_json::json;

use super::XFile;
use super::layout::Frame;
use asset::counted;

pub(super) fn describe(file: &XFile, detail: Detail) -> Description {
    let frames = frame_count(&file.frames);
    let mut parts = vec!["model".to_owned()];
    if frames > 0 {
        parts.push(counted(frames, "frame", "frames"));
    }
    parts.push(counted(file.meshes.len(), "mesh", "meshes"));
    parts.push(counted(file.triangle_count(), "triangle", "triangles"));
    if !file.animation_sets.is_empty() {
        parts.push(counted(file.animation_sets.len(), "animation set", "animation sets"));
    }
    let fields = match detail {
        Detail::Brief => brief(file),
        Detail::Full => Document::of(file).unwrap_or_default(),
    };
    Description {
        summary: parts.join(", "),
        dialect: file.header.to_string(),
        counts: counts(file, frames),
        fields,
    }
}

/// How many frames there are, those in others too.
fn frame_count(frames: &[Frame]) -> usize {
    frames.iter().fold(frames.len(), |sum, frame| sum.saturating_add(frame_count(&frame.frames)))
}

fn counts(file: &XFile, frames: usize) -> Counts {
    let vertices = file.meshes.iter().map(|mesh| mesh.vertices.len()).fold(0, usize::saturating_add);
    let faces = file.meshes.iter().map(|mesh| mesh.faces.len()).fold(0, usize::saturating_add);
    Counts::new()
        .with("frames", frames)
        .with("meshes", file.meshes.len())
        .with("vertices", vertices)
        .with("faces", faces)
        .with("triangles", file.triangle_count())
        .with("materials", file.materials.len())
        .with("animation sets", file.animation_sets.len())
}

fn brief(file: &XFile) -> Document {
    let meshes = file.meshes.iter().map(|mesh| {
        json!({
            "name": mesh.name,
            "vertices": mesh.vertices.len(),
            "faces": mesh.faces.len(),
            "triangles": mesh.faces.triangle_count(),
            "skin_weights": mesh.skin_weights.len(),
        })
    });
    let materials =
        file.materials.iter().map(|material| json!({ "name": material.name, "texture": material.texture }));
    let sets =
        file.animation_sets.iter().map(|set| json!({ "name": set.name, "animations": set.animations.len() }));
    Document::object(|out| {
        out.put("encoding", &file.header.encoding)
            .put("ticks_per_second", &file.ticks_per_second)
            .list("meshes", meshes)
            .list("materials", materials)
            .list("animation_sets", sets)
            .put("skipped", &file.skipped);
    })
}
