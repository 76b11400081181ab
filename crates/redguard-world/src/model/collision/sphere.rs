//! Spheres that represent objects in collision tests, and the mesh that shows them.

use glam::Vec3;
use scene::Primitive;

use crate::number::single;

/// The radius of the sphere of an object without a size, in world units.
const DEFAULT_RADIUS: f32 = 12.0;

/// The minimum size of an object from side to side, in world units.
const MIN_TOTAL: f32 = 4.0;

/// The maximum number of spheres of an object.
const MAX_SPHERES: u16 = 16;

/// The number of segments per quarter turn of a sphere mesh, around its axis and from its equator to a pole.
const SEGMENTS: u16 = 3;

/// A sphere relative to the origin of its object, in world units with the game's axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CollisionSphere {
    pub(crate) center: Vec3,
    pub(crate) radius: f32,
}

impl CollisionSphere {
    /// The sphere of an object without a size.
    pub(crate) const DEFAULT: Self = Self { center: Vec3::ZERO, radius: DEFAULT_RADIUS };

    /// Returns the spheres of an object that extends this far from its origin along each positive and negative axis: along its longest
    /// side, or upright. The scale applies to the radius.
    ///
    /// The number of spheres that the game uses is unknown; here they touch one another from one end to the other.
    pub(crate) fn of_box(positive: Vec3, negative: Vec3, scale: f32) -> Vec<Self> {
        let [x, y, z] = (positive + negative).to_array();
        let radius = x.max(z).max(MIN_TOTAL) / 2.0 * scale;
        // Upright, unless one side is longer than all others.
        let direction = if x > y && x > z {
            Vec3::X
        } else if z > y && z > x {
            Vec3::Z
        } else {
            Vec3::Y
        };
        let (from, to) = (radius - negative.dot(direction), positive.dot(direction) - radius);
        if to <= from || radius <= 0.0 {
            return vec![Self { center: direction * (from + to) / 2.0, radius: radius.max(0.0) }];
        }
        let count = (1..MAX_SPHERES)
            .find(|count| f32::from(*count) * 2.0 * radius >= to - from)
            .unwrap_or(MAX_SPHERES);
        let at = |number: u16| from + (to - from) * f32::from(number) / f32::from(count);
        (0..=count).map(|number| Self { center: direction * at(number), radius }).collect()
    }
}

/// Creates a sphere of radius 1 with few vertices.
#[expect(clippy::arithmetic_side_effects, reason = "numbers of rows and columns are small")]
pub(super) fn unit_sphere() -> Primitive {
    let (around, down) = (u32::from(SEGMENTS) * 4, u32::from(SEGMENTS) * 2);
    let angle = |part: u32, of: u32, turn: f32| single(f64::from(part)) / single(f64::from(of)) * turn;
    let mut positions = Vec::new();
    for row in 0..=down {
        let (ring, height) = angle(row, down, std::f32::consts::PI).sin_cos();
        for column in 0..around {
            let (sin, cos) = angle(column, around, std::f32::consts::TAU).sin_cos();
            positions.push([ring * cos, height, ring * sin]);
        }
    }
    let mut indices = Vec::new();
    for row in 0..down {
        for column in 0..around {
            let next = (column + 1) % around;
            let [a, b, c, d] = [(row, column), (row, next), (row + 1, next), (row + 1, column)]
                .map(|(row, column)| row * around + column);
            if row > 0 {
                indices.extend([a, b, c]);
            }
            if row + 1 < down {
                indices.extend([a, c, d]);
            }
        }
    }
    Primitive { normals: Some(positions.clone()), positions, indices, ..Primitive::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_box(side: [f32; 3], scale: f32) -> Vec<CollisionSphere> {
        CollisionSphere::of_box(side.into(), side.into(), scale)
    }

    #[test]
    fn spheres_are_stacked_vertically_unless_another_side_is_longest() {
        let upright = of_box([10.0, 40.0, 8.0], 1.0);
        assert_eq!(
            upright.first(),
            Some(&CollisionSphere { center: Vec3::new(0.0, -30.0, 0.0), radius: 10.0 })
        );
        assert_eq!(
            upright.last(),
            Some(&CollisionSphere { center: Vec3::new(0.0, 30.0, 0.0), radius: 10.0 })
        );
        // There is no gap between them.
        assert!(upright.windows(2).all(|two| (two[1].center - two[0].center).length() <= 20.0));
        let long = of_box([10.0, 5.0, 50.0], 0.5);
        assert!(long.iter().all(|sphere| sphere.center.y == 0.0 && sphere.radius == 25.0));
        let flat = of_box([0.0, 3.0, 0.0], 1.0);
        assert_eq!(flat.first().map(|sphere| sphere.radius), Some(2.0));
    }

    #[test]
    fn the_sphere_faces_outward() {
        let it = unit_sphere();
        for triangle in it.indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| Vec3::from(it.positions[triangle[corner] as usize]));
            assert!((b - a).cross(c - a).dot(a + b + c) > 0.0, "{a} {b} {c}");
        }
    }
}
