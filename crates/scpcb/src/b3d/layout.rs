//! The contents of a `.b3d` file, chunk by chunk.
//!
//! A chunk is a tag of four letters, the number of bytes that follow, and those bytes. Little-endian, packed; strings end with a
//! zero byte. Repeated items continue to the end of their chunk, so there are no counts. Left-handed, Y up; a front face is
//! `(b - a) x (c - a)` on the raw numbers. Triangles name the vertices of their mesh, brushes and textures go by their numbers in
//! file order.
//!
//! Sources: Mark Sibly, "Blitz3d file format V0.01"; the engine's own loader (blitz-research/blitz3d, `loader_b3d.cpp`), which knows
//! neither `SEQS` nor `PIVO`; these two as exporters write them, measured on real models.

use record::{Bytes, Record};
use serde::{Deserialize, Serialize};

use super::item::{Item, no_more};
use super::text::{self, CText};

/// Images and how they are laid on.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Textures {
    /// In the order they are numbered in.
    #[record(until = no_more::<Texture>(()))]
    pub textures: Vec<Texture>,
    /// Bytes too few for another texture.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// An image and how it is laid on.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texture {
    /// The image. The engine looks for its bare name next to the model first.
    pub file: CText,
    /// Bits of [`texture`].
    pub flags: u32,
    /// How it is blended with the layers below, see [`blend`].
    pub blend: i32,
    /// Added to the texture coordinates.
    pub position: [f32; 2],
    /// Scale of the texture coordinates.
    pub scale: [f32; 2],
    /// Radians.
    pub rotation: f32,
}

/// Bits of [`Texture::flags`].
pub mod texture {
    /// The image's colors count.
    pub const COLOR: u32 = 1;
    /// Its alpha counts.
    pub const ALPHA: u32 = 2;
    /// Black is clear.
    pub const MASKED: u32 = 4;
    /// Smaller copies are used from afar.
    pub const MIPMAP: u32 = 8;
    /// Clamped in u.
    pub const CLAMP_U: u32 = 16;
    /// Clamped in v.
    pub const CLAMP_V: u32 = 32;
    /// It mirrors a surrounding, as seen in a ball.
    pub const SPHERE_MAP: u32 = 64;
    /// It mirrors a surrounding, as six pictures.
    pub const CUBE_MAP: u32 = 128;
    /// Uses the second set of texture coordinates.
    pub const SECOND_SET: u32 = 0x1_0000;
}

/// Ways of mixing, of [`Texture::blend`] and [`Brush::blend`].
pub mod blend {
    /// A texture is not shown; a brush is opaque unless something of it is transparent.
    pub const NONE: i32 = 0;
    /// By alpha.
    pub const ALPHA: i32 = 1;
    /// Multiplied.
    pub const MULTIPLY: i32 = 2;
    /// Added.
    pub const ADD: i32 = 3;
    /// As a map of normals.
    pub const DOT3: i32 = 4;
    /// Multiplied and doubled.
    pub const MULTIPLY_2: i32 = 5;
}

/// Brushes.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brushes {
    /// How many textures each brush names. The engine supports 8.
    pub texture_count: i32,
    /// In the order they are numbered in.
    #[record(with = texture_count, until = no_more::<Brush>(texture_count))]
    pub brushes: Vec<Brush>,
    /// Bytes too few for another brush.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// A material.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(context = i32)]
#[serde(deny_unknown_fields)]
pub struct Brush {
    /// Its name.
    pub name: CText,
    /// Red, green, blue and alpha, 0 to 1, as a display shows them.
    pub color: [f32; 4],
    /// 0 for none, to 1.
    pub shininess: f32,
    /// How it is blended with what is behind it, see [`blend`].
    pub blend: i32,
    /// Bits of [`fx`].
    pub fx: u32,
    /// Numbers of textures, -1 for none, the lowest layer first.
    #[record(count = context)]
    pub textures: Vec<i32>,
}

/// Bits of [`Brush::fx`].
pub mod fx {
    /// Light does not count.
    pub const FULL_BRIGHT: u32 = 1;
    /// The vertices' colors are used instead of the brush's.
    pub const VERTEX_COLORS: u32 = 2;
    /// Each triangle has one shade.
    pub const FLAT: u32 = 4;
    /// Fog does not count.
    pub const NO_FOG: u32 = 8;
    /// Both faces are seen.
    pub const DOUBLE_SIDED: u32 = 16;
    /// The vertices' alpha counts.
    pub const VERTEX_ALPHA: u32 = 32;
}

/// Vertices of a mesh, numbered on from those before.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vertices {
    /// 1: with normals; 2: with colors.
    pub flags: u32,
    /// The number of texture coordinate sets of a vertex; the engine uses two.
    pub coordinate_sets: i32,
    /// The number of components of a set; the engine uses two.
    pub coordinate_size: i32,
    /// The vertices.
    #[record(
        with = VertexForm::new(flags, coordinate_sets, coordinate_size),
        until = no_more::<Vertex>(VertexForm::new(flags, coordinate_sets, coordinate_size))
    )]
    pub vertices: Vec<Vertex>,
    /// Bytes too few for another vertex.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// A corner of triangles.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[record(context = VertexForm)]
#[serde(deny_unknown_fields)]
pub struct Vertex {
    /// In the space of the node.
    pub position: [f32; 3],
    /// The normal.
    #[record(when = context.normals)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<[f32; 3]>,
    /// Red, green, blue and alpha, 0 to 1, as a display shows them.
    #[record(when = context.colors)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<[f32; 4]>,
    /// All sets one after another; v downwards.
    #[record(count = context.coordinates.unwrap_or_default())]
    pub coordinates: Vec<f32>,
}

/// The layout of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VertexForm {
    normals: bool,
    colors: bool,
    /// The number of components of all sets together; `None` if it is invalid.
    coordinates: Option<u64>,
}

impl VertexForm {
    /// The [`Vertices::flags`] bit for normals.
    pub const NORMALS: u32 = 1;
    /// The [`Vertices::flags`] bit for colors.
    pub const COLORS: u32 = 2;

    /// As declared by the fields before the vertices.
    #[must_use]
    pub fn new(flags: u32, sets: i32, size: i32) -> Self {
        // Less than no set is no set to the engine.
        let sets = u64::try_from(sets).unwrap_or_default();
        let coordinates = if sets == 0 {
            Some(0)
        } else {
            u64::try_from(size).ok().and_then(|size| sets.checked_mul(size))
        };
        Self { normals: flags & Self::NORMALS != 0, colors: flags & Self::COLORS != 0, coordinates }
    }

    fn bytes(self) -> Option<usize> {
        let optional: u64 = match (self.normals, self.colors) {
            (false, false) => 0,
            (true, false) => 12,
            (false, true) => 16,
            (true, true) => 28,
        };
        let numbers = self.coordinates?.checked_mul(4)?;
        usize::try_from(numbers.checked_add(12)?.checked_add(optional)?).ok()
    }
}

/// Triangles of a mesh that share a brush.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Triangles {
    /// -1 for none.
    pub brush: i32,
    /// Zero-based, in all vertices of the mesh.
    #[record(leave = 0)]
    pub triangles: Vec<[u32; 3]>,
    /// Bytes too few for another triangle.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// A bone of the mesh above the node.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bone {
    /// The vertices it influences.
    #[record(leave = 0)]
    pub weights: Vec<Weight>,
    /// Bytes too few for another weight.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// The weight of a bone at a vertex.
#[derive(Record, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// Of all vertices of the mesh.
    pub vertex: u32,
    /// In relation to the other bones of the vertex.
    pub weight: f32,
}

/// How the node moves. Several of these add up.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keys {
    /// 1: positions; 2: scales; 4: rotations.
    pub flags: u32,
    /// In any order; of two with the same frame the later one counts.
    #[record(with = flags, until = no_more::<Key>(flags))]
    pub keys: Vec<Key>,
    /// Bytes too few for another key; all of them when keys would hold nothing.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// The transform of the node at a frame.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[record(context = u32)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// The first frame is 0.
    pub frame: i32,
    /// In the space of the node above.
    #[record(when = context & Keys::POSITIONS != 0)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<[f32; 3]>,
    /// Along the node's own axes.
    #[record(when = context & Keys::SCALES != 0)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f32; 3]>,
    /// A quaternion: w, x, y, z.
    #[record(when = context & Keys::ROTATIONS != 0)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f32; 4]>,
}

impl Keys {
    /// The [`flags`](Self::flags) bit for positions.
    pub const POSITIONS: u32 = 1;
    /// The [`flags`](Self::flags) bit for scales.
    pub const SCALES: u32 = 2;
    /// The [`flags`](Self::flags) bit for rotations.
    pub const ROTATIONS: u32 = 4;
}

/// How long and how fast the animation is.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Animation {
    /// Unused.
    pub flags: i32,
    /// How many frames there are.
    pub frames: i32,
    /// Frames a second; 0 leaves it to the game.
    pub fps: f32,
    /// Bytes of unknown meaning.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// A part of the animation with a name.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    /// Its name.
    pub name: CText,
    /// Its first frame.
    pub first: i32,
    /// Its last frame.
    pub last: i32,
    /// 0 wherever it was seen.
    pub unknown: i32,
    /// Bytes of unknown meaning.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

pub(super) fn is_nothing(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

impl Item for Texture {
    fn length(bytes: &[u8], _context: ()) -> Option<usize> {
        text::length(bytes)?.checked_add(29).filter(|length| *length <= bytes.len())
    }
}

impl Item for Brush {
    fn length(bytes: &[u8], texture_count: i32) -> Option<usize> {
        let textures = usize::try_from(texture_count).ok()?.checked_mul(4)?;
        text::length(bytes)?.checked_add(29)?.checked_add(textures).filter(|length| *length <= bytes.len())
    }
}

impl Item for Vertex {
    fn length(bytes: &[u8], form: VertexForm) -> Option<usize> {
        form.bytes().filter(|length| *length <= bytes.len())
    }
}

impl Item for Key {
    fn length(bytes: &[u8], flags: u32) -> Option<usize> {
        let kinds = [(Keys::POSITIONS, 12_usize), (Keys::SCALES, 12), (Keys::ROTATIONS, 16)];
        let numbers: usize = kinds.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, bytes)| bytes).sum();
        // A key without any value is not a key.
        numbers.checked_add(4).filter(|length| numbers > 0 && *length <= bytes.len())
    }
}
