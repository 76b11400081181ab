//! The contents of a model: Microsoft's standard templates, typed.
//!
//! Numbers are as stored in the file: left-handed, Y up, 256 units per meter in the game. Matrices are sixteen numbers in row-major
//! order, for row vectors. The front face of a triangle is on the side of `(b - a) x (c - a)`. Texture coordinates have v
//! downwards. Source: Microsoft, "X File Format Reference" (templates).

use serde::Serialize;
use serde::ser::{SerializeSeq, SerializeStruct, Serializer};

/// A node with its transform, meshes and child frames.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Frame {
    /// Name of the frame; animations and skins refer to it.
    pub name: Option<String>,
    /// `FrameTransformMatrix`: from the frame's space to its parent's.
    pub matrix: Option<[[f32; 4]; 4]>,
    /// Indices into [`XFile::meshes`](super::XFile::meshes).
    pub meshes: Vec<usize>,
    /// Child frames.
    pub frames: Vec<Frame>,
}

/// A mesh.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Mesh {
    /// Name of the mesh.
    pub name: Option<String>,
    /// Vertex positions.
    pub vertices: Vec<[f32; 3]>,
    /// Faces, each a list of vertex indices.
    pub faces: Faces,
    /// `MeshNormals`.
    pub normals: Option<Normals>,
    /// `MeshTextureCoords`: texture coordinates of each vertex.
    pub texture_coords: Option<Vec<[f32; 2]>>,
    /// `MeshVertexColors`.
    pub vertex_colors: Option<Vec<VertexColor>>,
    /// `MeshMaterialList`.
    pub material_list: Option<MaterialList>,
    /// `DeclData`: additional vertex data.
    pub decl_data: Option<DeclData>,
    /// `FVFData`: additional vertex data in an older form.
    pub fvf_data: Option<FvfData>,
    /// `VertexDuplicationIndices`: vertices that were split because of their texture coordinates.
    pub vertex_duplication: Option<VertexDuplication>,
    /// `XSkinMeshHeader`.
    pub skin_header: Option<SkinHeader>,
    /// `SkinWeights`: one for each frame that influences vertices.
    pub skin_weights: Vec<SkinWeights>,
}

/// The corners of faces, as a list with the end of each face. In JSON, a list for each face.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faces {
    corners: Vec<u32>,
    /// End of each face in the list of corners.
    ends: Vec<u32>,
}

/// Normals, and their assignment to face corners.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Normals {
    /// Normal vectors.
    pub directions: Vec<[f32; 3]>,
    /// Indices of the normals of each corner, by face of the mesh.
    pub faces: Faces,
}

/// The color of a vertex.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct VertexColor {
    /// Vertex index.
    pub vertex: u32,
    /// Red, green, blue and alpha in display space (0 to 1).
    pub color: [f32; 4],
}

/// Materials of faces.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MaterialList {
    /// Declared number of materials.
    pub count: u32,
    /// Index into `materials` for each face. If it is too short, the last one applies to the remaining faces.
    pub face_indexes: Vec<u32>,
    /// Indices into [`XFile::materials`](super::XFile::materials); `null` for an unresolved name.
    pub materials: Vec<Option<usize>>,
}

/// A material.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Material {
    /// Name of the material.
    pub name: Option<String>,
    /// Red, green, blue and alpha in display space (0 to 1).
    pub face_color: [f32; 4],
    /// Exponent of specular highlights.
    pub power: f32,
    /// Color of specular highlights.
    pub specular_color: [f32; 3],
    /// Emitted light.
    pub emissive_color: [f32; 3],
    /// `TextureFilename` as written in the file, often a path on the author's computer.
    pub texture: Option<String>,
}

/// Additional vertex data with its layout.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DeclData {
    /// Elements of each vertex, in order.
    pub elements: Vec<VertexElement>,
    /// Data of all vertices, one after another; floats as their bits.
    pub data: Vec<u32>,
}

/// An element of the vertex data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct VertexElement {
    /// Type (`D3DDECLTYPE`): 0 to 3 for one to four floats, 4 for a color of four bytes.
    pub kind: u32,
    /// Tessellation method (`D3DDECLMETHOD`).
    pub method: u32,
    /// Usage (`D3DDECLUSAGE`): 3 for normals, 5 for texture coordinates, 6 for tangents, 7 for binormals, 10 for colors.
    pub usage: u32,
    /// Index among elements with the same usage.
    pub usage_index: u32,
}

/// Additional vertex data with a format code.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FvfData {
    /// Format bits (`D3DFVF`).
    pub format: u32,
    /// Data of all vertices, one after another; floats as their bits.
    pub data: Vec<u32>,
}

/// Vertices before duplication.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct VertexDuplication {
    /// Number of vertices before duplication.
    pub original_vertices: u32,
    /// Original vertex of each vertex.
    pub indices: Vec<u32>,
}

/// Sizes of a skin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SkinHeader {
    /// Maximum number of frames that influence a vertex.
    pub max_weights_per_vertex: u32,
    /// Maximum number of frames that influence a face.
    pub max_weights_per_face: u32,
    /// Number of frames that influence the mesh.
    pub bones: u32,
}

/// Weights of a frame.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SkinWeights {
    /// Name of the frame.
    pub bone: String,
    /// Vertex indices.
    pub vertices: Vec<u32>,
    /// Weight for each vertex.
    pub weights: Vec<f32>,
    /// `matrixOffset`: inverse bind matrix, from the mesh's space to the frame's.
    pub offset: [[f32; 4]; 4],
}

/// Animations that are played together.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AnimationSet {
    /// Name of the set.
    pub name: Option<String>,
    /// Animation of each frame.
    pub animations: Vec<Animation>,
}

/// Animation of a frame.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Animation {
    /// Name of the animation.
    pub name: Option<String>,
    /// Name of the frame.
    pub frame: Option<String>,
    /// Keys, by kind.
    pub keys: Vec<AnimationKeys>,
    /// `AnimationOptions`.
    pub options: Option<AnimationOptions>,
}

/// Keys of one kind: `AnimationKey`. In JSON, `{kind, keys: [{time, values}]}`.
#[derive(Debug, Clone, PartialEq)]
pub struct AnimationKeys {
    /// The animated property.
    pub kind: KeyKind,
    /// Times in ticks. Usually increasing.
    pub times: Vec<i32>,
    /// Values of all keys, [`width`](KeyKind::width) numbers each.
    pub values: Vec<f32>,
}

/// The property that keys animate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyKind {
    /// 0: rotation quaternion, w first.
    Rotation,
    /// 1: scale factors along the axes.
    Scale,
    /// 2: position of the frame.
    Position,
    /// 3 and 4: complete matrix of the frame.
    Matrix,
}

/// Playback options of an animation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct AnimationOptions {
    /// Whether the animation ends (0) or loops (1).
    pub open_closed: u32,
    /// Interpolation of positions: spline (0) or linear (1).
    pub position_quality: u32,
}

/// `Header`: an object that old programs write first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct FileHeader {
    /// Major version of the templates.
    pub major: u32,
    /// Minor version of the templates.
    pub minor: u32,
    /// 1 for text.
    pub flags: u32,
}

/// Objects of a template that is not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Name of their template.
    pub class: String,
    /// Number of objects.
    pub count: usize,
}

impl Material {
    /// Returns the texture name to look up: `None` for an empty name, the bare file name for an absolute path.
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
    /// Returns the kind with this number in files.
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

    /// Returns the number of values of a key.
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
    /// Iterates over the time and values of each key.
    pub fn iter(&self) -> impl Iterator<Item = (i32, &[f32])> {
        self.times.iter().copied().zip(self.values.chunks_exact(self.kind.width()))
    }
}

impl Faces {
    /// Adds a face. Returns `None` if there would be more than 2³² - 1 corners.
    pub fn push(&mut self, corners: impl IntoIterator<Item = u32>) -> Option<()> {
        self.corners.extend(corners);
        self.ends.push(u32::try_from(self.corners.len()).ok()?);
        Some(())
    }

    /// Returns the number of faces.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no faces.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the corners of a face.
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

    /// Iterates over the corners of each face.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).filter_map(|face| self.get(face))
    }

    /// Returns the number of triangles, with each face as a fan.
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

/// Serializes as `{kind, keys: [{time, values}]}`.
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
