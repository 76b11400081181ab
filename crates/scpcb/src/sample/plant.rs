//! A swaying potted plant as a Blitz3D `.b3d` file: one mesh with three brushes, four bones and two named sequences.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec2, Vec3};
use record::{Bytes, Result};
use scene::image::Rgba8;

use super::canvas::{clouds, paint};
use super::geometry::Geometry;
use super::light::as_float;
use crate::b3d::{
    Animation, B3d, Bone, Brush, Brushes, Chunk, Key, Keys, Mesh, Node, Sequence, Texture, Textures,
    Triangles, Vertex, VertexForm, Vertices, Weight, blend, fx, texture,
};

/// File names, in the folder of props.
pub(super) const MODEL: &str = "plant.b3d";
pub(super) const LEAF: &str = "plant_leaf.png";
pub(super) const CLAY: &str = "clay.png";

/// The height of the lowest bone, and the distance between bones, in game units.
const SOIL: f32 = 58.0;
const STEP: f32 = 40.0;
const BONES: u32 = 4;
const TOP: f32 = SOIL + STEP * 4.0;

const LEAVES: u32 = 17;

/// The sequences: name, first frame, last frame. Each sequence is one swing.
const SEQUENCES: [(&str, i32, i32); 2] = [("sway", 0, 80), ("rustle", 80, 120)];
const FPS: f32 = 20.0;
const LAST: i32 = 120;
const KEY_EVERY: i32 = 5;

/// The model file.
pub(super) fn model() -> Result<Vec<u8>> {
    let mut mesh = MeshBuilder::default();
    let clay = Geometry::lathe(&[[44.0, 64.0], [46.0, 54.0], [40.0, 50.0], [30.0, 0.0], [0.0, 0.0]], 20);
    let inside = Geometry::lathe(&[[0.0, SOIL], [41.0, SOIL], [41.0, 64.0], [44.0, 64.0]], 20);
    let pot = [mesh.add(&clay), mesh.add(&inside)].concat();
    let stem = mesh.add(&Geometry::lathe(&[[0.5, TOP], [2.0, TOP - 30.0], [5.0, SOIL]], 8));
    let leaves: Vec<[u32; 3]> = (0..LEAVES).flat_map(|leaf| mesh.add(&self::leaf(leaf))).collect();
    let chunks = vec![
        Chunk::Mesh(Mesh {
            brush: -1,
            chunks: vec![
                Chunk::Vertices(Box::new(Vertices {
                    flags: VertexForm::NORMALS,
                    coordinate_sets: 1,
                    coordinate_size: 2,
                    vertices: mesh.vertices(),
                    rest: Bytes::default(),
                })),
                triangles(0, pot),
                triangles(1, stem),
                triangles(2, leaves),
            ],
            rest: Bytes::default(),
        }),
        Chunk::Animation(Animation { flags: 0, frames: LAST, fps: FPS, rest: Bytes::default() }),
    ];
    let sequences = SEQUENCES.map(|(name, first, last)| {
        Chunk::Sequence(Sequence { name: name.into(), first, last, unknown: 0, rest: Bytes::default() })
    });
    let chunks = chunks.into_iter().chain(sequences).chain([bone(0, &mesh)]).collect();
    let root = node("plant", Vec3::ZERO, chunks);
    let file = B3d { chunks: vec![textures(), brushes(), root], ..B3d::new() };
    file.write()
}

/// A leaf on black, which the model's texture flags make transparent.
pub(super) fn leaf_picture() -> Rgba8 {
    paint(64, 128, |x, y| {
        let (across, along) = ((as_float(x) - 31.5) / 32.0, as_float(y) / 127.0);
        let width = 0.95 * (PI * along.powf(0.75)).sin().max(0.0);
        if across.abs() > width {
            return [0.0, 0.0, 0.0, 1.0];
        }
        let vein = across.abs() < 0.05 || ((along * 9.0 + across.abs() * 2.5).fract() < 0.07);
        let level = 0.55 + 0.35 * clouds(x, y, 128, 21) - if vein { 0.18 } else { 0.0 };
        [level * 0.45, level * 0.85, level * 0.32, 1.0]
    })
}

pub(super) fn clay_picture() -> Rgba8 {
    paint(128, 64, |x, y| {
        let level = 0.55 + 0.35 * clouds(x, y, 128, 31) - if (8..11).contains(&y) { 0.2 } else { 0.0 };
        [level, level * 0.55, level * 0.4, 1.0]
    })
}

/// Accumulates shapes into the vertices of one mesh.
#[derive(Default)]
struct MeshBuilder(Geometry);

impl MeshBuilder {
    /// Adds a shape and returns its triangles.
    fn add(&mut self, shape: &Geometry) -> Vec<[u32; 3]> {
        let first = u32::try_from(self.0.positions.len()).unwrap_or(u32::MAX);
        self.0.positions.extend(&shape.positions);
        self.0.normals.extend(&shape.normals);
        self.0.uvs.extend(&shape.uvs);
        shape.triangles().map(|triangle| triangle.map(|corner| first + corner)).collect()
    }

    fn vertices(&self) -> Vec<Vertex> {
        let Geometry { positions, normals, uvs, .. } = &self.0;
        let both = positions.iter().zip(normals).zip(uvs);
        both.map(|((position, normal), uv)| Vertex {
            position: position.to_array(),
            normal: Some(normal.to_array()),
            color: None,
            coordinates: uv.to_array().into(),
        })
        .collect()
    }

    /// The weights of a bone: 1 at its own height, 0 at its neighbors'. The pot has no bone.
    fn weights(&self, bone: u32) -> Vec<Weight> {
        let height = SOIL + STEP * as_float(bone);
        let is_last = bone + 1 == BONES;
        let weight_at = |y: f32| {
            let away = (y - height) / STEP;
            if is_last && away > 0.0 { 1.0 } else { (1.0 - away.abs()).max(0.0) }
        };
        let weights = (0_u32..)
            .zip(&self.0.positions)
            .filter(|(_, position)| position.y > SOIL || Vec2::new(position.x, position.z).length() < 10.0);
        weights
            .map(|(vertex, position)| Weight { vertex, weight: weight_at(position.y) })
            .filter(|weight| weight.weight > 0.0)
            .collect()
    }
}

/// A double-sided leaf that grows out of the stem and bends down.
fn leaf(index: u32) -> Geometry {
    const BENDS: u32 = 4;
    let fraction = as_float(index) / as_float(LEAVES);
    let (sin, cos) = (as_float(index) * 2.4).sin_cos();
    let (out, side) = (Vec3::new(cos, 0.0, sin), Vec3::new(-sin, 0.0, cos));
    let (length, wide) = (62.0 - 26.0 * fraction, 15.0 - 5.0 * fraction);
    let foot = Vec3::new(0.0, SOIL + 14.0 + (TOP - SOIL - 16.0) * fraction, 0.0);
    let mut shape = Geometry::default();
    for bend in 0..=BENDS {
        let along = as_float(bend) / as_float(BENDS);
        let rise = 0.55 * along - 0.75 * along * along;
        let middle = foot + out * (length * along) + Vec3::Y * (length * rise);
        let slope = (out + Vec3::Y * (0.55 - 1.5 * along)).normalize_or_zero();
        for (edge, u) in [(-1.0, 0.0), (1.0, 1.0)] {
            shape.positions.push(middle + side * (wide * edge));
            shape.normals.push(slope.cross(side).normalize_or_zero() * -1.0);
            shape.uvs.push(Vec2::new(u, 1.0 - along));
        }
    }
    for bend in 0..BENDS {
        let corner = |offset: u32| bend * 2 + offset;
        shape.faces.push(vec![corner(2), corner(3), corner(1), corner(0)]);
    }
    shape
}

fn triangles(brush: i32, triangles: Vec<[u32; 3]>) -> Chunk {
    Chunk::Triangles(Triangles { brush, triangles, rest: Bytes::default() })
}

fn node(name: &str, position: Vec3, chunks: Vec<Chunk>) -> Chunk {
    Chunk::Node(Box::new(Node {
        name: name.into(),
        position: position.to_array(),
        scale: [1.0; 3],
        rotation: [1.0, 0.0, 0.0, 0.0],
        chunks,
        rest: Bytes::default(),
    }))
}

/// A bone and the bones above it.
fn bone(index: u32, mesh: &MeshBuilder) -> Chunk {
    let mut chunks = vec![
        Chunk::Bone(Bone { weights: mesh.weights(index), rest: Bytes::default() }),
        Chunk::Keys(Keys { flags: Keys::ROTATIONS, keys: keys(index), rest: Bytes::default() }),
    ];
    let above = index + 1;
    if above < BONES {
        chunks.push(bone(above, mesh));
    }
    let height = if index == 0 { SOIL } else { STEP };
    node(&format!("bone {index}"), Vec3::new(0.0, height, 0.0), chunks)
}

/// Rotation keys; the swing is later and wider for higher bones.
fn keys(bone: u32) -> Vec<Key> {
    let step = usize::try_from(KEY_EVERY).unwrap_or(1);
    let key = |frame: i32| {
        let (_, first, last) = SEQUENCES
            .into_iter()
            .find(|(_, first, last)| (*first..*last).contains(&frame))
            .unwrap_or(SEQUENCES[0]);
        let fraction = number(frame - first) / number(last - first);
        let (sin, cos) = (TAU * fraction - 0.6 * as_float(bone)).sin_cos();
        let reach = 0.05 + 0.02 * as_float(bone);
        let rotation = Quat::from_rotation_x(reach * sin) * Quat::from_rotation_z(0.6 * reach * cos);
        let [x, y, z, w] = rotation.to_array();
        Key { frame, position: None, scale: None, rotation: Some([w, x, y, z]) }
    };
    (0..=LAST).step_by(step).map(key).collect()
}

#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "frame numbers are small")]
fn number(frame: i32) -> f32 {
    frame as f32
}

fn textures() -> Chunk {
    let picture = |file: &str, flags: u32| Texture {
        file: file.into(),
        flags,
        blend: blend::MULTIPLY,
        position: [0.0; 2],
        scale: [1.0; 2],
        rotation: 0.0,
    };
    let masked = texture::COLOR | texture::MASKED | texture::MIPMAP | texture::CLAMP_U | texture::CLAMP_V;
    let textures = vec![picture(CLAY, texture::COLOR | texture::MIPMAP), picture(LEAF, masked)];
    Chunk::Textures(Textures { textures, rest: Bytes::default() })
}

fn brushes() -> Chunk {
    let brush = |name: &str, [red, green, blue]: [f32; 3], fx: u32, texture: i32| Brush {
        name: name.into(),
        color: [red, green, blue, 1.0],
        shininess: 0.0,
        blend: 0,
        fx,
        textures: vec![texture],
    };
    let brushes = vec![
        brush("clay", [1.0; 3], 0, 0),
        brush("stem", [0.28, 0.36, 0.16], 0, -1),
        brush("leaf", [1.0; 3], fx::DOUBLE_SIDED, 1),
    ];
    Chunk::Brushes(Brushes { texture_count: 1, brushes, rest: Bytes::default() })
}
