//! Describes a model: summary, counts and all fields.

use std::collections::BTreeSet;

use asset::{Counts, Description, Detail, Items};
use json::{Document, json};

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
        // A model is edited as lines or tokens.
        derived: &["*"],
    }
}

/// Returns the number of frames, including nested ones.
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

/// Lists materials by their textures, as most have no names, and animations by their frames.
pub(super) fn items(file: &XFile) -> Items {
    let mut frames = Vec::new();
    let mut stack: Vec<&Frame> = file.frames.iter().collect();
    while let Some(frame) = stack.pop() {
        frames.push(frame.name.clone().unwrap_or_default());
        stack.extend(&frame.frames);
    }
    let textures = file.materials.iter().filter_map(|material| material.texture_name());
    let textures: BTreeSet<&str> = textures.collect();
    let weights = file.meshes.iter().flat_map(|mesh| &mesh.skin_weights);
    let bones: BTreeSet<&str> = weights.map(|weights| weights.bone.as_str()).collect();
    let animated = file.animation_sets.iter().flat_map(|set| &set.animations);
    let animated: BTreeSet<&str> = animated.filter_map(|animation| animation.frame.as_deref()).collect();
    let sets = file.animation_sets.iter().map(|set| set.name.clone().unwrap_or_default());
    Items::new()
        .with_named("frames", frames)
        .with_named("textures", textures)
        .with_named("bones", bones)
        .with_named("animation sets", sets)
        .with_named("animated frames", animated)
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
