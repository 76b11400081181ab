//! Triangles that rays meet, in a tree of boxes.

use std::ops::Range;

use glam::Vec3A;
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::leaf_collapser::collapse;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use obvhs::ray::{Ray, RayHit};
use record::{Error, Result};

/// A triangle and whose it is.
#[derive(Debug, Clone, Copy)]
pub struct Face {
    corner: Vec3A,
    /// To the second and the third corner.
    sides: [Vec3A; 2],
    /// What it belongs to.
    pub owner: u32,
}

/// The side of a triangle. Seen from the front, its corners are counter-clockwise in right-handed axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Where `(b - a) x (c - a)` points.
    Front,
    /// The other one.
    Back,
}

/// Where a ray meets a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// In lengths of the ray's direction.
    pub distance: f32,
    /// The shares of the second and the third corner.
    pub shares: [f32; 2],
    /// The side that the ray comes from.
    pub side: Side,
}

/// The first triangle that a ray meets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Whose it is.
    pub owner: u32,
    /// Where.
    pub crossing: Crossing,
}

/// So many triangles a leaf of the tree has at most, and what a step through the tree costs beside the test of one.
const MOST_IN_LEAF: u32 = 8;
const TRAVERSAL_COST: f32 = 1.0;

/// What ends this close to its aim is not hidden.
const NEARLY: f32 = 0.9999;

impl Face {
    /// The triangle of three corners.
    #[must_use]
    pub fn new([a, b, c]: [Vec3A; 3], owner: u32) -> Self {
        Self { corner: a, sides: [b - a, c - a], owner }
    }

    /// The least and the greatest corner of the box around it.
    #[must_use]
    pub fn bounds(&self) -> [Vec3A; 2] {
        let corners = [self.corner, self.corner + self.sides[0], self.corner + self.sides[1]];
        let [a, b, c] = corners;
        [a.min(b).min(c), a.max(b).max(c)]
    }

    /// Where a ray meets it.
    fn crossing(&self, from: Vec3A, direction: Vec3A) -> Option<Crossing> {
        let [first, second] = self.sides;
        let across = direction.cross(second);
        // The corners are counter-clockwise from the front.
        let slant = first.dot(across);
        let side = if slant > 0.0 { Side::Front } else { Side::Back };
        // From behind all signs are turned around.
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
        (distance > 0.0).then(|| Crossing { distance, shares: [u / slant, v / slant], side })
    }

    /// How far along a ray it is met from the front, in lengths of the ray's direction; infinite where it is not.
    fn front(&self, from: Vec3A, direction: Vec3A) -> f32 {
        let crossing = self.crossing(from, direction).filter(|crossing| crossing.side == Side::Front);
        crossing.map_or(f32::INFINITY, |crossing| crossing.distance)
    }
}

/// More different triangles than this never fill the same box in maps that are meant.
const MOST_IN_BOX: usize = 1 << 10;

/// Triangles in a tree of boxes.
pub struct Rays {
    /// In the order of the tree.
    faces: Vec<Face>,
    /// Where those of each box begin; the last one is their number.
    starts: Vec<usize>,
    tree: Option<Bvh2>,
}

impl std::fmt::Debug for Rays {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rays").field("faces", &self.faces.len()).finish_non_exhaustive()
    }
}

/// The bits of a triangle's box, and of the triangle.
type Bits = ([u32; 6], [u32; 9]);

/// Equal triangles have equal bits.
fn bits(face: &Face) -> Bits {
    let [least, most] = face.bounds().map(|place| place.to_array().map(f32::to_bits));
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
            if count > MOST_IN_BOX {
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
        collapse(&mut tree, MOST_IN_LEAF, TRAVERSAL_COST);
        drop(builder);
        let (mut faces, mut starts) = (Vec::with_capacity(kept.len()), vec![0]);
        for index in &tree.primitive_indices {
            faces.extend_from_slice(&kept[ranges[*index as usize].clone()]);
            starts.push(faces.len());
        }
        Ok(Self { faces, starts, tree: Some(tree) })
    }

    /// Whether the front of a triangle that is not `skipped`'s lies between two places. `last` is the number of the triangle that hid the aim before: it is
    /// asked first.
    #[must_use]
    pub fn hide(&self, from: Vec3A, to: Vec3A, skipped: u32, last: &mut usize) -> bool {
        let way = to - from;
        self.any(from, way, last, |face| face.owner != skipped && face.front(from, way) < NEARLY)
    }

    /// Whether either side of a triangle lies between two places, of those whose owners count. `last` is as in [`hide`](Self::hide).
    #[must_use]
    pub fn shade(&self, from: Vec3A, to: Vec3A, counts: impl Fn(u32) -> bool, last: &mut usize) -> bool {
        let way = to - from;
        self.any(from, way, last, |face| {
            counts(face.owner) && face.crossing(from, way).is_some_and(|crossing| crossing.distance < NEARLY)
        })
    }

    /// The first triangle along a ray, either side of it.
    #[must_use]
    pub fn first(&self, from: Vec3A, direction: Vec3A) -> Option<Hit> {
        let tree = self.tree.as_ref()?;
        let mut nearest: Option<Hit> = None;
        let ray = Ray::new(from, direction, 0.0, f32::INFINITY);
        tree.ray_traverse(ray, &mut RayHit::none(), |_, index| {
            for face in self.faces_of(index) {
                let Some(crossing) = face.crossing(from, direction) else { continue };
                // Of two at the same place, that of the lower number.
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

    /// The triangles of a box of the tree.
    fn faces_of(&self, index: usize) -> &[Face] {
        &self.faces[self.starts[index]..self.starts[index + 1]]
    }

    /// Whether a triangle of which this is true may be met on the whole of a way.
    fn any(&self, from: Vec3A, way: Vec3A, last: &mut usize, is_met: impl Fn(&Face) -> bool) -> bool {
        if self.faces.get(*last).is_some_and(&is_met) {
            return true;
        }
        let Some(tree) = &self.tree else { return false };
        let ray = Ray::new(from, way, 0.0, NEARLY);
        !tree.ray_traverse_miss(ray, |_, index| match self.faces_of(index).iter().position(&is_met) {
            Some(place) => {
                *last = self.starts[index] + place;
                0.0
            }
            None => f32::INFINITY,
        })
    }
}
