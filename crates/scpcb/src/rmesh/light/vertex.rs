//! Light in vertex colors, for props that are part of the room's surfaces.

use std::collections::HashMap;

use light::{SurfacePoint, TexelMap};

use super::super::RMesh;
use super::super::layout::Surface;
use super::bodies::{Bodies, is_opaque};
use super::charts::has_lightmap;
use super::picture::{Light, color};

/// Barycentric distance from a vertex at which its light is sampled.
const NEAR_VERTEX: f32 = 0.05;

/// The index of the sampled light for each lit vertex.
pub(super) struct Vertices(Vec<(usize, u32, usize)>);

/// Whether a surface has light in its vertex colors. All-white surfaces are drawn at full brightness on purpose.
fn has_light(surface: &Surface) -> bool {
    is_opaque(surface)
        && !has_lightmap(surface)
        && surface.vertices.iter().any(|vertex| vertex.color != [255; 3])
}

impl Vertices {
    /// Adds samples for the vertices.
    pub(super) fn of(room: &RMesh, bodies: &Bodies, lit: &mut TexelMap) -> Self {
        let mut spots: HashMap<(usize, u32), Vec<SurfacePoint>> = HashMap::new();
        let mut order: Vec<(usize, u32)> = Vec::new();
        for (facet, origin) in (0_u32..).zip(&bodies.origins) {
            let Some(surface) = room.surfaces.get(origin.surface).filter(|surface| has_light(surface)) else {
                continue;
            };
            let Some([a, b, c]) = surface.triangles.get(origin.triangle) else { continue };
            let far = 1.0 - 2.0 * NEAR_VERTEX;
            // The order of the triangle's vertices in glTF's winding.
            for (vertex, shares) in
                [(*a, [NEAR_VERTEX; 2]), (*c, [far, NEAR_VERTEX]), (*b, [NEAR_VERTEX, far])]
            {
                let key = (origin.surface, vertex);
                let samples = spots.entry(key).or_insert_with(|| {
                    order.push(key);
                    Vec::new()
                });
                samples.push(SurfacePoint { facet, weights: shares });
            }
        }
        let add = |(surface, vertex): (usize, u32)| {
            let samples = spots.get(&(surface, vertex)).map(Vec::as_slice).unwrap_or_default();
            (surface, vertex, lit.add(samples))
        };
        Self(order.into_iter().map(add).collect())
    }

    /// Sets the vertex colors of a room. Vertices inside a solid keep their colors. Returns the number of changed vertices.
    pub(super) fn color(self, room: &mut RMesh, light: &Light) -> usize {
        let mut count = 0_usize;
        for (surface, vertex, sample) in self.0 {
            let found = light.0.get(sample).copied().flatten();
            let at = usize::try_from(vertex).ok();
            let vertex = room.surfaces.get_mut(surface).zip(at).and_then(|(it, at)| it.vertices.get_mut(at));
            if let Some((vertex, light)) = vertex.zip(found) {
                vertex.color = color(light);
                count = count.saturating_add(1);
            }
        }
        count
    }
}
