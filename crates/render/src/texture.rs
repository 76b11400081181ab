//! Reduced copies of textures, decoded once for all scenes that use them.

use std::cell::OnceCell;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use glam::{Vec2, Vec4};
use twox_hash::XxHash3_128;

use crate::light::linear_table;
use scene::image::{Limits, Rgba8, decode_reduced, fitted_size, shrink};
use scene::{Encoded, Filter, ImageId, Sampler, Scene, Wrap};

/// Maximum width and height of a reduced copy.
const SIDE: u32 = 256;
/// Minimum size of copies that are decoded separately; smaller ones are computed from them.
const MIN_SIDE: u32 = 64;
/// Larger images are not decoded: surfaces are drawn without them.
const LIMITS: Limits = Limits { max_pixels: 16 << 20 };
/// Maximum total size of the copies in bytes: beyond it, the oldest copies are dropped, and created again on request.
const MAX_BYTES: usize = 24 << 20;

/// Decoded textures, shared by all pictures and threads. Images with the same bytes are stored once.
#[derive(Default)]
pub struct Textures(Mutex<Store>);

#[derive(Default)]
struct Store {
    slots: HashMap<Key, Slot>,
    /// Completed copies, the oldest first, with their sizes in bytes.
    completed: VecDeque<(Key, usize)>,
    bytes: usize,
}

/// The key of an image, and the mipmap level of its copy.
type Key = (u128, usize);

/// Filled by the first request; `None` for an image that cannot be decoded.
type Slot = Arc<OnceLock<Option<Arc<Picture>>>>;

impl fmt::Debug for Textures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Textures").field("bytes", &self.store().bytes).finish_non_exhaustive()
    }
}

impl Textures {
    /// Creates an empty cache.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the reduced copy of an image with a key, for uses at a mipmap level or higher.
    pub(crate) fn get(&self, image: &Encoded, key: u128, mip_level: usize) -> Option<Arc<Picture>> {
        let (size, mip_level) = copy_for(image, mip_level);
        let key = (key, mip_level);
        let slot = Arc::clone(self.store().slots.entry(key).or_default());
        let make = || {
            let [width, height] = size;
            let picture = decode_reduced(&image.bytes, &LIMITS, width, height).ok();
            let picture = picture.map(|picture| Arc::new(Picture::of(picture, mip_level)));
            self.store().keep(key, picture.as_ref().map_or(0, |picture| picture.bytes()));
            picture
        };
        slot.get_or_init(make).clone()
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// Registers a copy, and drops others if there are too many. Pictures that are being drawn keep their copies.
    fn keep(&mut self, key: Key, bytes: usize) {
        self.completed.push_back((key, bytes));
        self.bytes += bytes;
        while self.bytes > MAX_BYTES
            && let Some((key, bytes)) = self.completed.pop_front()
        {
            self.slots.remove(&key);
            self.bytes -= bytes;
        }
    }
}

/// Returns the size of the largest copy of an image.
pub(crate) fn size_of(image: &Encoded) -> [u32; 2] {
    fitted_size(image.width, image.height, SIDE, SIDE).into()
}

/// Returns the size and the mipmap level of the copy that is decoded for uses at a mipmap level or higher. The result
/// depends on nothing else.
fn copy_for(image: &Encoded, requested: usize) -> ([u32; 2], usize) {
    let ([mut width, mut height], mut mip_level) = (size_of(image), 0);
    while mip_level < requested && width.max(height) >> 1 >= MIN_SIDE {
        (width, height) = ((width >> 1).max(1), (height >> 1).max(1));
        mip_level += 1;
    }
    ([width, height], mip_level)
}

/// The keys of a scene's image files, each computed once.
#[derive(Debug)]
pub(crate) struct ImageKeys(Vec<OnceCell<u128>>);

impl ImageKeys {
    pub(crate) fn new(scene: &Scene) -> Self {
        Self(vec![OnceCell::new(); scene.images.len()])
    }

    pub(crate) fn get(&self, scene: &Scene, ImageId(id): ImageId) -> Option<u128> {
        let (image, key) = (scene.images.get(id)?, self.0.get(id)?);
        Some(*key.get_or_init(|| XxHash3_128::oneshot(&image.encoded.bytes)))
    }
}

/// A texture at several mipmap levels, each half as large as the previous one.
#[derive(Debug)]
pub(crate) struct Picture {
    levels: Vec<Level>,
    /// Mipmap level of the first entry.
    mip_level: usize,
}

#[derive(Debug)]
struct Level {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
}

impl Level {
    fn of(picture: &Rgba8) -> Self {
        let (pixels, _) = picture.pixels().as_chunks::<4>();
        Self { width: picture.width() as usize, height: picture.height() as usize, pixels: pixels.to_vec() }
    }

    fn at(&self, x: usize, y: usize) -> [u8; 4] {
        let index = y.wrapping_mul(self.width).wrapping_add(x);
        self.pixels.get(index).copied().unwrap_or([255; 4])
    }
}

impl Picture {
    fn of(mut picture: Rgba8, mip_level: usize) -> Self {
        let mut levels = vec![Level::of(&picture)];
        while picture.width() > 1 || picture.height() > 1 {
            let half = |side: u32| (side >> 1).max(1);
            picture = shrink(&picture, half(picture.width()), half(picture.height()));
            levels.push(Level::of(&picture));
        }
        Self { levels, mip_level }
    }

    fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.pixels.len() * 4).sum()
    }

    /// Returns linear color and alpha at a position, from 0 up in width and height of the image, at a mipmap level.
    pub(crate) fn sample(&self, uv: Vec2, mip_level: usize, sampler: Sampler) -> Vec4 {
        let number = mip_level.saturating_sub(self.mip_level).min(self.levels.len() - 1);
        let level = &self.levels[number];
        let x = wrapped(uv.x, sampler.wrap_u) * level.width as f32;
        let y = wrapped(uv.y, sampler.wrap_v) * level.height as f32;
        let linear_table = linear_table();
        let linear = |[red, green, blue, alpha]: [u8; 4]| {
            let light = |value: u8| linear_table[usize::from(value)];
            Vec4::new(light(red), light(green), light(blue), f32::from(alpha) * (1.0 / 255.0))
        };
        if mip_level == 0 && sampler.mag == Filter::Nearest {
            let clamped = |at: f32, size: usize| to_index(at).min(size.saturating_sub(1));
            return linear(level.at(clamped(x, level.width), clamped(y, level.height)));
        }
        let (left, right, across) = neighbors(x, level.width, sampler.wrap_u);
        let (top, bottom, down) = neighbors(y, level.height, sampler.wrap_v);
        let upper = linear(level.at(left, top)).lerp(linear(level.at(right, top)), across);
        let lower = linear(level.at(left, bottom)).lerp(linear(level.at(right, bottom)), across);
        upper.lerp(lower, down)
    }
}

/// Converts a small non-negative number to an index. Large numbers saturate, and negative numbers become large ones.
/// Faster than a direct conversion to `usize`.
const fn to_index(value: f32) -> usize {
    value as i32 as u32 as usize
}

/// Returns the largest integer that is not greater. Without special instructions of newer processors, which portable
/// programs cannot rely on, this is much faster than the function of the standard library.
fn floor(value: f32) -> f32 {
    // All larger numbers are integers.
    if value.abs() >= 8_388_608.0 {
        return value;
    }
    let whole = (value as i32) as f32;
    if whole > value { whole - 1.0 } else { whole }
}

/// Wraps a coordinate into the range from 0 to 1.
fn wrapped(at: f32, wrap: Wrap) -> f32 {
    let at = if at.is_finite() { at } else { 0.0 };
    match wrap {
        Wrap::Repeat => at - floor(at),
        Wrap::Clamp => at.clamp(0.0, 1.0),
        Wrap::Mirror => {
            let two = at * 0.5;
            let back = (two - floor(two)) * 2.0;
            if back > 1.0 { 2.0 - back } else { back }
        }
    }
}

/// Returns the two pixels around a non-negative position, and the weight of the second.
fn neighbors(at: f32, size: usize, wrap: Wrap) -> (usize, usize, f32) {
    let last = size.saturating_sub(1);
    let shifted = at - 0.5;
    if shifted < 0.0 {
        return (if wrap == Wrap::Repeat { last } else { 0 }, 0, shifted + 1.0);
    }
    let first = to_index(shifted).min(last);
    let weight = shifted - first as f32;
    let second = match first.wrapping_add(1) {
        next if next <= last => next,
        _ if wrap == Wrap::Repeat => 0,
        _ => last,
    };
    (first, second, weight)
}
