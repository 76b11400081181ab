//! Display values as linear light, and back.

use std::sync::LazyLock;

use crate::number::{float, whole};

/// The light of a display value. Reckoned in double precision, so that every machine rounds to the same.
pub(crate) fn light_of(value: u8) -> f32 {
    static TABLE: LazyLock<[f32; 256]> = LazyLock::new(|| {
        let mut table = [0.0; 256];
        for (value, light) in (0_u8..=255).zip(&mut table) {
            *light = rounded(exact(f64::from(value) / 255.0));
        }
        table
    });
    TABLE.get(usize::from(value)).copied().unwrap_or_default()
}

/// The display value nearest to a light; what is brighter than white is white.
pub(crate) fn display_of(light: f32) -> u8 {
    /// The light from which on the next display value is nearer.
    static STEPS: LazyLock<[f32; 255]> = LazyLock::new(|| {
        let mut steps = [0.0; 255];
        for (value, step) in (0_u8..255).zip(&mut steps) {
            *step = rounded(exact((f64::from(value) + 0.5) / 255.0));
        }
        steps
    });
    /// The display value of the darkest of so many equal parts of all light.
    static STARTS: LazyLock<[u8; PARTS + 1]> = LazyLock::new(|| {
        let mut starts = [0; PARTS + 1];
        for (part, start) in starts.iter_mut().enumerate() {
            let light = float(part) / float(PARTS);
            *start = u8::try_from(STEPS.partition_point(|step| *step < light)).unwrap_or(u8::MAX);
        }
        starts
    });
    let part = whole(light.clamp(0.0, 1.0) * float(PARTS));
    let mut value = STARTS.get(part).copied().unwrap_or_default();
    while STEPS.get(usize::from(value)).is_some_and(|step| *step < light) {
        value = value.saturating_add(1);
    }
    value
}

/// Into so many parts light is divided to find its display value fast.
const PARTS: usize = 4096;

fn exact(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounding is meant")]
const fn rounded(value: f64) -> f32 {
    value as f32
}
