//! Colors as a display shows them.

use scene::color::linear_to_srgb;

/// What a display shows of an amount of light: all from 1 on is white.
pub(crate) fn display(light: f32) -> f32 {
    if light >= 1.0 { 1.0 } else { linear_to_srgb(light.max(0.0)) }
}
