//! The chunks of a model, those that have others in them, and unknown ones.

use std::fmt;

use record::{Bytes, Error, Reader, Record, Result};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::layout::{Animation, Bone, Brushes, Keys, Sequence, Textures, Triangles, Vertices, is_nothing};
use super::text::{self, CText};
use crate::string::BlitzString;

/// Nodes deeper in one another than this are refused: skeletons have some twenty levels.
pub const MAX_DEPTH: u32 = 128;

/// More chunks in one place are refused. Models have a few dozen.
pub(super) const MOST_CHUNKS: usize = 1 << 18;

/// Tag and length.
const HEADER: usize = 8;

/// A part of the file.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(tag = Tag, length = i32, context = u32)]
pub enum Chunk {
    /// Textures, which brushes name by number.
    #[record(tag = *b"TEXS")]
    #[serde(rename = "TEXS")]
    Textures(Textures),
    /// Brushes, which meshes and triangles name by number.
    #[record(tag = *b"BRUS")]
    #[serde(rename = "BRUS")]
    Brushes(Brushes),
    /// A node. Boxed, like the vertices: a file may be a long row of empty chunks.
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
    /// Makes the node a bone of the mesh above it.
    #[record(tag = *b"BONE")]
    #[serde(rename = "BONE")]
    Bone(Bone),
    /// How the node moves.
    #[record(tag = *b"KEYS")]
    #[serde(rename = "KEYS")]
    Keys(Keys),
    /// How long and how fast the animation is.
    #[record(tag = *b"ANIM", when = length >= Animation::MIN_SIZE)]
    #[serde(rename = "ANIM")]
    Animation(Animation),
    /// A part of the animation with a name. The engine passes over it.
    #[record(tag = *b"SEQS", when = is_sequence(rest))]
    #[serde(rename = "SEQS")]
    Sequence(Sequence),
    /// Marks the node as a pivot; empty. Ignored by the engine.
    #[record(tag = *b"PIVO")]
    #[serde(rename = "PIVO")]
    Pivot(Bytes),
    /// An unknown chunk, or one too short for its tag: kept and written back.
    #[record(unknown)]
    Unknown(Tag, Bytes),
}

/// A node.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(context = u32)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Its name. 3D World Studio writes properties here, one `key=value` a line.
    pub name: CText,
    /// In the space of the node above.
    pub position: [f32; 3],
    /// Along its own axes.
    pub scale: [f32; 3],
    /// A quaternion: w, x, y, z. Of any length.
    pub rotation: [f32; 4],
    /// The chunks of the node; in JSON these follow it, one level deeper.
    #[record(with = context + 1, until = no_more(context + 1), limit = MOST_CHUNKS)]
    #[serde(skip)]
    pub chunks: Vec<Chunk>,
    /// Bytes too few for another chunk.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// Something to see.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(context = u32)]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    /// The brush that is laid over those of all its triangles; -1 for none.
    pub brush: i32,
    /// Vertices and triangles; in JSON these follow the mesh, one deeper than it.
    #[record(with = context + 1, until = no_more(context + 1), limit = MOST_CHUNKS)]
    #[serde(skip)]
    pub chunks: Vec<Chunk>,
    /// Bytes too few for another chunk.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rest: Bytes,
}

/// The four letters of a chunk. In JSON it is text.
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
    /// The four letters.
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

    /// The chunks within, of those that can have some.
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

    /// Bytes too few for another item.
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

/// Whether no further chunk follows: fewer bytes are left than a tag and a length. A chunk that is too long is an error.
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

/// Whether a sequence is all there.
fn is_sequence(bytes: &[u8]) -> bool {
    text::length(bytes).is_some_and(|name| bytes.len().saturating_sub(name) > 12)
}
