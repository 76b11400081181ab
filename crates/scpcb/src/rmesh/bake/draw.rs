//! Draws triangles into a baked texture, with margins around them.
//!
//! Drawing has three steps. The first draws all pixels whose center is inside a triangle. The second draws the pixels just outside, which
//! a viewer interpolates with those inside: there the pictures of the nearest triangle continue beyond its edge, as in the game. A
//! triangle thinner than a pixel has no reliable colors beyond its edge, so the nearest position on its edge is used, which also makes
//! triangles without any area visible. The last step [fills](super::fill) the rest of a patch's rectangle, which only mipmaps show.
//!
//! Until the last step, alpha stores how near the triangle is from which a pixel got its color.

use std::ops::Range;

use glam::{DVec2, Vec2};
use scene::image::Rgba8;

use super::atlas::Slot;
use super::fill::fill;
use super::view::{FLAT, RUN, TriangleSampler};
use crate::number::{fast_byte, float, floor, index};

/// Maximum distance from a triangle at which pixels are drawn: a viewer interpolates four pixels, so the farthest is a diagonal away.
const REACH: f32 = 1.42;

/// Tolerance, so that pixels whose center is on an edge count as inside.
const ON_EDGE: f32 = 1e-3;

/// Height in pixels below which a triangle is too thin for colors beyond its edges to be reliable.
const THIN: f64 = 1.0;

/// A triangle in the baked texture, in pixels.
#[derive(Debug)]
pub(super) struct Outline {
    edges: [Edge; 3],
    low: Vec2,
    high: Vec2,
    is_flat: bool,
    is_thin: bool,
}

#[derive(Debug)]
struct Edge {
    from: Vec2,
    along: Vec2,
    /// Unit normal of the edge, pointing into the triangle.
    inward: Vec2,
}

impl Outline {
    pub(super) fn new(corners: [DVec2; 3]) -> Self {
        let [a, b, c] = corners;
        let area = (b - a).perp_dot(c - a);
        let edge = |from: DVec2, to: DVec2| {
            let along = to - from;
            let inward = along.perp().normalize_or_zero() * area.signum();
            Edge { from: from.as_vec2(), along: along.as_vec2(), inward: inward.as_vec2() }
        };
        Self {
            edges: [edge(a, b), edge(b, c), edge(c, a)],
            low: a.min(b).min(c).as_vec2(),
            high: a.max(b).max(c).as_vec2(),
            is_flat: area.abs() < FLAT,
            is_thin: area.abs() < THIN * (b - a).length().max((c - b).length()).max((a - c).length()),
        }
    }

    /// The rows whose pixel centers can be within `reach`.
    fn rows(&self, reach: f32, height: u32) -> Range<u32> {
        pixel_centers(self.low.y - reach, self.high.y + reach, height)
    }

    /// The pixels of a row that are within `reach` of the inner side of each edge.
    fn columns(&self, y: f32, reach: f32, width: u32) -> Range<u32> {
        let (mut low, mut high) = (self.low.x - reach, self.high.x + reach);
        if !self.is_flat {
            for edge in &self.edges {
                // The distance that is missing at x = 0 to be within reach.
                let missing = (edge.from.x * edge.inward.x) - (y - edge.from.y) * edge.inward.y - reach;
                if edge.inward.x > 1e-6 {
                    low = low.max(missing / edge.inward.x);
                } else if edge.inward.x < -1e-6 {
                    high = high.min(missing / edge.inward.x);
                } else if (y - edge.from.y) * edge.inward.y < -reach {
                    return 0..0;
                }
            }
        }
        pixel_centers(low, high, width)
    }

    /// The largest distance of a position beyond an edge; 0 inside.
    fn beyond(&self, location: Vec2) -> f32 {
        let beyond = |edge: &Edge| (edge.from - location).dot(edge.inward);
        self.edges.iter().map(beyond).fold(0.0, f32::max)
    }

    /// The edge nearest to an outside position: its number, the nearest position along it (0 to 1), and the squared distance.
    fn nearest(&self, location: Vec2) -> (usize, f32, f32) {
        let mut nearest = (0, 0.0, f32::INFINITY);
        for (number, edge) in self.edges.iter().enumerate() {
            let from = location - edge.from;
            let length = edge.along.length_squared();
            let fraction = if length > 0.0 { (from.dot(edge.along) / length).clamp(0.0, 1.0) } else { 0.0 };
            let distance = from.distance_squared(edge.along * fraction);
            if distance < nearest.2 {
                nearest = (number, fraction, distance);
            }
        }
        nearest
    }
}

/// The pixels whose center is between two positions.
fn pixel_centers(low: f32, high: f32, end: u32) -> Range<u32> {
    let first = floor((low - 0.5).ceil().max(0.0));
    let after = floor((high + 0.5).floor().max(0.0));
    first.min(end)..after.min(end)
}

/// A triangle to be drawn, with its samplers.
#[derive(Debug)]
pub(super) struct TexturedTriangle<'a> {
    pub(super) outline: Outline,
    pub(super) texture: TriangleSampler<'a>,
    pub(super) lightmap: TriangleSampler<'a>,
}

/// Colors of consecutive pixels in a row.
#[derive(Debug)]
struct Run {
    texture: Vec<[f32; 4]>,
    light: Vec<[f32; 4]>,
    lit: Vec<[u8; 4]>,
}

impl Run {
    fn new() -> Self {
        let colors = || vec![[0.0; 4]; index(RUN)];
        Self { texture: colors(), light: colors(), lit: vec![[0; 4]; index(RUN)] }
    }

    /// Samples both pictures for pixels in a row, and combines them.
    fn read(
        &mut self,
        triangle: &TexturedTriangle<'_>,
        column: u32,
        row: u32,
        count: u32,
    ) -> Option<&[[u8; 4]]> {
        let texture = self.texture.get_mut(..index(count))?;
        let light = self.light.get_mut(..index(count))?;
        let lit = self.lit.get_mut(..index(count))?;
        triangle.texture.read(column, row, texture);
        triangle.lightmap.read(column, row, light);
        combine(texture, light, lit);
        Some(lit)
    }
}

/// A baked texture being built.
#[derive(Debug)]
pub(super) struct Canvas {
    width: u32,
    height: u32,
    /// Red, green, blue, and the nearness of the triangle they come from: 0 for none, 255 for pixels inside.
    pixels: Vec<[u8; 4]>,
    run: Run,
    /// Number of further pixels that may be visited, which limits the time for overlapping triangles.
    work: u64,
}

impl Canvas {
    pub(super) fn new(width: u32, height: u32) -> Self {
        let count = index(width).saturating_mul(index(height));
        let work = u64::try_from(count).unwrap_or_default().saturating_mul(16).saturating_add(1 << 16);
        Self { width, height, pixels: vec![[0; 4]; count], run: Run::new(), work }
    }

    /// Subtracts pixels from the remaining work. Returns false if it is used up.
    fn spend(&mut self, pixels: u32) -> bool {
        let left = self.work.checked_sub(u64::from(pixels).saturating_add(1));
        self.work = left.unwrap_or(self.work);
        left.is_some()
    }

    /// Draws the inside of a triangle where nothing was drawn before. Returns false if the work limit is reached.
    pub(super) fn draw_inside(&mut self, triangle: &TexturedTriangle<'_>, slot: &Slot) -> bool {
        let outline = &triangle.outline;
        if outline.is_flat {
            return true;
        }
        for row in within(outline.rows(ON_EDGE, self.height), slot.rows()) {
            let y = float(row) + 0.5;
            let columns = within(outline.columns(y, ON_EDGE, self.width), slot.columns());
            if !self.spend(length(&columns)) {
                return false;
            }
            self.draw_run(triangle, row, columns, |_| u8::MAX);
        }
        true
    }

    /// Draws the pixels just outside a triangle unless another triangle is nearer. Returns false if the work limit is reached.
    pub(super) fn draw_edge(&mut self, triangle: &TexturedTriangle<'_>, slot: &Slot) -> bool {
        let outline = &triangle.outline;
        for row in within(outline.rows(REACH, self.height), slot.rows()) {
            let y = float(row) + 0.5;
            let columns = within(outline.columns(y, REACH, self.width), slot.columns());
            if !self.spend(length(&columns)) {
                return false;
            }
            if outline.is_thin {
                self.draw_nearest(triangle, row, columns);
                continue;
            }
            let inside = within(outline.columns(y, ON_EDGE, self.width), columns.clone());
            let around = if inside.is_empty() {
                [columns, 0..0]
            } else {
                [columns.start..inside.start, inside.end..columns.end]
            };
            for columns in around {
                let nearness = |column: u32| nearness(outline.beyond(Vec2::new(float(column) + 0.5, y)));
                self.draw_run(triangle, row, columns, nearness);
            }
        }
        true
    }

    /// Draws the pixels of a row that have no color from a nearer triangle.
    fn draw_run(
        &mut self,
        triangle: &TexturedTriangle<'_>,
        row: u32,
        mut columns: Range<u32>,
        nearness: impl Fn(u32) -> u8,
    ) {
        while !columns.is_empty() {
            let count = length(&columns).min(RUN);
            let Some(pixels) = run_of(&mut self.pixels, self.width, row, columns.start, count) else {
                return;
            };
            if pixels.iter().any(|[.., alpha]| *alpha < u8::MAX)
                && let Some(colors) = self.run.read(triangle, columns.start, row, count)
            {
                for ((pixel, color), column) in pixels.iter_mut().zip(colors).zip(columns.clone()) {
                    *pixel = nearer(*pixel, *color, nearness(column));
                }
            }
            columns.start = columns.start.saturating_add(count);
        }
    }

    /// Draws pixels of a row in the color of the nearest position on an edge.
    fn draw_nearest(&mut self, triangle: &TexturedTriangle<'_>, row: u32, columns: Range<u32>) {
        let Some(pixels) = run_of(&mut self.pixels, self.width, row, columns.start, length(&columns)) else {
            return;
        };
        for (pixel, column) in pixels.iter_mut().zip(columns) {
            let [.., known] = pixel;
            if *known == u8::MAX {
                continue;
            }
            let (edge, fraction, away) =
                triangle.outline.nearest(Vec2::new(float(column) + 0.5, float(row) + 0.5));
            let nearness = nearness(away.sqrt());
            if away <= REACH * REACH && *known < nearness {
                let (texture, light) =
                    (triangle.texture.on_edge(edge, fraction), triangle.lightmap.on_edge(edge, fraction));
                let mut color = [[0; 4]];
                combine(&[texture.to_array()], &[light.to_array()], &mut color);
                *pixel = nearer(*pixel, color[0], nearness);
            }
        }
    }

    /// Fills the empty pixels and returns the image.
    pub(super) fn finish(mut self) -> Rgba8 {
        fill(self.width, &mut self.pixels);
        #[expect(clippy::expect_used, reason = "the number of pixels matches the size, and no side is 0")]
        Rgba8::new(self.width, self.height, self.pixels.into_flattened()).expect("a pixel for every position")
    }
}

/// `min(1, 2 x texture x lightmap)`, where 255 is 1.
fn combine(texture: &[[f32; 4]], light: &[[f32; 4]], lit: &mut [[u8; 4]]) {
    // One loop over all channels, so that the compiler vectorizes it.
    let numbers = texture.as_flattened().iter().zip(light.as_flattened());
    for (lit, (texture, light)) in lit.as_flattened_mut().iter_mut().zip(numbers) {
        let color = texture * light * (2.0 / 255.0);
        *lit = fast_byte(if color < 255.0 { color } else { 255.0 });
    }
}

/// The pixel, or the color if its triangle is nearer.
fn nearer(pixel: [u8; 4], color: [u8; 4], nearness: u8) -> [u8; 4] {
    let (pixel, color) = (u32::from_le_bytes(pixel), u32::from_le_bytes(color));
    let (known, nearness) = (pixel.wrapping_shr(24), u32::from(nearness));
    let color = (color & 0x00ff_ffff) | nearness.wrapping_shl(24);
    if known < nearness { color } else { pixel }.to_le_bytes()
}

/// The pixels of a section of a row.
fn run_of(pixels: &mut [[u8; 4]], width: u32, row: u32, column: u32, count: u32) -> Option<&mut [[u8; 4]]> {
    let first = index(row).checked_mul(index(width))?.checked_add(index(column))?;
    pixels.get_mut(first..first.checked_add(index(count))?)
}

/// Nearness of a triangle whose edge is `away` pixels away: less than 255, and at least [`DRAWN`](super::fill::DRAWN).
fn nearness(away: f32) -> u8 {
    fast_byte(254.0 - away.clamp(0.0, 2.0) * 60.0)
}

fn within(range: Range<u32>, outer: Range<u32>) -> Range<u32> {
    range.start.max(outer.start)..range.end.min(outer.end)
}

fn length(range: &Range<u32>) -> u32 {
    range.end.saturating_sub(range.start)
}
