//! Recognizing a character by its shape: mods rename the files of the game, and edit some of them.

use scene::{Scene, Topology};

use crate::axes;

/// The shape of a model.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signature {
    pub(super) triangles: usize,
    /// The extents of the first mesh along the axes of the file, in its units.
    pub(super) extents: [f64; 3],
    /// Names of nodes that other models do not have.
    pub(super) nodes: &'static [&'static str],
}

/// Largest factor between the size of a mesh and its signature.
const NEAR: f64 = 1.02;

/// Largest factor where the scene has the signature's nodes.
const NAMED_NEAR: f64 = 1.25;

/// Largest factor between the numbers of triangles.
const EDITED: f64 = 1.1;

/// The measurements of a scene that are compared with signatures.
#[derive(Debug)]
pub(super) struct Measured<'a> {
    scene: &'a Scene,
    triangles: usize,
    extents: [f64; 3],
}

impl<'a> Measured<'a> {
    /// `factor` multiplies all lengths of the scene. `None` without a mesh.
    pub(super) fn of(scene: &'a Scene, factor: f32) -> Option<Self> {
        let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let triangles = primitives
            .filter(|primitive| primitive.topology == Topology::Triangles)
            .map(|primitive| primitive.indices.len() / 3)
            .sum();
        Some(Self { scene, triangles, extents: extents(scene, factor)? })
    }

    /// How far this is from a signature, 1 being nearest. `None` if it is another model.
    pub(super) fn likeness(&self, signature: &Signature) -> Option<f64> {
        let sizes = self.extents.iter().zip(signature.extents);
        let size = sizes.map(|(own, other)| ratio(*own, other)).fold(1.0, f64::max);
        let count = |count: usize| u32::try_from(count).map(f64::from).unwrap_or(f64::INFINITY);
        let triangles = ratio(count(self.triangles), count(signature.triangles));
        let is_named = !signature.nodes.is_empty() && signature.nodes.iter().all(|name| self.has_node(name));
        let is_same = if is_named { size <= NAMED_NEAR } else { size <= NEAR && triangles <= EDITED };
        is_same.then_some(size * triangles)
    }

    fn has_node(&self, name: &str) -> bool {
        self.scene.nodes.iter().any(|node| node.name.eq_ignore_ascii_case(name))
    }
}

/// The factor between two lengths or counts, at least 1.
fn ratio(a: f64, b: f64) -> f64 {
    let ratio = (a / b).max(b / a);
    if ratio.is_finite() { ratio } else { f64::INFINITY }
}

/// The extents of the first mesh along X, Y and Z in units of the file.
pub(super) fn extents(scene: &Scene, factor: f32) -> Option<[f64; 3]> {
    let mesh = scene.meshes.first()?;
    let (mut least, mut most) = (glam::Vec3::INFINITY, glam::Vec3::NEG_INFINITY);
    for place in mesh.primitives.iter().flat_map(|primitive| &primitive.positions) {
        least = least.min((*place).into());
        most = most.max((*place).into());
    }
    let units = f64::from(axes::UNITS_PER_METER) / f64::from(factor);
    let extents = (most - least).as_dvec3() * units;
    extents.is_finite().then_some(extents.to_array())
}
