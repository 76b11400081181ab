//! Describes a model: summary, counts and all fields.

use asset::{Counts, Description, Detail, Items};
use json::{Document, Value, json};
use serde::Serialize;

use super::B3d;
use super::chunk::Chunk;
use asset::counted;

/// Number of items of each type.
#[derive(Debug, Default)]
struct Contents {
    nodes: usize,
    meshes: usize,
    vertices: usize,
    triangles: usize,
    textures: usize,
    brushes: usize,
    bones: usize,
    keys: usize,
    sequences: Vec<Value>,
    files: Vec<Value>,
    frames: Option<i32>,
    fps: f32,
    unknown: usize,
}

impl Contents {
    fn of(model: &B3d) -> Self {
        let mut found = Self::default();
        let more = |number: &mut usize, by: usize| *number = number.saturating_add(by);
        model.visit(&mut |chunk, _| match chunk {
            Chunk::Textures(chunk) => {
                more(&mut found.textures, chunk.textures.len());
                found.files.extend(chunk.textures.iter().map(|texture| texture.file.to_string().into()));
            }
            Chunk::Brushes(chunk) => more(&mut found.brushes, chunk.brushes.len()),
            Chunk::Node(_) => more(&mut found.nodes, 1),
            Chunk::Mesh(_) => more(&mut found.meshes, 1),
            Chunk::Vertices(chunk) => more(&mut found.vertices, chunk.vertices.len()),
            Chunk::Triangles(chunk) => more(&mut found.triangles, chunk.triangles.len()),
            Chunk::Bone(_) => more(&mut found.bones, 1),
            Chunk::Keys(chunk) => more(&mut found.keys, chunk.keys.len()),
            Chunk::Animation(animation) => {
                (found.frames, found.fps) = (Some(found.frames.unwrap_or(animation.frames)), animation.fps);
            }
            Chunk::Sequence(sequence) => {
                found.sequences.push(json!([sequence.name, sequence.first, sequence.last]));
            }
            Chunk::Unknown(..) => more(&mut found.unknown, 1),
            Chunk::Pivot(_) => {}
        });
        found
    }
}

pub(super) fn describe(model: &B3d, detail: Detail) -> Description {
    let found = Contents::of(model);
    let mut parts = vec![
        "model".to_owned(),
        counted(found.nodes, "node", "nodes"),
        counted(found.meshes, "mesh", "meshes"),
        counted(found.triangles, "triangle", "triangles"),
    ];
    if found.bones > 0 {
        parts.push(counted(found.bones, "bone", "bones"));
    }
    let frames = found.frames.and_then(|frames| usize::try_from(frames).ok()).filter(|frames| *frames > 0);
    if let Some(frames) = frames.filter(|_| found.keys > 0) {
        parts.push(counted(frames, "frame", "frames"));
    }
    let counts = Counts::new()
        .with("nodes", found.nodes)
        .with("meshes", found.meshes)
        .with("vertices", found.vertices)
        .with("triangles", found.triangles)
        .with("brushes", found.brushes)
        .with("textures", found.textures)
        .with("bones", found.bones)
        .with("keys", found.keys)
        .with("sequences", found.sequences.len())
        .with("unknown chunks", found.unknown);
    let fields = match detail {
        Detail::Brief => brief(model, &found),
        Detail::Full => Document::of(model).unwrap_or_default(),
    };
    Description {
        summary: parts.join(", "),
        dialect: format!("version {}", model.version),
        counts,
        fields,
        ..Description::default()
    }
}

/// Lists meshes, bones and keys by the names of their nodes.
pub(super) fn items(model: &B3d) -> Items {
    let mut names: [Vec<String>; 4] = Default::default();
    let [nodes, meshes, bones, animated] = &mut names;
    let (mut brushes, mut textures, mut sequences) = (Vec::new(), Vec::new(), Vec::new());
    let mut unknown = Vec::new();
    model.visit(&mut |chunk, _| match chunk {
        Chunk::Node(node) => {
            let name = node.name.to_string();
            let has = |is: fn(&Chunk) -> bool| node.chunks.iter().any(is);
            meshes.extend(has(|chunk| matches!(chunk, Chunk::Mesh(_))).then(|| name.clone()));
            bones.extend(has(|chunk| matches!(chunk, Chunk::Bone(_))).then(|| name.clone()));
            animated.extend(has(|chunk| matches!(chunk, Chunk::Keys(_))).then(|| name.clone()));
            nodes.push(name);
        }
        Chunk::Textures(chunk) => {
            textures.extend(chunk.textures.iter().map(|texture| texture.file.to_string()));
        }
        Chunk::Brushes(chunk) => brushes.extend(chunk.brushes.iter().map(|brush| brush.name.to_string())),
        Chunk::Sequence(sequence) => sequences.push(sequence.name.to_string()),
        Chunk::Unknown(..) => unknown.push(chunk),
        _ => {}
    });
    let [nodes, meshes, bones, animated] = names;
    Items::new()
        .with_named("nodes", nodes)
        .with_named("meshes", meshes)
        .with_named("bones", bones)
        .with_named("animated nodes", animated)
        .with_named("brushes", brushes)
        .with_named("textures", textures)
        .with_named("sequences", sequences)
        .with_numbered("unknown chunks", "unknown chunk", unknown)
}

fn brief(model: &B3d, found: &Contents) -> Document {
    Document::from(json!({
        "version": model.version,
        "textures": &found.files,
        "frames": found.frames,
        "frames_per_second": found.fps,
        "sequences": &found.sequences,
    }))
}

/// Returns every field. Numbers that JSON cannot represent are written as bits.
pub(super) fn full<T: Serialize>(value: &T) -> Value {
    json::to_vec(value).ok().and_then(|json| json::from_slice(&json).ok()).unwrap_or_default()
}
