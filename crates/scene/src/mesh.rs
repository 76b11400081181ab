//! Meshes: triangles, vertex attributes and morph targets.

use crate::{Extras, MaterialId};

/// A mesh that consists of primitives with one material each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Name of the mesh.
    pub name: String,
    /// The source game file, if other scenes may also show the mesh:
    /// [`write_gltf_sharing`](crate::gltf::write_gltf_sharing) stores it once.
    pub source: Option<String>,
    /// The primitives. A primitive without vertices or without indices is not written.
    pub primitives: Vec<Primitive>,
    /// Names of the morph targets, in the primitives' order; written as `extras.targetNames`. Empty, or one per
    /// target.
    pub target_names: Vec<String>,
    /// Weights of the morph targets when nothing is animated. Empty, or one per target.
    pub weights: Vec<f32>,
    /// The settings for [writing its vertices as integers](crate::Scene::quantize), if that is possible.
    pub quantization: Option<Quantization>,
    /// Written as `extras`.
    pub extras: Extras,
}

/// Triangles or lines with one material. All vertex attributes that are present have the same length as `positions`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Primitive {
    /// Vertex positions in meters.
    pub positions: Vec<[f32; 3]>,
    /// Vertex normals, written with unit length. A zero vector is written as +Y.
    pub normals: Option<Vec<[f32; 3]>>,
    /// Directions of the texture coordinates on the surface: a tangent of unit length, and 1 or -1 for the sign of
    /// the bitangent (`cross(normal, tangent) * w`). For [normal textures](crate::Material::normal_texture).
    pub tangents: Option<Vec<[f32; 4]>>,
    /// Sets of texture coordinates, each with one item per vertex; (0, 0) is the image's top left corner.
    pub uvs: Vec<Vec<[f32; 2]>>,
    /// Linear red, green and blue, and alpha, within 0..1; values outside are clamped. Written with 16 bits per
    /// channel, which keeps 8-bit display colors exact even in dark tones.
    pub colors: Option<Vec<[f32; 4]>>,
    /// Joints of the node's skin that affect each vertex.
    pub influences: Option<Influences>,
    /// The interpretation of the indices: triangles by default.
    pub topology: Topology,
    /// Indices of vertices, three per triangle or two per line; front faces are counter-clockwise.
    pub indices: Vec<u32>,
    /// The material, or `None` for glTF's default material (white, metallic).
    pub material: Option<MaterialId>,
    /// Morph targets, equal in number and order to those of the mesh's other primitives.
    pub targets: Vec<MorphTarget>,
    /// The format in which its vertices are written.
    pub vertex_format: VertexFormat,
    /// Written as `extras`.
    pub extras: Extras,
}

/// The interpretation of the indices of a primitive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topology {
    /// Three indices per triangle.
    #[default]
    Triangles,
    /// Two indices per line. Lines are not rendered in pictures.
    Lines,
}

impl Topology {
    /// Number of indices per item.
    pub const fn corners(self) -> usize {
        match self {
            Self::Triangles => 3,
            Self::Lines => 2,
        }
    }
}

/// The settings for writing the vertices of a mesh as integers without loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantization {
    /// Steps per unit of length of the mesh's space. All positions, including those of morph targets, are integer
    /// numbers of steps, within the precision of single-precision floats.
    pub steps: f32,
    /// Required precision of its normals.
    pub normals: NormalPrecision,
}

/// Required precision of normals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NormalPrecision {
    /// For lighting only: an error of half a degree is invisible.
    #[default]
    Rounded,
    /// Part of the content, to be read back bit for bit.
    Exact,
}

/// The format in which the vertices of a primitive are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum VertexFormat {
    /// Floating-point numbers.
    #[default]
    Float,
    /// Integers, which need at most half the bytes (`KHR_mesh_quantization`): positions of 16 bits and morph
    /// differences of 8 or 16 bits if all of them are integers (a scale of the node converts them to meters),
    /// otherwise floating-point numbers; normals of 8 bits; texture coordinates of 16 bits if all lie within 0..1.
    Integer,
    /// Like `Integer`, but normals other than those of morph targets are floating-point numbers.
    IntegerExceptNormals,
}

impl Primitive {
    /// Whether there is nothing to draw: no vertices or no indices.
    pub const fn is_empty(&self) -> bool {
        self.positions.is_empty() || self.indices.is_empty()
    }

    /// Flips all faces: reverses the winding of each triangle and negates the normals.
    pub fn flip_winding(&mut self) {
        if self.topology == Topology::Triangles {
            let (triangles, _) = self.indices.as_chunks_mut::<3>();
            triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
        }
        let targets = self.targets.iter_mut().map(|target| &mut target.normals);
        for normal in targets.chain([&mut self.normals]).flatten().flatten() {
            *normal = normal.map(|number| -number);
        }
        // Keeps the bitangents unchanged.
        self.tangents.iter_mut().flatten().for_each(|[.., side]| *side = -*side);
    }
}

/// Four joints and their weights for each vertex. The writer scales the weights of a vertex to a sum of 1 and merges
/// a joint that occurs twice.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Influences {
    /// Indices into the skin's list of joints.
    pub joints: Vec<[u16; 4]>,
    /// Weights; not negative, and not all zero.
    pub weights: Vec<[f32; 4]>,
}

/// A morph target, as differences from the primitive's vertices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MorphTarget {
    /// Added to the positions, in meters.
    pub positions: Vec<[f32; 3]>,
    /// Added to the normals.
    pub normals: Option<Vec<[f32; 3]>>,
}
