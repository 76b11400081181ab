//! The chunks of a `.b3d` file.
//!
//! A chunk consists of a tag of four letters, the number of bytes that follow, and those bytes. Numbers are little-endian and
//! packed; strings end with a zero byte. Repeated items continue to the end of their chunk, so there are no counts. Coordinates are
//! left-handed, Y up; the front face is on the side of `(b - a) x (c - a)` on the raw numbers. Triangles refer to vertices of their
//! mesh by index; brushes and textures are numbered in file order.
//!
//! Sources: Mark Sibly, "Blitz3d file format V0.01"; the engine's own loader (blitz-research/blitz3d, `loader_b3d.cpp`), which
//! supports neither `SEQS` nor `PIVO`; both chunks as exporters write them, measured on real models.

use record::{Bytes, Record};
use serde::{Deserialize, Serialize};

use super::item::{Item, no_more};
use super::text::{self, CText};

/// Textures: images with their mapping.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Textures {
    /// Textures in index order.
    #[record(until = no_more::<Texture>(()))]
    pub textures: Vec<Texture>,
    /// Trailing bytes, too few for another texture.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// An image with its mapping.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texture {
    /// File name of the image. The engine looks for the bare file name next to the model first.
    pub file: CText,
    /// Bits of [`texture`].
    pub flags: u32,
    /// Blending with the layers below, see [`blend`].
    pub blend: i32,
    /// Offset added to the texture coordinates.
    pub position: [f32; 2],
    /// Scale of the texture coordinates.
    pub scale: [f32; 2],
    /// Rotation in radians.
    pub rotation: f32,
}

/// Bits of [`Texture::flags`].
pub mod texture {
    /// Uses the image's colors.
    pub const COLOR: u32 = 1;
    /// Uses the image's alpha.
    pub const ALPHA: u32 = 2;
    /// Black is transparent.
    pub const MASKED: u32 = 4;
    /// Uses mipmaps.
    pub const MIPMAP: u32 = 8;
    /// Clamped in u.
    pub const CLAMP_U: u32 = 16;
    /// Clamped in v.
    pub const CLAMP_V: u32 = 32;
    /// Environment map, as a sphere map.
    pub const SPHERE_MAP: u32 = 64;
    /// Environment map, as a cube map of six images.
    pub const CUBE_MAP: u32 = 128;
    /// Uses the second set of texture coordinates.
    pub const SECOND_SET: u32 = 0x1_0000;
}

/// Blend modes of [`Texture::blend`] and [`Brush::blend`].
pub mod blend {
    /// A texture is hidden; a brush is opaque unless it has some transparency.
    pub const NONE: i32 = 0;
    /// Alpha blending.
    pub const ALPHA: i32 = 1;
    /// Multiplicative blending.
    pub const MULTIPLY: i32 = 2;
    /// Additive blending.
    pub const ADD: i32 = 3;
    /// Normal map.
    pub const DOT3: i32 = 4;
    /// Multiplicative blending, doubled.
    pub const MULTIPLY_2: i32 = 5;
}

/// Brushes.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brushes {
    /// Number of texture indices per brush. The engine supports 8.
    pub texture_count: i32,
    /// Brushes in index order.
    #[record(with = texture_count, until = no_more::<Brush>(texture_count))]
    pub brushes: Vec<Brush>,
    /// Trailing bytes, too few for another brush.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// A material.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(context = i32)]
#[serde(deny_unknown_fields)]
pub struct Brush {
    /// Name of the material.
    pub name: CText,
    /// Red, green, blue and alpha in display space (0 to 1).
    pub color: [f32; 4],
    /// Shininess (0 to 1), 0 for none.
    pub shininess: f32,
    /// Blending with the background, see [`blend`].
    pub blend: i32,
    /// Bits of [`fx`].
    pub fx: u32,
    /// Texture indices, the lowest layer first; -1 for none.
    #[record(count = context)]
    pub textures: Vec<i32>,
}

/// Bits of [`Brush::fx`].
pub mod fx {
    /// Ignores lighting.
    pub const FULL_BRIGHT: u32 = 1;
    /// Uses the vertex colors instead of the brush color.
    pub const VERTEX_COLORS: u32 = 2;
    /// Flat shading.
    pub const FLAT: u32 = 4;
    /// Ignores fog.
    pub const NO_FOG: u32 = 8;
    /// Double-sided.
    pub const DOUBLE_SIDED: u32 = 16;
    /// Uses the vertex alpha.
    pub const VERTEX_ALPHA: u32 = 32;
}

/// Vertices of a mesh. Their indices continue from the previous chunk.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vertices {
    /// Bit flags: 1 for normals, 2 for colors.
    pub flags: u32,
    /// Number of texture coordinate sets per vertex; the engine uses two.
    pub coordinate_sets: i32,
    /// Number of components per set; the engine uses two.
    pub coordinate_size: i32,
    /// The vertices.
    #[record(
        with = VertexForm::new(flags, coordinate_sets, coordinate_size),
        until = no_more::<Vertex>(VertexForm::new(flags, coordinate_sets, coordinate_size))
    )]
    pub vertices: Vec<Vertex>,
    /// Trailing bytes, too few for another vertex.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// A vertex.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[record(context = VertexForm)]
#[serde(deny_unknown_fields)]
pub struct Vertex {
    /// Position in the node's space.
    pub position: [f32; 3],
    /// Normal.
    #[record(when = context.normals)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<[f32; 3]>,
    /// Red, green, blue and alpha in display space (0 to 1).
    #[record(when = context.colors)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<[f32; 4]>,
    /// Texture coordinates, all sets one after another; v downwards.
    #[record(count = context.coordinates.unwrap_or_default())]
    pub coordinates: Vec<f32>,
}

/// The layout of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VertexForm {
    normals: bool,
    colors: bool,
    /// Total number of components of all sets; `None` if it is invalid.
    coordinates: Option<u64>,
}

impl VertexForm {
    /// Bit of [`Vertices::flags`] for normals.
    pub const NORMALS: u32 = 1;
    /// Bit of [`Vertices::flags`] for colors.
    pub const COLORS: u32 = 2;

    /// Returns the layout declared by the fields before the vertices.
    #[must_use]
    pub fn new(flags: u32, sets: i32, size: i32) -> Self {
        // The engine treats a negative count as 0.
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
    /// Brush index, -1 for none.
    pub brush: i32,
    /// Vertex indices, zero-based, counted over all vertices of the mesh.
    #[record(leave = 0)]
    pub triangles: Vec<[u32; 3]>,
    /// Trailing bytes, too few for another triangle.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// A bone of the nearest mesh among the node's ancestors.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bone {
    /// Weights of the vertices it influences.
    #[record(leave = 0)]
    pub weights: Vec<Weight>,
    /// Trailing bytes, too few for another weight.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// Weight of a bone at a vertex.
#[derive(Record, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// Vertex index, counted over all vertices of the mesh.
    pub vertex: u32,
    /// Weight relative to the other bones of the vertex.
    pub weight: f32,
}

/// Keyframes of a node. Several of these chunks are combined.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keys {
    /// Bit flags: 1 for positions, 2 for scales, 4 for rotations.
    pub flags: u32,
    /// Keys in any order. Of several with the same frame, the last one is used.
    #[record(with = flags, until = no_more::<Key>(flags))]
    pub keys: Vec<Key>,
    /// Trailing bytes, too few for another key; all bytes if keys would be empty.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// A keyframe: the node's transform at a frame.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[record(context = u32)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Frame number, zero-based.
    pub frame: i32,
    /// Position in the parent's space.
    #[record(when = context & Keys::POSITIONS != 0)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<[f32; 3]>,
    /// Scale along the node's own axes.
    #[record(when = context & Keys::SCALES != 0)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f32; 3]>,
    /// Rotation quaternion: w, x, y, z.
    #[record(when = context & Keys::ROTATIONS != 0)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f32; 4]>,
}

impl Keys {
    /// Bit of [`flags`](Self::flags) for positions.
    pub const POSITIONS: u32 = 1;
    /// Bit of [`flags`](Self::flags) for scales.
    pub const SCALES: u32 = 2;
    /// Bit of [`flags`](Self::flags) for rotations.
    pub const ROTATIONS: u32 = 4;
}

/// Length and frame rate of the animation.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Animation {
    /// Unused.
    pub flags: i32,
    /// Number of frames.
    pub frames: i32,
    /// Frames per second; 0 leaves it to the game.
    pub fps: f32,
    /// Bytes of unknown meaning.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// A named range of the animation.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    /// Name of the sequence.
    pub name: CText,
    /// First frame.
    pub first: i32,
    /// Last frame, inclusive.
    pub last: i32,
    /// Unknown; 0 in all known models.
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
        // A key without any value does not count.
        numbers.checked_add(4).filter(|length| numbers > 0 && *length <= bytes.len())
    }
}
