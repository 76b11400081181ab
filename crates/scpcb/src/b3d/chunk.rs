//! The chunks of a model, including nested and unknown ones.

use std::fmt;

use record::{Bytes, Error, Reader, Record, Result};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::layout::{Animation, Bone, Brushes, Keys, Sequence, Textures, Triangles, Vertices, is_nothing};
use super::text::{self, CText};
use crate::string::BlitzString;

/// Maximum nesting depth of nodes. Skeletons have about twenty levels.
pub const MAX_DEPTH: u32 = 128;

/// Maximum number of chunks in one parent. Models have a few dozen.
pub(super) const MAX_CHUNKS: usize = 1 << 18;

/// Size of a chunk header: tag and length.
const HEADER: usize = 8;

/// A chunk of the file.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(tag = Tag, length = i32, context = u32)]
pub enum Chunk {
    /// Textures, which brushes refer to by index.
    #[record(tag = *b"TEXS")]
    #[serde(rename = "TEXS")]
    Textures(Textures),
    /// Brushes, which meshes and triangles refer to by index.
    #[record(tag = *b"BRUS")]
    #[serde(rename = "BRUS")]
    Brushes(Brushes),
    /// A node. Boxed, like the vertices, to keep the enum small: a file may be a long list of empty chunks.
    #[record(tag = *b"NODE", with = context)]
    #[serde(rename = "NODE")]
    Node(Box<Node>),
    /// Makes the node a mesh.
    #[record(tag = *b"MESH", with = context)]
    #[serde(rename = "MESH")]
    Mesh(Mesh),
    /// Vertices of a mesh.
    #[record(tag = *b"VRTS")]
    #[serde(rename = "VRTS")]
    Vertices(Box<Vertices>),
    /// Triangles of a mesh that share a brush.
    #[record(tag = *b"TRIS")]
    #[serde(rename = "TRIS")]
    Triangles(Triangles),
    /// Makes the node a bone of the nearest mesh among its ancestors.
    #[record(tag = *b"BONE")]
    #[serde(rename = "BONE")]
    Bone(Bone),
    /// Keyframes of the node.
    #[record(tag = *b"KEYS")]
    #[serde(rename = "KEYS")]
    Keys(Keys),
    /// Length and frame rate of the animation.
    #[record(tag = *b"ANIM", when = length >= Animation::MIN_SIZE)]
    #[serde(rename = "ANIM")]
    Animation(Animation),
    /// A named range of the animation. Skipped by the engine.
    #[record(tag = *b"SEQS", when = is_sequence(rest))]
    #[serde(rename = "SEQS")]
    Sequence(Sequence),
    /// Marks the node as a pivot; empty. Ignored by the engine.
    #[record(tag = *b"PIVO")]
    #[serde(rename = "PIVO")]
    Pivot(Bytes),
    /// An unknown chunk, or one too short for its tag. Kept and written back.
    #[record(unknown)]
    Unknown(Tag, Bytes),
}

/// A node.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(context = u32)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Name of the node. 3D World Studio stores properties here, one `key=value` per line.
    pub name: CText,
    /// Position in the parent's space.
    pub position: [f32; 3],
    /// Scale along the node's own axes.
    pub scale: [f32; 3],
    /// Rotation quaternion: w, x, y, z. Of any length.
    pub rotation: [f32; 4],
    /// Child chunks. In JSON they follow the node, one level deeper.
    #[record(with = context + 1, until = no_more(context + 1), limit = MAX_CHUNKS)]
    #[serde(skip)]
    pub chunks: Vec<Chunk>,
    /// Trailing bytes, too few for another chunk.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// A mesh: a container of vertices and triangles.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(context = u32)]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    /// Index of the brush combined with the brushes of all its triangles; -1 for none.
    pub brush: i32,
    /// Vertices and triangles. In JSON they follow the mesh, one level deeper.
    #[record(with = context + 1, until = no_more(context + 1), limit = MAX_CHUNKS)]
    #[serde(skip)]
    pub chunks: Vec<Chunk>,
    /// Trailing bytes, too few for another chunk.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// Tag of a chunk: four letters. In JSON it is text.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub [u8; 4]);

impl From<[u8; 4]> for Tag {
    fn from(letters: [u8; 4]) -> Self {
        Self(letters)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&BlitzString::from_bytes(&self.0).text())
    }
}

impl Serialize for Tag {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Tag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = BlitzString::deserialize(deserializer)?;
        let letters: std::result::Result<[u8; 4], _> = text.bytes().try_into();
        letters
            .map(Self)
            .map_err(|_| serde::de::Error::custom(format!("the tag {text:?} is not four characters long")))
    }
}

impl Chunk {
    /// Returns the tag.
    #[must_use]
    pub fn tag(&self) -> Tag {
        Tag(match self {
            Self::Textures(_) => *b"TEXS",
            Self::Brushes(_) => *b"BRUS",
            Self::Node(_) => *b"NODE",
            Self::Mesh(_) => *b"MESH",
            Self::Vertices(_) => *b"VRTS",
            Self::Triangles(_) => *b"TRIS",
            Self::Bone(_) => *b"BONE",
            Self::Keys(_) => *b"KEYS",
            Self::Animation(_) => *b"ANIM",
            Self::Sequence(_) => *b"SEQS",
            Self::Pivot(_) => *b"PIVO",
            Self::Unknown(tag, _) => return *tag,
        })
    }

    /// Returns the child chunks if this type of chunk has them.
    #[must_use]
    pub fn chunks(&self) -> Option<&Vec<Self>> {
        match self {
            Self::Node(node) => Some(&node.chunks),
            Self::Mesh(mesh) => Some(&mesh.chunks),
            _ => None,
        }
    }

    pub(super) fn chunks_mut(&mut self) -> Option<&mut Vec<Self>> {
        match self {
            Self::Node(node) => Some(&mut node.chunks),
            Self::Mesh(mesh) => Some(&mut mesh.chunks),
            _ => None,
        }
    }

    /// Returns the trailing bytes, too few for another item.
    pub(super) fn rest(&self) -> &[u8] {
        match self {
            Self::Textures(Textures { rest, .. })
            | Self::Brushes(Brushes { rest, .. })
            | Self::Mesh(Mesh { rest, .. })
            | Self::Triangles(Triangles { rest, .. })
            | Self::Bone(Bone { rest, .. })
            | Self::Keys(Keys { rest, .. })
            | Self::Animation(Animation { rest, .. })
            | Self::Sequence(Sequence { rest, .. })
            | Self::Pivot(rest) => rest,
            Self::Node(node) => &node.rest,
            Self::Vertices(vertices) => &vertices.rest,
            Self::Unknown(..) => &[],
        }
    }
}

/// Whether no further chunk follows: fewer bytes are left than a chunk header has. A chunk that is too long is an error.
pub(super) fn no_more(reader: &Reader<'_>, depth: u32) -> Result<bool> {
    if reader.remaining() < HEADER {
        return Ok(true);
    }
    if depth > MAX_DEPTH {
        let message = format!("nodes are nested more than {MAX_DEPTH} levels deep");
        return Err(Error::limit(message).at(reader.offset()));
    }
    Ok(false)
}

/// Whether the bytes contain a complete sequence.
fn is_sequence(bytes: &[u8]) -> bool {
    text::length(bytes).is_some_and(|name| bytes.len().saturating_sub(name) > 12)
}
