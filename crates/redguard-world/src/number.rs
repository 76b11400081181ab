//! Conversions to numbers of lower precision.

/// Rounds to the nearest `f32`.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounding is intended")]
#[must_use]
pub const fn single(number: f64) -> f32 {
    number as f32
}

/// Rounds an integer to the nearest `f32`.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "rounding is intended")]
#[must_use]
pub const fn float(number: i32) -> f32 {
    number as f32
}

/// Truncates toward zero; saturates, and NaN becomes 0.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is intended")]
#[must_use]
pub const fn truncated(number: f32) -> i32 {
    number as i32
}

/// Rounds to the nearest integer, half to even; saturates, and NaN becomes 0.
#[must_use]
pub fn nearest_even(number: f32) -> i32 {
    truncated(number.round_ties_even())
}

/// Converts to a color channel: truncates and saturates.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturation and truncation are intended"
)]
#[must_use]
pub const fn channel(number: f32) -> u8 {
    number as u8
}
