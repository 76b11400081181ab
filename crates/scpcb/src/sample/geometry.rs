//! Surfaces of revolution for the sample's props.
//!
//! Game units, left-handed; a front face points along `(b - a) x (c - a)`.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::light::as_float;

/// Faces with a normal and texture coordinates at each vertex.
#[derive(Debug, Clone, Default)]
pub(super) struct Geometry {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    /// Texture coordinates, left to right and top to bottom as seen from the front.
    pub(super) uvs: Vec<Vec2>,
    /// Faces of three or four corners: top left, top right, bottom right, bottom left, without coinciding corners.
    pub(super) faces: Vec<Vec<u32>>,
}

impl Geometry {
    /// A surface of revolution around the Y axis. The profile is (radius, height) from top to bottom of the outside; a profile that goes
    /// back up forms an inside. The texture wraps around once, and spans the profile.
    pub(super) fn lathe(profile: &[[f32; 2]], sides: u32) -> Self {
        let mut shape = Self::default();
        let lengths: Vec<f32> = profile.windows(2).map(length).collect();
        let total: f32 = lengths.iter().sum();
        let mut distance = 0.0;
        for (band, length) in profile.windows(2).zip(lengths) {
            let [upper, lower] = *band else { continue };
            shape.add_band(upper, lower, [distance / total, (distance + length) / total], sides);
            distance += length;
        }
        shape
    }

    fn add_band(&mut self, upper: [f32; 2], lower: [f32; 2], [top, bottom]: [f32; 2], sides: u32) {
        let first = u32::try_from(self.positions.len()).unwrap_or(u32::MAX);
        let down = Vec2::from(lower) - Vec2::from(upper);
        for side in 0..=sides {
            let fraction = as_float(side) / as_float(sides);
            let (sin, cos) = (fraction * TAU).sin_cos();
            let around = |[radius, height]: [f32; 2]| Vec3::new(radius * cos, height, radius * sin);
            let normal = Vec3::new(-down.y * cos, down.x, -down.y * sin).normalize_or_zero();
            for (ring, v) in [(upper, top), (lower, bottom)] {
                self.positions.push(around(ring));
                self.normals.push(normal);
                self.uvs.push(Vec2::new(fraction, v));
            }
        }
        for side in 0..sides {
            let corner = |offset: u32| first + side * 2 + offset;
            self.faces.push(match (upper, lower) {
                ([0.0, _], _) => vec![corner(0), corner(3), corner(1)],
                (_, [0.0, _]) => vec![corner(0), corner(2), corner(1)],
                _ => vec![corner(0), corner(2), corner(3), corner(1)],
            });
        }
    }

    /// The faces as triangles.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        let fan = |face: &Vec<u32>| -> Vec<[u32; 3]> {
            let Some((first, others)) = face.split_first() else { return Vec::new() };
            others.windows(2).filter_map(|pair| Some([*first, *pair.first()?, *pair.last()?])).collect()
        };
        self.faces.iter().flat_map(fan)
    }
}

fn length(band: &[[f32; 2]]) -> f32 {
    match band {
        [a, b] => Vec2::from(*a).distance(Vec2::from(*b)),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_faces_match_the_normals() {
        let straight = [[10.0, 5.0], [10.0, -5.0]];
        let tips = [[[0.0, 8.0], [20.0, 0.0]], [[20.0, 0.0], [0.0, 8.0]]];
        for profile in [straight, tips[0], tips[1]] {
            let shape = Geometry::lathe(&profile, 12);
            for [a, b, c] in shape.triangles() {
                let at = |corner: u32| shape.positions[usize::try_from(corner).unwrap()];
                let front = (at(b) - at(a)).cross(at(c) - at(a)).normalize();
                let normal = shape.normals[usize::try_from(a).unwrap()];
                assert!(front.dot(normal) > 0.9, "{front} {normal}");
            }
        }
    }
}
