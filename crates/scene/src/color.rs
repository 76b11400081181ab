//! Conversion between display values (sRGB) and linear light. IEC 61966-2-1.

use std::sync::LazyLock;

/// Converts a display value within 0..1 to linear light.
pub fn srgb_to_linear(value: f32) -> f32 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// Converts linear light within 0..1 to a display value.
pub fn linear_to_srgb(value: f32) -> f32 {
    if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 }
}

/// Converts an 8-bit display value to linear light, using a table.
pub fn srgb8_to_linear(value: u8) -> f32 {
    static TABLE: LazyLock<[f32; 256]> = LazyLock::new(|| {
        let mut table = [0.0; 256];
        for (value, light) in (0_u8..=255).zip(&mut table) {
            *light = srgb_to_linear(f32::from(value) / 255.0);
        }
        table
    });
    TABLE.get(usize::from(value)).copied().unwrap_or_default()
}

/// Converts an 8-bit display color to linear light; alpha is only scaled to 0..1.
pub fn rgba8_to_linear([red, green, blue, alpha]: [u8; 4]) -> [f32; 4] {
    [srgb8_to_linear(red), srgb8_to_linear(green), srgb8_to_linear(blue), f32::from(alpha) / 255.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_and_white_are_fixed_points() {
        assert_eq!(srgb8_to_linear(0), 0.0);
        assert_eq!(srgb8_to_linear(255), 1.0);
        assert_eq!(linear_to_srgb(0.0), 0.0);
        assert!((linear_to_srgb(1.0) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn middle_gray_is_a_fifth_of_the_light() {
        assert!((srgb8_to_linear(128) - 0.215_861).abs() < 1e-6);
    }

    #[test]
    fn the_conversions_are_inverse() {
        for value in 0_u8..=255 {
            let display = f32::from(value) / 255.0;
            assert!((linear_to_srgb(srgb_to_linear(display)) - display).abs() < 1e-5, "{value}");
        }
    }

    #[test]
    fn only_scales_alpha() {
        assert_eq!(rgba8_to_linear([255, 0, 255, 51]), [1.0, 0.0, 1.0, 0.2]);
    }
}
