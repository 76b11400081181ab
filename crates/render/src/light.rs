//! Conversion between display values and linear light.

use std::sync::LazyLock;

/// Returns the linear light of each display value. Computed in double precision, so that every machine rounds to the
/// same value.
pub(crate) fn linear_table() -> &'static [f32; 256] {
    static TABLE: LazyLock<[f32; 256]> = LazyLock::new(|| {
        let mut table = [0.0; 256];
        for (value, light) in (0_u8..=255).zip(&mut table) {
            *light = rounded(exact(f64::from(value) / 255.0));
        }
        table
    });
    &TABLE
}

/// Returns the linear light of a display value.
pub(crate) fn to_linear(value: u8) -> f32 {
    linear_table()[usize::from(value)]
}

/// A table of display values, indexed by linear light in equal steps.
pub(crate) struct Display([u8; STEPS + 1]);

/// Number of steps. Even in dark tones, four steps are less than one display value.
const STEPS: usize = 1 << 14;

impl Display {
    pub(crate) fn get() -> &'static Self {
        static DISPLAY: LazyLock<Display> = LazyLock::new(|| {
            // The light from which the next display value is nearer.
            let mut steps = [0.0; 255];
            for (value, step) in (0_u8..255).zip(&mut steps) {
                *step = rounded(exact((f64::from(value) + 0.5) / 255.0));
            }
            let mut values = [0; STEPS + 1];
            for (part, value) in values.iter_mut().enumerate() {
                let light = part as f32 / STEPS as f32;
                *value = steps.partition_point(|step| *step < light) as u8;
            }
            Display(values)
        });
        &DISPLAY
    }

    /// Returns the nearest display value; values brighter than white are clamped.
    pub(crate) fn of(&self, light: f32) -> u8 {
        let part = light.clamp(0.0, 1.0) * STEPS as f32 + 0.5;
        self.0[part as i32 as usize]
    }
}

fn exact(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

const fn rounded(value: f64) -> f32 {
    value as f32
}
