//! Light in the colors of vertices, as the props that are part of a room have it.

use std::collections::HashMap;

use light::{Lit, Spot};

use super::super::RMesh;
use super::super::layout::Surface;
use super::bodies::{Bodies, is_opaque};
use super::charts::has_lightmap;
use super::picture::{Light, color};

/// A place so near to a vertex of its triangle has the vertex's light: the shares of the other two corners.
const BESIDE: f32 = 0.05;

/// Which vertex has the light of which place.
pub(super) struct Vertices(Vec<(usize, u32, usize)>);

/// Whether a surface has light in the colors of its vertices. White ones are drawn as bright as can be, on purpose.
fn has_light(surface: &Surface) -> bool {
    is_opaque(surface)
        && !has_lightmap(surface)
        && surface.vertices.iter().any(|vertex| vertex.color != [255; 3])
}

impl Vertices {
    /// Adds the vertices to what is lit.
    pub(super) fn of(room: &RMesh, bodies: &Bodies, lit: &mut Lit) -> Self {
        let mut spots: HashMap<(usize, u32), Vec<Spot>> = HashMap::new();
        let mut order: Vec<(usize, u32)> = Vec::new();
        for (facet, origin) in (0_u32..).zip(&bodies.origins) {
            let Some(surface) = room.surfaces.get(origin.surface).filter(|surface| has_light(surface)) else {
                continue;
            };
            let Some([a, b, c]) = surface.triangles.get(origin.triangle) else { continue };
            let far = 1.0 - 2.0 * BESIDE;
            // As the triangle is wound in the axes of glTF.
            for (vertex, shares) in [(*a, [BESIDE; 2]), (*c, [far, BESIDE]), (*b, [BESIDE, far])] {
                let key = (origin.surface, vertex);
                let places = spots.entry(key).or_insert_with(|| {
                    order.push(key);
                    Vec::new()
                });
                places.push(Spot { facet, shares });
            }
        }
        let add = |(surface, vertex): (usize, u32)| {
            let places = spots.get(&(surface, vertex)).map(Vec::as_slice).unwrap_or_default();
            (surface, vertex, lit.add(places))
        };
        Self(order.into_iter().map(add).collect())
    }

    /// Gives the vertices of a room their light. Those that are inside of something solid keep theirs. Returns how many have new colors.
    pub(super) fn color(self, room: &mut RMesh, light: &Light) -> usize {
        let mut count = 0_usize;
        for (surface, vertex, place) in self.0 {
            let found = light.0.get(place).copied().flatten();
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
