//! Drawing triangles into a baked texture, and the margins around them.
//!
//! Three steps. First all pixels whose middle lies in a triangle. Then the pixels just outside, which a viewer blends with those
//! inside: they get the color of the nearest place on an edge, so that triangles without any area are seen too. At last the rest of a
//! chart's rectangle, which only mipmaps show: it gets the color of the nearest pixel drawn.

use std::ops::Range;

use glam::{DVec2, Vec2, Vec4};
use scene::image::Rgba8;

use super::atlas::Slot;
use super::number::{byte, float, floor, index};

/// In square pixels: a triangle of which twice the area is less has no inside.
pub(super) const FLAT: f64 = 1e-3;

/// How far outside a triangle pixels are drawn: a viewer blends up to four, so the farthest is a diagonal away.
const REACH: f32 = 1.42;

/// Pixels whose middle is on an edge count as inside.
const ON_EDGE: f32 = 1e-3;

/// A triangle as it lies in the baked texture, in pixels.
#[derive(Debug)]
pub(super) struct Outline {
    edges: [Edge; 3],
    low: Vec2,
    high: Vec2,
    is_flat: bool,
}

#[derive(Debug)]
struct Edge {
    from: Vec2,
    along: Vec2,
    /// Points into the triangle; as long as one pixel.
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
        }
    }

    /// The rows whose pixels' middles can be within reach.
    fn rows(&self, reach: f32, height: u32) -> Range<u32> {
        middles(self.low.y - reach, self.high.y + reach, height)
    }

    /// The pixels of a row that are within reach of the inside of each edge.
    fn columns(&self, y: f32, reach: f32, width: u32) -> Range<u32> {
        let (mut low, mut high) = (self.low.x - reach, self.high.x + reach);
        if !self.is_flat {
            for edge in &self.edges {
                // What is missing at x = 0 to be within reach.
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
        middles(low, high, width)
    }

    /// The nearest edge to a position outside: its number, how far along it the nearest place is, and the distance squared.
    fn nearest(&self, location: Vec2) -> (usize, f32, f32) {
        let mut nearest = (0, 0.0, f32::INFINITY);
        for (number, edge) in self.edges.iter().enumerate() {
            let from = location - edge.from;
            let length = edge.along.length_squared();
            let part = if length > 0.0 { (from.dot(edge.along) / length).clamp(0.0, 1.0) } else { 0.0 };
            let distance = from.distance_squared(edge.along * part);
            if distance < nearest.2 {
                nearest = (number, part, distance);
            }
        }
        nearest
    }
}

/// The pixels whose middle is between two places.
fn middles(low: f32, high: f32, end: u32) -> Range<u32> {
    let first = floor((low - 0.5).ceil().max(0.0));
    let behind = floor((high + 0.5).floor().max(0.0));
    first.min(end)..behind.min(end)
}

/// A baked texture being built.
#[derive(Debug)]
pub(super) struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 4]>,
    /// The square of how far each pixel is from the triangle that gave it its color.
    distances: Vec<f32>,
    /// How many more pixels may be visited: a limit on the time for overlapping triangles.
    work: u64,
}

impl Canvas {
    pub(super) fn new(width: u32, height: u32) -> Self {
        let count = index(width).saturating_mul(index(height));
        let work = u64::try_from(count).unwrap_or_default().saturating_mul(16).saturating_add(1 << 16);
        Self { width, height, pixels: vec![[0; 4]; count], distances: vec![f32::INFINITY; count], work }
    }

    /// Draws the inside of a triangle, where nothing was drawn before. Returns false if the budget is used up.
    pub(super) fn draw_inside(&mut self, outline: &Outline, color: impl Fn(Vec2) -> Vec4) -> bool {
        if outline.is_flat {
            return true;
        }
        self.for_each(outline, ON_EDGE, |location, pixel, distance| {
            if *distance > 0.0 {
                *distance = 0.0;
                *pixel = to_pixel(color(location));
            }
        })
    }

    /// Draws the pixels just outside a triangle, where no triangle is nearer. Returns false if the budget is used up.
    pub(super) fn draw_edge(&mut self, outline: &Outline, color: impl Fn(usize, f32) -> Vec4) -> bool {
        self.for_each(outline, REACH, |location, pixel, distance| {
            if *distance > 0.0 {
                let (edge, part, away) = outline.nearest(location);
                if away < *distance && away <= REACH * REACH {
                    *distance = away;
                    *pixel = to_pixel(color(edge, part));
                }
            }
        })
    }

    fn for_each(
        &mut self,
        outline: &Outline,
        reach: f32,
        mut each: impl FnMut(Vec2, &mut [u8; 4], &mut f32),
    ) -> bool {
        for row in outline.rows(reach, self.height) {
            let y = float(row) + 0.5;
            let columns = outline.columns(y, reach, self.width);
            let count = columns.end.saturating_sub(columns.start);
            match self.work.checked_sub(u64::from(count).saturating_add(1)) {
                Some(left) => self.work = left,
                None => return false,
            }
            let first = index(row).saturating_mul(index(self.width)).saturating_add(index(columns.start));
            let behind = first.saturating_add(index(count));
            let (Some(pixels), Some(distances)) =
                (self.pixels.get_mut(first..behind), self.distances.get_mut(first..behind))
            else {
                continue;
            };
            for ((column, pixel), distance) in columns.zip(pixels).zip(distances) {
                each(Vec2::new(float(column) + 0.5, y), pixel, distance);
            }
        }
        true
    }

    /// Fills what is empty in each slot with the nearest color in it, and what lies between the slots with the average.
    pub(super) fn fill(mut self, slots: &[Slot]) -> Rgba8 {
        let average = self.average();
        for slot in slots {
            self.fill_slot(slot);
        }
        for pixel in &mut self.pixels {
            if let [.., 0] = pixel {
                *pixel = average;
            }
        }
        #[expect(clippy::expect_used, reason = "as many pixels as the size says, and none of the sides is 0")]
        Rgba8::new(self.width, self.height, self.pixels.into_flattened()).expect("a pixel for every place")
    }

    fn average(&self) -> [u8; 4] {
        let (mut sum, mut count) = ([0_u64; 3], 0_u64);
        for [red, green, blue, alpha] in &self.pixels {
            if *alpha == 255 {
                count = count.saturating_add(1);
                for (sum, channel) in sum.iter_mut().zip([red, green, blue]) {
                    *sum = sum.saturating_add((*channel).into());
                }
            }
        }
        let channel = |sum: u64| u8::try_from(sum.checked_div(count).unwrap_or(0)).unwrap_or(255);
        let [red, green, blue] = sum.map(channel);
        [red, green, blue, 255]
    }

    /// Each empty pixel takes the color of the nearest drawn one.
    fn fill_slot(&mut self, slot: &Slot) {
        let mut nearest = Nearest::new(slot);
        let mut empty = Vec::new();
        for y in 0..slot.height {
            let row = self.row(slot, y).and_then(|row| self.pixels.get(row)).unwrap_or_default();
            for (x, pixel) in (0..slot.width).zip(row) {
                match pixel {
                    [.., 0] => empty.push([x, y]),
                    _ => nearest.set([x, y], [x, y]),
                }
            }
        }
        nearest.spread(&empty);
        for [x, y] in empty {
            let color = nearest.get([x, y]).and_then(|[x, y]| {
                let row = self.row(slot, y)?;
                self.pixels.get(row)?.get(index(x)).copied()
            });
            if let (Some(color), Some(row)) = (color, self.row(slot, y))
                && let Some(pixel) = self.pixels.get_mut(row).and_then(|row| row.get_mut(index(x)))
            {
                *pixel = color;
            }
        }
    }

    /// The pixels of a row of a slot.
    fn row(&self, slot: &Slot, y: u32) -> Option<Range<usize>> {
        let row = index(slot.top.checked_add(y)?).checked_mul(index(self.width))?;
        let first = row.checked_add(index(slot.left))?;
        Some(first..first.checked_add(index(slot.width))?)
    }
}

/// For each pixel of a slot, the nearest drawn one that is known.
struct Nearest {
    width: u32,
    /// Column and row.
    known: Vec<[u16; 2]>,
}

impl Nearest {
    const NONE: [u16; 2] = [u16::MAX; 2];

    fn new(slot: &Slot) -> Self {
        let count = index(slot.width).saturating_mul(index(slot.height));
        Self { width: slot.width, known: vec![Self::NONE; count] }
    }

    fn location(&self, [x, y]: [u32; 2]) -> usize {
        index(y).saturating_mul(index(self.width)).saturating_add(index(x))
    }

    fn get(&self, at: [u32; 2]) -> Option<[u32; 2]> {
        let known = *self.known.get(self.location(at))?;
        (known != Self::NONE).then(|| known.map(u32::from))
    }

    fn set(&mut self, at: [u32; 2], to: [u32; 2]) {
        let location = self.location(at);
        if let Some(known) = self.known.get_mut(location) {
            *known = to.map(|number| u16::try_from(number).unwrap_or(u16::MAX));
        }
    }

    /// Hands on what is known: down the rows from the left and from above, then up from the right and from below.
    fn spread(&mut self, empty: &[[u32; 2]]) {
        for [x, y] in empty.iter().copied() {
            let (left, above, right) = (x.wrapping_sub(1), y.wrapping_sub(1), x.wrapping_add(1));
            self.ask([x, y], [[left, y], [left, above], [x, above], [right, above]]);
        }
        for [x, y] in empty.iter().rev().copied() {
            let (left, below, right) = (x.wrapping_sub(1), y.wrapping_add(1), x.wrapping_add(1));
            self.ask([x, y], [[right, y], [right, below], [x, below], [left, below]]);
        }
    }

    /// Takes from neighbors what is nearer than what is known.
    fn ask(&mut self, at: [u32; 2], neighbors: [[u32; 2]; 4]) {
        let mut nearest = self.get(at);
        let mut least = nearest.map_or(u32::MAX, |known| distance(at, known));
        let mut is_new = false;
        for [x, y] in neighbors {
            if x >= self.width {
                continue;
            }
            if let Some(known) = self.get([x, y]) {
                let away = distance(at, known);
                if away < least {
                    (nearest, least, is_new) = (Some(known), away, true);
                }
            }
        }
        if let Some(nearest) = nearest.filter(|_| is_new) {
            self.set(at, nearest);
        }
    }
}

/// The square of the distance between two pixels.
fn distance([x, y]: [u32; 2], [other_x, other_y]: [u32; 2]) -> u32 {
    let (x, y) = (x.abs_diff(other_x), y.abs_diff(other_y));
    x.saturating_mul(x).saturating_add(y.saturating_mul(y))
}

fn to_pixel(color: Vec4) -> [u8; 4] {
    let [red, green, blue, _] = color.to_array().map(byte);
    [red, green, blue, 255]
}
