//! Splits surfaces with more vertices than the game can index.

use super::super::dialect::AnySurface;
use super::super::layout::{InvisibleSurface, MAX_VERTICES, Surface};

/// Triangles of a surface with their own vertices: the original index of each, in the new order.
#[derive(Default)]
struct Section {
    vertices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
}

/// Splits a list of triangles into sections with at most `most` vertices each. Triangles keep their order; unused vertices are
/// left out.
fn sections(vertices: usize, triangles: &[[u32; 3]], most: usize) -> Vec<Section> {
    // For each vertex, the last section that contains it, counted from 1, and its index there.
    let mut known = vec![(0_usize, 0_u32); vertices];
    let mut done = Vec::new();
    let mut section = Section::default();
    for triangle in triangles {
        let current = done.len().saturating_add(1);
        let is_new = |corner: &u32| slot(&known, *corner).is_some_and(|(owner, _)| owner != current);
        let new = triangle.iter().filter(|corner| is_new(corner)).count();
        if section.vertices.len().saturating_add(new) > most {
            done.push(std::mem::take(&mut section));
        }
        let current = done.len().saturating_add(1);
        let mut corners = [0; 3];
        for (corner, old) in corners.iter_mut().zip(triangle) {
            let Some(slot) = usize::try_from(*old).ok().and_then(|old| known.get_mut(old)) else { continue };
            if slot.0 != current {
                *slot = (current, u32::try_from(section.vertices.len()).unwrap_or(u32::MAX));
                section.vertices.push(*old);
            }
            *corner = slot.1;
        }
        section.triangles.push(corners);
    }
    done.push(section);
    done
}

fn slot(known: &[(usize, u32)], corner: u32) -> Option<(usize, u32)> {
    usize::try_from(corner).ok().and_then(|corner| known.get(corner)).copied()
}

fn picked<T: Copy>(all: &[T], numbers: &[u32]) -> Vec<T> {
    numbers.iter().filter_map(|number| all.get(usize::try_from(*number).ok()?)).copied().collect()
}

/// Splits a surface; a small one is returned unchanged.
pub(super) fn surface(surface: AnySurface) -> Vec<AnySurface> {
    let AnySurface { surface, normals, solidity } = surface;
    if surface.vertices.len() <= MAX_VERTICES {
        return vec![AnySurface { surface, normals, solidity }];
    }
    let sections = sections(surface.vertices.len(), &surface.triangles, MAX_VERTICES);
    let surfaces = sections.into_iter().map(|section| AnySurface {
        normals: picked(&normals, &section.vertices),
        solidity,
        surface: Surface {
            lightmap: surface.lightmap.clone(),
            texture: surface.texture.clone(),
            vertices: picked(&surface.vertices, &section.vertices),
            triangles: section.triangles,
        },
    });
    surfaces.collect()
}

/// Splits an invisible surface; a small one is returned unchanged.
pub(super) fn invisible(surface: InvisibleSurface) -> Vec<InvisibleSurface> {
    if surface.vertices.len() <= MAX_VERTICES {
        return vec![surface];
    }
    let sections = sections(surface.vertices.len(), &surface.triangles, MAX_VERTICES);
    let surfaces = sections.into_iter().map(|section| InvisibleSurface {
        vertices: picked(&surface.vertices, &section.vertices),
        triangles: section.triangles,
    });
    surfaces.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_all_triangles_in_order_and_at_most_the_allowed_vertices() {
        let triangles: Vec<[u32; 3]> = (0..10).map(|x| [x, x + 1, x + 2]).collect();
        let sections = sections(13, &triangles, 5);
        let again = |section: &Section| -> Vec<[u32; 3]> {
            let old = |corner: u32| section.vertices[corner as usize];
            section.triangles.iter().map(|triangle| triangle.map(old)).collect()
        };
        assert_eq!(sections.iter().flat_map(again).collect::<Vec<_>>(), triangles);
        assert_eq!(sections.iter().map(|section| section.vertices.len()).collect::<Vec<_>>(), [5, 5, 5, 3]);
    }

    #[test]
    fn a_small_surface_keeps_its_unused_vertices() {
        let surface = InvisibleSurface { vertices: vec![[1.0; 3]; 7], triangles: vec![[0, 1, 2]] };
        assert_eq!(invisible(surface.clone()), [surface]);
    }
}
