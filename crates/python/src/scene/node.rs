//! Nodes and lights.

use antiquary::scene::node::Layer;
use antiquary::scene::{self, Body, ImageId, LightId, LightKind, MeshId, SkinId};
use pyo3::prelude::*;

use super::indices;
use crate::error::Result;
use crate::value::to_python;

/// A node of the scene: a transform and the objects attached to it.
#[pyclass(frozen, module = "antiquary")]
pub(crate) struct Node(scene::Node, Option<String>);

impl Node {
    pub(crate) const fn new(node: scene::Node, field: Option<String>) -> Self {
        Self(node, field)
    }
}

#[pymethods]
impl Node {
    /// Name of the node.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Translation in meters, in the parent's space: (x, y, z).
    #[getter]
    fn translation(&self) -> (f32, f32, f32) {
        self.0.translation.into()
    }

    /// Rotation as a quaternion: (x, y, z, w).
    #[getter]
    fn rotation(&self) -> (f32, f32, f32, f32) {
        self.0.rotation.into()
    }

    /// Scale factors along the node's own axes: (x, y, z).
    #[getter]
    fn scale(&self) -> (f32, f32, f32) {
        self.0.scale.into()
    }

    /// Index of the mesh, or None.
    #[getter]
    fn mesh(&self) -> Option<usize> {
        self.0.mesh.map(|MeshId(mesh)| mesh)
    }

    /// Index of the light, or None.
    #[getter]
    fn light(&self) -> Option<usize> {
        self.0.light.map(|LightId(light)| light)
    }

    /// Index of the skin that deforms the mesh, or None.
    #[getter]
    fn skin(&self) -> Option<usize> {
        self.0.skin.map(|SkinId(skin)| skin)
    }

    /// Role of the mesh in collision detection: ``"solid"``, ``"barrier"`` (invisible), ``"trigger"`` (invisible and
    /// passable), or None.
    #[getter]
    fn body(&self) -> Option<&'static str> {
        Some(match self.0.body? {
            Body::Barrier => "barrier",
            Body::Trigger => "trigger",
            _ => "solid",
        })
    }

    /// Index of a mesh whose convex hull detects entering objects, or None.
    #[getter]
    fn trigger(&self) -> Option<usize> {
        self.0.trigger.map(|MeshId(mesh)| mesh)
    }

    /// Name of the layer that the node belongs to, or None. The node of a layer itself is the group of its members.
    #[getter]
    fn layer(&self) -> Option<&str> {
        match self.0.layer.as_ref()? {
            Layer::Member(name) => Some(name),
            _ => Some(&self.0.name),
        }
    }

    /// Index of an image that belongs to the node without being shown, or None.
    #[getter]
    fn picture(&self) -> Option<usize> {
        self.0.picture.map(|ImageId(image)| image)
    }

    /// Indices of the child nodes.
    #[getter]
    fn children(&self) -> Vec<usize> {
        indices(&self.0.children)
    }

    /// Path of the field that the node was built from, such as ``entities[3]``, or None if unknown. ``File.set`` accepts it.
    #[getter]
    fn field(&self) -> Option<&str> {
        self.1.as_deref()
    }

    /// Further data of the node, such as the fields of an entity.
    #[getter]
    fn extras(&self, py: Python<'_>) -> Result<Py<PyAny>> {
        match &self.0.packed_extras {
            Some(packed) => Ok(to_python(py, &packed.unpacked())?),
            None => Ok(to_python(py, &self.0.extras)?),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Node {:?}>", self.0.name)
    }
}

/// A light. Spot and directional lights shine along the -Z axis of their node.
#[pyclass(frozen, module = "antiquary")]
pub(crate) struct Light(scene::Light);

impl Light {
    pub(crate) const fn new(light: scene::Light) -> Self {
        Self(light)
    }
}

#[pymethods]
impl Light {
    /// Name of the light.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// ``"point"``, ``"spot"`` or ``"directional"``.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0.kind {
            LightKind::Point => "point",
            LightKind::Spot { .. } => "spot",
            LightKind::Directional => "directional",
        }
    }

    /// Linear red, green and blue within 0..1.
    #[getter]
    fn color(&self) -> (f32, f32, f32) {
        self.0.color.into()
    }

    /// Candela for point and spot lights, lux for directional lights.
    #[getter]
    fn intensity(&self) -> f32 {
        self.0.intensity
    }

    /// Distance in meters beyond which nothing is lit, or None if unlimited.
    #[getter]
    fn range(&self) -> Option<f32> {
        self.0.range
    }

    /// Half-angles of a spot light in radians: of full intensity, and beyond which there is no light; None for other lights.
    #[getter]
    fn cone(&self) -> Option<(f32, f32)> {
        match self.0.kind {
            LightKind::Spot { inner_cone, outer_cone } => Some((inner_cone, outer_cone)),
            _ => None,
        }
    }

    /// Further data of the light.
    #[getter]
    fn extras(&self, py: Python<'_>) -> Result<Py<PyAny>> {
        Ok(to_python(py, &self.0.extras)?)
    }

    fn __repr__(&self) -> String {
        format!("<Light {:?}, {}>", self.0.name, self.kind())
    }
}
