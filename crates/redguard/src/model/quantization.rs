//! How the meshes of models can be written as integers: positions are stored as some.

use scene::{NormalPrecision, Quantization};

use super::Face;
use crate::axes::UNITS_PER_METER;

/// File units per meter.
const STEPS: f32 = 256.0 * UNITS_PER_METER;

/// How the vertices of these faces can be written at a scale. Where the model is to be restored, the normals that the file stores have to come back as they
/// are.
pub(super) fn quantization(faces: &[Face], scale: f32, is_restorable: bool) -> Quantization {
    let mut corners = faces.iter().flat_map(|face| &face.corners);
    let is_exact = is_restorable && corners.any(|corner| corner.normal.is_some());
    let normals = if is_exact { NormalPrecision::Exact } else { NormalPrecision::Rounded };
    Quantization { steps: STEPS / scale, normals }
}
