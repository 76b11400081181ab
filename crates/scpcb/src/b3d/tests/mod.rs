//! Tests of the format on models of a few bytes.

mod animation;
mod bytes;
mod defects;
mod game_transform;
mod materials;
mod names;
mod property;

use ::scene::Scene;
use asset::{Code, Install, Options};

use super::*;

/// Reads a model, which must not cause any warning.
fn read(bytes: &[u8]) -> B3d {
    let mut report = Report::new();
    let model = B3d::read(bytes, &mut report).unwrap();
    assert!(report.is_empty(), "{report:?}");
    model
}

fn read_with_report(bytes: &[u8]) -> (B3d, Report) {
    let mut report = Report::new();
    let model = B3d::read(bytes, &mut report).unwrap();
    assert_eq!(model.write().unwrap(), bytes);
    (model, report)
}

fn single_warning(report: &Report, code: &Code) -> String {
    let found: Vec<_> = report.iter().map(ToString::to_string).collect();
    assert!(report.count_of(code) == 1, "{} is not reported exactly once: {found:?}", code.id);
    report.iter().find(|warning| warning.code.id == code.id).unwrap().message.clone()
}

fn model(chunks: Vec<Chunk>) -> B3d {
    B3d { chunks, ..B3d::new() }
}

fn without_game<T>(work: impl FnOnce(&Context<'_>, &mut Report) -> T) -> (T, Report) {
    let (install, options) = (Install::empty(), Options::defaults(FORMAT.options));
    let mut report = Report::new();
    let result = work(&Context { install: &install, location: None, options: &options }, &mut report);
    (result, report)
}

/// Converts a model to a scene, which must be writable.
fn scene_of(model: &B3d) -> (Scene, Report) {
    let (scene, report) = without_game(|context, report| to_scene(model, context, "model", 1.0, report));
    ::scene::gltf::write_glb(&scene).unwrap();
    (scene, report)
}

fn checked(model: &B3d) -> Report {
    without_game(|context, report| model.check(context, report)).1
}

fn node(name: &str, chunks: Vec<Chunk>) -> Chunk {
    Chunk::Node(Box::new(Node {
        name: name.into(),
        position: [0.0; 3],
        scale: [1.0; 3],
        rotation: [1.0, 0.0, 0.0, 0.0],
        chunks,
        rest: Bytes::default(),
    }))
}

fn node_at(name: &str, position: [f32; 3], chunks: Vec<Chunk>) -> Chunk {
    let Chunk::Node(mut node) = node(name, chunks) else { panic!("expected a node") };
    node.position = position;
    Chunk::Node(node)
}

/// A triangle in the XY plane with legs of 256 units, with a brush.
fn triangle(brush: i32) -> Chunk {
    mesh(-1, vec![Triangles { brush, triangles: vec![[0, 1, 2]], ..Triangles::default() }])
}

fn mesh(brush: i32, triangles: Vec<Triangles>) -> Chunk {
    let vertex = |x: f32, y: f32| Vertex { position: [x, y, 0.0], ..Vertex::default() };
    let vertices = vec![vertex(0.0, 0.0), vertex(0.0, 256.0), vertex(256.0, 0.0)];
    let vertices = Vertices { vertices, ..Vertices::default() };
    with_vertices(brush, vertices, triangles)
}

fn with_vertices(brush: i32, vertices: Vertices, triangles: Vec<Triangles>) -> Chunk {
    let mut chunks = vec![Chunk::Vertices(Box::new(vertices))];
    chunks.extend(triangles.into_iter().map(Chunk::Triangles));
    Chunk::Mesh(Mesh { brush, chunks, rest: Bytes::default() })
}

fn plain_brush() -> Brush {
    Brush {
        name: "paint".into(),
        color: [1.0; 4],
        shininess: 0.0,
        blend: blend::NONE,
        fx: 0,
        textures: Vec::new(),
    }
}

fn brushes(brushes: Vec<Brush>) -> Chunk {
    let texture_count = brushes.first().map_or(0, |brush| brush.textures.len() as i32);
    Chunk::Brushes(Brushes { texture_count, brushes, rest: Bytes::default() })
}

fn plain_texture(file: &str) -> Texture {
    Texture {
        file: file.into(),
        flags: texture::COLOR,
        blend: blend::MULTIPLY,
        position: [0.0; 2],
        scale: [1.0; 2],
        rotation: 0.0,
    }
}

fn textures(textures: Vec<Texture>) -> Chunk {
    Chunk::Textures(Textures { textures, rest: Bytes::default() })
}

fn bone(weights: &[(u32, f32)]) -> Chunk {
    let weights: Vec<_> =
        weights.iter().map(|(vertex, weight)| Weight { vertex: *vertex, weight: *weight }).collect();
    Chunk::Bone(Bone { weights, rest: Bytes::default() })
}

fn rotations(keys: &[(i32, [f32; 4])]) -> Chunk {
    let key = |(frame, rotation): &(i32, [f32; 4])| Key {
        frame: *frame,
        rotation: Some(*rotation),
        ..Key::default()
    };
    let keys: Vec<_> = keys.iter().map(key).collect();
    Chunk::Keys(Keys { flags: Keys::ROTATIONS, keys, rest: Bytes::default() })
}

fn moves(keys: &[(i32, [f32; 3])]) -> Chunk {
    let key = |(frame, position): &(i32, [f32; 3])| Key {
        frame: *frame,
        position: Some(*position),
        ..Key::default()
    };
    let keys: Vec<_> = keys.iter().map(key).collect();
    Chunk::Keys(Keys { flags: Keys::POSITIONS, keys, rest: Bytes::default() })
}

fn animation(frames: i32, fps: f32) -> Chunk {
    Chunk::Animation(Animation { frames, fps, ..Animation::default() })
}

fn sequence(name: &str, first: i32, last: i32) -> Chunk {
    Chunk::Sequence(Sequence { name: name.into(), first, last, ..Sequence::default() })
}
