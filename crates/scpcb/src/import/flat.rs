//! Flat shading of primitives without normals, as glTF requires.

use glam::Vec3;
use scene::{Influences, Primitive};

use crate::model::normal;

/// Returns the primitive with normals. Without normals it is flat-shaded, as glTF requires: triangles do not share vertices.
pub(crate) fn with_normals(part: &Primitive) -> Primitive {
    if part.normals.is_some() {
        return part.clone();
    }
    let mut out =
        Primitive { material: part.material, uvs: vec![Vec::new(); part.uvs.len()], ..Primitive::default() };
    let (mut normals, mut colors) = (Vec::new(), Vec::new());
    let mut influences = Influences::default();
    let (triangles, _) = part.indices.as_chunks::<3>();
    for triangle in triangles {
        let flat = normal::of_triangle(&part.positions, *triangle).map_or(Vec3::Y, |(_, normal)| normal);
        for corner in triangle {
            let at = usize::try_from(*corner).unwrap_or(usize::MAX);
            out.indices.push(u32::try_from(out.positions.len()).unwrap_or(u32::MAX));
            out.positions.push(part.positions.get(at).copied().unwrap_or_default());
            normals.push(flat.to_array());
            for (set, from) in out.uvs.iter_mut().zip(&part.uvs) {
                set.push(from.get(at).copied().unwrap_or_default());
            }
            colors.extend(part.colors.as_ref().and_then(|colors| colors.get(at)).copied());
            if let Some(from) = &part.influences {
                influences.joints.push(from.joints.get(at).copied().unwrap_or_default());
                influences.weights.push(from.weights.get(at).copied().unwrap_or_default());
            }
        }
    }
    out.normals = Some(normals);
    out.colors = part.colors.as_ref().map(|_| colors);
    out.influences = part.influences.as_ref().map(|_| influences);
    out
}
