//! Display values as linear light, and back.

use std::sync::LazyLock;

use crate::number::{float, place};

/// The light of each display value. Reckoned in double precision, so that every machine rounds to the same.
pub(crate) fn lights() -> &'static [f32; 256] {
    static TABLE: LazyLock<[f32; 256]> = LazyLock::new(|| {
        let mut table = [0.0; 256];
        for (value, light) in (0_u8..=255).zip(&mut table) {
            *light = rounded(exact(f64::from(value) / 255.0));
        }
        table
    });
    &TABLE
}

/// The light of a display value.
pub(crate) fn light_of(value: u8) -> f32 {
    lights().get(usize::from(value)).copied().unwrap_or_default()
}

/// The display value of each of so many equal parts of all light.
pub(crate) struct Display([u8; PARTS + 1]);

/// Even in the dark, four of them are less than one display value.
const PARTS: usize = 1 << 14;

impl Display {
    pub(crate) fn get() -> &'static Self {
        static DISPLAY: LazyLock<Display> = LazyLock::new(|| {
            // The light from which on the next display value is nearer.
            let mut steps = [0.0; 255];
            for (value, step) in (0_u8..255).zip(&mut steps) {
                *step = rounded(exact((f64::from(value) + 0.5) / 255.0));
            }
            let mut values = [0; PARTS + 1];
            for (part, value) in values.iter_mut().enumerate() {
                let light = float(part) / float(PARTS);
                *value = u8::try_from(steps.partition_point(|step| *step < light)).unwrap_or(u8::MAX);
            }
            Display(values)
        });
        &DISPLAY
    }

    /// The display value nearest to a light; what is brighter than white is white.
    pub(crate) fn of(&self, light: f32) -> u8 {
        let part = place(light.clamp(0.0, 1.0) * float(PARTS) + 0.5);
        self.0.get(part).copied().unwrap_or(u8::MAX)
    }
}

fn exact(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounding is meant")]
const fn rounded(value: f64) -> f32 {
    value as f32
}
