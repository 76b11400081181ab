//! Ray casting against triangles in a bounding volume hierarchy.

mod shaft;

use std::ops::Range;

use glam::Vec3A;
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::leaf_collapser::collapse;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use obvhs::ray::{Ray, RayHit};
use record::{Error, Result};

pub(crate) use shaft::Shaft;

/// A triangle with its owner.
#[derive(Debug, Clone, Copy)]
pub struct Face {
    corner: Vec3A,
    /// Edge vectors to the second and the third corner.
    sides: [Vec3A; 2],
    /// Number of the object that it belongs to.
    pub owner: u32,
}

/// The side of a triangle. Seen from the front, its corners are counter-clockwise in right-handed axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The side that `(b - a) x (c - a)` points to.
    Front,
    /// The opposite side.
    Back,
}

/// The intersection of a ray with a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// Distance, in lengths of the ray's direction vector.
    pub distance: f32,
    /// Barycentric weights of the second and the third corner.
    pub weights: [f32; 2],
    /// The side that the ray comes from.
    pub side: Side,
}

/// The first triangle that a ray intersects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Owner of the triangle.
    pub owner: u32,
    /// The intersection.
    pub crossing: Crossing,
}

/// Maximum number of triangles per leaf of the tree, and the cost of a traversal step relative to an intersection
/// test.
const MAX_PER_LEAF: u32 = 8;
const TRAVERSAL_COST: f32 = 1.0;

/// Intersections beyond this fraction of the segment do not hide its end.
const SEGMENT_END: f32 = 0.9999;

impl Face {
    /// Creates a triangle from its corners.
    #[must_use]
    pub fn new([a, b, c]: [Vec3A; 3], owner: u32) -> Self {
        Self { corner: a, sides: [b - a, c - a], owner }
    }

    /// Returns the minimum and the maximum corner of its bounding box.
    #[must_use]
    pub fn bounds(&self) -> [Vec3A; 2] {
        let corners = [self.corner, self.corner + self.sides[0], self.corner + self.sides[1]];
        let [a, b, c] = corners;
        [a.min(b).min(c), a.max(b).max(c)]
    }

    /// Returns the intersection with a ray.
    fn crossing(&self, from: Vec3A, direction: Vec3A) -> Option<Crossing> {
        let [first, second] = self.sides;
        let across = direction.cross(second);
        // The corners are counter-clockwise from the front.
        let slant = first.dot(across);
        let side = if slant > 0.0 { Side::Front } else { Side::Back };
        // From the back, all signs are reversed.
        let (sign, slant) = (if slant > 0.0 { 1.0 } else { -1.0 }, slant.abs());
        if slant <= f32::MIN_POSITIVE {
            return None;
        }
        let away = from - self.corner;
        let u = away.dot(across) * sign;
        if !(0.0..=slant).contains(&u) {
            return None;
        }
        let turned = away.cross(first);
        let v = direction.dot(turned) * sign;
        if v < 0.0 || u + v > slant {
            return None;
        }
        let distance = second.dot(turned) * sign / slant;
        (distance > 0.0).then(|| Crossing { distance, weights: [u / slant, v / slant], side })
    }

    /// Returns the distance along a ray to the triangle's front, in lengths of the ray's direction vector; infinite
    /// if there is no intersection.
    fn front(&self, from: Vec3A, direction: Vec3A) -> f32 {
        let crossing = self.crossing(from, direction).filter(|crossing| crossing.side == Side::Front);
        crossing.map_or(f32::INFINITY, |crossing| crossing.distance)
    }
}

/// Maximum number of distinct triangles with the same bounding box; regular maps never have as many.
const MAX_PER_BOX: usize = 1 << 10;

/// Triangles in a bounding volume hierarchy.
pub struct RayCaster {
    /// The triangles, in the order of the tree.
    faces: Vec<Face>,
    /// Index of the first triangle of each box; the last entry is the number of triangles.
    starts: Vec<usize>,
    tree: Option<Bvh2>,
}

impl std::fmt::Debug for RayCaster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rays").field("faces", &self.faces.len()).finish_non_exhaustive()
    }
}

/// The bits of a triangle's bounding box, and of the triangle.
type Bits = ([u32; 6], [u32; 9]);

/// Equal triangles have equal bits.
fn bits(face: &Face) -> Bits {
    let [min, max] = face.bounds().map(|place| place.to_array().map(f32::to_bits));
    let mut of_box = min.into_iter().chain(max);
    let corners = [face.corner, face.sides[0], face.sides[1]].map(|place| place.to_array().map(f32::to_bits));
    let mut of_face = corners.into_iter().flatten();
    let box_bits = std::array::from_fn(|_| of_box.next().unwrap_or_default());
    (box_bits, std::array::from_fn(|_| of_face.next().unwrap_or_default()))
}

impl RayCaster {
    /// Builds the tree. Of equal triangles, two with different owners are kept: at least one of them counts for any
    /// excluded owner.
    ///
    /// # Errors
    /// If thousands of triangles have the same bounding box, which no tree can separate.
    pub fn new(faces: Vec<Face>) -> Result<Self> {
        if faces.is_empty() {
            return Ok(Self { faces, starts: Vec::new(), tree: None });
        }
        let mut sorted: Vec<(Bits, Face)> = faces.into_iter().map(|face| (bits(&face), face)).collect();
        sorted.sort_unstable_by_key(|(bits, face)| (*bits, face.owner));
        let mut kept: Vec<Face> = Vec::with_capacity(sorted.len());
        let (mut bounds, mut ranges): (Vec<Aabb>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        for of_box in sorted.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
            let start = kept.len();
            for equal in of_box.chunk_by(|((_, one), _), ((_, other), _)| one == other) {
                let ends = [equal.first(), equal.last()].into_iter().flatten().map(|(_, face)| *face);
                kept.extend(ends.take(equal.len()));
            }
            let count = kept.len() - start;
            if count > MAX_PER_BOX {
                return Err(Error::limit(format!("{count} triangles fill the same box")));
            }
            let [min, max] = kept[start].bounds();
            bounds.push(Aabb { min, max });
            ranges.push(start..kept.len());
        }
        drop(sorted);
        let numbers = (0_u32..).take(bounds.len()).collect();
        let mut builder = PlocBuilder::with_capacity(bounds.len());
        let mut tree = builder.build(PlocSearchDistance::Low, &bounds, numbers, SortPrecision::U64, 1);
        collapse(&mut tree, MAX_PER_LEAF, TRAVERSAL_COST);
        drop(builder);
        let (mut faces, mut starts) = (Vec::with_capacity(kept.len()), vec![0]);
        for index in &tree.primitive_indices {
            faces.extend_from_slice(&kept[ranges[*index as usize].clone()]);
            starts.push(faces.len());
        }
        Ok(Self { faces, starts, tree: Some(tree) })
    }

    /// Whether the front of a triangle is between two points, excluding the owner `skipped`. `last` is the index of
    /// the triangle that hid the previous target; it is tested first.
    #[must_use]
    pub fn hides(&self, from: Vec3A, to: Vec3A, skipped: u32, last: &mut usize) -> bool {
        let segment = to - from;
        self.any(from, segment, last, |face| face.owner != skipped && face.front(from, segment) < SEGMENT_END)
    }

    /// Whether either side of a triangle is between two points, considering only owners for which `counts` returns
    /// true. `last` is as in [`hides`](Self::hides).
    #[must_use]
    pub fn shades(&self, from: Vec3A, to: Vec3A, counts: impl Fn(u32) -> bool, last: &mut usize) -> bool {
        let segment = to - from;
        self.any(from, segment, last, |face| {
            counts(face.owner)
                && face.crossing(from, segment).is_some_and(|crossing| crossing.distance < SEGMENT_END)
        })
    }

    /// Returns the first triangle along a ray, from either side.
    #[must_use]
    pub fn first_hit(&self, from: Vec3A, direction: Vec3A) -> Option<Hit> {
        let tree = self.tree.as_ref()?;
        let mut nearest: Option<Hit> = None;
        let ray = Ray::new(from, direction, 0.0, f32::INFINITY);
        tree.ray_traverse(ray, &mut RayHit::none(), |_, index| {
            for face in self.faces_of(index) {
                let Some(crossing) = face.crossing(from, direction) else { continue };
                // Of two at the same distance, the one with the lower number.
                let is_nearer = nearest.is_none_or(|known| {
                    let known = (known.crossing.distance, known.owner);
                    (crossing.distance, face.owner) < known
                });
                if is_nearer {
                    nearest = Some(Hit { owner: face.owner, crossing });
                }
            }
            nearest.map_or(f32::INFINITY, |hit| hit.crossing.distance)
        });
        nearest
    }

    /// Returns the triangles of a box of the tree.
    fn faces_of(&self, index: usize) -> &[Face] {
        &self.faces[self.starts[index]..self.starts[index + 1]]
    }

    /// Whether a triangle along a segment satisfies a condition.
    fn any(&self, from: Vec3A, segment: Vec3A, last: &mut usize, matches: impl Fn(&Face) -> bool) -> bool {
        if self.faces.get(*last).is_some_and(&matches) {
            return true;
        }
        let Some(tree) = &self.tree else { return false };
        let ray = Ray::new(from, segment, 0.0, SEGMENT_END);
        !tree.ray_traverse_miss(ray, |_, index| match self.faces_of(index).iter().position(&matches) {
            Some(place) => {
                *last = self.starts[index] + place;
                0.0
            }
            None => f32::INFINITY,
        })
    }
}
