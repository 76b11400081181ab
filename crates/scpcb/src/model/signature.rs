//! Recognition of characters by shape: mods rename the files of the game, and edit some of them.

use scene::{Scene, Topology};

use crate::axes;

/// The shape of a model.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signature {
    pub(super) triangles: usize,
    /// Extents of the first mesh along the file's axes, in its units.
    pub(super) extents: [f64; 3],
    /// Names of nodes that other models do not have.
    pub(super) nodes: &'static [&'static str],
}

/// Maximum ratio between the size of a mesh and its signature.
const MAX_SIZE_RATIO: f64 = 1.02;

/// Maximum size ratio if the scene has the signature's nodes.
const MAX_SIZE_RATIO_WITH_NODES: f64 = 1.25;

/// Maximum ratio between the numbers of triangles.
const MAX_TRIANGLE_RATIO: f64 = 1.1;

/// Measurements of a scene for the comparison with signatures.
#[derive(Debug)]
pub(super) struct Measurements<'a> {
    scene: &'a Scene,
    triangles: usize,
    extents: [f64; 3],
}

impl<'a> Measurements<'a> {
    /// Measures a scene. `factor` multiplies all lengths of the scene. Returns `None` without a mesh.
    pub(super) fn of(scene: &'a Scene, factor: f32) -> Option<Self> {
        let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let triangles = primitives
            .filter(|primitive| primitive.topology == Topology::Triangles)
            .map(|primitive| primitive.indices.len() / 3)
            .sum();
        Some(Self { scene, triangles, extents: extents(scene, factor)? })
    }

    /// Returns the deviation from a signature, 1 for an exact match; `None` for a different model.
    pub(super) fn deviation(&self, signature: &Signature) -> Option<f64> {
        let sizes = self.extents.iter().zip(signature.extents);
        let size = sizes.map(|(own, other)| ratio(*own, other)).fold(1.0, f64::max);
        let count = |count: usize| u32::try_from(count).map(f64::from).unwrap_or(f64::INFINITY);
        let triangles = ratio(count(self.triangles), count(signature.triangles));
        let is_named = !signature.nodes.is_empty() && signature.nodes.iter().all(|name| self.has_node(name));
        let is_same = if is_named {
            size <= MAX_SIZE_RATIO_WITH_NODES
        } else {
            size <= MAX_SIZE_RATIO && triangles <= MAX_TRIANGLE_RATIO
        };
        is_same.then_some(size * triangles)
    }

    fn has_node(&self, name: &str) -> bool {
        self.scene.nodes.iter().any(|node| node.name.eq_ignore_ascii_case(name))
    }
}

/// Returns the ratio between two lengths or counts, at least 1.
fn ratio(a: f64, b: f64) -> f64 {
    let ratio = (a / b).max(b / a);
    if ratio.is_finite() { ratio } else { f64::INFINITY }
}

/// Returns the extents of the first mesh along X, Y and Z in units of the file.
pub(super) fn extents(scene: &Scene, factor: f32) -> Option<[f64; 3]> {
    let mesh = scene.meshes.first()?;
    let (mut min, mut max) = (glam::Vec3::INFINITY, glam::Vec3::NEG_INFINITY);
    for position in mesh.primitives.iter().flat_map(|primitive| &primitive.positions) {
        min = min.min((*position).into());
        max = max.max((*position).into());
    }
    let units = f64::from(axes::UNITS_PER_METER) / f64::from(factor);
    let extents = (max - min).as_dvec3() * units;
    extents.is_finite().then_some(extents.to_array())
}
