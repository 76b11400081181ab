//! Triangles that rays meet: the fronts only, as the game draws them.

use glam::Vec3A;
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::leaf_collapser::collapse;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use obvhs::ray::Ray;
use record::{Error, Result};

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

    /// The box around it.
    pub(super) fn bounds(&self) -> Aabb {
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

/// More different triangles than this never fill the same box in maps that are meant.
const MOST_IN_BOX: usize = 1 << 10;

/// Triangles in a tree of boxes.
pub(super) struct Rays {
    /// In the order of the tree.
    faces: Vec<Face>,
    /// Where those of each box begin; the last one is their number.
    starts: Vec<usize>,
    tree: Option<Bvh2>,
}

/// The bits of a triangle's box, and of the triangle.
type Bits = ([u32; 6], [u32; 9]);

/// Equal triangles have equal bits.
fn bits(face: &Face) -> Bits {
    let [least, most] =
        [face.bounds().min, face.bounds().max].map(|place| place.to_array().map(f32::to_bits));
    let mut of_box = least.into_iter().chain(most);
    let corners = [face.corner, face.sides[0], face.sides[1]].map(|place| place.to_array().map(f32::to_bits));
    let mut of_face = corners.into_iter().flatten();
    let box_bits = std::array::from_fn(|_| of_box.next().unwrap_or_default());
    (box_bits, std::array::from_fn(|_| of_face.next().unwrap_or_default()))
}

impl Rays {
    /// Makes the tree. Of triangles that are equal, two with different owners are enough: each of them hides all others' owners.
    ///
    /// # Errors
    /// When thousands of triangles have the same box: no tree tells them apart.
    pub(super) fn new(faces: Vec<Face>) -> Result<Self> {
        if faces.is_empty() {
            return Ok(Self { faces, starts: Vec::new(), tree: None });
        }
        let mut sorted: Vec<(Bits, Face)> = faces.into_iter().map(|face| (bits(&face), face)).collect();
        sorted.sort_unstable_by_key(|(bits, face)| (*bits, face.owner));
        let mut boxes: Vec<(Aabb, Vec<Face>)> = Vec::new();
        for of_box in sorted.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
            let mut kept = Vec::new();
            for equal in of_box.chunk_by(|((_, one), _), ((_, other), _)| one == other) {
                let ends = [equal.first(), equal.last()].into_iter().flatten().map(|(_, face)| *face);
                kept.extend(ends.take(equal.len()));
            }
            if kept.len() > MOST_IN_BOX {
                let count = kept.len();
                return Err(Error::limit(format!("{count} triangles of the statics fill the same box")));
            }
            if let Some(first) = kept.first() {
                boxes.push((first.bounds(), kept));
            }
        }
        let bounds: Vec<Aabb> = boxes.iter().map(|(bounds, _)| *bounds).collect();
        let numbers = (0_u32..).take(bounds.len()).collect();
        let mut builder = PlocBuilder::with_capacity(bounds.len());
        let mut tree = builder.build(PlocSearchDistance::Low, &bounds, numbers, SortPrecision::U64, 1);
        collapse(&mut tree, MOST_IN_LEAF, TRAVERSAL_COST);
        let (mut faces, mut starts) = (Vec::with_capacity(sorted.len()), vec![0]);
        for index in &tree.primitive_indices {
            let found = usize::try_from(*index).ok().and_then(|index| boxes.get(index));
            faces.extend(found.into_iter().flat_map(|(_, faces)| faces));
            starts.push(faces.len());
        }
        Ok(Self { faces, starts, tree: Some(tree) })
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
        !tree.ray_traverse_miss(ray, |_, index| {
            let range = self.starts.get(index).zip(self.starts.get(index.saturating_add(1)));
            let Some((from, faces)) = range.and_then(|(from, to)| Some((*from, self.faces.get(*from..*to)?)))
            else {
                return f32::INFINITY;
            };
            match faces.iter().position(hides) {
                Some(place) => {
                    *last = from.saturating_add(place);
                    0.0
                }
                None => f32::INFINITY,
            }
        })
    }
}
