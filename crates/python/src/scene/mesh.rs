//! Meshes.

use antiquary::scene::{self, MaterialId, Topology};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::list;
use crate::array;
use crate::error::Result;
use crate::value::to_python;

/// A mesh that consists of primitives with one material each.
#[pyclass(frozen, get_all, module = "antiquary")]
pub(crate) struct Mesh {
    /// Name of the mesh.
    name: String,
    /// The game file that the mesh comes from, if other scenes may also show it.
    source: Option<String>,
    /// Primitives.
    primitives: Py<PyList>,
    /// Names of the morph targets, in the order of the primitives' targets.
    target_names: Vec<String>,
    /// Weights of the morph targets when nothing is animated.
    weights: Vec<f32>,
    /// Further data of the mesh.
    extras: Py<PyAny>,
}

impl Mesh {
    pub(crate) fn new(py: Python<'_>, mesh: scene::Mesh, fields: Vec<Option<String>>) -> Result<Self> {
        let primitives = mesh.primitives.into_iter().zip(fields).collect();
        Ok(Self {
            name: mesh.name,
            source: mesh.source,
            primitives: list(py, primitives, |(primitive, field)| Primitive::new(py, primitive, field))?,
            target_names: mesh.target_names,
            weights: mesh.weights,
            extras: to_python(py, &mesh.extras)?,
        })
    }
}

#[pymethods]
impl Mesh {
    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Mesh {:?}, {} primitives>", self.name, self.primitives.bind(py).len())
    }
}

/// Triangles or lines with one material. All arrays of vertices have the same length V.
#[pyclass(frozen, get_all, module = "antiquary")]
pub(crate) struct Primitive {
    /// Vertex positions in meters, Y up: (V, 3) of float32.
    positions: Py<PyArray2<f32>>,
    /// Vertex normals: (V, 3) of float32, or None.
    normals: Option<Py<PyArray2<f32>>>,
    /// Tangents of unit length, and the sign of the bitangent: (V, 4) of float32, or None.
    tangents: Option<Py<PyArray2<f32>>>,
    /// Sets of texture coordinates, each (V, 2) of float32; (0, 0) is the top left corner of the image.
    uvs: Vec<Py<PyArray2<f32>>>,
    /// Linear red, green, blue and alpha within 0..1: (V, 4) of float32, or None.
    colors: Option<Py<PyArray2<f32>>>,
    /// Indices into the joints of the node's skin: (V, 4) of uint16, or None.
    joints: Option<Py<PyArray2<u16>>>,
    /// Weights of these joints: (V, 4) of float32, or None.
    weights: Option<Py<PyArray2<f32>>>,
    /// Indices of vertices: (3 * triangles,) or (2 * lines,) of uint32. Front faces are counter-clockwise.
    indices: Py<PyArray1<u32>>,
    /// ``"triangles"`` or ``"lines"``.
    topology: &'static str,
    /// Index of the material, or None for a default one.
    material: Option<usize>,
    /// Morph targets.
    targets: Py<PyList>,
    /// Path of the field that the primitive was built from, such as ``surfaces[2]``, or None if unknown.
    field: Option<String>,
    /// Further data of the primitive.
    extras: Py<PyAny>,
}

impl Primitive {
    fn new(py: Python<'_>, it: scene::Primitive, field: Option<String>) -> Result<Self> {
        let (joints, weights) = match it.influences {
            Some(influences) => (Some(influences.joints), Some(influences.weights)),
            None => (None, None),
        };
        Ok(Self {
            positions: array::rows(py, it.positions)?,
            normals: it.normals.map(|normals| array::rows(py, normals)).transpose()?,
            tangents: it.tangents.map(|tangents| array::rows(py, tangents)).transpose()?,
            uvs: it.uvs.into_iter().map(|uvs| array::rows(py, uvs)).collect::<Result<_>>()?,
            colors: it.colors.map(|colors| array::rows(py, colors)).transpose()?,
            joints: joints.map(|joints| array::rows(py, joints)).transpose()?,
            weights: weights.map(|weights| array::rows(py, weights)).transpose()?,
            indices: array::numbers(py, it.indices)?,
            topology: match it.topology {
                Topology::Triangles => "triangles",
                Topology::Lines => "lines",
            },
            material: it.material.map(|MaterialId(material)| material),
            targets: list(py, it.targets, |target| MorphTarget::new(py, target))?,
            field,
            extras: to_python(py, &it.extras)?,
        })
    }
}

#[pymethods]
impl Primitive {
    /// Indices of vertices, one row for each triangle or line: a view of ``indices`` with the shape (triangles, 3) or
    /// (lines, 2) of uint32.
    #[getter]
    fn faces(&self, py: Python<'_>) -> Result<Py<PyAny>> {
        let corners = if self.topology == "lines" { 2 } else { 3 };
        let faces = self.indices.bind(py).call_method1("reshape", ((-1, corners),))?;
        Ok(faces.unbind())
    }

    fn __repr__(&self, py: Python<'_>) -> Result<String> {
        let (vertices, indices) = (self.positions.bind(py).len()?, self.indices.bind(py).len()?);
        Ok(format!("<Primitive {}, {vertices} vertices, {indices} indices>", self.topology))
    }
}

/// A morph target, as differences from the vertices of the primitive.
#[pyclass(frozen, get_all, module = "antiquary")]
pub(crate) struct MorphTarget {
    /// Added to the positions, in meters: (V, 3) of float32.
    positions: Py<PyArray2<f32>>,
    /// Added to the normals: (V, 3) of float32, or None.
    normals: Option<Py<PyArray2<f32>>>,
}

impl MorphTarget {
    fn new(py: Python<'_>, target: scene::MorphTarget) -> Result<Self> {
        Ok(Self {
            positions: array::rows(py, target.positions)?,
            normals: target.normals.map(|normals| array::rows(py, normals)).transpose()?,
        })
    }
}
