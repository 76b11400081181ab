//! From triangles to pixels: what is nearest at each of four places in a pixel, then its color.

use std::cell::Cell;

use glam::{DVec2, Vec3, Vec4};

use crate::camera::View;
use crate::flat::{Flat, MOST_PIECES, Pieces, pieces_of, single};
use crate::light::{Display, light_of};
use crate::shade::{Paint, Paints};
use crate::shape::{Shape, Triangle};
use crate::texture::Textures;
use scene::{AlphaMode, image::Rgba8};

/// Each pixel is looked at in so many places across and down.
const FINE: usize = 2;
/// The places of a pixel.
const PLACES: [(usize, usize); 4] = [(0, 0), (1, 0), (0, 1), (1, 1)];
/// So often it is asked whether a triangle covers a place; what comes after that is not drawn.
const MOST_WORK: u64 = 300_000_000;

/// The memory for more triangles than these is given back after a picture.
const MOST_KEPT: usize = 20_000;

/// No triangle.
const NOTHING: u32 = u32::MAX;

/// A picture with several places a pixel.
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    /// 1 over the distance of the nearest; 0 where there is nothing.
    near: Vec<f32>,
    /// The number of the piece that is nearest, later its place among those that are seen; [`NOTHING`] where there is none.
    nearest: Vec<u32>,
    /// Linear color and how much is covered: of each pixel, or of each of its places where something is seen through.
    colors: Vec<Vec4>,
    colors_per_pixel: usize,
    /// How far the places of a row are from its first.
    offsets: Vec<f32>,
    work: u64,
    visible: Visible,
}

/// The solid triangles that are seen. Those of large scenes are many, and what is known of one on the canvas is much: only these are kept.
#[derive(Default)]
struct Visible {
    flats: Vec<Flat>,
    /// Which of them a piece is, by its number.
    places: Vec<u32>,
}

/// The number of a triangle's piece, and the other way round.
fn number_of(triangle: usize, piece: usize) -> u32 {
    (triangle * MOST_PIECES + piece) as u32
}

/// A piece that something is seen through.
struct Clear {
    number: u32,
    /// The greater, the nearer.
    near: f32,
}

/// Memory that pictures were drawn in, to draw others in it: to get so much from the system takes longer than to draw a simple scene.
#[derive(Default)]
pub(crate) struct Memory {
    near: Vec<f32>,
    nearest: Vec<u32>,
    colors: Vec<Vec4>,
    offsets: Vec<f32>,
    visible: Visible,
}

thread_local! {
    /// What the last picture of this thread was drawn in.
    static MEMORY: Cell<Memory> = Cell::default();
}

/// Draws all triangles.
pub(crate) fn draw(
    shape: &Shape,
    view: &View,
    mut paints: Paints<'_>,
    textures: &Textures,
    [width, height]: [usize; 2],
) -> Canvas {
    let memory = MEMORY.take();
    let mut canvas = Canvas::new(width * FINE, height * FINE, memory);
    let pieces = |triangle: &Triangle, paint: &Paint<'_>, size| pieces_of(shape, view, paint, triangle, size);
    let mut clear = Vec::new();
    // Where textures have holes, they are needed to see what is nearest.
    let has_holes = paints.have_holes();
    for (index, triangle) in shape.triangles.iter().enumerate() {
        let paint = paints.get(triangle.material);
        let is_clear = paint.alpha == AlphaMode::Blend;
        let found = pieces(triangle, paint, canvas.size());
        for (number, flat) in numbered(index, &found) {
            if is_clear {
                clear.push(Clear { number, near: flat.near.iter().sum() });
            } else if !has_holes {
                canvas.cover(flat, paint, number);
            }
        }
        for (_, flat) in numbered(index, &found) {
            paints.see(flat.material, flat.halved, flat.area);
        }
    }
    paints.load(textures);
    if has_holes {
        for (index, triangle) in shape.triangles.iter().enumerate() {
            let paint = paints.get(triangle.material);
            if paint.alpha != AlphaMode::Blend {
                let found = pieces(triangle, paint, canvas.size());
                numbered(index, &found).for_each(|(number, flat)| canvas.cover(flat, paint, number));
            }
        }
    }
    let size = canvas.size();
    let piece = |number: u32| {
        let triangle = shape.triangles.get(number as usize / MOST_PIECES)?;
        let found = pieces(triangle, paints.get(triangle.material), size);
        found.into_iter().nth(number as usize % MOST_PIECES).flatten()
    };
    canvas.look(piece, shape.triangles.len() * MOST_PIECES);
    canvas.colors_per_pixel = if clear.is_empty() { 1 } else { PLACES.len() };
    canvas.color(view, &paints);
    // What is seen through comes last, the furthest first.
    clear.sort_by(|a, b| a.near.total_cmp(&b.near));
    for flat in clear.into_iter().filter_map(|it| piece(it.number)) {
        canvas.blend(&flat, paints.get(flat.material), view.light());
    }
    canvas
}

/// The pieces of a triangle that there are, with their numbers.
fn numbered(triangle: usize, pieces: &Pieces) -> impl Iterator<Item = (u32, &Flat)> {
    let numbered = pieces.iter().enumerate();
    numbered.filter_map(move |(piece, flat)| Some((number_of(triangle, piece), flat.as_ref()?)))
}

/// The middle of those places of a pixel that a triangle covers.
fn middle_of(covered: [u32; PLACES.len()], triangle: u32, [x, y]: [usize; 2]) -> (f64, f64) {
    let (mut sum, mut count) = (DVec2::ZERO, 0.0);
    for (_, (column, row)) in covered.into_iter().zip(PLACES).filter(|(found, _)| *found == triangle) {
        sum += DVec2::new(column as f64, row as f64);
        count += 1.0;
    }
    let corner = DVec2::new(x as f64, y as f64) * FINE as f64;
    let DVec2 { x, y } = corner + sum / count + 0.5;
    (x, y)
}

/// The middle of a place.
fn middle(place: usize) -> f64 {
    place as f64 + 0.5
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
        offsets.extend((0..width).map(|place| place as f32));
        visible.flats.clear();
        visible.places.clear();
        Self { width, height, near, nearest, colors, colors_per_pixel: 1, offsets, work: 0, visible }
    }

    const fn size(&self) -> [usize; 2] {
        [self.width, self.height]
    }

    /// Gathers the pieces that are seen somewhere, of so many as there are. From then on each place knows its own among these.
    fn look(&mut self, piece: impl Fn(u32) -> Option<Flat>, count: usize) {
        let Visible { flats, places } = &mut self.visible;
        places.resize(count, NOTHING);
        for number in &mut self.nearest {
            let Some(place) = places.get_mut(*number as usize) else { continue };
            if *place == NOTHING
                && let Some(flat) = piece(*number)
            {
                *place = flats.len() as u32;
                flats.push(flat);
            }
            *number = *place;
        }
    }

    /// Takes account of a row of a triangle; whether there is not too much work yet.
    fn may_work(&mut self, flat: &Flat) -> bool {
        let count = flat.right.saturating_sub(flat.left);
        self.work += count as u64;
        self.work <= MOST_WORK
    }

    /// Does something with each place that a triangle covers, in front of what is there. It is told where that is, its number, and 1
    /// over the distance.
    fn each(&mut self, flat: &Flat, mut task: impl FnMut(&mut Self, [usize; 2], usize, f32)) {
        for y in flat.top..flat.bottom {
            if !self.may_work(flat) {
                return;
            }
            let nearness = flat.nearness.in_row(middle(y));
            let start = y * self.width;
            for x in flat.span(middle(y)) {
                let near = single(flat.nearness.x * middle(x) + nearness);
                let place = start + x;
                if near > self.near[place] {
                    task(self, [x, y], place, near);
                }
            }
        }
    }

    /// Finds where a solid triangle is the nearest.
    fn cover(&mut self, flat: &Flat, paint: &Paint<'_>, number: u32) {
        if let AlphaMode::Mask(bar) = paint.alpha {
            self.each(flat, |canvas, [x, y], place, found| {
                if flat.alpha_at(flat.weights(middle(x), middle(y)), paint) < bar {
                    return;
                }
                canvas.near[place] = found;
                canvas.nearest[place] = number;
            });
            return;
        }
        let step = single(flat.nearness.x);
        for y in flat.top..flat.bottom {
            if !self.may_work(flat) {
                return;
            }
            let span = flat.span(middle(y));
            let start = y * self.width;
            // Where nothing is covered, the span may begin anywhere.
            let range = start.saturating_add(span.start)..start.saturating_add(span.end);
            let (Some(near), Some(nearest)) = (self.near.get_mut(range.clone()), self.nearest.get_mut(range))
            else {
                continue;
            };
            let begin = single(flat.nearness.x * middle(span.start) + flat.nearness.in_row(middle(y)));
            // Without branches, so that several places are done at once.
            for ((near, nearest), offset) in near.iter_mut().zip(nearest).zip(&self.offsets) {
                let found = begin + step * offset;
                let mask = u32::from(found > *near).wrapping_neg();
                *nearest = (number & mask) | (*nearest & !mask);
                *near = if found > *near { found } else { *near };
            }
        }
    }

    /// Colors what solid triangles cover: each of them once in a pixel, in the middle of its places there.
    fn color(&mut self, view: &View, paints: &Paints<'_>) {
        let light = view.light();
        let (across, down) = (self.width / FINE, self.height / FINE);
        let count = across * down * self.colors_per_pixel;
        let mut colors = std::mem::take(&mut self.colors);
        colors.reserve(count);
        let color_of = |triangle: u32, (x, y): (f64, f64)| match self.visible.flats.get(triangle as usize) {
            Some(flat) => {
                let color = flat.color_at(flat.weights(x, y), paints.get(flat.material), light);
                color.truncate().extend(1.0)
            }
            None => Vec4::ZERO,
        };
        for (y, rows) in self.nearest.chunks_exact(self.width * FINE).enumerate() {
            let (upper, lower) = rows.split_at(self.width);
            let ((upper, _), (lower, _)) = (upper.as_chunks::<FINE>(), lower.as_chunks::<FINE>());
            for (x, (upper, lower)) in upper.iter().zip(lower).enumerate() {
                let covered = [upper[0], upper[1], lower[0], lower[1]];
                let [triangle, others @ ..] = covered;
                if others == [triangle; 3] {
                    let color = match triangle {
                        NOTHING => Vec4::ZERO,
                        _ => {
                            let middle = |at: usize| at as f64 * FINE as f64 + 1.0;
                            color_of(triangle, (middle(x), middle(y)))
                        }
                    };
                    match self.colors_per_pixel {
                        1 => colors.push(color),
                        _ => colors.extend([color; PLACES.len()]),
                    }
                    continue;
                }
                let mut places = [Vec4::ZERO; PLACES.len()];
                for (number, triangle) in covered.into_iter().enumerate() {
                    let before = covered.iter().take(number).position(|other| *other == triangle);
                    places[number] = match before {
                        Some(before) => places[before],
                        None => color_of(triangle, middle_of(covered, triangle, [x, y])),
                    };
                }
                match self.colors_per_pixel {
                    1 => colors.push(places.into_iter().sum::<Vec4>() * 0.25),
                    _ => colors.extend(places),
                }
            }
        }
        self.colors = colors;
    }

    /// Lays a triangle that is seen through over what is behind it.
    fn blend(&mut self, flat: &Flat, paint: &Paint<'_>, light: Vec3) {
        let across = self.width / FINE;
        self.each(flat, |canvas, [x, y], _, _| {
            let over = flat.color_at(flat.weights(middle(x), middle(y)), paint, light);
            let pixel = y / FINE * across + x / FINE;
            let color = &mut canvas.colors[pixel * PLACES.len() + y % FINE * FINE + x % FINE];
            let kept = 1.0 - over.w;
            *color = (over.truncate() * over.w + color.truncate() * kept).extend(over.w + color.w * kept);
        });
    }

    /// The picture: pixels are the mean of their places, dark scenes are brightened, and something stands behind.
    pub(crate) fn develop(&self, width: u32, height: u32, backdrop: [[u8; 3]; 2]) -> Option<Rgba8> {
        let gain = self.gain()?;
        let display = Display::get();
        let display_of = |light: f32| display.of(light);
        let [top, bottom] = backdrop.map(|color| Vec3::from(color.map(light_of)));
        let (across, down) = (width as usize, height as usize);
        let mut pixels = Vec::with_capacity(across * down * 4);
        let share = 1.0 / self.colors_per_pixel as f32;
        let rows = self.colors.chunks(across * self.colors_per_pixel);
        for (y, row) in rows.enumerate() {
            let behind = top.lerp(bottom, y as f32 / down as f32);
            let empty = behind.to_array().map(display_of);
            for places in row.chunks(self.colors_per_pixel) {
                if places.iter().all(|color| color.w == 0.0) {
                    pixels.extend(empty);
                } else {
                    let seen = |color: &Vec4| {
                        let light = (color.truncate() * gain).to_array().map(|it| softened(it, gain));
                        Vec3::from(light) + behind * (1.0 - color.w)
                    };
                    let sum: Vec3 = places.iter().map(seen).sum();
                    pixels.extend((sum * share).to_array().map(display_of));
                }
                pixels.push(255);
            }
        }
        Rgba8::new(width, height, pixels).ok()
    }

    /// Keeps the memory for the next picture of this thread.
    pub(crate) fn recycle(self) {
        let Self { near, nearest, colors, offsets, mut visible, .. } = self;
        if visible.flats.capacity() > MOST_KEPT || visible.places.capacity() > MOST_KEPT {
            visible = Visible::default();
        }
        MEMORY.set(Memory { near, nearest, colors, offsets, visible });
    }

    /// By how much a dark scene is brightened; `None` when there is nothing to see. Roots are summed, so that a lamp does not
    /// leave the room around it dark.
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
        Some((WANTED / (mean * mean).max(1e-6)).clamp(1.0, MOST_GAIN))
    }
}

/// The mean light of what is seen that is bright enough.
const WANTED: f32 = 0.2;
/// What is darker than this many times is dark indeed.
const MOST_GAIN: f32 = 20.0;

/// Brightened light within what can be shown. What was bright before comes close to white without a hard edge.
fn softened(light: f32, gain: f32) -> f32 {
    const KNEE: f32 = 0.6;
    let over = light - KNEE;
    if gain <= 1.0 || over <= 0.0 {
        return light.min(1.0);
    }
    KNEE + (1.0 - KNEE) * over / (over + 1.0 - KNEE)
}
