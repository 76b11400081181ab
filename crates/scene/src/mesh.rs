//! Meshes: triangles, what their corners carry, and the shapes they can be bent into.

use crate::{Extras, MaterialId};

/// A shape made of parts, one material each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// What the mesh is called.
    pub name: String,
    /// The game file that it comes from, if other scenes may show it too: [`write_gltf_sharing`](crate::gltf::write_gltf_sharing) stores it once.
    pub source: Option<String>,
    /// The parts. One without vertices or without indices is not written.
    pub primitives: Vec<Primitive>,
    /// Names of the morph targets, in the primitives' order; written as `extras.targetNames`.
    /// Empty, or one for each target.
    pub target_names: Vec<String>,
    /// How much of each morph target shows when nothing is animated. Empty, or one for each target.
    pub weights: Vec<f32>,
    /// How its vertices can be [written as integers](crate::Scene::quantize), where they can.
    pub quantization: Option<Quantization>,
    /// Written as `extras`.
    pub extras: Extras,
}

/// Triangles or lines of one material. All vertex lists that are present have as many items as `positions`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Primitive {
    /// Meters.
    pub positions: Vec<[f32; 3]>,
    /// Written with unit length. One without a direction (zero) is written as +Y.
    pub normals: Option<Vec<[f32; 3]>>,
    /// Which way the texture coordinates run over the surface: a direction of unit length, and 1 or -1 for the side on which the third direction is
    /// (`cross(normal, tangent) * w`). For [normal textures](crate::Material::normal_texture).
    pub tangents: Option<Vec<[f32; 4]>>,
    /// Sets of texture coordinates, each with one item per vertex; (0, 0) is the image's top left corner.
    pub uvs: Vec<Vec<[f32; 2]>>,
    /// Linear red, green and blue, and alpha, within 0..1; what lies outside is clamped.
    /// Written with 16 bits a channel, which keeps 8-bit display colors exact even in the darks.
    pub colors: Option<Vec<[f32; 4]>>,
    /// Which joints of the node's skin pull at each vertex.
    pub influences: Option<Influences>,
    /// What the indices are: triangles, unless said otherwise.
    pub topology: Topology,
    /// A list into the vertices, three for a triangle or two for a line; the front face of a triangle is counter-clockwise.
    pub indices: Vec<u32>,
    /// glTF's default material (white, metallic) where there is none.
    pub material: Option<MaterialId>,
    /// As many as the other primitives of the mesh have, in the same order.
    pub targets: Vec<MorphTarget>,
    /// As what its vertices are written.
    pub vertex_format: VertexFormat,
    /// Written as `extras`.
    pub extras: Extras,
}

/// What the indices of a primitive are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topology {
    /// Three for a triangle.
    #[default]
    Triangles,
    /// Two for a line. Pictures do not show them.
    Lines,
}

impl Topology {
    /// How many indices one takes.
    pub const fn corners(self) -> usize {
        match self {
            Self::Triangles => 3,
            Self::Lines => 2,
        }
    }
}

/// How the vertices of a mesh can be written as integers without a loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantization {
    /// Steps in one unit of length of the mesh's space. All positions, those of morph targets too, are whole numbers of steps, as far as single floats can
    /// say that.
    pub steps: f32,
    /// How exact its normals have to be.
    pub normals: NormalPrecision,
}

/// How exact normals have to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NormalPrecision {
    /// They are for light: half a degree is not seen.
    #[default]
    Rounded,
    /// They are content, to be read back bit for bit.
    Exact,
}

/// As what the vertices of a primitive are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum VertexFormat {
    /// Floating-point numbers.
    #[default]
    Float,
    /// Integers, which take half the bytes and less (`KHR_mesh_quantization`): positions of 16 bits and differences of 8 or 16 bits where all of them are whole
    /// numbers (a scale of the node makes meters of them), else floating-point numbers; normals of 8 bits; texture coordinates of 16 bits where all lie
    /// within 0..1.
    Integer,
    /// The same with floating-point numbers for normals, but for those of morph targets.
    IntegerExceptNormals,
}

impl Primitive {
    /// Whether there is nothing to draw: no vertices or no indices.
    pub const fn is_empty(&self) -> bool {
        self.positions.is_empty() || self.indices.is_empty()
    }

    /// Turns it inside out: each triangle shows its other side, and normals point the other way.
    pub fn flip_winding(&mut self) {
        if self.topology == Topology::Triangles {
            let (triangles, _) = self.indices.as_chunks_mut::<3>();
            triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
        }
        let targets = self.targets.iter_mut().map(|target| &mut target.normals);
        for normal in targets.chain([&mut self.normals]).flatten().flatten() {
            *normal = normal.map(|number| -number);
        }
        // The third direction stays what it was.
        self.tangents.iter_mut().flatten().for_each(|[.., side]| *side = -*side);
    }
}

/// Four joints and their weights for each vertex. The writer scales the weights of a vertex to a sum of 1,
/// and joins a joint that is named twice.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Influences {
    /// Places in the skin's list of joints.
    pub joints: Vec<[u16; 4]>,
    /// Not negative; not all zero.
    pub weights: Vec<[f32; 4]>,
}

/// A shape the primitive can be bent into, as differences from its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MorphTarget {
    /// Added to the positions, meters.
    pub positions: Vec<[f32; 3]>,
    /// Added to the normals.
    pub normals: Option<Vec<[f32; 3]>>,
}
