//! Triangles that rays meet: the fronts only, as the game draws them.

use glam::Vec3A;
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::leaf_collapser::collapse;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use obvhs::ray::Ray;

/// A triangle and whose it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    corner: Vec3A,
    /// To the second and the third corner.
    sides: [Vec3A; 2],
    pub(super) owner: u32,
}

/// So many triangles a leaf of the tree has at most, and what a step through the tree costs beside the test of one.
const MOST_IN_LEAF: u32 = 8;
const TRAVERSAL_COST: f32 = 1.0;

/// What ends this close to its aim is not hidden.
const NEARLY: f32 = 0.9999;

impl Face {
    pub(super) fn new([a, b, c]: [Vec3A; 3], owner: u32) -> Self {
        Self { corner: a, sides: [b - a, c - a], owner }
    }

    fn bounds(&self) -> Aabb {
        let corners = [self.corner, self.corner + self.sides[0], self.corner + self.sides[1]];
        Aabb::from_points(&corners)
    }

    /// How far along a ray it is met, in lengths of the ray's direction; infinite where it is not, or from behind.
    fn meets(&self, from: Vec3A, direction: Vec3A) -> f32 {
        let [first, second] = self.sides;
        let across = direction.cross(second);
        // The corners are counter-clockwise from the front.
        let slant = first.dot(across);
        if slant <= f32::MIN_POSITIVE {
            return f32::INFINITY;
        }
        let away = from - self.corner;
        let u = away.dot(across);
        if !(0.0..=slant).contains(&u) {
            return f32::INFINITY;
        }
        let turned = away.cross(first);
        let v = direction.dot(turned);
        if v < 0.0 || u + v > slant {
            return f32::INFINITY;
        }
        let distance = second.dot(turned) / slant;
        if distance > 0.0 { distance } else { f32::INFINITY }
    }
}

/// Triangles in a tree of boxes.
pub(super) struct Rays {
    faces: Vec<Face>,
    tree: Option<Bvh2>,
}

impl Rays {
    pub(super) fn new(faces: Vec<Face>) -> Self {
        if faces.is_empty() {
            return Self { faces, tree: None };
        }
        let bounds: Vec<Aabb> = faces.iter().map(Face::bounds).collect();
        let numbers = (0_u32..).take(faces.len()).collect();
        let mut builder = PlocBuilder::with_capacity(faces.len());
        let mut tree = builder.build(PlocSearchDistance::Low, &bounds, numbers, SortPrecision::U64, 1);
        collapse(&mut tree, MOST_IN_LEAF, TRAVERSAL_COST);
        // In the order of the tree.
        let number = |index: &u32| usize::try_from(*index).unwrap_or(usize::MAX);
        let faces =
            tree.primitive_indices.iter().filter_map(|index| faces.get(number(index)).copied()).collect();
        Self { faces, tree: Some(tree) }
    }

    /// How many triangles there are.
    pub(super) const fn len(&self) -> usize {
        self.faces.len()
    }

    /// The triangles.
    pub(super) fn boxes(&self) -> impl Iterator<Item = (Vec3A, Vec3A, u32)> {
        self.faces.iter().map(|face| {
            let bounds = face.bounds();
            (bounds.min, bounds.max, face.owner)
        })
    }

    /// Whether a triangle that is not `skipped`'s lies between two places. `last` is the number of the triangle that hid the aim before: it is asked
    /// first.
    pub(super) fn hide(&self, from: Vec3A, to: Vec3A, skipped: u32, last: &mut usize) -> bool {
        let way = to - from;
        let hides = |face: &Face| face.owner != skipped && face.meets(from, way) < NEARLY;
        if self.faces.get(*last).is_some_and(hides) {
            return true;
        }
        let Some(tree) = &self.tree else { return false };
        let ray = Ray::new(from, way, 0.0, NEARLY);
        !tree.ray_traverse_miss(ray, |_, index| match self.faces.get(index) {
            Some(face) if hides(face) => {
                *last = index;
                0.0
            }
            _ => f32::INFINITY,
        })
    }
}
