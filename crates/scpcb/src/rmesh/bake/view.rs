//! Texture sampling for a triangle: colors for pixels in a row.
//!
//! Positions are counted as in a [picture](super::picture). The fastest exact method is used: pixels that coincide with
//! pixels of the picture are copied, others are interpolated bilinearly, and a minified picture is averaged over several samples.

use glam::{DVec2, Vec2, Vec2Swizzles, Vec4};

use super::picture::{Level, Picture};
use crate::number::{float, floor, index, single};

/// Maximum number of samples along each side of a footprint.
const MAX_SAMPLES: f32 = 8.0;

/// Maximum distance from the center of a pixel, in pixels, at which a position coincides with it.
const NEAR: f64 = 4e-3;

/// Below this many picture pixels per drawn pixel (a strong magnification), many pixels in a row are interpolated between the same four.
const SLOW: f64 = 0.25;

/// A triangle with less than this for twice its area, in square pixels, has no interior.
pub(super) const FLAT: f64 = 1e-3;

/// Maximum number of pixels sampled at once.
pub(super) const RUN: u32 = 256;

impl Picture {
    /// Creates the sampler of a triangle. `coordinates` are the corners' texture coordinates, 1 across the picture; `pixels` are
    /// the corners' positions in the drawn texture.
    pub(super) fn sampler(&self, coordinates: [DVec2; 3], pixels: [DVec2; 3]) -> Option<TriangleSampler<'_>> {
        let steps = gradients(coordinates, pixels);
        let [step_x, step_y] = steps.map(|step| step * self.size());
        let (wide, high) = (step_x.length(), step_y.length());
        let max_pixels = f64::from(MAX_SAMPLES);
        let coarse = wide.min(high).max(wide.max(high) / max_pixels).max(1.0);
        let (mut index, mut reduced) = (0_usize, 1.0);
        while reduced * 2.0 <= coarse && index.saturating_add(1) < self.levels.len() {
            index = index.saturating_add(1);
            reduced *= 2.0;
        }
        let level = self.levels.get(index)?;
        let size = DVec2::new(level.width.into(), level.height.into());
        let [dx, dy] = steps.map(|step| step * size);
        let corners = coordinates.map(|corner| corner * size);
        let ([corner, ..], [at, ..]) = (corners, pixels);
        let reach = dx.abs() * f64::from(RUN) + (dx.abs() + dy.abs()) + 2.0;
        let mut sampler = TriangleSampler {
            level,
            size,
            corners,
            origin: corner - dx * at.x - dy * at.y,
            dx,
            dy,
            shift: (reach / size).ceil() * size,
            samples: [samples(dx), samples(dy)],
            is_copy: false,
        };
        sampler.is_copy = sampler.coincides(pixels);
        Some(sampler)
    }
}

/// The change of coordinates from one pixel to the next, to the right and down. Zero for a triangle without area.
fn gradients([a, b, c]: [DVec2; 3], [p, q, r]: [DVec2; 3]) -> [DVec2; 2] {
    let (right, down) = (q - p, r - p);
    let area = right.perp_dot(down);
    if area.abs() < FLAT {
        return [DVec2::ZERO; 2];
    }
    let (along, across) = (b - a, c - a);
    [(along * down.y - across * right.y) / area, (across * right.x - along * down.x) / area]
}

/// The number of samples along a step.
fn samples(step: DVec2) -> f32 {
    single((step.length() - 0.5).ceil().clamp(1.0, MAX_SAMPLES.into()))
}

/// A picture as sampled by one triangle.
#[derive(Debug)]
pub(super) struct TriangleSampler<'a> {
    level: &'a Level,
    /// Width and height of the level.
    size: DVec2,
    /// The triangle's corners, as positions in the picture.
    corners: [DVec2; 3],
    /// The position in the picture of the drawn texture's top left, and the steps for one pixel to the right and down.
    origin: DVec2,
    dx: DVec2,
    dy: DVec2,
    /// A multiple of the picture's size that keeps all sampled positions non-negative.
    shift: DVec2,
    /// Number of samples per pixel along both steps.
    samples: [f32; 2],
    /// Whether the drawn pixels coincide with the picture's pixels.
    is_copy: bool,
}

impl TriangleSampler<'_> {
    /// Converts a position in the drawn texture to a position in the picture.
    fn picture_position(&self, location: DVec2) -> DVec2 {
        self.origin + self.dx * location.x + self.dy * location.y
    }

    /// The equivalent position in a repetition of the picture near the origin, where single precision is sufficient.
    fn near(&self, position: DVec2) -> Vec2 {
        (position - (position / self.size).floor() * self.size + self.shift).as_vec2()
    }

    /// Whether all pixels of a triangle coincide with pixels of the picture.
    fn coincides(&self, pixels: [DVec2; 3]) -> bool {
        let is_near = |off: DVec2| off.abs().max_element() < NEAR;
        let on_center = |corner: DVec2| is_near(self.picture_position(corner.floor() + 0.5).fract_gl() - 0.5);
        is_near((self.dx - DVec2::X) * f64::from(RUN))
            && is_near((self.dy - DVec2::Y) * f64::from(RUN))
            && pixels.into_iter().all(on_center)
    }

    /// Samples at most [`RUN`] pixels in a row of the drawn texture, starting at `column`.
    pub(super) fn read(&self, column: u32, row: u32, colors: &mut [[f32; 4]]) {
        let start =
            self.near(self.picture_position(DVec2::new(f64::from(column) + 0.5, f64::from(row) + 0.5)));
        let [across, along] = self.samples;
        if self.is_copy {
            self.copy(start, colors);
        } else if across + along > 2.0 {
            let (mut step, dx) = (0.0, self.dx.as_vec2());
            for color in colors {
                *color = self.around(start + dx * step).to_array();
                step += 1.0;
            }
        } else if self.dx.abs().max_element() < SLOW {
            self.sweep(start, colors);
        } else {
            self.blend(start, colors);
        }
    }

    fn copy(&self, position: Vec2, colors: &mut [[f32; 4]]) {
        let [x, y] = [wrap(floor(position.x), self.level.width), wrap(floor(position.y), self.level.height)];
        let width = index(self.level.width);
        let first = index(y).saturating_mul(width);
        let row = self.level.pixels.get(first..first.saturating_add(width)).unwrap_or_default();
        let (mut left, mut rest) = (index(x), colors);
        while !rest.is_empty() {
            let pixels = row.get(left..).unwrap_or_default();
            if pixels.is_empty() {
                return;
            }
            let (now, later) = rest.split_at_mut(pixels.len().min(rest.len()));
            for (color, pixel) in now.iter_mut().zip(pixels) {
                *color = pixel.map(f32::from);
            }
            (left, rest) = (0, later);
        }
    }

    /// Interpolates many drawn pixels between the same four pixels of the picture.
    fn sweep(&self, start: Vec2, colors: &mut [[f32; 4]]) {
        let dx = self.dx.as_vec2();
        // Number of steps across a square.
        let steps = dx.abs().max(Vec2::splat(1e-6)).recip();
        let (mut position, mut rest) = (start - 0.5, colors);
        while !rest.is_empty() {
            let cell = self.level.cell(position);
            let fraction = position - cell.corner;
            // Number of steps that stay within the square, along both axes.
            let ahead = Vec2::select(dx.cmplt(Vec2::ZERO), fraction, 1.0 - fraction) * steps;
            let count = index(floor(ahead.min_element())).saturating_add(1).min(rest.len());
            let (now, later) = rest.split_at_mut(count);
            // The color as a polynomial in the number of steps.
            let (first, slope, bend) = (
                cell.at(fraction),
                cell.right * dx.x + cell.down * dx.y + cell.twist * fraction.dot(dx.yx()),
                cell.twist * (dx.x * dx.y),
            );
            let mut step = 0.0;
            for color in now {
                *color = (first + (slope + bend * step) * step).to_array();
                step += 1.0;
            }
            position += dx * step;
            rest = later;
        }
    }

    fn blend(&self, base: Vec2, colors: &mut [[f32; 4]]) {
        let mut cell = Cell::EMPTY;
        let (mut step, dx) = (0.0, self.dx.as_vec2());
        for color in colors {
            let position = base + dx * step - 0.5;
            let mut fraction = position - cell.corner;
            if fraction.min_element() < 0.0 || fraction.max_element() >= 1.0 {
                cell = self.level.cell(position);
                fraction = position - cell.corner;
            }
            *color = cell.at(fraction).to_array();
            step += 1.0;
        }
    }

    /// The color on one of the triangle's edges; edge 0 is from corner 0 to corner 1.
    pub(super) fn on_edge(&self, edge: usize, fraction: f32) -> Vec4 {
        let [a, b, c] = self.corners;
        let (from, to) = match edge {
            0 => (a, b),
            1 => (b, c),
            _ => (c, a),
        };
        self.around(self.near(from.lerp(to, fraction.into())))
    }

    fn around(&self, location: Vec2) -> Vec4 {
        let [across, along] = self.samples;
        if across + along == 2.0 {
            return self.level.at(location);
        }
        let (dx, dy) = (self.dx.as_vec2(), self.dy.as_vec2());
        let (mut sum, mut y) = (Vec4::ZERO, 0.5 / along - 0.5);
        while y < 0.5 {
            let mut x = 0.5 / across - 0.5;
            while x < 0.5 {
                sum += self.level.at(location + dx * x + dy * y);
                x += 1.0 / across;
            }
            y += 1.0 / along;
        }
        sum / (across * along)
    }
}

/// The square between the centers of four pixels.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// The center of the first pixel, relative to the center of the picture's first pixel.
    corner: Vec2,
    color: Vec4,
    /// The change of the color to the right, down, and the bilinear term.
    right: Vec4,
    down: Vec4,
    twist: Vec4,
}

impl Cell {
    const EMPTY: Self = Self {
        corner: Vec2::NEG_INFINITY,
        color: Vec4::ZERO,
        right: Vec4::ZERO,
        down: Vec4::ZERO,
        twist: Vec4::ZERO,
    };

    /// The color at a position within the square, 0 to 1.
    fn at(&self, fraction: Vec2) -> Vec4 {
        self.color + self.right * fraction.x + (self.down + self.twist * fraction.x) * fraction.y
    }
}

impl Level {
    /// The square around a non-negative position, relative to the center of the first pixel.
    fn cell(&self, position: Vec2) -> Cell {
        let [x, y] = [floor(position.x), floor(position.y)];
        let corner = Vec2::new(float(x), float(y));
        let (left, above) = (wrap(x, self.width), wrap(y, self.height));
        let (right, below) = (next(left, self.width), next(above, self.height));
        let width = index(self.width);
        let get = |row: u32, column: u32| {
            let at = index(row).saturating_mul(width).saturating_add(index(column));
            self.pixels.get(at).map_or(Vec4::ZERO, |pixel| vector(*pixel))
        };
        let (a, b, c, d) = (get(above, left), get(above, right), get(below, left), get(below, right));
        Cell { corner, color: a, right: b - a, down: c - a, twist: a - b - c + d }
    }

    /// The interpolated color, 0 to 255 per channel. Neither coordinate may be below 0.5.
    fn at(&self, location: Vec2) -> Vec4 {
        let position = location - 0.5;
        let cell = self.cell(position);
        // Positions too large for single precision can be off by any amount.
        cell.at((position - cell.corner).clamp(Vec2::ZERO, Vec2::ONE))
    }
}

fn vector(pixel: [u8; 4]) -> Vec4 {
    Vec4::from_array(pixel.map(f32::from))
}

/// Wraps a pixel number in a repeating picture.
fn wrap(number: u32, size: u32) -> u32 {
    if number < size { number } else { number.checked_rem(size).unwrap_or(0) }
}

/// The next pixel in a repeating picture.
fn next(number: u32, size: u32) -> u32 {
    let next = number.saturating_add(1);
    if next < size { next } else { 0 }
}
