//! The light of texels, and the lightmap images.

use glam::Vec3A;
use json::{Value, json};
use light::{TexelMap, World, fill};
use record::Result;
use scene::image::{Rgba8, encode_png};

use super::Settings;
use super::charts::Page;
use super::lamps::DISPLAY_FACTOR;
use crate::number::{byte, from_count, rounded};
use crate::rmesh::bake::Picture;

/// The exponent from display values to linear light.
const GAMMA: f32 = 2.2;

/// Approximate durations of the other steps, relative to a bounce.
const BURIED_STEP: f32 = 0.1;
const DIRECT_STEP: f32 = 0.7;

/// The light of each sampled position of lightmaps and vertex colors, in display values of 1 (half of the shown value).
#[derive(Debug)]
pub(super) struct Light(pub(super) Vec<Option<Vec3A>>);

impl Light {
    /// Computes the light of a room.
    pub(super) fn of(
        world: &World,
        lit: &mut TexelMap,
        settings: &Settings,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Self {
        let bounces = settings.bounces;
        let all = (0..bounces).fold(BURIED_STEP + DIRECT_STEP, |sum, _| sum + 1.0);
        let step = |from: f32, length: f32| move |share: f32| progress((from + share * length) / all);
        world.remove_buried(lit, &step(0.0, BURIED_STEP));
        let direct = world.direct(lit, &step(BURIED_STEP, DIRECT_STEP));
        let mut bounced = vec![Vec3A::ZERO; direct.len()];
        // Only the light of lamps bounces: the ambient light approximates light that has bounced many times.
        let mut last: Vec<Option<Vec3A>> = direct.iter().map(|light| light.map(shown)).collect();
        let mut done = BURIED_STEP + DIRECT_STEP;
        for pass in 0..bounces {
            last = world.bounced(lit, &last, pass, &step(done, 1.0));
            done += 1.0;
            for (sum, light) in bounced.iter_mut().zip(&last) {
                *sum += light.unwrap_or_default();
            }
        }
        let both = |(direct, bounced): (Option<Vec3A>, Vec3A)| {
            let direct = direct? + settings.ambient;
            // Without bounces, exactly the light of the lamps.
            Some(if bounced == Vec3A::ZERO { direct } else { stored(shown(direct) + bounced) })
        };
        Self(direct.into_iter().zip(bounced).map(both).collect())
    }
}

/// The linear light that the game shows on white for a display value in a lightmap.
fn shown(light: Vec3A) -> Vec3A {
    (light * DISPLAY_FACTOR).powf(GAMMA)
}

/// The display value in a lightmap for linear light.
fn stored(light: Vec3A) -> Vec3A {
    light.powf(1.0 / GAMMA) / DISPLAY_FACTOR
}

/// The color of a display value.
pub(super) fn color(light: Vec3A) -> [u8; 3] {
    light.clamp(Vec3A::ZERO, Vec3A::ONE).to_array().map(|channel| byte(channel * 255.0))
}

/// The lightmaps of a room.
pub(super) struct Pictures {
    /// File names and contents.
    pub(super) files: Vec<(String, Vec<u8>)>,
    /// Statistics of the new light.
    pub(super) figures: Value,
    /// Statistics of the previous lightmaps and their difference; null if there were none.
    pub(super) before: Value,
}

/// Draws all lightmaps.
///
/// # Errors
/// If a lightmap has no pixels.
pub(super) fn draw(pages: &[Page], lit: &TexelMap, light: &Light) -> Result<Pictures> {
    let (mut files, mut mean, mut compared) = (Vec::new(), Mean::default(), Comparison::default());
    for (number, page) in pages.iter().enumerate() {
        let samples: Vec<Option<usize>> = lit.page(number).collect();
        let light = |sample: usize| light.0.get(sample).copied().flatten();
        let mut texels: Vec<Option<Vec3A>> = samples.iter().map(|sample| sample.and_then(light)).collect();
        let is_seen = |(sample, light): (&Option<usize>, &Option<Vec3A>)| {
            light.is_some() && sample.is_some_and(|sample| lit.is_on_triangle(sample))
        };
        let shows: Vec<bool> = samples.iter().zip(&texels).map(is_seen).collect();
        fill(page.size, &mut texels);
        let colors: Vec<[u8; 3]> = texels.into_iter().map(|texel| color(texel.unwrap_or_default())).collect();
        let before = page.before.as_deref().map(Picture::rows);
        for (at, (color, _)) in colors.iter().zip(&shows).enumerate().filter(|(_, (_, shows))| **shows) {
            mean.add(*color);
            if let Some([red, green, blue, _]) = before.and_then(|(pixels, _)| pixels.get(at)) {
                compared.add(*color, [*red, *green, *blue]);
            }
        }
        let [width, height] = page.size;
        let pixels = colors.into_iter().flat_map(|[red, green, blue]| [red, green, blue, 255]).collect();
        files.push((page.name.text().into_owned(), encode_png(&Rgba8::new(width, height, pixels)?)));
    }
    Ok(Pictures { files, figures: mean.figures(), before: compared.figures() })
}

/// Mean brightness of texels.
#[derive(Debug, Default)]
struct Mean {
    count: usize,
    sum: f64,
    bright: usize,
}

/// The mean of the channels, 0 to 255.
fn level(color: [u8; 3]) -> f64 {
    color.into_iter().map(f64::from).sum::<f64>() / 3.0
}

impl Mean {
    fn add(&mut self, color: [u8; 3]) {
        self.count = self.count.saturating_add(1);
        self.sum += level(color);
        self.bright = self.bright.saturating_add(usize::from(color.contains(&255)));
    }

    fn figures(&self) -> Value {
        let count = from_count(self.count.max(1));
        json!({
            "mean": rounded(self.sum / count),
            "overexposed_share": rounded(from_count(self.bright) / count),
        })
    }
}

/// Comparison with the previous levels.
#[derive(Debug, Default)]
struct Comparison {
    count: usize,
    difference: f64,
    sums: [f64; 2],
    squares: [f64; 2],
    products: f64,
}

impl Comparison {
    fn add(&mut self, now: [u8; 3], before: [u8; 3]) {
        let levels = [level(now), level(before)];
        let [now, before] = levels;
        self.count = self.count.saturating_add(1);
        self.difference += (now - before).abs();
        self.products += now * before;
        for ((sum, square), level) in self.sums.iter_mut().zip(&mut self.squares).zip(levels) {
            *sum += level;
            *square += level * level;
        }
    }

    fn figures(&self) -> Value {
        if self.count == 0 {
            return Value::Null;
        }
        let count = from_count(self.count);
        let [now, before] = self.sums.map(|sum| sum / count);
        let [now_square, before_square] = self.squares.map(|square| square / count);
        let deviation = ((now_square - now * now) * (before_square - before * before)).max(0.0).sqrt();
        let correlation =
            (deviation > 0.0).then(|| rounded((self.products / count - now * before) / deviation));
        json!({
            "mean": rounded(before),
            "mean_difference": rounded(self.difference / count),
            "correlation": correlation,
        })
    }
}
