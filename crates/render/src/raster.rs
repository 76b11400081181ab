//! Rasterization: determines the nearest triangle at each of four samples per pixel, then its color.

use std::cell::Cell;

use glam::{DVec2, Vec3, Vec4};

use crate::camera::View;
use crate::light::{Display, to_linear};
use crate::screen_triangle::{MAX_PIECES, Pieces, ScreenTriangle, pieces_of, single};
use crate::shade::{Surface, Surfaces};
use crate::shape::{Shape, Triangle};
use crate::texture::Textures;
use scene::{AlphaMode, image::Rgba8};

/// Number of samples per pixel in each direction.
const SAMPLES_PER_SIDE: usize = 2;
/// The samples of a pixel.
const SAMPLES: [(usize, usize); 4] = [(0, 0), (1, 0), (0, 1), (1, 1)];
/// Maximum number of coverage tests; further triangles are not drawn.
const MAX_WORK: u64 = 300_000_000;

/// Memory for more triangles than this is freed after a picture.
const MAX_KEPT_TRIANGLES: usize = 20_000;

/// Marks the absence of a triangle.
const NOTHING: u32 = u32::MAX;

/// A picture with several samples per pixel.
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    /// Reciprocal of the distance of the nearest triangle; 0 if there is none.
    near: Vec<f32>,
    /// Number of the nearest piece, later its index among the visible ones; [`NOTHING`] if there is none.
    nearest: Vec<u32>,
    /// Linear color and coverage, per pixel, or per sample if there are transparent triangles.
    colors: Vec<Vec4>,
    colors_per_pixel: usize,
    /// Offsets of the samples of a row from the first one.
    offsets: Vec<f32>,
    work: u64,
    visible: Visible,
}

/// The visible opaque triangles. Large scenes have many triangles, and each takes much memory when projected: only
/// visible ones are kept.
#[derive(Default)]
struct Visible {
    triangles: Vec<ScreenTriangle>,
    /// The index in the list of each piece, by its number.
    indices: Vec<u32>,
}

/// Returns the number of a triangle's piece; it can be converted back.
fn number_of(triangle: usize, piece: usize) -> u32 {
    (triangle * MAX_PIECES + piece) as u32
}

/// A piece of a transparent triangle.
struct Transparent {
    number: u32,
    /// Sum of the reciprocal distances; the larger, the nearer.
    near: f32,
}

/// Memory of a picture that is reused for the next one, because allocation takes longer than drawing a simple scene.
#[derive(Default)]
pub(crate) struct Memory {
    near: Vec<f32>,
    nearest: Vec<u32>,
    colors: Vec<Vec4>,
    offsets: Vec<f32>,
    visible: Visible,
}

thread_local! {
    /// The memory of the last picture of this thread.
    static MEMORY: Cell<Memory> = Cell::default();
}

/// Draws all triangles.
pub(crate) fn draw(
    shape: &Shape,
    view: &View,
    mut surfaces: Surfaces<'_>,
    textures: &Textures,
    [width, height]: [usize; 2],
) -> Canvas {
    let memory = MEMORY.take();
    let mut canvas = Canvas::new(width * SAMPLES_PER_SIDE, height * SAMPLES_PER_SIDE, memory);
    let pieces =
        |triangle: &Triangle, surface: &Surface<'_>, size| pieces_of(shape, view, surface, triangle, size);
    let mut transparent = Vec::new();
    // If textures have holes, they are needed to determine the nearest triangle.
    let has_alpha_masks = surfaces.have_alpha_masks();
    for (index, triangle) in shape.triangles.iter().enumerate() {
        let surface = surfaces.get(triangle.material);
        let is_transparent = surface.alpha == AlphaMode::Blend;
        let found = pieces(triangle, surface, canvas.size());
        for (number, projected) in numbered(index, &found) {
            if is_transparent {
                transparent.push(Transparent { number, near: projected.near.iter().sum() });
            } else if !has_alpha_masks {
                canvas.cover(projected, surface, number);
            }
        }
        for (_, projected) in numbered(index, &found) {
            surfaces.record_use(projected.material, projected.mip_level, projected.area);
        }
    }
    surfaces.load(textures);
    if has_alpha_masks {
        for (index, triangle) in shape.triangles.iter().enumerate() {
            let surface = surfaces.get(triangle.material);
            if surface.alpha != AlphaMode::Blend {
                let found = pieces(triangle, surface, canvas.size());
                numbered(index, &found)
                    .for_each(|(number, projected)| canvas.cover(projected, surface, number));
            }
        }
    }
    let size = canvas.size();
    let piece = |number: u32| {
        let triangle = shape.triangles.get(number as usize / MAX_PIECES)?;
        let found = pieces(triangle, surfaces.get(triangle.material), size);
        found.into_iter().nth(number as usize % MAX_PIECES).flatten()
    };
    canvas.collect_visible(piece, shape.triangles.len() * MAX_PIECES);
    canvas.colors_per_pixel = if transparent.is_empty() { 1 } else { SAMPLES.len() };
    canvas.color(view, &surfaces);
    // Transparent triangles are drawn last, the farthest first.
    transparent.sort_by(|a, b| a.near.total_cmp(&b.near));
    for projected in transparent.into_iter().filter_map(|it| piece(it.number)) {
        canvas.blend(&projected, surfaces.get(projected.material), view.light());
    }
    canvas
}

/// Returns the existing pieces of a triangle with their numbers.
fn numbered(triangle: usize, pieces: &Pieces) -> impl Iterator<Item = (u32, &ScreenTriangle)> {
    let numbered = pieces.iter().enumerate();
    numbered.filter_map(move |(piece, projected)| Some((number_of(triangle, piece), projected.as_ref()?)))
}

/// Returns the center of the samples of a pixel that a triangle covers.
fn center_of(covered: [u32; SAMPLES.len()], triangle: u32, [x, y]: [usize; 2]) -> (f64, f64) {
    let (mut sum, mut count) = (DVec2::ZERO, 0.0);
    for (_, (column, row)) in covered.into_iter().zip(SAMPLES).filter(|(found, _)| *found == triangle) {
        sum += DVec2::new(column as f64, row as f64);
        count += 1.0;
    }
    let corner = DVec2::new(x as f64, y as f64) * SAMPLES_PER_SIDE as f64;
    let DVec2 { x, y } = corner + sum / count + 0.5;
    (x, y)
}

/// Returns the center of a sample.
fn center(coordinate: usize) -> f64 {
    coordinate as f64 + 0.5
}

impl Canvas {
    fn new(width: usize, height: usize, memory: Memory) -> Self {
        let count = width * height;
        let Memory { mut near, mut nearest, mut colors, mut offsets, mut visible } = memory;
        near.clear();
        near.resize(count, 0.0);
        nearest.clear();
        nearest.resize(count, NOTHING);
        colors.clear();
        offsets.clear();
        offsets.extend((0..width).map(|offset| offset as f32));
        visible.triangles.clear();
        visible.indices.clear();
        Self { width, height, near, nearest, colors, colors_per_pixel: 1, offsets, work: 0, visible }
    }

    const fn size(&self) -> [usize; 2] {
        [self.width, self.height]
    }

    /// Collects the visible pieces. `count` is the number of all pieces. Afterwards, each sample stores an index into
    /// the visible pieces.
    fn collect_visible(&mut self, piece: impl Fn(u32) -> Option<ScreenTriangle>, count: usize) {
        let Visible { triangles, indices } = &mut self.visible;
        indices.resize(count, NOTHING);
        for number in &mut self.nearest {
            let Some(index) = indices.get_mut(*number as usize) else { continue };
            if *index == NOTHING
                && let Some(projected) = piece(*number)
            {
                *index = triangles.len() as u32;
                triangles.push(projected);
            }
            *number = *index;
        }
    }

    /// Accounts for a row of a triangle; returns whether the limit is not yet reached.
    fn may_work(&mut self, projected: &ScreenTriangle) -> bool {
        let count = projected.right.saturating_sub(projected.left);
        self.work += count as u64;
        self.work <= MAX_WORK
    }

    /// Calls a function for each sample where a triangle is in front of the previous ones, with the position, the
    /// index of the sample, and the reciprocal of the distance.
    fn each(&mut self, projected: &ScreenTriangle, mut task: impl FnMut(&mut Self, [usize; 2], usize, f32)) {
        for y in projected.top..projected.bottom {
            if !self.may_work(projected) {
                return;
            }
            let nearness = projected.nearness.in_row(center(y));
            let start = y * self.width;
            for x in projected.span(center(y)) {
                let near = single(projected.nearness.x * center(x) + nearness);
                let index = start + x;
                if near > self.near[index] {
                    task(self, [x, y], index, near);
                }
            }
        }
    }

    /// Determines the samples where an opaque triangle is the nearest.
    fn cover(&mut self, projected: &ScreenTriangle, surface: &Surface<'_>, number: u32) {
        if let AlphaMode::Mask(cutoff) = surface.alpha {
            self.each(projected, |canvas, [x, y], index, found| {
                if projected.alpha_at(projected.weights(center(x), center(y)), surface) < cutoff {
                    return;
                }
                canvas.near[index] = found;
                canvas.nearest[index] = number;
            });
            return;
        }
        let step = single(projected.nearness.x);
        for y in projected.top..projected.bottom {
            if !self.may_work(projected) {
                return;
            }
            let span = projected.span(center(y));
            let start = y * self.width;
            // An empty span may begin anywhere.
            let range = start.saturating_add(span.start)..start.saturating_add(span.end);
            let (Some(near), Some(nearest)) = (self.near.get_mut(range.clone()), self.nearest.get_mut(range))
            else {
                continue;
            };
            let begin =
                single(projected.nearness.x * center(span.start) + projected.nearness.in_row(center(y)));
            // Branch-free, so that the compiler can vectorize the loop.
            for ((near, nearest), offset) in near.iter_mut().zip(nearest).zip(&self.offsets) {
                let found = begin + step * offset;
                let mask = u32::from(found > *near).wrapping_neg();
                *nearest = (number & mask) | (*nearest & !mask);
                *near = if found > *near { found } else { *near };
            }
        }
    }

    /// Colors the samples that opaque triangles cover: each triangle once per pixel, at the center of its samples.
    fn color(&mut self, view: &View, surfaces: &Surfaces<'_>) {
        let light = view.light();
        let (across, down) = (self.width / SAMPLES_PER_SIDE, self.height / SAMPLES_PER_SIDE);
        let count = across * down * self.colors_per_pixel;
        let mut colors = std::mem::take(&mut self.colors);
        colors.reserve(count);
        let color_of = |triangle: u32, (x, y): (f64, f64)| match self.visible.triangles.get(triangle as usize)
        {
            Some(projected) => {
                let color =
                    projected.color_at(projected.weights(x, y), surfaces.get(projected.material), light);
                color.truncate().extend(1.0)
            }
            None => Vec4::ZERO,
        };
        for (y, rows) in self.nearest.chunks_exact(self.width * SAMPLES_PER_SIDE).enumerate() {
            let (upper, lower) = rows.split_at(self.width);
            let ((upper, _), (lower, _)) =
                (upper.as_chunks::<SAMPLES_PER_SIDE>(), lower.as_chunks::<SAMPLES_PER_SIDE>());
            for (x, (upper, lower)) in upper.iter().zip(lower).enumerate() {
                let covered = [upper[0], upper[1], lower[0], lower[1]];
                let [triangle, others @ ..] = covered;
                if others == [triangle; 3] {
                    let color = match triangle {
                        NOTHING => Vec4::ZERO,
                        _ => {
                            let center = |at: usize| at as f64 * SAMPLES_PER_SIDE as f64 + 1.0;
                            color_of(triangle, (center(x), center(y)))
                        }
                    };
                    match self.colors_per_pixel {
                        1 => colors.push(color),
                        _ => colors.extend([color; SAMPLES.len()]),
                    }
                    continue;
                }
                let mut samples = [Vec4::ZERO; SAMPLES.len()];
                for (number, triangle) in covered.into_iter().enumerate() {
                    let before = covered.iter().take(number).position(|other| *other == triangle);
                    samples[number] = match before {
                        Some(before) => samples[before],
                        None => color_of(triangle, center_of(covered, triangle, [x, y])),
                    };
                }
                match self.colors_per_pixel {
                    1 => colors.push(samples.into_iter().sum::<Vec4>() * 0.25),
                    _ => colors.extend(samples),
                }
            }
        }
        self.colors = colors;
    }

    /// Blends a transparent triangle over the triangles behind it.
    fn blend(&mut self, projected: &ScreenTriangle, surface: &Surface<'_>, light: Vec3) {
        let across = self.width / SAMPLES_PER_SIDE;
        self.each(projected, |canvas, [x, y], _, _| {
            let over = projected.color_at(projected.weights(center(x), center(y)), surface, light);
            let pixel = y / SAMPLES_PER_SIDE * across + x / SAMPLES_PER_SIDE;
            let color = &mut canvas.colors
                [pixel * SAMPLES.len() + y % SAMPLES_PER_SIDE * SAMPLES_PER_SIDE + x % SAMPLES_PER_SIDE];
            let kept = 1.0 - over.w;
            *color = (over.truncate() * over.w + color.truncate() * kept).extend(over.w + color.w * kept);
        });
    }

    /// Converts the canvas to a picture: averages the samples, brightens dark scenes, and adds the background.
    pub(crate) fn to_picture(&self, width: u32, height: u32, backdrop: [[u8; 3]; 2]) -> Option<Rgba8> {
        let gain = self.gain()?;
        let display = Display::get();
        let display_of = |light: f32| display.of(light);
        let [top, bottom] = backdrop.map(|color| Vec3::from(color.map(to_linear)));
        let (across, down) = (width as usize, height as usize);
        let mut pixels = Vec::with_capacity(across * down * 4);
        let weight = 1.0 / self.colors_per_pixel as f32;
        let rows = self.colors.chunks(across * self.colors_per_pixel);
        for (y, row) in rows.enumerate() {
            let behind = top.lerp(bottom, y as f32 / down as f32);
            let empty = behind.to_array().map(display_of);
            for samples in row.chunks(self.colors_per_pixel) {
                if samples.iter().all(|color| color.w == 0.0) {
                    pixels.extend(empty);
                } else {
                    let seen = |color: &Vec4| {
                        let light = (color.truncate() * gain).to_array().map(|it| softened(it, gain));
                        Vec3::from(light) + behind * (1.0 - color.w)
                    };
                    let sum: Vec3 = samples.iter().map(seen).sum();
                    pixels.extend((sum * weight).to_array().map(display_of));
                }
                pixels.push(255);
            }
        }
        Rgba8::new(width, height, pixels).ok()
    }

    /// Keeps the memory for the next picture of this thread.
    pub(crate) fn recycle(self) {
        let Self { near, nearest, colors, offsets, mut visible, .. } = self;
        if visible.triangles.capacity() > MAX_KEPT_TRIANGLES
            || visible.indices.capacity() > MAX_KEPT_TRIANGLES
        {
            visible = Visible::default();
        }
        MEMORY.set(Memory { near, nearest, colors, offsets, visible });
    }

    /// Returns the factor by which a dark scene is brightened; `None` if nothing is visible. It is based on the sum
    /// of square roots, so that a lamp does not leave the room around it dark.
    fn gain(&self) -> Option<f32> {
        let (mut roots, mut seen) = (0.0_f64, 0.0_f64);
        for color in self.colors.iter().filter(|color| color.w > 0.0) {
            let light = color.truncate().min(Vec3::ONE).dot(Vec3::new(0.3, 0.5, 0.2));
            roots += f64::from(light.max(0.0).sqrt());
            seen += f64::from(color.w);
        }
        if seen <= 0.0 {
            return None;
        }
        let mean = single(roots / seen);
        Some((TARGET_LIGHT / (mean * mean).max(1e-6)).clamp(1.0, MAX_GAIN))
    }
}

/// Mean light of a picture that is bright enough.
const TARGET_LIGHT: f32 = 0.2;
/// Maximum factor; darker scenes stay dark.
const MAX_GAIN: f32 = 20.0;

/// Compresses brightened light to the displayable range. Areas that were already bright approach white without a hard
/// edge.
fn softened(light: f32, gain: f32) -> f32 {
    const KNEE: f32 = 0.6;
    let over = light - KNEE;
    if gain <= 1.0 || over <= 0.0 {
        return light.min(1.0);
    }
    KNEE + (1.0 - KNEE) * over / (over + 1.0 - KNEE)
}
