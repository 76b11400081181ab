//! Baked surfaces: texture and lightmap combined into one image that any viewer shows correctly.
//!
//! The game shows `min(1, 2 x texture x lightmap)`, multiplied in display space, the numbers of the images themselves. Few glTF
//! viewers know lightmaps, and those multiply in linear light. A baked surface is one unlit texture with exactly those colors.
//!
//! - The texture keeps its density: each of its pixels becomes one baked pixel, if that fits into a baked texture of [`SIDE`] pixels
//!   per side. Otherwise it is downsampled first.
//! - Light is blended between the lightmap's pixels, as a graphics card does.
//! - The surface is split into [charts](chart): parts connected in the lightmap. Each is in its own [slot](atlas) with
//!   a margin in the colors of its edge, to avoid seams.
//! - All baked textures of a room together have at most [`ROOM`] pixels; the largest are reduced first.

mod atlas;
mod chart;
mod draw;
mod number;
mod picture;
mod room;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use glam::DVec2;
use scene::image::Rgba8;

pub(super) use self::picture::Picture;
pub(super) use self::room::Baker;

use self::atlas::{Atlas, Slot};
use self::chart::{Chart, Charts, Spread, SurfaceGeometry, finite_or_zero, reduced};
use self::draw::{Canvas, Outline};
use self::number::{double, single, whole};
use self::picture::View;

/// Pixels along a side of a baked texture, at most.
const SIDE: u32 = 2048;

/// Pixels of one baked texture, at most.
const MAX_SIZE: u64 = 2048 * 2048;

/// Pixels of all baked textures of a room, at most: sixteen of the largest, 256 MiB in a viewer's memory.
const ROOM: u64 = 64 << 20;

/// No surface gets fewer pixels than this, however many there are.
const LEAST: u64 = 2048;

/// A surface to be baked.
#[derive(Debug, Clone, Copy)]
struct Part<'a> {
    geometry: SurfaceGeometry<'a>,
    texture: &'a Picture,
    lightmap: &'a Picture,
}

/// A baked surface.
#[derive(Debug, Clone, PartialEq)]
struct Baked {
    picture: Rgba8,
    /// Where each vertex lies in the picture, 0 to 1.
    uvs: Vec<[f32; 2]>,
    /// How dense it is: 1 where each pixel of the texture has one of its own.
    density: f64,
    /// Triangles that were left out because too many overlap.
    left_out: usize,
}

/// The most pixels that one surface may have, so that all together have no more than `all`. Who wants fewer gets what it wants.
fn share(wanted: &[u64], all: u64) -> u64 {
    let mut sorted = wanted.to_vec();
    sorted.sort_unstable();
    let (mut left, mut count) = (all, u64::try_from(sorted.len()).unwrap_or(u64::MAX));
    for want in sorted {
        let each = left.checked_div(count).unwrap_or(left);
        if want > each {
            return each.max(LEAST);
        }
        left = left.saturating_sub(want);
        count = count.saturating_sub(1);
    }
    u64::MAX
}

impl Part<'_> {
    /// How many pixels it takes at its full density, as far as one texture may have them.
    fn wanted(&self) -> u64 {
        let charts = Charts::find(self.geometry, self.texture.size(), self.lightmap.size());
        let area = slots(&charts, 1.0).iter().fold(0_u64, |sum, (_, slot)| sum.saturating_add(slot.area()));
        area.min(MAX_SIZE)
    }

    /// Bakes it with at most so many pixels.
    fn bake(&self, max_pixels: u64) -> Baked {
        let (texture, lightmap) = (self.texture.size(), self.lightmap.size());
        let charts = Charts::find(self.geometry, texture, lightmap);
        if let Some(packed) = PackedCharts::new(charts, max_pixels) {
            return self.draw(&packed);
        }
        // So many charts that their margins alone fill the texture: the surface as it lies in the lightmap.
        let whole = Charts::whole(self.geometry, texture, lightmap);
        match PackedCharts::new(whole, max_pixels) {
            Some(packed) => self.draw(&packed),
            None => Baked {
                picture: Canvas::new(1, 1).fill(&[]),
                uvs: vec![[0.0; 2]; self.geometry.vertices.len()],
                density: 0.0,
                left_out: self.geometry.triangles().count(),
            },
        }
    }

    fn draw(&self, packed: &PackedCharts) -> Baked {
        let mut canvas = Canvas::new(packed.atlas.width, packed.atlas.height);
        let texture = self.texture_for(packed);
        let mut left_out = 0_usize;
        for triangle in self.geometry.triangles() {
            let visible = self.visible(triangle, packed, &texture);
            let is_drawn = visible.is_some_and(|(outline, texture, lightmap)| {
                canvas.draw_inside(&outline, |at| lit(texture.at(at), lightmap.at(at)))
            });
            left_out = left_out.saturating_add(usize::from(!is_drawn));
        }
        for triangle in self.geometry.triangles() {
            if let Some((outline, texture, lightmap)) = self.visible(triangle, packed, &texture) {
                canvas.draw_edge(&outline, |edge, part| {
                    lit(texture.on_edge(edge, part), lightmap.on_edge(edge, part))
                });
            }
        }
        Baked {
            picture: canvas.fill(&packed.atlas.slots),
            uvs: self.uvs(packed),
            density: packed.density(),
            left_out,
        }
    }

    /// The texture in the size it is drawn with, unless that is larger than what is drawn.
    fn texture_for(&self, packed: &PackedCharts) -> Cow<'_, Picture> {
        let size = reduced(self.texture.size(), packed.factor).max(DVec2::ONE);
        let pixels = double(u64::from(packed.atlas.width).saturating_mul(packed.atlas.height.into()));
        if packed.factor < 1.0 && size.element_product() <= 4.0 * pixels {
            Cow::Owned(self.texture.resized(whole(size.x), whole(size.y)))
        } else {
            Cow::Borrowed(self.texture)
        }
    }

    /// A triangle as it lies in the baked texture, and as it sees its pictures.
    fn visible<'v>(
        &'v self,
        triangle: [usize; 3],
        packed: &PackedCharts,
        texture: &'v Picture,
    ) -> Option<(Outline, View<'v>, View<'v>)> {
        let [first, ..] = triangle;
        let location = packed.location(first)?;
        let corners = self.geometry.corners(triangle);
        let mut pixels = [DVec2::ZERO; 3];
        for ((pixel, texture), lightmap) in pixels.iter_mut().zip(corners.texture).zip(corners.lightmap) {
            *pixel = location.pixel(texture, lightmap);
        }
        let texture = texture.view(corners.texture, pixels)?;
        Some((Outline::new(pixels), texture, self.lightmap.view(corners.lightmap, pixels)?))
    }

    fn uvs(&self, packed: &PackedCharts) -> Vec<[f32; 2]> {
        let size = DVec2::new(packed.atlas.width.into(), packed.atlas.height.into());
        let uv = |(number, vertex): (usize, &super::Vertex)| {
            let location = packed.location(number)?;
            let pixel = location.pixel(finite_or_zero(vertex.texture_uv), finite_or_zero(vertex.lightmap_uv));
            Some((pixel / size).to_array().map(single))
        };
        self.geometry.vertices.iter().enumerate().map(|vertex| uv(vertex).unwrap_or_default()).collect()
    }
}

/// `min(1, 2 x texture x lightmap)`, where 255 is 1.
fn lit(texture: glam::Vec4, light: glam::Vec4) -> glam::Vec4 {
    (texture * light * (2.0 / 255.0)).min(glam::Vec4::splat(255.0))
}

/// Charts packed into a texture.
struct PackedCharts {
    charts: Charts,
    spreads: Vec<Spread>,
    atlas: Atlas,
    /// How much smaller the texture is.
    factor: f64,
}

impl PackedCharts {
    /// The densest that fits, to a few hundredths.
    fn new(charts: Charts, max_pixels: u64) -> Option<Self> {
        // The smallest slot has 64 pixels; margins are not to take a quarter of them all.
        let count = u64::try_from(charts.list.len()).unwrap_or(u64::MAX);
        if count.saturating_mul(256) > max_pixels {
            return None;
        }
        let max_pixels = max_pixels.min(MAX_SIZE);
        let mut factor = 1.0;
        for _ in 0..60 {
            let (spreads, slots): (Vec<_>, Vec<_>) = slots(&charts, factor).into_iter().unzip();
            if let Some(atlas) = Atlas::pack(&slots, max_pixels) {
                return Some(Self { charts, spreads, atlas, factor });
            }
            let area = slots.iter().fold(0_u64, |sum, slot| sum.saturating_add(slot.area()));
            let too_much = double(area) / double(max_pixels);
            factor *= (0.97 / too_much.sqrt()).min(0.97);
        }
        None
    }

    fn location(&self, vertex: usize) -> Option<ChartLocation<'_>> {
        let chart = self.charts.of_vertex.get(vertex).copied().flatten()?;
        Some(ChartLocation {
            chart: self.charts.list.get(chart)?,
            spread: self.spreads.get(chart)?,
            slot: self.atlas.slots.get(chart)?,
        })
    }

    /// How many pixels there are along a side for each one at full density.
    fn density(&self) -> f64 {
        let charts = self.charts.list.iter().zip(&self.spreads);
        let areas = charts.map(|(chart, spread)| chart.areas(spread));
        let (full, drawn) = areas.fold((0.0, 0.0), |sum, (full, drawn)| (sum.0 + full, sum.1 + drawn));
        if full > 0.0 { (drawn / full).sqrt() } else { 1.0 }
    }
}

/// Where a chart lies in the baked texture.
struct ChartLocation<'a> {
    chart: &'a Chart,
    spread: &'a Spread,
    slot: &'a Slot,
}

impl ChartLocation<'_> {
    fn pixel(&self, texture: DVec2, lightmap: DVec2) -> DVec2 {
        let corner = DVec2::new(self.slot.left.into(), self.slot.top.into()) + f64::from(self.slot.margin);
        self.chart.location(texture, lightmap) * self.spread.scale - self.spread.origin + corner
    }
}

fn slots(charts: &Charts, factor: f64) -> Vec<(Spread, Slot)> {
    let slot = |chart: &Chart| {
        let spread = chart.spread(factor);
        (spread, Slot::around(spread.size))
    };
    charts.list.iter().map(slot).collect()
}
