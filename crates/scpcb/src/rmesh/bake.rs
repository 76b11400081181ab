//! Baked surfaces: texture and lightmap combined into images that any viewer shows correctly.
//!
//! The game shows `min(1, 2 x texture x lightmap)`, multiplied in display space, the numbers of the images themselves. Few glTF
//! viewers know lightmaps, and those multiply in linear light. A baked surface is an unlit texture with exactly those colors.
//!
//! - A texture that tiles is laid out as often as it is seen, because the light differs. At full density, where each of its pixels
//!   becomes one baked pixel, that is a thousand times the texture and more. So the [density](plan) is limited to a number of pixels per
//!   meter of the room, the same for all of its surfaces; textures that have fewer keep theirs.
//! - Light is blended between the lightmap's pixels, as a graphics card does.
//! - The surface is split into [charts](chart): parts connected in the lightmap; those too large for one texture into
//!   [patches](patch). Each is in its own [slot](atlas) of a texture, with a margin, to avoid seams.
//! - A surface has as many textures as it needs.

mod atlas;
mod chart;
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

pub(super) use self::picture::Picture;
pub(super) use self::room::{BakedSurface, BakedTexture, Settings, bake};

use self::chart::{SurfaceGeometry, finite_or_zero, reduced};
use self::page::Images;
use self::plan::{Limits, Plan};

/// Pixels along a side of a baked texture, at most.
const SIDE: u32 = 4096;

/// Pixels of one baked texture, at most.
const MAX_SIZE: u64 = 8 << 20;

/// Pixels along a side of a patch, at most; with its margins it fits [`SIDE`].
const PATCH_SIDE: f64 = 4000.0;

/// Pixels of a patch, at most; with its margins it fits [`MAX_SIZE`].
const MAX_PATCH: f64 = 7_800_000.0;

/// A surface to be baked: its geometry, and the sizes of its images in pixels.
#[derive(Debug, Clone, Copy)]
struct Part<'a> {
    geometry: SurfaceGeometry<'a>,
    texture: DVec2,
    lightmap: DVec2,
}
