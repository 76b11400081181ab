//! Numbers from one kind into another. What does not fit becomes the nearest that does.
#![expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "conversions from floats saturate, and texels are counted in millions"
)]

/// A count as a number.
pub(super) fn of_count(number: usize) -> f64 {
    number as f64
}

/// The nearest single-precision number.
pub(super) fn single(number: f64) -> f32 {
    number as f32
}

/// The whole part of a number that is not negative.
pub(super) fn whole(number: f64) -> u32 {
    number as u32
}

/// The nearest of 0 to 255.
pub(super) fn byte(number: f32) -> u8 {
    number.round() as u8
}

/// A count of texels as a number.
pub(super) fn float(number: u32) -> f32 {
    number as f32
}

/// Rounded to four digits after the point, for figures that people read.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}
