//! Numbers of less precision.

/// The nearest number of less precision.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounding is meant")]
#[must_use]
pub const fn single(number: f64) -> f32 {
    number as f32
}

/// The nearest `f32` of an integer.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "rounding is meant")]
#[must_use]
pub const fn float(number: i32) -> f32 {
    number as f32
}

/// Drops the fraction; saturates, and NaN gives 0.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is meant")]
#[must_use]
pub const fn truncated(number: f32) -> i32 {
    number as i32
}

/// The nearest integer, of two the even one; saturates, and NaN gives 0.
#[must_use]
pub fn nearest_even(number: f32) -> i32 {
    truncated(number.round_ties_even())
}

/// A color channel: drops the fraction and saturates.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturating and dropping the fraction are meant"
)]
#[must_use]
pub const fn channel(number: f32) -> u8 {
    number as u8
}
