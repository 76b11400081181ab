//! Display values as linear light, and back.

use std::sync::LazyLock;

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
    u8::try_from(STEPS.partition_point(|step| *step < light)).unwrap_or(u8::MAX)
}

fn exact(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounding is meant")]
const fn rounded(value: f64) -> f32 {
    value as f32
}
