//! How a triangle sees a picture: colors for pixels in a row.
//!
//! Places are counted as in a [picture](super::picture). Three ways of reading, the fastest that is exact: pixels that lie just upon
//! those of the picture are copied; others are blended from four; where the picture is seen from afar, several places make an average.

use glam::{DVec2, Vec2, Vec2Swizzles, Vec4};

use super::picture::{Level, Picture};
use crate::number::{float, floor, index, single};

/// At most so many places along each side of a footprint are averaged.
const MAX_TAPS: f32 = 8.0;

/// Places as near to the middle of a pixel as this, in pixels, lie upon it.
const NEAR: f64 = 4e-3;

/// Where a picture is magnified more than this, in its pixels to one that is drawn, many pixels in a row lie between the same four.
const SLOW: f64 = 0.25;

/// In square pixels: a triangle of which twice the area is less has no inside.
pub(super) const FLAT: f64 = 1e-3;

/// So many pixels are read at once.
pub(super) const RUN: u32 = 256;

impl Picture {
    /// How a triangle looks at the picture. `coordinates` are those of its corners, 1 across the whole picture; `pixels` is where
    /// the corners lie in what is drawn.
    pub(super) fn view(&self, coordinates: [DVec2; 3], pixels: [DVec2; 3]) -> Option<View<'_>> {
        let steps = gradients(coordinates, pixels);
        let [step_x, step_y] = steps.map(|step| step * self.size());
        let (wide, high) = (step_x.length(), step_y.length());
        let max_pixels = f64::from(MAX_TAPS);
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
        let mut view = View {
            level,
            size,
            corners,
            origin: corner - dx * at.x - dy * at.y,
            dx,
            dy,
            shift: (reach / size).ceil() * size,
            taps: [taps(dx), taps(dy)],
            is_copy: false,
        };
        view.is_copy = view.lies_upon(pixels);
        Some(view)
    }
}

/// How coordinates change from one pixel to the next, to the right and down. Zero for a triangle without area.
fn gradients([a, b, c]: [DVec2; 3], [p, q, r]: [DVec2; 3]) -> [DVec2; 2] {
    let (right, down) = (q - p, r - p);
    let area = right.perp_dot(down);
    if area.abs() < FLAT {
        return [DVec2::ZERO; 2];
    }
    let (along, aside) = (b - a, c - a);
    [(along * down.y - aside * right.y) / area, (aside * right.x - along * down.x) / area]
}

/// How many places along a step are looked at.
fn taps(step: DVec2) -> f32 {
    single((step.length() - 0.5).ceil().clamp(1.0, MAX_TAPS.into()))
}

/// A picture as one triangle looks at it.
#[derive(Debug)]
pub(super) struct View<'a> {
    level: &'a Level,
    /// Width and height of the level.
    size: DVec2,
    /// Where the triangle's corners lie in the picture.
    corners: [DVec2; 3],
    /// What lies in the picture at the top left of what is drawn, and one pixel to the right and down from there.
    origin: DVec2,
    dx: DVec2,
    dy: DVec2,
    /// Whole pictures: added to a place within the picture, no place that is read from there is negative.
    shift: DVec2,
    /// How many places along both steps make the average of a pixel.
    taps: [f32; 2],
    /// Whether pixels are those of the picture.
    is_copy: bool,
}

impl View<'_> {
    /// The place in the picture of a place in what is drawn.
    fn place(&self, location: DVec2) -> DVec2 {
        self.origin + self.dx * location.x + self.dy * location.y
    }

    /// The same place in a repetition of the picture where numbers are small, so that single precision is enough.
    fn near(&self, place: DVec2) -> Vec2 {
        (place - (place / self.size).floor() * self.size + self.shift).as_vec2()
    }

    /// Whether all pixels of a triangle lie upon pixels of the picture.
    fn lies_upon(&self, pixels: [DVec2; 3]) -> bool {
        let is_near = |off: DVec2| off.abs().max_element() < NEAR;
        let on_middle = |corner: DVec2| is_near(self.place(corner.floor() + 0.5).fract_gl() - 0.5);
        is_near((self.dx - DVec2::X) * f64::from(RUN))
            && is_near((self.dy - DVec2::Y) * f64::from(RUN))
            && pixels.into_iter().all(on_middle)
    }

    /// The colors of at most [`RUN`] pixels in a row of what is drawn, from `column` on.
    pub(super) fn read(&self, column: u32, row: u32, colors: &mut [[f32; 4]]) {
        let start = self.near(self.place(DVec2::new(f64::from(column) + 0.5, f64::from(row) + 0.5)));
        let [across, along] = self.taps;
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

    fn copy(&self, place: Vec2, colors: &mut [[f32; 4]]) {
        let [x, y] = [wrap(floor(place.x), self.level.width), wrap(floor(place.y), self.level.height)];
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

    /// Blends many pixels of what is drawn between the same four of the picture.
    fn sweep(&self, start: Vec2, colors: &mut [[f32; 4]]) {
        let dx = self.dx.as_vec2();
        // How many steps go across a square.
        let steps = dx.abs().max(Vec2::splat(1e-6)).recip();
        let (mut place, mut rest) = (start - 0.5, colors);
        while !rest.is_empty() {
            let cell = self.level.cell(place);
            let part = place - cell.corner;
            // How many steps stay within the square, along both axes.
            let ahead = Vec2::select(dx.cmplt(Vec2::ZERO), part, 1.0 - part) * steps;
            let count = index(floor(ahead.min_element())).saturating_add(1).min(rest.len());
            let (now, later) = rest.split_at_mut(count);
            // The color as a polynomial of the number of steps.
            let (first, slope, bend) = (
                cell.at(part),
                cell.right * dx.x + cell.down * dx.y + cell.twist * part.dot(dx.yx()),
                cell.twist * (dx.x * dx.y),
            );
            let mut step = 0.0;
            for color in now {
                *color = (first + (slope + bend * step) * step).to_array();
                step += 1.0;
            }
            place += dx * step;
            rest = later;
        }
    }

    fn blend(&self, base: Vec2, colors: &mut [[f32; 4]]) {
        let mut cell = Cell::EMPTY;
        let (mut step, dx) = (0.0, self.dx.as_vec2());
        for color in colors {
            let place = base + dx * step - 0.5;
            let mut part = place - cell.corner;
            if part.min_element() < 0.0 || part.max_element() >= 1.0 {
                cell = self.level.cell(place);
                part = place - cell.corner;
            }
            *color = cell.at(part).to_array();
            step += 1.0;
        }
    }

    /// The color on one of the triangle's edges: the first leads from corner 0 to corner 1.
    pub(super) fn on_edge(&self, edge: usize, part: f32) -> Vec4 {
        let [a, b, c] = self.corners;
        let (from, to) = match edge {
            0 => (a, b),
            1 => (b, c),
            _ => (c, a),
        };
        self.around(self.near(from.lerp(to, part.into())))
    }

    fn around(&self, location: Vec2) -> Vec4 {
        let [across, along] = self.taps;
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

/// The square between the middles of four pixels.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// The middle of the first pixel, half a pixel to the left and up.
    corner: Vec2,
    color: Vec4,
    /// How it changes to the right, down, and both.
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

    /// The color at a place in it, 0 to 1.
    fn at(&self, part: Vec2) -> Vec4 {
        self.color + self.right * part.x + (self.down + self.twist * part.x) * part.y
    }
}

impl Level {
    /// The square around a place that is not negative, counted from the middle of the first pixel.
    fn cell(&self, place: Vec2) -> Cell {
        let [x, y] = [floor(place.x), floor(place.y)];
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

    /// The color between pixels, 0 to 255 a channel. Neither coordinate may be below 0.5.
    fn at(&self, location: Vec2) -> Vec4 {
        let place = location - 0.5;
        let cell = self.cell(place);
        // Numbers too large for single precision may lie anywhere.
        cell.at((place - cell.corner).clamp(Vec2::ZERO, Vec2::ONE))
    }
}

fn vector(pixel: [u8; 4]) -> Vec4 {
    Vec4::from_array(pixel.map(f32::from))
}

/// A pixel's number in a picture that repeats.
fn wrap(number: u32, size: u32) -> u32 {
    if number < size { number } else { number.checked_rem(size).unwrap_or(0) }
}

/// The pixel after one.
fn next(number: u32, size: u32) -> u32 {
    let next = number.saturating_add(1);
    if next < size { next } else { 0 }
}
