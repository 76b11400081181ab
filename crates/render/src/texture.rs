//! Small copies of textures, decoded once for all scenes that use them.

use std::cell::OnceCell;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use glam::{Vec2, Vec4};
use twox_hash::XxHash3_128;

use crate::light::lights;
use scene::image::{Limits, Rgba8, decode_reduced, fitted_size, shrink};
use scene::{Encoded, Filter, ImageId, Sampler, Scene, Wrap};

/// The longest side of a small copy.
const SIDE: u32 = 256;
/// The longest side of the smallest copies that are decoded as such; still smaller ones are made of them.
const LEAST_SIDE: u32 = 64;
/// Larger images are not decoded: what uses them is drawn without them.
const LIMITS: Limits = Limits { max_pixels: 16 << 20 };
/// So many bytes of small copies are kept: beyond that the first that were made go, and are made anew for who wants them.
const KEPT: usize = 24 << 20;

/// Decoded textures, shared by everything that is drawn with them and by all threads. Images of the same bytes are one.
#[derive(Default)]
pub struct Textures(Mutex<Store>);

#[derive(Default)]
struct Store {
    known: HashMap<Key, Slot>,
    /// Those that are made, the first that were first, with their bytes.
    made: VecDeque<(Key, usize)>,
    bytes: usize,
}

/// An image, and how often its copy is halved.
type Key = (u128, usize);

/// Filled by the first who asks; `None` for an image that cannot be decoded.
type Slot = Arc<OnceLock<Option<Arc<Picture>>>>;

impl fmt::Debug for Textures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Textures").field("bytes", &self.store().bytes).finish_non_exhaustive()
    }
}

impl Textures {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The small copy of an image that is known by a key, for uses of which each halves it so often at least.
    pub(crate) fn get(&self, image: &Encoded, key: u128, halved: usize) -> Option<Arc<Picture>> {
        let (size, halved) = copy_of(image, halved);
        let key = (key, halved);
        let slot = Arc::clone(self.store().known.entry(key).or_default());
        let make = || {
            let [width, height] = size;
            let picture = decode_reduced(&image.bytes, &LIMITS, width, height).ok();
            let picture = picture.map(|picture| Arc::new(Picture::of(picture, halved)));
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
    /// Takes account of a copy, and lets go of others where there are too many. Who draws with one keeps it as long.
    fn keep(&mut self, key: Key, bytes: usize) {
        self.made.push_back((key, bytes));
        self.bytes += bytes;
        while self.bytes > KEPT
            && let Some((key, bytes)) = self.made.pop_front()
        {
            self.known.remove(&key);
            self.bytes -= bytes;
        }
    }
}

/// The size of the largest copy of an image.
pub(crate) fn size_of(image: &Encoded) -> [u32; 2] {
    fitted_size(image.width, image.height, SIDE, SIDE).into()
}

/// The size of the copy that is decoded for uses of which each halves the largest one so often at least, and how often it is halved. What
/// it is depends on nothing else.
fn copy_of(image: &Encoded, wanted: usize) -> ([u32; 2], usize) {
    let ([mut width, mut height], mut halved) = (size_of(image), 0);
    while halved < wanted && width.max(height) >> 1 >= LEAST_SIDE {
        (width, height) = ((width >> 1).max(1), (height >> 1).max(1));
        halved += 1;
    }
    ([width, height], halved)
}

/// What the image files of a scene are known by, each found out once.
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

/// A texture in several sizes, each half as large as the one before.
#[derive(Debug)]
pub(crate) struct Picture {
    levels: Vec<Level>,
    /// How often the first of them is halved.
    halved: usize,
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
        let place = y.wrapping_mul(self.width).wrapping_add(x);
        self.pixels.get(place).copied().unwrap_or([255; 4])
    }
}

impl Picture {
    fn of(mut picture: Rgba8, halved: usize) -> Self {
        let mut levels = vec![Level::of(&picture)];
        while picture.width() > 1 || picture.height() > 1 {
            let half = |side: u32| (side >> 1).max(1);
            picture = shrink(&picture, half(picture.width()), half(picture.height()));
            levels.push(Level::of(&picture));
        }
        Self { levels, halved }
    }

    fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.pixels.len() * 4).sum()
    }

    /// Linear color and alpha at a place, in the size that was halved so often; from 0 up in width and height of the picture.
    pub(crate) fn sample(&self, uv: Vec2, halved: usize, sampler: Sampler) -> Vec4 {
        let number = halved.saturating_sub(self.halved).min(self.levels.len() - 1);
        let level = &self.levels[number];
        let x = wrapped(uv.x, sampler.wrap_u) * level.width as f32;
        let y = wrapped(uv.y, sampler.wrap_v) * level.height as f32;
        let lights = lights();
        let linear = |[red, green, blue, alpha]: [u8; 4]| {
            let light = |value: u8| lights[usize::from(value)];
            Vec4::new(light(red), light(green), light(blue), f32::from(alpha) * (1.0 / 255.0))
        };
        if halved == 0 && sampler.mag == Filter::Nearest {
            let clamped = |at: f32, size: usize| place(at).min(size.saturating_sub(1));
            return linear(level.at(clamped(x, level.width), clamped(y, level.height)));
        }
        let (left, right, across) = neighbours(x, level.width, sampler.wrap_u);
        let (top, bottom, down) = neighbours(y, level.height, sampler.wrap_v);
        let upper = linear(level.at(left, top)).lerp(linear(level.at(right, top)), across);
        let lower = linear(level.at(left, bottom)).lerp(linear(level.at(right, bottom)), across);
        upper.lerp(lower, down)
    }
}

/// A place, from a number that is neither negative nor large: beyond that it saturates, and negative numbers become large ones. Faster
/// than a conversion to a number of pixels itself.
const fn place(value: f32) -> usize {
    value as i32 as u32 as usize
}

/// The greatest whole number that is not greater. Without a special instruction of newer processors, which programs for all of them do
/// not have, this is much faster than the function of the standard library.
fn floor(value: f32) -> f32 {
    // From here on all are whole.
    if value.abs() >= 8_388_608.0 {
        return value;
    }
    let whole = (value as i32) as f32;
    if whole > value { whole - 1.0 } else { whole }
}

/// A coordinate within a picture, from 0 to 1.
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

/// The two pixels around a place that is not negative, and how much of the second.
fn neighbours(at: f32, size: usize, wrap: Wrap) -> (usize, usize, f32) {
    let last = size.saturating_sub(1);
    let shifted = at - 0.5;
    if shifted < 0.0 {
        return (if wrap == Wrap::Repeat { last } else { 0 }, 0, shifted + 1.0);
    }
    let first = place(shifted).min(last);
    let share = shifted - first as f32;
    let second = match first.wrapping_add(1) {
        next if next <= last => next,
        _ if wrap == Wrap::Repeat => 0,
        _ => last,
    };
    (first, second, share)
}
