//! Growing of charts: connected triangles with similar normals, projected along the normal of the first one.

use std::collections::{HashMap, VecDeque};

use glam::{Vec2, Vec3A};

use super::Facet;
use crate::pattern::perpendicular;

/// Maximum angle between the normals of a chart's triangles and the first one: the cosine of 40 degrees.
const FACING: f32 = 0.766;

/// Maximum number of triangles per chart: each is compared with all others.
const MAX_TRIANGLES: usize = 2048;

/// Maximum number of triangles per edge; further ones are ignored.
const MAX_AT_EDGE: usize = 4;

/// Maximum overlap, in texels, of triangles that count as adjacent.
const TOUCHING: f32 = 0.02;

/// A chart as seen from its front: its triangles and their corners, in texels from an arbitrary origin.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chart {
    pub(super) triangles: Vec<(u32, [Vec2; 3])>,
}

/// Groups triangles into charts. No chart is wider or higher than about `widest` texels, unless it is a single
/// triangle.
pub(super) fn charts(facets: &[Facet], density: f32, widest: f32) -> Vec<Chart> {
    let normals: Vec<Vec3A> = facets.iter().map(Facet::normal).collect();
    let edges = Edges::of(facets);
    let mut taken: Vec<bool> = normals.iter().map(|normal| *normal == Vec3A::ZERO).collect();
    let mut charts = Vec::new();
    for (seed, facet) in facets.iter().enumerate() {
        if taken[seed] {
            continue;
        }
        let normal = normals[seed];
        let [right, up] = perpendicular(normal);
        let [origin, ..] = facet.corners;
        let seen =
            |corner: Vec3A| Vec2::new((corner - origin).dot(right), (corner - origin).dot(up)) * density;
        // A rotation would keep its front visible.
        let mut builder = ChartBuilder::new(widest);
        let mut queue = VecDeque::from([seed]);
        while let Some(next) = queue.pop_front() {
            let facet = &facets[next];
            let faces = normals[next].dot(normal) >= FACING;
            if taken[next] || !faces || !builder.add(next as u32, facet.corners.map(seen)) {
                continue;
            }
            taken[next] = true;
            let is_open = |neighbor: &usize| !taken[*neighbor] && facets[*neighbor].group == facet.group;
            queue.extend(edges.neighbors(next).filter(is_open));
        }
        charts.push(Chart { triangles: builder.triangles });
    }
    charts
}

/// A chart that is being grown.
struct ChartBuilder {
    triangles: Vec<(u32, [Vec2; 3])>,
    boxes: Vec<[Vec2; 2]>,
    low: Vec2,
    high: Vec2,
    widest: f32,
}

impl ChartBuilder {
    fn new(widest: f32) -> Self {
        // The chart may be rotated by an eighth of a turn, which makes it wider.
        let widest = widest * std::f32::consts::FRAC_1_SQRT_2;
        let (low, high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        Self { triangles: Vec::new(), boxes: Vec::new(), low, high, widest }
    }

    /// Adds a triangle, unless it overlaps another one or makes the chart too large.
    fn add(&mut self, facet: u32, corners: [Vec2; 3]) -> bool {
        let [a, b, c] = corners;
        let bounds = [a.min(b).min(c), a.max(b).max(c)];
        let [low, high] = bounds;
        let (lowest, highest) = (self.low.min(low), self.high.max(high));
        let is_first = self.triangles.is_empty();
        if !is_first {
            let is_too_large = (highest - lowest).max_element() > self.widest;
            if is_too_large || self.triangles.len() >= MAX_TRIANGLES || self.overlaps(&corners, bounds) {
                return false;
            }
        }
        (self.low, self.high) = (lowest, highest);
        self.triangles.push((facet, corners));
        self.boxes.push(bounds);
        true
    }

    fn overlaps(&self, corners: &[Vec2; 3], [low, high]: [Vec2; 2]) -> bool {
        let (low, high) = (low + TOUCHING, high - TOUCHING);
        let near = self.boxes.iter().zip(&self.triangles);
        near.filter(|([other_low, other_high], _)| other_low.cmplt(high).all() && other_high.cmpgt(low).all())
            .any(|(_, (_, other))| overlap(corners, other))
    }
}

/// Whether two triangles overlap by more than [`TOUCHING`]: no side of either separates them.
fn overlap(one: &[Vec2; 3], other: &[Vec2; 3]) -> bool {
    let parts = |[a, b, c]: [Vec2; 3]| {
        [b - a, c - b, a - c].into_iter().any(|side| {
            let axis = side.perp().normalize_or_zero();
            let reach = |corners: &[Vec2; 3]| {
                let [a, b, c] = corners.map(|corner| corner.dot(axis));
                [a.min(b).min(c), a.max(b).max(c)]
            };
            let ([low, high], [other_low, other_high]) = (reach(one), reach(other));
            axis != Vec2::ZERO && (high - other_low).min(other_high - low) <= TOUCHING
        })
    };
    !parts(*one) && !parts(*other)
}

/// The triangles adjacent to each edge.
struct Edges {
    /// The edges of each triangle.
    of_facet: Vec<[usize; 3]>,
    facets: Vec<Vec<usize>>,
}

impl Edges {
    fn of(facets: &[Facet]) -> Self {
        let mut vertices: HashMap<[u32; 3], u32> = HashMap::new();
        let mut known: HashMap<[u32; 3], usize> = HashMap::new();
        let mut out = Self { of_facet: Vec::with_capacity(facets.len()), facets: Vec::new() };
        for (number, facet) in facets.iter().enumerate() {
            let [a, b, c] = facet.corners.map(|corner| {
                let next = vertices.len() as u32;
                // Adding 0 makes both zeros equal.
                *vertices.entry(corner.to_array().map(|place| (place + 0.0).to_bits())).or_insert(next)
            });
            let edges = [[a, b], [b, c], [c, a]].map(|[from, to]| {
                let edge = *known.entry([from.min(to), from.max(to), facet.group]).or_insert_with(|| {
                    out.facets.push(Vec::new());
                    out.facets.len() - 1
                });
                if out.facets[edge].len() < MAX_AT_EDGE {
                    out.facets[edge].push(number);
                }
                edge
            });
            out.of_facet.push(edges);
        }
        out
    }

    fn neighbors(&self, facet: usize) -> impl Iterator<Item = usize> + '_ {
        self.of_facet[facet].into_iter().flat_map(|edge| self.facets[edge].iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_overlap_of_areas_but_not_of_edges() {
        let triangle = |corners: [[f32; 2]; 3]| corners.map(Vec2::from_array);
        let one = triangle([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]);
        assert!(!overlap(&one, &triangle([[4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])));
        assert!(!overlap(&one, &triangle([[5.0, 5.0], [9.0, 5.0], [5.0, 9.0]])));
        assert!(overlap(&one, &one));
        assert!(overlap(&one, &triangle([[1.0, 1.0], [9.0, 1.0], [1.0, 9.0]])));
        assert!(overlap(&one, &triangle([[1.0, 1.0], [1.5, 1.0], [1.0, 1.5]])));
    }

    #[test]
    fn handles_many_triangles_at_one_edge_quickly() {
        let fan = |number: u16| {
            let turn = f32::from(number) * 1e-4;
            Facet { corners: [Vec3A::ZERO, Vec3A::Y, Vec3A::new(turn.cos(), 0.0, turn.sin())], group: 0 }
        };
        let facets: Vec<Facet> = (0..20_000).map(fan).collect();
        let found = charts(&facets, 16.0, 1024.0);
        assert_eq!(found.iter().map(|chart| chart.triangles.len()).sum::<usize>(), facets.len());
    }
}
