//! Detail that fewer pixels would lose, and the resolution that a chart needs to show it.
//!
//! Light multiplies a texture, and so its detail: in the dark, even a rough texture is almost plain. A chart whose baked pixels would
//! hardly differ at half the resolution, or less, is baked at that resolution, but not below that of its lightmap.

use glam::{DVec2, Vec3, Vec4};

use super::chart::{Charts, SurfaceGeometry};
use super::picture::{Level, Picture};
use crate::number::{from_count, index, truncate};

/// Number of halvings that are measured.
const HALVINGS: usize = 6;

/// Maximum number of halvings of a chart.
const MAX_HALVINGS: i32 = 2;

/// Side of the blocks that are also compared separately, because a sign on a plain wall is a small part of it.
const BLOCK: usize = 32;

/// Maximum mean squared difference in a chart, in squared steps of a channel (0 to 255).
const MAX_MEAN: f64 = 2.25;

/// Maximum mean squared difference in a block.
const MAX_IN_BLOCK: f64 = 20.25;

/// Maximum number of light samples along each side of a triangle.
const MAX_SAMPLES: f64 = 12.0;

/// Distance of light samples, in lightmap pixels.
const SAMPLE_DISTANCE: f64 = 3.0;

/// Mean squared differences between a picture and a copy with fewer pixels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Loss {
    /// In the entire picture.
    mean: f64,
    /// In the block that differs most.
    block: f64,
}

/// The detail of a texture.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct Detail {
    /// The loss by each halving of the resolution.
    halvings: Vec<Loss>,
}

impl Detail {
    pub(in super::super) fn of(picture: &Picture) -> Self {
        let levels = picture.levels.iter().zip(picture.levels.iter().skip(1));
        Self { halvings: levels.take(HALVINGS).map(|(fine, coarse)| lost(fine, coarse)).collect() }
    }

    /// The loss from one scale factor to a lower one. `None` if it is not known.
    fn between(&self, high: f64, low: f64) -> Option<Loss> {
        let (first, last) = (-high.log2(), -low.log2());
        if last > from_count(self.halvings.len()) {
            return None;
        }
        let mut sum = Loss::default();
        let mut start = 0.0;
        for halving in &self.halvings {
            let share = (last.min(start + 1.0) - first.max(start)).max(0.0);
            sum = Loss { mean: sum.mean + halving.mean * share, block: sum.block + halving.block * share };
            start += 1.0;
        }
        Some(sum)
    }
}

/// The difference between a level and the next one, enlarged by interpolation as in a viewer.
fn lost(fine: &Level, coarse: &Level) -> Loss {
    let width = index(fine.width).max(1);
    let (mut total, mut worst) = (0.0_f64, 0.0_f64);
    let mut blocks = vec![0.0_f32; width.div_ceil(BLOCK)];
    for (band, rows) in fine.pixels.chunks(width.saturating_mul(BLOCK)).enumerate() {
        blocks.fill(0.0);
        for (row, pixels) in (band.saturating_mul(BLOCK)..).zip(rows.chunks(width)) {
            let line = coarse.enlarged_row(row);
            for (start, (block, pixels)) in blocks.iter_mut().zip(pixels.chunks(BLOCK)).enumerate() {
                *block += squared(pixels, start.saturating_mul(BLOCK), &line);
            }
        }
        let height = rows.len().checked_div(width).unwrap_or_default();
        for (number, block) in blocks.iter().enumerate() {
            let columns = width.saturating_sub(number.saturating_mul(BLOCK)).min(BLOCK);
            total += f64::from(*block);
            worst = worst.max(f64::from(*block) / from_count(columns.saturating_mul(height)));
        }
    }
    let count = from_count(fine.pixels.len()).max(1.0);
    Loss { mean: total / count, block: worst }
}

/// The sum of squared differences between pixels and a row of half as many, per channel.
fn squared(pixels: &[[u8; 4]], first: usize, line: &[Vec4]) -> f32 {
    let mut sum = Vec3::ZERO;
    for (column, pixel) in (first..).zip(pixels) {
        let (near, far) = neighbors(column, line.len());
        let (Some(near), Some(far)) = (line.get(near), line.get(far)) else { continue };
        let off = (*near * 0.75 + *far * 0.25 - vector(*pixel)).truncate();
        sum += off * off;
    }
    sum.element_sum() / 3.0
}

impl Level {
    /// A row of the level with twice as many rows.
    fn enlarged_row(&self, row: usize) -> Vec<Vec4> {
        let width = index(self.width).max(1);
        let (near, far) = neighbors(row, index(self.height));
        let row = |number: usize| self.pixels.iter().skip(number.saturating_mul(width)).take(width);
        row(near).zip(row(far)).map(|(near, far)| vector(*near) * 0.75 + vector(*far) * 0.25).collect()
    }

    /// The pixel at texture coordinates.
    fn nearest(&self, at: DVec2) -> Vec3 {
        let size = DVec2::new(self.width.into(), self.height.into());
        let [x, y] = ((at - at.floor()) * size).to_array().map(truncate);
        let (x, y) = (x.min(self.width.saturating_sub(1)), y.min(self.height.saturating_sub(1)));
        let pixel = index(y).saturating_mul(index(self.width)).saturating_add(index(x));
        self.pixels.get(pixel).map_or(Vec3::ZERO, |pixel| vector(*pixel).truncate())
    }
}

/// The nearest and the second nearest of half as many pixels.
fn neighbors(number: usize, count: usize) -> (usize, usize) {
    let last = count.saturating_sub(1);
    let near = (number >> 1).min(last);
    let far = if number & 1 == 1 { near.saturating_add(1) } else { near.saturating_sub(1) };
    (near, far.min(last))
}

fn vector(pixel: [u8; 4]) -> Vec4 {
    Vec4::from_array(pixel.map(f32::from))
}

/// The squared factor by which light multiplies the texture of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Brightness {
    /// Sum over all samples, weighted by the area in the room.
    sum: f64,
    area: f64,
    max: f64,
}

impl Brightness {
    fn mean(self) -> f64 {
        if self.area > 0.0 { self.sum / self.area } else { self.max }
    }
}

/// Reduces the resolution of charts that have no visible detail in their light. `per_meter` is their maximum number of pixels per meter.
pub(super) fn reduce(
    geometry: SurfaceGeometry<'_>,
    charts: &mut Charts,
    per_meter: f64,
    detail: &Detail,
    lightmap: &Picture,
) {
    let brightness = brightness(geometry, charts, lightmap);
    for (chart, brightness) in charts.list.iter_mut().zip(brightness) {
        let factor = chart.factor(per_meter);
        for halvings in 1..=MAX_HALVINGS {
            let reduction = 0.5_f64.powi(halvings);
            let Some(loss) = detail.between(factor, factor * reduction) else { break };
            let mean = loss.mean * brightness.mean();
            let is_visible = mean > MAX_MEAN || loss.block * brightness.max > MAX_IN_BLOCK;
            if is_visible || factor * reduction < chart.of_lightmap {
                break;
            }
            (chart.reduction, chart.loss) = (reduction, mean);
        }
    }
}

/// Samples the light of each chart.
fn brightness(geometry: SurfaceGeometry<'_>, charts: &Charts, lightmap: &Picture) -> Vec<Brightness> {
    let mut list = vec![Brightness::default(); charts.list.len()];
    let Some(level) = lightmap.levels.first() else { return list };
    for triangle in geometry.triangles() {
        let [first, ..] = triangle;
        let chart = charts.of_vertex.get(first).copied().flatten();
        let Some(chart) = chart.and_then(|chart| list.get_mut(chart)) else { continue };
        let [a, b, c] = geometry.corners(triangle).lightmap;
        let (along, aside) = (b - a, c - a);
        let length = (along * lightmap.size()).length().max((aside * lightmap.size()).length());
        let count = truncate((length / SAMPLE_DISTANCE).ceil().clamp(1.0, MAX_SAMPLES));
        let (mut sum, mut samples) = (0.0, 0.0);
        for row in 0..count {
            for column in 0..count.saturating_sub(row) {
                let [x, y] = [column, row].map(|at| (f64::from(at) + 1.0 / 3.0) / f64::from(count));
                let light = level.nearest(a + along * x + aside * y) * (2.0 / 255.0);
                // Colored light can leave the detail of one channel only.
                let squared = f64::from(light.max_element()).powi(2);
                (sum, samples) = (sum + squared, samples + 1.0);
                chart.max = chart.max.max(squared);
            }
        }
        let area = geometry.square_meters(triangle);
        if samples > 0.0 && area.is_finite() {
            chart.sum += sum / samples * area;
            chart.area += area;
        }
    }
    list
}
