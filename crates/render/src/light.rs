//! Display values as linear light, and back.

use std::sync::LazyLock;

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
    lights()[usize::from(value)]
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
                let light = part as f32 / PARTS as f32;
                *value = steps.partition_point(|step| *step < light) as u8;
            }
            Display(values)
        });
        &DISPLAY
    }

    /// The display value nearest to a light; what is brighter than white is white.
    pub(crate) fn of(&self, light: f32) -> u8 {
        let part = light.clamp(0.0, 1.0) * PARTS as f32 + 0.5;
        self.0[part as i32 as usize]
    }
}

fn exact(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

const fn rounded(value: f64) -> f32 {
    value as f32
}
