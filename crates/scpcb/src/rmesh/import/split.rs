//! Surfaces with more vertices than the game can index, cut into several.

use super::super::dialect::AnySurface;
use super::super::layout::{InvisibleSurface, MAX_VERTICES, Surface};

/// Triangles of a surface with their own vertices: the old number of each, in the new order.
#[derive(Default)]
struct Part {
    vertices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
}

/// The parts of a list of triangles, each with so few vertices that the game can index them. Triangles stay in their order; vertices
/// that no triangle uses are left out.
fn parts(vertices: usize, triangles: &[[u32; 3]], most: usize) -> Vec<Part> {
    // For each vertex the part that has it last, counted from 1, and its number there.
    let mut known = vec![(0_usize, 0_u32); vertices];
    let mut done = Vec::new();
    let mut part = Part::default();
    for triangle in triangles {
        let current = done.len().saturating_add(1);
        let is_new = |corner: &u32| slot(&known, *corner).is_some_and(|(owner, _)| owner != current);
        let new = triangle.iter().filter(|corner| is_new(corner)).count();
        if part.vertices.len().saturating_add(new) > most {
            done.push(std::mem::take(&mut part));
        }
        let current = done.len().saturating_add(1);
        let mut corners = [0; 3];
        for (corner, old) in corners.iter_mut().zip(triangle) {
            let Some(slot) = usize::try_from(*old).ok().and_then(|old| known.get_mut(old)) else { continue };
            if slot.0 != current {
                *slot = (current, u32::try_from(part.vertices.len()).unwrap_or(u32::MAX));
                part.vertices.push(*old);
            }
            *corner = slot.1;
        }
        part.triangles.push(corners);
    }
    done.push(part);
    done
}

fn slot(known: &[(usize, u32)], corner: u32) -> Option<(usize, u32)> {
    usize::try_from(corner).ok().and_then(|corner| known.get(corner)).copied()
}

fn picked<T: Copy>(all: &[T], numbers: &[u32]) -> Vec<T> {
    numbers.iter().filter_map(|number| all.get(usize::try_from(*number).ok()?)).copied().collect()
}

/// The parts of a surface; itself, where that is small enough.
pub(super) fn surface(surface: AnySurface) -> Vec<AnySurface> {
    let AnySurface { surface, normals, solidity } = surface;
    if surface.vertices.len() <= MAX_VERTICES {
        return vec![AnySurface { surface, normals, solidity }];
    }
    let parts = parts(surface.vertices.len(), &surface.triangles, MAX_VERTICES);
    let made = parts.into_iter().map(|part| AnySurface {
        normals: picked(&normals, &part.vertices),
        solidity,
        surface: Surface {
            lightmap: surface.lightmap.clone(),
            texture: surface.texture.clone(),
            vertices: picked(&surface.vertices, &part.vertices),
            triangles: part.triangles,
        },
    });
    made.collect()
}

/// The same for an invisible surface.
pub(super) fn invisible(surface: InvisibleSurface) -> Vec<InvisibleSurface> {
    if surface.vertices.len() <= MAX_VERTICES {
        return vec![surface];
    }
    let parts = parts(surface.vertices.len(), &surface.triangles, MAX_VERTICES);
    let made = parts.into_iter().map(|part| InvisibleSurface {
        vertices: picked(&surface.vertices, &part.vertices),
        triangles: part.triangles,
    });
    made.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_all_triangles_in_order_and_no_more_vertices_than_allowed() {
        let triangles: Vec<[u32; 3]> = (0..10).map(|x| [x, x + 1, x + 2]).collect();
        let parts = parts(13, &triangles, 5);
        let again = |part: &Part| -> Vec<[u32; 3]> {
            let old = |corner: u32| part.vertices[corner as usize];
            part.triangles.iter().map(|triangle| triangle.map(old)).collect()
        };
        assert_eq!(parts.iter().flat_map(again).collect::<Vec<_>>(), triangles);
        assert_eq!(parts.iter().map(|part| part.vertices.len()).collect::<Vec<_>>(), [5, 5, 5, 3]);
    }

    #[test]
    fn a_small_surface_stays_whole_with_unused_vertices() {
        let whole = InvisibleSurface { vertices: vec![[1.0; 3]; 7], triangles: vec![[0, 1, 2]] };
        assert_eq!(invisible(whole.clone()), [whole]);
    }
}
