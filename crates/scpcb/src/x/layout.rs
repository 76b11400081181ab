//! What a model holds: Microsoft's standard templates, typed.
//!
//! Numbers are as the file has them: left-handed, Y up, 256 units to a game meter; matrices are sixteen numbers row by row for vectors on their left;
//! a triangle's front is `(b - a) x (c - a)`; texture coordinates have v downwards.
//! Source: Microsoft, "X File Format Reference" (templates).

use serde::Serialize;
use serde::ser::{SerializeSeq, SerializeStruct, Serializer};

/// A node with its transform, meshes and child frames.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Frame {
    /// Its name; animations and skins refer to it.
    pub name: Option<String>,
    /// `FrameTransformMatrix`: from the frame's space to that of the frame around it.
    pub matrix: Option<[[f32; 4]; 4]>,
    /// Indices in [`XFile::meshes`](super::XFile::meshes).
    pub meshes: Vec<usize>,
    /// The frames in it.
    pub frames: Vec<Frame>,
}

/// A shape.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Mesh {
    /// Its name.
    pub name: Option<String>,
    /// Where the corners of its faces can be.
    pub vertices: Vec<[f32; 3]>,
    /// Its faces: each a list of vertices.
    pub faces: Faces,
    /// `MeshNormals`.
    pub normals: Option<Normals>,
    /// `MeshTextureCoords`: one for each vertex.
    pub texture_coords: Option<Vec<[f32; 2]>>,
    /// `MeshVertexColors`.
    pub vertex_colors: Option<Vec<VertexColor>>,
    /// `MeshMaterialList`.
    pub material_list: Option<MaterialList>,
    /// `DeclData`: more numbers for each vertex.
    pub decl_data: Option<DeclData>,
    /// `FVFData`: the same in an older form.
    pub fvf_data: Option<FvfData>,
    /// `VertexDuplicationIndices`: which vertices were one before texture coordinates parted them.
    pub vertex_duplication: Option<VertexDuplication>,
    /// `XSkinMeshHeader`.
    pub skin_header: Option<SkinHeader>,
    /// `SkinWeights`: one for each frame that influences vertices.
    pub skin_weights: Vec<SkinWeights>,
}

/// The corners of faces: lists of numbers with ends. In JSON a list for each face.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faces {
    corners: Vec<u32>,
    /// Where each face ends among the corners.
    ends: Vec<u32>,
}

/// Directions, and which corner of which face has which.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Normals {
    /// The directions.
    pub directions: Vec<[f32; 3]>,
    /// For each face of the mesh, a direction for each of its corners.
    pub faces: Faces,
}

/// The color of a vertex.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct VertexColor {
    /// Which vertex.
    pub vertex: u32,
    /// Red, green, blue, alpha as shown on a display, 0..1.
    pub color: [f32; 4],
}

/// Which face has which material.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MaterialList {
    /// The declared number of materials.
    pub count: u32,
    /// For each face an index in `materials`. If it is too short, the last one applies to the rest.
    pub face_indexes: Vec<u32>,
    /// Indices in [`XFile::materials`](super::XFile::materials); `null` where a name leads nowhere.
    pub materials: Vec<Option<usize>>,
}

/// A material.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Material {
    /// Its name.
    pub name: Option<String>,
    /// Red, green, blue, alpha as shown on a display, 0..1.
    pub face_color: [f32; 4],
    /// How sharp highlights are.
    pub power: f32,
    /// The color of highlights.
    pub specular_color: [f32; 3],
    /// Light it gives off.
    pub emissive_color: [f32; 3],
    /// `TextureFilename`: as it is written, often a path of its author.
    pub texture: Option<String>,
}

/// More numbers for each vertex, and what they mean.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DeclData {
    /// What is there for each vertex, in order.
    pub elements: Vec<VertexElement>,
    /// All vertices one after another; floats as their bits.
    pub data: Vec<u32>,
}

/// A part of what is there for each vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct VertexElement {
    /// How it is written (`D3DDECLTYPE`): 0 to 3 are one to four floats, 4 is a color of four bytes.
    pub kind: u32,
    /// How it is tessellated (`D3DDECLMETHOD`).
    pub method: u32,
    /// What it is (`D3DDECLUSAGE`): 3 normal, 5 texture coordinates, 6 tangent, 7 binormal, 10 color.
    pub usage: u32,
    /// Which of several.
    pub usage_index: u32,
}

/// More numbers for each vertex, and a number that says what they mean.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FvfData {
    /// Bits (`D3DFVF`).
    pub format: u32,
    /// All vertices one after another; floats as their bits.
    pub data: Vec<u32>,
}

/// Which vertices were one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct VertexDuplication {
    /// How many vertices there were.
    pub original_vertices: u32,
    /// For each vertex the one it was.
    pub indices: Vec<u32>,
}

/// What a skin takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SkinHeader {
    /// The most frames that influence a vertex.
    pub max_weights_per_vertex: u32,
    /// The most frames that influence a face.
    pub max_weights_per_face: u32,
    /// How many frames influence the mesh.
    pub bones: u32,
}

/// How a frame influences vertices.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SkinWeights {
    /// The name of the frame.
    pub bone: String,
    /// The vertices.
    pub vertices: Vec<u32>,
    /// How much it influences each of them.
    pub weights: Vec<f32>,
    /// `matrixOffset`: from the mesh's space to the frame's own, in the pose the mesh was made in.
    pub offset: [[f32; 4]; 4],
}

/// Movements that play together.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AnimationSet {
    /// Its name.
    pub name: Option<String>,
    /// The movement of each frame.
    pub animations: Vec<Animation>,
}

/// The movement of a frame.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Animation {
    /// Its name.
    pub name: Option<String>,
    /// The name of the frame.
    pub frame: Option<String>,
    /// Its keys, by kind.
    pub keys: Vec<AnimationKeys>,
    /// `AnimationOptions`.
    pub options: Option<AnimationOptions>,
}

/// Keys of one kind: `AnimationKey`. In JSON `{kind, keys: [{time, values}]}`.
#[derive(Debug, Clone, PartialEq)]
pub struct AnimationKeys {
    /// What is moved.
    pub kind: KeyKind,
    /// When, in ticks. Usually rising.
    pub times: Vec<i32>,
    /// As many numbers for each time as the [kind](KeyKind::width) takes.
    pub values: Vec<f32>,
}

/// What keys move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyKind {
    /// 0: a quaternion, w first.
    Rotation,
    /// 1: factors along the axes.
    Scale,
    /// 2: the position of the frame.
    Position,
    /// 3 and 4: the frame's whole matrix.
    Matrix,
}

/// How a movement is played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct AnimationOptions {
    /// Whether it ends (0) or starts again (1).
    pub open_closed: u32,
    /// Whether places lie on a curve (0) or on straight lines (1).
    pub position_quality: u32,
}

/// `Header`: an object that old programs write before all others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct FileHeader {
    /// Of the templates.
    pub major: u32,
    /// Of the templates.
    pub minor: u32,
    /// 1 for text.
    pub flags: u32,
}

/// Objects of a kind that is not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The name of their template.
    pub class: String,
    /// How many there are.
    pub count: usize,
}

impl Material {
    /// The texture as it is to be looked for: nothing for an empty name, the bare name for a path that only its author's machine has.
    #[must_use]
    pub fn texture_name(&self) -> Option<&str> {
        let name = self.texture.as_deref().map(str::trim).filter(|name| !name.is_empty())?;
        let has_drive = name.as_bytes().get(1) == Some(&b':');
        if has_drive || name.starts_with(['/', '\\']) {
            return name.rsplit(['/', '\\', ':']).next();
        }
        Some(name)
    }
}

impl KeyKind {
    /// The kind of a number in a file.
    #[must_use]
    pub const fn of(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::Rotation,
            1 => Self::Scale,
            2 => Self::Position,
            3 | 4 => Self::Matrix,
            _ => return None,
        })
    }

    /// How many numbers a key has.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Self::Rotation => 4,
            Self::Scale | Self::Position => 3,
            Self::Matrix => 16,
        }
    }
}

impl AnimationKeys {
    /// Times and values, key by key.
    pub fn iter(&self) -> impl Iterator<Item = (i32, &[f32])> {
        self.times.iter().copied().zip(self.values.chunks_exact(self.kind.width()))
    }
}

impl Faces {
    /// Adds a face. Fails if there would be more than four billion corners.
    pub fn push(&mut self, corners: impl IntoIterator<Item = u32>) -> Option<()> {
        self.corners.extend(corners);
        self.ends.push(u32::try_from(self.corners.len()).ok()?);
        Some(())
    }

    /// How many faces there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The corners of a face.
    #[must_use]
    pub fn get(&self, face: usize) -> Option<&[u32]> {
        let at = |end: &u32| usize::try_from(*end).ok();
        let end = at(self.ends.get(face)?)?;
        let start = match face.checked_sub(1) {
            Some(before) => at(self.ends.get(before)?)?,
            None => 0,
        };
        self.corners.get(start..end)
    }

    /// The corners of each face.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).filter_map(|face| self.get(face))
    }

    /// How many triangles they make, each face as a fan.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.iter().fold(0, |sum, corners| sum.saturating_add(corners.len().saturating_sub(2)))
    }
}

impl Serialize for Faces {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// As `{kind, keys: [{time, values}]}`.
impl Serialize for AnimationKeys {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Key<'a> {
            time: i32,
            values: &'a [f32],
        }
        struct Keys<'a>(&'a AnimationKeys);
        impl Serialize for Keys<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut keys = serializer.serialize_seq(Some(self.0.times.len()))?;
                for (time, values) in self.0.iter() {
                    keys.serialize_element(&Key { time, values })?;
                }
                keys.end()
            }
        }
        let mut out = serializer.serialize_struct("AnimationKeys", 2)?;
        out.serialize_field("kind", &self.kind)?;
        out.serialize_field("keys", &Keys(self))?;
        out.end()
    }
}
