//! Baked surfaces: texture and lightmap combined into images that any viewer shows correctly.
//!
//! The game shows `min(1, 2 x texture x lightmap)`, multiplied in display space, the numbers of the images themselves. Few glTF
//! viewers support lightmaps, and those multiply in linear space. A baked surface is an unlit texture with exactly those colors.
//!
//! - A tiled texture is drawn once for each repetition, because the light differs. At full density, where each texture pixel
//!   becomes one baked pixel, that can be a thousand times the size of the texture. So the [density](plan) is limited to a number of
//!   pixels per meter, the same for all surfaces of a room; textures with a lower density keep theirs.
//! - A chart without visible [detail] in its light has fewer pixels.
//! - Light is interpolated bilinearly, as on a graphics card.
//! - The surface is split into [charts](chart), which are connected in the lightmap, and charts that are too large for one texture into
//!   [patches](patch). Each patch has its own [slot](atlas) in a texture, with a margin to avoid seams.
//! - A surface has one or more textures.

mod atlas;
mod chart;
mod detail;
mod draw;
mod fill;
mod page;
mod patch;
mod picture;
mod plan;
mod room;
#[cfg(test)]
mod tests;
mod view;

use glam::DVec2;

pub(super) use self::detail::Detail;
pub(super) use self::picture::Picture;
pub(super) use self::room::{BakedSurface, BakedTexture, Settings, bake};

use self::chart::{SurfaceGeometry, finite_or_zero, reduced};
use self::page::Images;
use self::plan::{Limits, Plan};

/// Maximum width and height of a baked texture, in pixels.
const SIDE: u32 = 4096;

/// Maximum number of pixels of a baked texture.
const MAX_SIZE: u64 = 8 << 20;

/// Maximum width and height of a patch, in pixels. With margins it fits [`SIDE`].
const PATCH_SIDE: f64 = 4000.0;

/// Maximum number of pixels of a patch. With margins it fits [`MAX_SIZE`].
const MAX_PATCH: f64 = 7_800_000.0;

/// A surface to be baked: its geometry, and the sizes of its images in pixels.
#[derive(Debug, Clone, Copy)]
struct BakeInput<'a> {
    geometry: SurfaceGeometry<'a>,
    texture: DVec2,
    lightmap: DVec2,
}
