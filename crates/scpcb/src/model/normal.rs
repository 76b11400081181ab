//! Computes normals for models without them.

use std::collections::BTreeMap;

use glam::Vec3;

/// Returns smooth normals as Blitz3D computes them: at each position, the average of the normals of all adjacent triangles,
/// regardless of their size. Triangles with zero area do not count; a vertex that only they use gets a zero normal, which is
/// written as up.
pub(crate) fn smooth(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<[f32; 3]> {
    let mut sums: BTreeMap<[u32; 3], Vec3> = BTreeMap::new();
    for triangle in triangles {
        let Some((corners, normal)) = of_triangle(positions, *triangle) else { continue };
        for corner in corners {
            *sums.entry(position_key(corner)).or_default() += normal;
        }
    }
    positions
        .iter()
        .map(|position| {
            sums.get(&position_key(*position)).copied().unwrap_or_default().normalize_or_zero().to_array()
        })
        .collect()
}

/// Returns the corners and the normal of a counterclockwise triangle; `None` if it has zero area or a corner does not exist.
pub(crate) fn of_triangle(positions: &[[f32; 3]], triangle: [u32; 3]) -> Option<([[f32; 3]; 3], Vec3)> {
    let at = |corner: u32| positions.get(usize::try_from(corner).ok()?).copied();
    let [a, b, c] = triangle.map(at);
    let corners = [a?, b?, c?];
    let [a, b, c] = corners.map(Vec3::from);
    let normal = (b - a).cross(c - a).try_normalize()?;
    Some((corners, normal))
}

/// Returns a position as a map key. Negative zero equals zero.
fn position_key(position: [f32; 3]) -> [u32; 3] {
    position.map(|number| if number == 0.0 { 0 } else { number.to_bits() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_at_one_position_share_a_normal_regardless_of_triangle_size() {
        // A floor and a far larger wall that meet at the X axis, without sharing vertices.
        let positions = [
            [0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0],
            [1.0, 0.0, 0.0],
            [-0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 50.0, 0.0],
            [9.0, 9.0, 9.0],
        ];
        let normals = smooth(&positions, &[[0, 1, 2], [3, 4, 5], [6, 6, 6], [0, 1, 99]]);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        for shared in [0, 2, 3, 4] {
            assert!(Vec3::from(normals[shared]).abs_diff_eq(Vec3::new(0.0, half, half), 1e-6), "{shared}");
        }
        assert_eq!(normals[1], [0.0, 1.0, 0.0]);
        assert_eq!(normals[5], [0.0, 0.0, 1.0]);
        assert_eq!(normals[6], [0.0; 3]);
    }
}
