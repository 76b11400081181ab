//! Synthesized sounds. Only sums, products and quotients are used, so that the bytes are the same on every machine.

use scene::sound::{Depth, SampleFormat, Sound};

/// High sample rate in Hz.
const HIGH: u32 = 22050;

/// Low sample rate in Hz.
const LOW: u32 = 11025;

/// Approximates a sine by two parabolas. `phase` is the time in periods.
fn wave(phase: f64) -> f64 {
    let fraction = phase - phase.floor();
    let half = if fraction < 0.5 { fraction } else { fraction - 0.5 };
    let arc = 16.0 * half * (0.5 - half);
    if fraction < 0.5 { arc } else { -arc }
}

/// The wave, shifted by a quarter period.
fn cosine(phase: f64) -> f64 {
    wave(phase + 0.25)
}

/// Times of the frames of a sound, in seconds.
fn times(rate: u32, seconds: f64) -> impl Iterator<Item = f64> {
    let rate = f64::from(rate);
    (0_u32..).map(move |frame| f64::from(frame) / rate).take_while(move |time| *time < seconds)
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "the value is clamped and rounding is intended"
)]
fn sixteen(level: f64) -> [u8; 2] {
    ((level.clamp(-1.0, 1.0) * 32767.0).round() as i16).to_le_bytes()
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is clamped and rounding is intended"
)]
fn eight(level: f64) -> u8 {
    (level.clamp(-1.0, 1.0) * 127.0 + 128.0).round() as u8
}

fn mono(rate: u32, depth: Depth, levels: impl Iterator<Item = f64>) -> Sound {
    let data = match depth {
        Depth::Eight => levels.map(eight).collect(),
        _ => levels.flat_map(sixteen).collect(),
    };
    Sound { form: SampleFormat { rate, channels: 1, depth }, data, loops: None }
}

/// Exponential decay with a half-life.
fn decay(time: f64, half_life: f64) -> f64 {
    let halvings = (time / half_life).floor();
    let within = time / half_life - halvings;
    let halved =
        (0_u32..64).take_while(|count| f64::from(*count) < halvings).fold(1.0, |level, _| level / 2.0);
    halved * (1.0 - within / 2.0)
}

/// A bell: 8 bits, mono.
pub(super) fn bell() -> Sound {
    let level = |time: f64| {
        let partials = wave(time * 660.0) + wave(time * 1821.0) / 2.0 + wave(time * 2937.0) / 3.0;
        partials * decay(time, 0.06) / 2.0
    };
    mono(LOW, Depth::Eight, times(LOW, 0.4).map(level))
}

/// The hum of a lamp: 16 bits, mono. Half a second is a multiple of the period of every partial, so that it loops seamlessly.
pub(super) fn hum() -> Sound {
    let level = |time: f64| {
        let tone = wave(time * 110.0) + wave(time * 220.0) / 2.0 + wave(time * 334.0) / 3.0;
        tone * (3.0 + wave(time * 4.0)) / 10.0
    };
    mono(HIGH, Depth::Sixteen, times(HIGH, 0.5).map(level))
}

/// A chime that pans from left to right: 16 bits, stereo.
pub(super) fn chime() -> Sound {
    let frame = |time: f64| {
        let level = wave(time * 880.0) * decay(time, 0.08);
        let right = time / 0.5;
        [sixteen(level * (1.0 - right)), sixteen(level * right)].concat()
    };
    let form = SampleFormat { rate: HIGH, channels: 2, depth: Depth::Sixteen };
    Sound { form, data: times(HIGH, 0.5).flat_map(frame).collect(), loops: None }
}

/// Vowels, each with two formant frequencies.
#[derive(Debug, Clone, Copy)]
pub(super) enum Vowel {
    A,
    E,
    I,
    O,
    U,
}

impl Vowel {
    fn formants(self) -> [f64; 2] {
        match self {
            Self::A => [730.0, 1090.0],
            Self::E => [530.0, 1840.0],
            Self::I => [270.0, 2290.0],
            Self::O => [570.0, 840.0],
            Self::U => [300.0, 870.0],
        }
    }
}

/// A resonant filter with one frequency.
struct Resonator {
    first: f64,
    second: f64,
}

impl Resonator {
    const SILENT: Self = Self { first: 0.0, second: 0.0 };

    fn filter(&mut self, input: f64, frequency: f64, rate: u32) -> f64 {
        const RADIUS: f64 = 0.985;
        let feedback = 2.0 * RADIUS * cosine(frequency / f64::from(rate));
        let out = input * (1.0 - RADIUS) + feedback * self.first - RADIUS * RADIUS * self.second;
        (self.second, self.first) = (self.first, out);
        out
    }
}

/// Peak level of a voice.
const PEAK: f64 = 0.8;

/// A voice that sings vowels, one after another, at a pitch in Hz.
pub(super) fn voice(vowels: &[Vowel], pitch: f64, depth: Depth) -> Sound {
    const VOWEL_SECONDS: f64 = 0.14;
    let rate = if depth == Depth::Eight { LOW } else { HIGH };
    let mut mouth = [Resonator::SILENT, Resonator::SILENT];
    let mut levels = Vec::new();
    for vowel in vowels {
        for time in times(rate, VOWEL_SECONDS) {
            // A sawtooth, similar to vocal folds, which open slowly and close fast.
            let phase = time * pitch;
            let source = 2.0 * (phase - phase.floor()) - 1.0;
            let swell = wave(time / VOWEL_SECONDS / 2.0);
            let [low, high] = vowel.formants();
            let [first, second] = &mut mouth;
            let level = first.filter(source, low, rate) + second.filter(source, high, rate) / 2.0;
            levels.push(level * swell);
        }
    }
    let loudest = levels.iter().fold(0.001_f64, |loudest, level| loudest.max(level.abs()));
    mono(rate, depth, levels.into_iter().map(|level| level / loudest * PEAK))
}
