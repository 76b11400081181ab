//! Small copies of textures, decoded once for all scenes that use them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use glam::Vec2;
use twox_hash::XxHash3_128;

use crate::light::light_of;
use crate::number::{float, index, whole};
use scene::image::{Limits, Rgba8, decode, shrink};
use scene::{Encoded, Filter, Sampler, Wrap};

/// The longest side of a small copy.
const SIDE: u32 = 256;
/// Larger images are not decoded: what uses them is drawn without them.
const LIMITS: Limits = Limits { max_pixels: 16 << 20 };
/// So many bytes of small copies are kept; further ones are made anew for each scene.
const KEPT: usize = 192 << 20;

/// Decoded textures, shared by everything that is drawn with them and by all threads. Images of the same bytes are one.
#[derive(Debug, Default)]
pub struct Textures {
    known: Mutex<HashMap<u128, Slot>>,
    bytes: AtomicUsize,
}

/// Filled by the first who asks; `None` for an image that cannot be decoded.
type Slot = Arc<OnceLock<Option<Arc<Picture>>>>;

impl Textures {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The small copy of an image.
    pub(crate) fn get(&self, image: &Encoded) -> Option<Arc<Picture>> {
        let key = key(&image.bytes);
        let full = self.bytes.load(Ordering::Relaxed) > KEPT;
        let slot = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            match known.get(&key) {
                Some(slot) => Arc::clone(slot),
                None if full => Slot::default(),
                None => Arc::clone(known.entry(key).or_default()),
            }
        };
        let make = || {
            let picture = Picture::of(&decode(&image.bytes, &LIMITS).ok()?);
            self.bytes.fetch_add(picture.bytes(), Ordering::Relaxed);
            Some(Arc::new(picture))
        };
        slot.get_or_init(make).clone()
    }
}

/// What an image file is known by.
pub(crate) fn key(bytes: &[u8]) -> u128 {
    XxHash3_128::oneshot(bytes)
}

/// A texture in several sizes, each half as large as the one before.
#[derive(Debug)]
pub(crate) struct Picture(Vec<Level>);

#[derive(Debug)]
struct Level {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
}

impl Level {
    fn of(picture: &Rgba8) -> Self {
        let (pixels, _) = picture.pixels().as_chunks::<4>();
        Self { width: index(picture.width()), height: index(picture.height()), pixels: pixels.to_vec() }
    }

    fn at(&self, x: usize, y: usize) -> [u8; 4] {
        let place = y.checked_mul(self.width).and_then(|row| row.checked_add(x));
        place.and_then(|place| self.pixels.get(place)).copied().unwrap_or([255; 4])
    }
}

impl Picture {
    fn of(picture: &Rgba8) -> Self {
        let mut picture = shrink(picture, SIDE, SIDE);
        let mut levels = vec![Level::of(&picture)];
        while picture.width() > 1 || picture.height() > 1 {
            let half = |side: u32| (side >> 1).max(1);
            picture = shrink(&picture, half(picture.width()), half(picture.height()));
            levels.push(Level::of(&picture));
        }
        Self(levels)
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(|level| level.pixels.len().saturating_mul(4)).fold(0, usize::saturating_add)
    }

    /// Pixels across and down.
    pub(crate) fn size(&self) -> Vec2 {
        self.0.first().map_or(Vec2::ONE, |level| Vec2::new(float(level.width), float(level.height)))
    }

    /// Linear color and alpha at a place, in the size that was halved so often; from 0 up in width and height of the picture.
    pub(crate) fn sample(&self, uv: Vec2, halved: usize, sampler: Sampler) -> [f32; 4] {
        let Some(level) = self.0.get(halved.min(self.0.len().saturating_sub(1))) else { return [1.0; 4] };
        let place = |at: f32, size: usize, wrap: Wrap| {
            let at = if at.is_finite() { at } else { 0.0 };
            float(size)
                * match wrap {
                    Wrap::Repeat => at - at.floor(),
                    Wrap::Clamp => at.clamp(0.0, 1.0),
                    Wrap::Mirror => {
                        let two = at * 0.5;
                        let back = (two - two.floor()) * 2.0;
                        if back > 1.0 { 2.0 - back } else { back }
                    }
                }
        };
        let x = place(uv.x, level.width, sampler.wrap_u);
        let y = place(uv.y, level.height, sampler.wrap_v);
        if halved == 0 && sampler.mag == Filter::Nearest {
            let clamped = |at: f32, size: usize| whole(at).min(size.saturating_sub(1));
            return linear(level.at(clamped(x, level.width), clamped(y, level.height)));
        }
        let (left, right, across) = neighbours(x, level.width, sampler.wrap_u);
        let (top, bottom, down) = neighbours(y, level.height, sampler.wrap_v);
        let upper = mix(linear(level.at(left, top)), linear(level.at(right, top)), across);
        let lower = mix(linear(level.at(left, bottom)), linear(level.at(right, bottom)), across);
        mix(upper, lower, down)
    }
}

/// The two pixels around a place, and how much of the second.
fn neighbours(at: f32, size: usize, wrap: Wrap) -> (usize, usize, f32) {
    let last = size.saturating_sub(1);
    let shifted = at - 0.5;
    let floor = shifted.floor();
    let share = shifted - floor;
    if floor < 0.0 {
        return (if wrap == Wrap::Repeat { last } else { 0 }, 0, share);
    }
    let first = whole(floor).min(last);
    let second = match first.saturating_add(1) {
        next if next <= last => next,
        _ if wrap == Wrap::Repeat => 0,
        _ => last,
    };
    (first, second, share)
}

fn mix(a: [f32; 4], b: [f32; 4], share: f32) -> [f32; 4] {
    let mut out = a;
    for (out, b) in out.iter_mut().zip(b) {
        *out += (b - *out) * share;
    }
    out
}

fn linear([red, green, blue, alpha]: [u8; 4]) -> [f32; 4] {
    [light_of(red), light_of(green), light_of(blue), f32::from(alpha) / 255.0]
}
