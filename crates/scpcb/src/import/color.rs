//! Conversion of colors to display space.

use scene::color::linear_to_srgb;

/// Returns the display value of a linear light intensity. Intensities of 1 and above are white.
pub(crate) fn display(light: f32) -> f32 {
    if light >= 1.0 { 1.0 } else { linear_to_srgb(light.max(0.0)) }
}
