//! Baked surfaces: texture and lightmap made into one picture that any viewer shows right.
//!
//! The game shows `min(1, 2 x texture x lightmap)`, multiplied in display space, the numbers of the images themselves. Few glTF
//! viewers know lightmaps, and those multiply in linear light. A baked surface is one unlit texture with the very colours.
//!
//! - The texture keeps its density: each of its pixels becomes one baked pixel, where a baked texture of [`SIDE`] pixels a side has
//!   room for that. Else it is made smaller first, averaged, so that nothing flickers.
//! - Light is blended between the lightmap's pixels, as a graphics card does.
//! - The surface falls into [charts](chart): parts that hang together in the lightmap. Each lies in a [slot](atlas) of its own with
//!   a margin in the colours of its edge, so that no seam shows between them.
//! - All baked textures of a room together have at most [`ROOM`] pixels; the largest give way first.

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
use self::chart::{Chart, Charts, Shape, Spread, reduced, sound};
use self::draw::{Canvas, Outline};
use self::number::{double, single, whole};
use self::picture::View;

/// Pixels along a side of a baked texture, at most.
const SIDE: u32 = 2048;

/// Pixels of one baked texture, at most.
const LARGEST: u64 = 2048 * 2048;

/// Pixels of all baked textures of a room, at most: sixteen of the largest, 256 MiB in a viewer's memory.
const ROOM: u64 = 64 << 20;

/// No surface gets fewer pixels than this, however many there are.
const LEAST: u64 = 2048;

/// A surface to be baked.
#[derive(Debug, Clone, Copy)]
struct Part<'a> {
    shape: Shape<'a>,
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
    /// Triangles that were left out because too many lie upon each other.
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
        let charts = Charts::find(self.shape, self.texture.size(), self.lightmap.size());
        let area = slots(&charts, 1.0).iter().fold(0_u64, |sum, (_, slot)| sum.saturating_add(slot.area()));
        area.min(LARGEST)
    }

    /// Bakes it with at most so many pixels.
    fn bake(&self, most: u64) -> Baked {
        let (texture, lightmap) = (self.texture.size(), self.lightmap.size());
        let charts = Charts::find(self.shape, texture, lightmap);
        if let Some(fitted) = Fitted::new(charts, most) {
            return self.draw(&fitted);
        }
        // So many charts that their margins alone fill the texture: the surface as it lies in the lightmap.
        let whole = Charts::whole(self.shape, texture, lightmap);
        match Fitted::new(whole, most) {
            Some(fitted) => self.draw(&fitted),
            None => Baked {
                picture: Canvas::new(1, 1).fill(&[]),
                uvs: vec![[0.0; 2]; self.shape.vertices.len()],
                density: 0.0,
                left_out: self.shape.triangles().count(),
            },
        }
    }

    fn draw(&self, fitted: &Fitted) -> Baked {
        let mut canvas = Canvas::new(fitted.atlas.width, fitted.atlas.height);
        let texture = self.texture_for(fitted);
        let mut left_out = 0_usize;
        for triangle in self.shape.triangles() {
            let seen = self.seen(triangle, fitted, &texture);
            let is_drawn = seen.is_some_and(|(outline, texture, lightmap)| {
                canvas.draw_inside(&outline, |at| lit(texture.at(at), lightmap.at(at)))
            });
            left_out = left_out.saturating_add(usize::from(!is_drawn));
        }
        for triangle in self.shape.triangles() {
            if let Some((outline, texture, lightmap)) = self.seen(triangle, fitted, &texture) {
                canvas.draw_edge(&outline, |edge, part| {
                    lit(texture.on_edge(edge, part), lightmap.on_edge(edge, part))
                });
            }
        }
        Baked {
            picture: canvas.fill(&fitted.atlas.slots),
            uvs: self.uvs(fitted),
            density: fitted.density(),
            left_out,
        }
    }

    /// The texture in the size it is drawn with, unless that is larger than what is drawn.
    fn texture_for(&self, fitted: &Fitted) -> Cow<'_, Picture> {
        let size = reduced(self.texture.size(), fitted.factor).max(DVec2::ONE);
        let pixels = double(u64::from(fitted.atlas.width).saturating_mul(fitted.atlas.height.into()));
        if fitted.factor < 1.0 && size.element_product() <= 4.0 * pixels {
            Cow::Owned(self.texture.resized(whole(size.x), whole(size.y)))
        } else {
            Cow::Borrowed(self.texture)
        }
    }

    /// A triangle as it lies in the baked texture, and as it sees its pictures.
    fn seen<'v>(
        &'v self,
        triangle: [usize; 3],
        fitted: &Fitted,
        texture: &'v Picture,
    ) -> Option<(Outline, View<'v>, View<'v>)> {
        let [first, ..] = triangle;
        let place = fitted.place(first)?;
        let corners = self.shape.corners(triangle);
        let mut pixels = [DVec2::ZERO; 3];
        for ((pixel, texture), lightmap) in pixels.iter_mut().zip(corners.texture).zip(corners.lightmap) {
            *pixel = place.pixel(texture, lightmap);
        }
        let texture = texture.view(corners.texture, pixels)?;
        Some((Outline::new(pixels), texture, self.lightmap.view(corners.lightmap, pixels)?))
    }

    fn uvs(&self, fitted: &Fitted) -> Vec<[f32; 2]> {
        let size = DVec2::new(fitted.atlas.width.into(), fitted.atlas.height.into());
        let uv = |(number, vertex): (usize, &super::Vertex)| {
            let place = fitted.place(number)?;
            let pixel = place.pixel(sound(vertex.texture_uv), sound(vertex.lightmap_uv));
            Some((pixel / size).to_array().map(single))
        };
        self.shape.vertices.iter().enumerate().map(|vertex| uv(vertex).unwrap_or_default()).collect()
    }
}

/// `min(1, 2 x texture x lightmap)`, where 255 stands for 1.
fn lit(texture: glam::Vec4, light: glam::Vec4) -> glam::Vec4 {
    (texture * light * (2.0 / 255.0)).min(glam::Vec4::splat(255.0))
}

/// Charts packed into a texture.
struct Fitted {
    charts: Charts,
    spreads: Vec<Spread>,
    atlas: Atlas,
    /// How much smaller the texture is.
    factor: f64,
}

impl Fitted {
    /// The densest that fits, to a few hundredths.
    fn new(charts: Charts, most: u64) -> Option<Self> {
        // The smallest slot has 64 pixels; margins are not to take a quarter of them all.
        let count = u64::try_from(charts.list.len()).unwrap_or(u64::MAX);
        if count.saturating_mul(256) > most {
            return None;
        }
        let most = most.min(LARGEST);
        let mut factor = 1.0;
        for _ in 0..60 {
            let (spreads, slots): (Vec<_>, Vec<_>) = slots(&charts, factor).into_iter().unzip();
            if let Some(atlas) = Atlas::pack(&slots, most) {
                return Some(Self { charts, spreads, atlas, factor });
            }
            let area = slots.iter().fold(0_u64, |sum, slot| sum.saturating_add(slot.area()));
            let too_much = double(area) / double(most);
            factor *= (0.97 / too_much.sqrt()).min(0.97);
        }
        None
    }

    fn place(&self, vertex: usize) -> Option<Place<'_>> {
        let chart = self.charts.of_vertex.get(vertex).copied().flatten()?;
        Some(Place {
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
struct Place<'a> {
    chart: &'a Chart,
    spread: &'a Spread,
    slot: &'a Slot,
}

impl Place<'_> {
    fn pixel(&self, texture: DVec2, lightmap: DVec2) -> DVec2 {
        let corner = DVec2::new(self.slot.left.into(), self.slot.top.into()) + f64::from(self.slot.margin);
        self.chart.place(texture, lightmap) * self.spread.scale - self.spread.origin + corner
    }
}

fn slots(charts: &Charts, factor: f64) -> Vec<(Spread, Slot)> {
    let slot = |chart: &Chart| {
        let spread = chart.spread(factor);
        (spread, Slot::around(spread.size))
    };
    charts.list.iter().map(slot).collect()
}
