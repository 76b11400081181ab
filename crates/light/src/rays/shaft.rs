//! Triangles that could block the light between a few points and a sphere.
//!
//! Many rays from a texel to a lamp pass through almost the same space. It is cheaper to find the triangles there once than
//! to traverse the tree for each ray.

use glam::Vec3A;

use super::{Face, RayCaster, SEGMENT_END};

/// Minimum distance between a triangle's plane and a point that is certainly in front of it or behind it.
const MARGIN: f32 = 1e-4;

/// Rounding error of coordinates, relative to the largest one.
const ROUNDING: f32 = 1e-6;

/// The space between points and a sphere.
#[derive(Debug)]
pub(crate) struct Shaft<'a> {
    points: &'a [Vec3A],
    center: Vec3A,
    radius: f32,
    /// Start of the line to the center of the sphere.
    start: Vec3A,
    /// Maximum distance of a point from the start.
    spread: f32,
    /// Reciprocals of the coordinates of the line's direction vector.
    inverse: Vec3A,
    /// Maximum distance from the line.
    reach: f32,
    /// Maximum rounding error of positions.
    margin: f32,
}

impl<'a> Shaft<'a> {
    pub(crate) fn new(points: &'a [Vec3A], center: Vec3A, radius: f32) -> Self {
        let start = points.iter().sum::<Vec3A>() / points.len().max(1) as f32;
        let spread = points.iter().map(|point| point.distance(start)).fold(0.0, f32::max);
        let margin = MARGIN + start.abs().max(center.abs()).max_element() * ROUNDING;
        let inverse = (center - start).to_array().map(|side| {
            if side.abs() > f32::EPSILON { side.recip() } else { f32::EPSILON.recip().copysign(side) }
        });
        let reach = spread.max(radius) + margin;
        Self { points, center, radius, start, spread, inverse: inverse.into(), reach, margin }
    }

    /// Whether a box could be in the shaft.
    fn touches(&self, min: Vec3A, max: Vec3A) -> bool {
        let low = (min - self.reach - self.start) * self.inverse;
        let high = (max + self.reach - self.start) * self.inverse;
        let (enter, leave) = (low.min(high).max_element(), low.max(high).min_element());
        enter.max(0.0) <= leave.min(1.0)
    }

    /// Whether the shaft is entirely on one side of a triangle's plane.
    fn is_on_one_side_of(&self, face: &Face) -> bool {
        let normal = face.sides[0].cross(face.sides[1]);
        let length = normal.length();
        let height = |point: Vec3A| (point - face.corner).dot(normal);
        let (center, radius) = (height(self.center), self.radius * length);
        let (mut low, mut high) = (center - radius, center + radius);
        for height in self.points.iter().map(|point| height(*point)) {
            (low, high) = (low.min(height), high.max(height));
        }
        low > MARGIN * length || high < -MARGIN * length
    }

    /// Whether the sphere around a box could touch the shaft, which gets wider from the points to the sphere or narrower.
    fn is_near(&self, min: Vec3A, max: Vec3A) -> bool {
        let (middle, size) = ((min + max) / 2.0, (max - min).length() / 2.0);
        let along = self.center - self.start;
        let length = along.length();
        if length <= f32::EPSILON {
            return true;
        }
        let at = (middle - self.start).dot(along) / (length * length);
        let slack = (size + self.reach) / length;
        let wider = if self.radius > self.spread { at + slack } else { at - slack };
        let width = self.spread + (self.radius - self.spread) * wider.clamp(0.0, 1.0);
        let distance = middle.distance(self.start + along * at.clamp(0.0, 1.0));
        distance <= size + width + self.margin
    }
}

impl RayCaster {
    /// Returns the indices of the triangles that could block rays in a shaft, considering only owners for which `counts`
    /// returns true; `None` if there are more than `limit`.
    pub(crate) fn blockers(
        &self,
        shaft: &Shaft<'_>,
        counts: impl Fn(u32) -> bool,
        limit: usize,
    ) -> Option<Vec<usize>> {
        let (mut found, mut waiting) = (Vec::new(), vec![0_usize]);
        let Some(tree) = &self.tree else { return Some(found) };
        while let Some(node) = waiting.pop().and_then(|node| tree.nodes.get(node)) {
            let bounds = node.aabb();
            if !shaft.touches(bounds.min, bounds.max) {
                continue;
            }
            let first = node.first_index as usize;
            if !node.is_leaf() {
                waiting.extend([first, first + 1]);
                continue;
            }
            let faces = self.starts[first]..self.starts[first + node.prim_count as usize];
            let is_inside = |face: &Face| {
                let [min, max] = face.bounds();
                counts(face.owner) && shaft.touches(min, max) && shaft.is_near(min, max)
            };
            found.extend(faces.filter(|face| is_inside(&self.faces[*face])));
            if found.len() > limit {
                return None;
            }
        }
        Some(found)
    }

    /// Returns those of a list of triangles that could block rays in a shaft.
    pub(crate) fn blockers_among(&self, shaft: &Shaft<'_>, faces: &[usize]) -> Vec<usize> {
        let could_block = |face: &Face| {
            let [min, max] = face.bounds();
            shaft.is_near(min, max) && shaft.touches(min, max) && !shaft.is_on_one_side_of(face)
        };
        faces.iter().copied().filter(|face| could_block(&self.faces[*face])).collect()
    }

    /// Whether a triangle is between the start and the end of a segment. The index may be that of no triangle.
    pub(crate) fn is_between(&self, face: usize, from: Vec3A, segment: Vec3A) -> bool {
        let crossing = self.faces.get(face).and_then(|face| face.crossing(from, segment));
        crossing.is_some_and(|crossing| crossing.distance < SEGMENT_END)
    }
}
