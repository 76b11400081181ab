//! Animations and skins.

use antiquary::scene::{self, Interpolation, MaterialId, NodeId, Target};
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::{Matrix, indices, list, matrices, rows};
use crate::array;
use crate::error::Result;
use crate::value::to_python;

/// An animation clip: tracks that play together.
#[pyclass(frozen, get_all, module = "antiquary")]
pub(crate) struct Animation {
    /// Name of the clip.
    name: String,
    /// Animated values.
    tracks: Py<PyList>,
    /// Further data of the clip.
    extras: Py<PyAny>,
}

impl Animation {
    pub(crate) fn new(py: Python<'_>, animation: scene::Animation) -> Result<Self> {
        Ok(Self {
            name: animation.name,
            tracks: list(py, animation.tracks, |track| Track::new(py, track))?,
            extras: to_python(py, &animation.extras)?,
        })
    }
}

#[pymethods]
impl Animation {
    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Animation {:?}, {} tracks>", self.name, self.tracks.bind(py).len())
    }
}

/// The keyframes of one animated value.
#[pyclass(frozen, get_all, module = "antiquary")]
pub(crate) struct Track {
    /// The values that are animated: each is a property and the index of its node or material. The properties of nodes are
    /// ``"translation"`` (meters), ``"rotation"`` (quaternion x, y, z, w), ``"scale"`` and ``"weights"`` (one per morph
    /// target); those of materials are ``"uv_offset"``, ``"uv_rotation"`` (radians), ``"uv_scale"`` and ``"base_color"``.
    targets: Vec<(&'static str, usize)>,
    /// ``"step"``, ``"linear"`` or ``"cubic"``.
    interpolation: &'static str,
    /// Times of the keyframes in seconds, increasing: (K,) of float32.
    times: Py<PyArray1<f32>>,
    /// Values of the keyframes: (K, N) of float32. With ``"cubic"``, each row has an in-tangent, a value and an out-tangent.
    values: Py<PyArray2<f32>>,
}

impl Track {
    fn new(py: Python<'_>, track: scene::Track) -> Result<Self> {
        let targets = track.targets().map(target).collect();
        let keyframes = track.times.len();
        let columns = track.values.len().checked_div(keyframes).unwrap_or_default();
        Ok(Self {
            targets,
            interpolation: match track.interpolation {
                Interpolation::Step => "step",
                Interpolation::Linear => "linear",
                Interpolation::CubicSpline => "cubic",
            },
            times: array::numbers(py, track.times)?,
            values: array::table(py, keyframes, columns, track.values)?,
        })
    }
}

#[pymethods]
impl Track {
    fn __repr__(&self, py: Python<'_>) -> Result<String> {
        Ok(format!("<Track {:?}, {} keyframes>", self.targets, self.times.bind(py).len()?))
    }
}

fn target(target: Target) -> (&'static str, usize) {
    match target {
        Target::Translation(NodeId(node)) => ("translation", node),
        Target::Rotation(NodeId(node)) => ("rotation", node),
        Target::Scale(NodeId(node)) => ("scale", node),
        Target::Weights(NodeId(node)) => ("weights", node),
        Target::MaterialUvOffset(MaterialId(material)) => ("uv_offset", material),
        Target::MaterialUvRotation(MaterialId(material)) => ("uv_rotation", material),
        Target::MaterialUvScale(MaterialId(material)) => ("uv_scale", material),
        Target::MaterialBaseColor(MaterialId(material)) => ("base_color", material),
    }
}

/// The joints that deform a mesh.
#[pyclass(frozen, get_all, module = "antiquary")]
pub(crate) struct Skin {
    /// Name of the skin.
    name: String,
    /// Indices of the nodes that act as joints.
    joints: Vec<usize>,
    /// Transforms from the space of the mesh to that of each joint in the bind pose: (joints, 4, 4) of float32.
    inverse_bind: Py<PyArray3<f32>>,
    /// Index of the root of the joints, or None.
    skeleton: Option<usize>,
    /// Further data of the skin.
    extras: Py<PyAny>,
}

/// The identity matrix.
const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

impl Skin {
    pub(crate) fn new(py: Python<'_>, skin: scene::Skin) -> Result<Self> {
        let inverse_bind: Vec<Matrix> = match skin.inverse_bind.as_slice() {
            [] => vec![IDENTITY; skin.joints.len()],
            stored => stored.iter().map(|matrix| rows(&matrix.to_cols_array())).collect(),
        };
        Ok(Self {
            name: skin.name,
            joints: indices(&skin.joints),
            inverse_bind: matrices(py, inverse_bind)?,
            skeleton: skin.skeleton.map(|NodeId(node)| node),
            extras: to_python(py, &skin.extras)?,
        })
    }
}

#[pymethods]
impl Skin {
    fn __repr__(&self) -> String {
        format!("<Skin {:?}, {} joints>", self.name, self.joints.len())
    }
}
