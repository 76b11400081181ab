//! Texels and the surface points that they show.

use glam::{Vec2, Vec3A};

use crate::unwrap::{PageSize, Placement};

/// Maximum number of surface points per texel.
pub(crate) const MAX_POINTS: usize = 4;

/// Sample positions within a texel: no two are in the same row or column.
const OFFSETS: [Vec2; MAX_POINTS] =
    [Vec2::new(0.375, 0.125), Vec2::new(0.875, 0.375), Vec2::new(0.125, 0.625), Vec2::new(0.625, 0.875)];

/// Maximum distance, in texels, of a triangle from the center of a texel outside of all triangles that shows it.
const NEAR: f32 = 1.5;

/// The surface point of such a texel is this many texels inside of the triangle.
const INWARD: f32 = 0.25;

/// Maximum number of texels that are tested for the triangles of a page; more are only needed if triangles overlap.
const MAX_TESTS: u64 = 1 << 31;

/// A point on a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// Index of the triangle.
    pub facet: u32,
    /// Barycentric weights of the second and the third corner.
    pub weights: [f32; 2],
}

/// Surface points whose light is averaged: those of a texel, or of another lit object.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Texel {
    points: [Option<SurfacePoint>; MAX_POINTS],
    /// Whether it is only next to the triangle that it shows.
    is_adjacent: bool,
}

impl Texel {
    /// Returns its surface points.
    pub(crate) fn points(&self) -> impl Iterator<Item = SurfacePoint> + '_ {
        self.points.iter().copied().flatten()
    }

    /// Returns all slots for surface points, including empty ones.
    pub(crate) fn all(&self) -> impl Iterator<Item = Option<SurfacePoint>> + '_ {
        self.points.iter().copied()
    }

    /// Keeps only the points for which the function returns true.
    pub(crate) fn retain(&mut self, keep: impl Fn(usize, SurfacePoint) -> bool) {
        for (at, slot) in self.points.iter_mut().enumerate() {
            *slot = slot.filter(|point| keep(at, *point));
        }
    }
}

/// A page, and the indices of its texels in the list of all texels.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Page {
    pub(crate) size: PageSize,
    /// Row by row from the top.
    pub(crate) texels: Vec<Option<u32>>,
}

impl Page {
    /// Returns the texel at a position, in texels from the top left corner.
    pub(crate) fn texel(&self, at: Vec2) -> Option<usize> {
        let [width, height] = self.size;
        let [x, y] =
            [(at.x as u32).min(width.saturating_sub(1)), (at.y as u32).min(height.saturating_sub(1))];
        let at = y as usize * width as usize + x as usize;
        self.texels.get(at).copied().flatten().map(|texel| texel as usize)
    }
}

/// All lit samples: the texels of pages, and additional samples.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TexelMap {
    pub(crate) pages: Vec<Page>,
    pub(crate) texels: Vec<Texel>,
    pub(crate) placements: Vec<Option<Placement>>,
    /// Index of the sample at the center of each triangle that is not on a page.
    pub(crate) centers: Vec<Option<u32>>,
    overlapping: usize,
}

impl TexelMap {
    /// Determines the surface points that the texels of pages show.
    #[must_use]
    pub fn new(pages: &[PageSize], placements: Vec<Option<Placement>>) -> Self {
        let mut out = Self::default();
        for (page, size) in pages.iter().enumerate() {
            out.add_page(page, *size, &placements);
        }
        for (facet, place) in (0_u32..).zip(&placements) {
            let center = SurfacePoint { facet, weights: [1.0 / 3.0; 2] };
            let number = place.is_none().then(|| out.add(&[center]));
            out.centers.push(number.map(|number| number as u32));
        }
        out.placements = placements;
        out
    }

    /// Adds a sample that averages up to four surface points, and returns its index.
    pub fn add(&mut self, points: &[SurfacePoint]) -> usize {
        let mut texel = Texel::default();
        texel.points.iter_mut().zip(points).for_each(|(slot, point)| *slot = Some(*point));
        self.texels.push(texel);
        self.texels.len() - 1
    }

    /// Returns the sample index of each texel of a page, row by row from the top.
    pub fn page(&self, page: usize) -> impl Iterator<Item = Option<usize>> + '_ {
        self.pages
            .get(page)
            .into_iter()
            .flat_map(|page| &page.texels)
            .map(|texel| texel.map(|it| it as usize))
    }

    /// Returns the number of samples: texels and additional ones.
    #[must_use]
    pub fn len(&self) -> usize {
        self.texels.len()
    }

    /// Whether there are no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texels.is_empty()
    }

    /// Whether a sample is on a triangle; otherwise it is a texel next to one, which filtering mixes with those on it.
    #[must_use]
    pub fn is_on_triangle(&self, sample: usize) -> bool {
        self.texels.get(sample).is_some_and(|texel| !texel.is_adjacent)
    }

    /// Returns the number of texels of all pages that are on a triangle.
    #[must_use]
    pub fn covered(&self) -> usize {
        let texels = self.pages.iter().flat_map(|page| page.texels.iter().flatten());
        texels.filter(|texel| self.is_on_triangle(**texel as usize)).count()
    }

    /// Returns the number of triangles that were skipped because too many of them overlap.
    #[must_use]
    pub fn overlapping(&self) -> usize {
        self.overlapping
    }

    fn add_page(&mut self, page: usize, size: PageSize, placements: &[Option<Placement>]) {
        let mut canvas = Canvas::new(size);
        for (facet, place) in (0_u32..).zip(placements) {
            let Some(place) = place.filter(|place| place.page == page) else { continue };
            if canvas.tests > MAX_TESTS {
                self.overlapping += 1;
            } else {
                canvas.draw(facet, place.corners);
            }
        }
        let mut texels = Vec::with_capacity(canvas.cells.len());
        for cell in canvas.cells {
            let nearest = || {
                cell.nearest
                    .map(|(_, point)| Texel { points: [Some(point), None, None, None], is_adjacent: true })
            };
            let texel = Some(cell.texel).filter(|texel| texel.points().next().is_some()).or_else(nearest);
            texels.push(texel.map(|texel| {
                self.texels.push(texel);
                (self.texels.len() - 1) as u32
            }));
        }
        self.pages.push(Page { size, texels });
    }
}

/// A texel while triangles are being drawn.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    texel: Texel,
    /// The nearest surface point next to it, and the square of the distance.
    nearest: Option<(f32, SurfacePoint)>,
}

struct Canvas {
    size: PageSize,
    cells: Vec<Cell>,
    tests: u64,
}

impl Canvas {
    fn new(size: PageSize) -> Self {
        let [width, height] = size.map(|side| side as usize);
        Self { size, cells: vec![Cell::default(); width * height], tests: 0 }
    }

    fn draw(&mut self, facet: u32, corners: [Vec2; 3]) {
        let [a, b, c] = corners;
        let [width, height] = self.size;
        let (low, high) = (a.min(b).min(c) - NEAR, a.max(b).max(c) + NEAR);
        if !low.is_finite() || !high.is_finite() || high.min_element() < 0.0 {
            return;
        }
        let inside = TriangleTest::of(corners);
        let columns = low.x as u32..(high.x as u32).saturating_add(1).min(width);
        for y in low.y as u32..(high.y as u32).saturating_add(1).min(height) {
            let row = y as usize * width as usize;
            self.tests += columns.len() as u64;
            for x in columns.clone() {
                let corner = Vec2::new(x as f32, y as f32);
                self.cells[row + x as usize].draw(facet, corner, corners, &inside);
            }
        }
    }
}

impl Cell {
    fn draw(&mut self, facet: u32, corner: Vec2, corners: [Vec2; 3], inside: &TriangleTest) {
        let mut is_on = false;
        for (point, offset) in self.texel.points.iter_mut().zip(OFFSETS) {
            if let Some(weights) = inside.weights(corner + offset) {
                is_on = true;
                point.get_or_insert(SurfacePoint { facet, weights });
            }
        }
        if is_on {
            return;
        }
        let (away, weights) = nearest(corner + 0.5, corners);
        let is_nearer = self.nearest.is_none_or(|(known, _)| away < known);
        if away <= NEAR * NEAR && is_nearer {
            self.nearest = Some((away, SurfacePoint { facet, weights }));
        }
    }
}

/// A point-in-triangle test.
struct TriangleTest {
    corner: Vec2,
    sides: [Vec2; 2],
    area: f32,
}

impl TriangleTest {
    fn of([a, b, c]: [Vec2; 3]) -> Self {
        let sides = [b - a, c - a];
        Self { corner: a, sides, area: sides[0].perp_dot(sides[1]) }
    }

    /// Returns the barycentric weights of the second and the third corner; `None` if the point is outside.
    fn weights(&self, at: Vec2) -> Option<[f32; 2]> {
        let away = at - self.corner;
        let weights = [away.perp_dot(self.sides[1]) / self.area, self.sides[0].perp_dot(away) / self.area];
        let [u, v] = weights;
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then_some(weights)
    }
}

/// Returns the squared distance of a point from a triangle's edges, and the barycentric weights of the second and the
/// third corner of a point just inside of the nearest edge.
fn nearest(at: Vec2, [a, b, c]: [Vec2; 3]) -> (f32, [f32; 2]) {
    let along = |from: Vec2, to: Vec2| {
        let side = to - from;
        let length = side.length_squared();
        let fraction = if length > 0.0 { ((at - from).dot(side) / length).clamp(0.0, 1.0) } else { 0.0 };
        ((from + side * fraction - at).length_squared(), fraction)
    };
    let [(first, on_first), (second, on_second), (third, on_third)] = [along(a, b), along(b, c), along(c, a)];
    let edges =
        [(first, [on_first, 0.0]), (second, [1.0 - on_second, on_second]), (third, [0.0, 1.0 - on_third])];
    let mut best = (f32::INFINITY, [0.0; 2]);
    for edge in edges {
        if edge.0 < best.0 {
            best = edge;
        }
    }
    let (away, [u, v]) = best;
    // A point exactly on the edge could also be in the surface behind it.
    let to_middle = ((a + b + c) / 3.0 - (a + (b - a) * u + (c - a) * v)).length();
    let pull = (INWARD / to_middle.max(f32::MIN_POSITIVE)).min(0.5);
    (away, [u, v].map(|weight| weight + (1.0 / 3.0 - weight) * pull))
}

/// Interpolates between the corners of a triangle.
pub(crate) fn between([a, b, c]: [Vec3A; 3], [u, v]: [f32; 2]) -> Vec3A {
    a + (b - a) * u + (c - a) * v
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(page: usize, corners: [[f32; 2]; 3]) -> Option<Placement> {
        Some(Placement { page, chart: 0, corners: corners.map(Vec2::from_array) })
    }

    #[test]
    fn assigns_triangles_to_the_texels_they_cover() {
        let square = [
            place(0, [[1.5, 1.5], [5.5, 1.5], [1.5, 5.5]]),
            place(0, [[5.5, 1.5], [5.5, 5.5], [1.5, 5.5]]),
            None,
        ];
        let lit = TexelMap::new(&[[8, 8]], square.to_vec());
        // All texels whose centers are not outside, and the adjacent ones that bilinear filtering reads.
        for (number, texel) in (0_u32..).zip(&lit.pages[0].texels) {
            let (x, y) = (number % 8, number / 8);
            let is_within = (1..=5).contains(&x) && (1..=5).contains(&y);
            assert!(texel.is_some() || !is_within, "{x} {y}");
        }
        let center = lit.texels[lit.pages[0].texel(Vec2::new(3.5, 3.5)).unwrap()];
        assert_eq!(center.points().count(), 4);
        // A triangle without a page has one sample at its center.
        let center = lit.texels[lit.centers[2].unwrap() as usize];
        assert_eq!(center.points().collect::<Vec<_>>(), [SurfacePoint { facet: 2, weights: [1.0 / 3.0; 2] }]);
    }

    #[test]
    fn ignores_coordinates_that_are_not_finite_or_far_away() {
        let wild = [f32::NAN, f32::INFINITY, -1e30, 1e30];
        for number in wild {
            let lit = TexelMap::new(&[[4, 4]], vec![place(0, [[number, 0.0], [number, 1.0], [number, 2.0]])]);
            assert_eq!(lit.covered(), 0, "{number}");
        }
        // Degenerate triangles are lines.
        let line = TexelMap::new(&[[4, 4]], vec![place(0, [[1.0, 1.0], [1.0, 1.0], [3.0, 1.0]])]);
        assert!(!line.is_empty() && line.covered() == 0);
    }

    #[test]
    fn finds_the_nearest_point_just_inside_of_the_edge() {
        let corners = [Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(0.0, 4.0)];
        for (at, away, edge) in [
            (Vec2::new(1.0, -2.0), 4.0, Vec2::new(1.0, 0.0)),
            (Vec2::new(-1.0, 2.0), 1.0, Vec2::new(0.0, 2.0)),
            (Vec2::new(3.0, 3.0), 2.0, Vec2::new(2.0, 2.0)),
        ] {
            let (found, [u, v]) = nearest(at, corners);
            let point = Vec2::new(u, v) * 4.0;
            assert_eq!(found, away);
            assert!(u > 0.0 && v > 0.0 && u + v < 1.0 && (point - edge).length() < 0.26, "{point} {edge}");
        }
    }
}
