//! Scenes: their lists as Python objects, and the transforms of their nodes.

mod animation;
mod material;
mod mesh;
mod node;

use antiquary::Asset;
use antiquary::asset::ScenePart;
use antiquary::json::{Value, to_value};
use antiquary::scene::{self, NodeId};
use numpy::PyArray3;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3::{PyClass, PyClassInitializer};

pub(crate) use animation::{Animation, Skin, Track};
pub(crate) use material::{Material, Texture};
pub(crate) use mesh::{Mesh, MorphTarget, Primitive};
pub(crate) use node::{Light, Node};

use crate::array;
use crate::error::Result;
use crate::image::EncodedImage;
use crate::value::to_python;

/// A scene: meshes, materials, images, lights and animations, as in glTF 2.0.
///
/// Right-handed, Y up, -Z forward; meters, seconds, radians; linear colors; texture coordinates with the origin at the top
/// left; front faces counter-clockwise. The lists refer to each other by index.
#[pyclass(frozen, get_all, module = "antiquary")]
pub(crate) struct Scene {
    /// Name of the scene.
    name: String,
    /// All nodes, in any order.
    nodes: Py<PyList>,
    /// Indices of the nodes without a parent.
    roots: Vec<usize>,
    /// Meshes; several nodes may show the same one.
    meshes: Py<PyList>,
    /// Materials.
    materials: Py<PyList>,
    /// Textures: an image and how it is sampled.
    textures: Py<PyList>,
    /// Images, as encoded files.
    images: Py<PyList>,
    /// Lights, positioned by nodes.
    lights: Py<PyList>,
    /// Skins, used by nodes.
    skins: Py<PyList>,
    /// Animations.
    animations: Py<PyList>,
    /// Placements of meshes that are shown several times, by the index of the node: an array with the shape (count, 4, 4) of
    /// float32, with transforms from the space of the mesh to that of the node. All other meshes are placed once, at their
    /// nodes.
    instances: Py<PyDict>,
    /// Transforms from the space of each node to that of the scene: an array with the shape (nodes, 4, 4) of float32, for
    /// column vectors. ``points @ m[:3, :3].T + m[:3, 3]`` transforms points.
    world_matrices: Py<PyArray3<f32>>,
    /// Parts of the scene by name, each with the indices of its roots.
    collections: Vec<(String, Vec<usize>)>,
    /// Further data of the scene.
    extras: Py<PyAny>,
    /// Copyright notice, if any.
    copyright: Option<String>,
}

#[pymethods]
impl Scene {
    fn __repr__(&self, py: Python<'_>) -> String {
        let count = |list: &Py<PyList>| list.bind(py).len();
        format!("<Scene {:?}, {} nodes, {} meshes>", self.name, count(&self.nodes), count(&self.meshes))
    }
}

/// The paths of the fields that the parts of a scene were built from, where they are known.
pub(crate) struct Origins {
    nodes: Vec<Option<String>>,
    /// For each mesh, one path per primitive.
    primitives: Vec<Vec<Option<String>>>,
}

impl Origins {
    /// Asks the file that the scene was built from.
    pub(crate) fn new(scene: &scene::Scene, asset: &dyn Asset) -> Self {
        let node = |node: &scene::Node| {
            let packed = node.packed_extras.as_ref().and_then(|packed| to_value(packed).ok());
            let extras = packed.as_ref().and_then(Value::as_object).unwrap_or(&node.extras);
            asset.origin(ScenePart { name: &node.name, extras })
        };
        let primitives = |mesh: &scene::Mesh| {
            let parts = mesh.primitives.iter().map(|it| ScenePart { name: &mesh.name, extras: &it.extras });
            parts.map(|part| asset.origin(part)).collect()
        };
        Self {
            nodes: scene.nodes.iter().map(node).collect(),
            primitives: scene.meshes.iter().map(primitives).collect(),
        }
    }
}

/// A row-major matrix for column vectors.
type Matrix = [f32; 16];

impl Scene {
    /// Converts a scene. The lists of numbers in it become arrays without a copy.
    pub(crate) fn new(py: Python<'_>, scene: scene::Scene, origins: Origins) -> Result<Self> {
        let world_matrices = matrices(py, world_matrices(&scene))?;
        let instances = PyDict::new(py);
        for (NodeId(node), placed) in &scene.instances {
            let placed = placed.iter().map(|instance| rows(&instance.to_node().to_cols_array())).collect();
            instances.set_item(node, matrices(py, placed)?)?;
        }
        let collections = scene.collections.into_iter();
        let nodes = scene.nodes.into_iter().zip(origins.nodes).collect();
        let meshes = scene.meshes.into_iter().zip(origins.primitives).collect();
        Ok(Self {
            name: scene.name,
            nodes: list(py, nodes, |(node, field)| Ok(Node::new(node, field)))?,
            roots: indices(&scene.roots),
            meshes: list(py, meshes, |(mesh, fields)| Mesh::new(py, mesh, fields))?,
            materials: list(py, scene.materials, |material| Ok(Material::new(material)))?,
            textures: list(py, scene.textures, |texture| Ok(Texture::new(texture)))?,
            images: list(py, scene.images, |image| Ok(EncodedImage::new(image)))?,
            lights: list(py, scene.lights, |light| Ok(Light::new(light)))?,
            skins: list(py, scene.skins, |skin| Skin::new(py, skin))?,
            animations: list(py, scene.animations, |animation| Animation::new(py, animation))?,
            instances: instances.unbind(),
            world_matrices,
            collections: collections.map(|part| (part.name, indices(&part.roots))).collect(),
            extras: to_python(py, &scene.extras)?,
            copyright: scene.copyright,
        })
    }
}

/// Converts a list whose items become objects.
fn list<T, C: PyClass + Into<PyClassInitializer<C>>>(
    py: Python<'_>,
    items: Vec<T>,
    convert: impl Fn(T) -> Result<C>,
) -> Result<Py<PyList>> {
    let list = PyList::empty(py);
    for item in items {
        list.append(Py::new(py, convert(item)?)?)?;
    }
    Ok(list.unbind())
}

fn indices(nodes: &[NodeId]) -> Vec<usize> {
    nodes.iter().map(|NodeId(node)| *node).collect()
}

/// The rows of an affine matrix that is given by its columns.
fn rows(columns: &[f32; 12]) -> Matrix {
    let [a, b, c, d, e, f, g, h, i, x, y, z] = *columns;
    [a, d, g, x, b, e, h, y, c, f, i, z, 0.0, 0.0, 0.0, 1.0]
}

/// An array with the shape (count, 4, 4).
fn matrices(py: Python<'_>, matrices: Vec<Matrix>) -> Result<Py<PyArray3<f32>>> {
    array::cube(py, (matrices.len(), 4, 4), matrices.into_flattened())
}

/// The transforms from the space of each node to that of the scene; the node's own transform if it is below no root.
fn world_matrices(scene: &scene::Scene) -> Vec<Matrix> {
    let mut out: Vec<_> = scene.nodes.iter().map(scene::Node::to_parent).collect();
    let mut is_seen = vec![false; out.len()];
    let mut open: Vec<(usize, Option<usize>)> =
        scene.roots.iter().map(|NodeId(root)| (*root, None)).collect();
    while let Some((index, parent)) = open.pop() {
        let (Some(node), Some(seen)) = (scene.nodes.get(index), is_seen.get_mut(index)) else { continue };
        if std::mem::replace(seen, true) {
            continue;
        }
        if let Some(above) = parent.and_then(|parent| out.get(parent).copied())
            && let Some(matrix) = out.get_mut(index)
        {
            *matrix = above * *matrix;
        }
        open.extend(node.children.iter().map(|NodeId(child)| (*child, Some(index))));
    }
    out.iter().map(|matrix| rows(&matrix.to_cols_array())).collect()
}
