//! Pictures to bake from: looked at between their pixels and from afar, as a graphics card does.
//!
//! All numbers are display values, because the game blends those. Places in a picture are counted in its pixels from the top
//! left, so that the middle of the first pixel is at 0.5; beyond its edges the picture repeats.

use asset::Result;
use glam::{DVec2, Vec2, Vec4};
use scene::image::{Limits, Rgba8, decode};

use super::number::{byte, float, floor, index, single, whole};

/// The largest picture that is baked: 4096 x 4096.
const LIMITS: Limits = Limits { max_pixels: 16 << 20 };

/// At most so many places along each side of a footprint are averaged.
const MAX_TAPS: f32 = 8.0;

/// A picture with smaller copies of itself, each half as wide and high as the one before.
#[derive(Debug, Clone)]
pub(in super::super) struct Picture {
    levels: Vec<Level>,
}

#[derive(Debug, Clone)]
struct Level {
    width: u32,
    height: u32,
    /// Red, green, blue and alpha, rows from the top.
    pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// Decodes an image file.
    ///
    /// # Errors
    /// When it is damaged, of an unknown kind or too large.
    pub(in super::super) fn decode(bytes: &[u8]) -> Result<Self> {
        decode(bytes, &LIMITS).map(|picture| Self::new(&picture))
    }

    pub(super) fn new(picture: &Rgba8) -> Self {
        let (pixels, _) = picture.pixels().as_chunks::<4>();
        Self::of(Level { width: picture.width(), height: picture.height(), pixels: pixels.to_vec() })
    }

    /// One white pixel: what a surface without a texture shows.
    pub(in super::super) fn white() -> Self {
        Self::of(Level { width: 1, height: 1, pixels: vec![[255; 4]] })
    }

    fn of(level: Level) -> Self {
        let mut levels = vec![level];
        while let Some(last) = levels.last().filter(|last| last.width > 1 || last.height > 1) {
            let half = last.resized((last.width >> 1).max(1), (last.height >> 1).max(1));
            levels.push(half);
        }
        Self { levels }
    }

    /// Width and height.
    pub(super) fn size(&self) -> DVec2 {
        self.levels.first().map_or(DVec2::ONE, |level| DVec2::new(level.width.into(), level.height.into()))
    }

    /// Bytes in memory.
    pub(in super::super) fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.pixels.len().saturating_mul(4)).sum()
    }

    /// The picture in another size; smaller ones are averaged, to avoid aliasing.
    pub(super) fn resized(&self, width: u32, height: u32) -> Self {
        let fits = |level: &&Level| level.width >= width && level.height >= height;
        // The smallest copy that is still larger has all that is needed.
        let from = self.levels.iter().rfind(fits).or(self.levels.first());
        from.map_or_else(Self::white, |level| Self::of(level.resized(width, height)))
    }

    /// How a triangle looks at the picture. `coordinates` are those of its corners, 1 across the whole picture; `pixels` is where
    /// the corners lie in what is drawn.
    pub(super) fn view(&self, coordinates: [DVec2; 3], pixels: [DVec2; 3]) -> Option<View<'_>> {
        let [step_x, step_y] = gradients(coordinates, pixels).map(|step| step * self.size());
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
        let [dx, dy] = gradients(coordinates, pixels).map(|step| (step * size).as_vec2());
        // Moved by whole pictures, so that no place looked at is negative and all are small.
        let margin = (dx.abs() + dy.abs() + 2.0).as_dvec2() / size;
        let [a, b, c] = coordinates;
        let start = (a.min(b).min(c) - margin).floor();
        let corners = coordinates.map(|corner| ((corner - start) * size).as_vec2());
        let [corner, ..] = corners;
        let [at, ..] = pixels.map(DVec2::as_vec2);
        Some(View {
            level,
            corners,
            origin: corner - dx * at.x - dy * at.y,
            dx,
            dy,
            taps: [taps(dx), taps(dy)],
        })
    }
}

/// How coordinates change from one pixel to the next, to the right and down. Zero for a triangle without area.
fn gradients([a, b, c]: [DVec2; 3], [p, q, r]: [DVec2; 3]) -> [DVec2; 2] {
    let (right, down) = (q - p, r - p);
    let area = right.perp_dot(down);
    if area.abs() < super::draw::FLAT {
        return [DVec2::ZERO; 2];
    }
    let (along, aside) = (b - a, c - a);
    [(along * down.y - aside * right.y) / area, (aside * right.x - along * down.x) / area]
}

/// How many places along a step are looked at.
fn taps(step: Vec2) -> f32 {
    (step.length() - 0.25).ceil().clamp(1.0, MAX_TAPS)
}

/// A picture as one triangle looks at it.
#[derive(Debug)]
pub(super) struct View<'a> {
    level: &'a Level,
    /// Where the triangle's corners lie in the picture.
    corners: [Vec2; 3],
    /// What lies in the picture at the top left of what is drawn, and one pixel to the right and down from there.
    origin: Vec2,
    dx: Vec2,
    dy: Vec2,
    /// How many places along both steps make the average of a pixel.
    taps: [f32; 2],
}

impl View<'_> {
    /// The color at a place in what is drawn, for places within the triangle.
    pub(super) fn at(&self, location: Vec2) -> Vec4 {
        self.around(self.origin + self.dx * location.x + self.dy * location.y)
    }

    /// The color on one of the triangle's edges: the first leads from corner 0 to corner 1.
    pub(super) fn on_edge(&self, edge: usize, part: f32) -> Vec4 {
        let [a, b, c] = self.corners;
        let (from, to) = match edge {
            0 => (a, b),
            1 => (b, c),
            _ => (c, a),
        };
        self.around(from.lerp(to, part))
    }

    fn around(&self, location: Vec2) -> Vec4 {
        let [across, along] = self.taps;
        if across + along == 2.0 {
            return self.level.at(location);
        }
        let (mut sum, mut y) = (Vec4::ZERO, 0.5 / along - 0.5);
        while y < 0.5 {
            let mut x = 0.5 / across - 0.5;
            while x < 0.5 {
                sum += self.level.at(location + self.dx * x + self.dy * y);
                x += 1.0 / across;
            }
            y += 1.0 / along;
        }
        sum / (across * along)
    }
}

impl Level {
    /// The color between pixels, 0 to 255 a channel. Neither coordinate may be below 0.5.
    fn at(&self, location: Vec2) -> Vec4 {
        let (left, right, x) = between(location.x, self.width);
        let (above, below, y) = between(location.y, self.height);
        let width = index(self.width);
        let get = |row: usize, column: usize| {
            let index = row.saturating_mul(width).saturating_add(column);
            self.pixels.get(index).map_or(Vec4::ZERO, |pixel| Vec4::from_array(pixel.map(f32::from)))
        };
        // Where the texture's pixels are copied, most places are the middle of one.
        if x.max(y) < 1e-3 {
            return get(above, left);
        }
        let top = get(above, left).lerp(get(above, right), x);
        let bottom = get(below, left).lerp(get(below, right), x);
        top.lerp(bottom, y)
    }

    /// Each new pixel is the average of what it covers.
    fn resized(&self, width: u32, height: u32) -> Self {
        if (width, height) == (self.width, self.height) {
            return self.clone();
        }
        let (columns, rows) = (shares(self.width, width), shares(self.height, height));
        let mut pixels = Vec::with_capacity(index(width).saturating_mul(index(height)));
        for (first_row, down) in &rows {
            let mut line = vec![Vec4::ZERO; index(self.width)];
            let above = self.pixels.chunks_exact(index(self.width)).skip(*first_row);
            for (row, share) in above.zip(down) {
                for (sum, pixel) in line.iter_mut().zip(row) {
                    *sum += Vec4::from_array(pixel.map(f32::from)) * *share;
                }
            }
            for (first, across) in &columns {
                let covered = line.iter().skip(*first).zip(across);
                let sum = covered.fold(Vec4::ZERO, |sum, (pixel, share)| sum + *pixel * *share);
                pixels.push(sum.to_array().map(byte));
            }
        }
        Self { width, height, pixels }
    }
}

/// For each of `new` pixels, the first of `old` pixels that it covers and how much each of them counts.
fn shares(old: u32, new: u32) -> Vec<(usize, Vec<f32>)> {
    let step = f64::from(old) / f64::from(new);
    let cover = |pixel: u32| {
        let (start, end) = (f64::from(pixel) * step, (f64::from(pixel) + 1.0) * step);
        let first = start.floor().min(f64::from(old) - 1.0);
        let mut counts = Vec::new();
        let mut at = first;
        while at < end - 1e-9 {
            counts.push(single(((at + 1.0).min(end) - at.max(start)) / step));
            at += 1.0;
        }
        (index(whole(first)), counts)
    };
    (0..new).map(cover).collect()
}

/// The pixels before and after a place, and how far it is from the one to the other.
fn between(location: f32, size: u32) -> (usize, usize, f32) {
    let location = location - 0.5;
    let before = floor(location);
    let part = location - float(before);
    let before = if before < size { before } else { before.checked_rem(size).unwrap_or(0) };
    let after = before.saturating_add(1);
    (index(before), index(if after < size { after } else { 0 }), part)
}
