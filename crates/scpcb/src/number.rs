//! Conversions between number types. Values out of range saturate to the nearest representable number.
#![expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "conversions from floats saturate, rounding to single precision is intended, and pixels are counted in millions"
)]

/// The nearest single-precision number.
pub(crate) fn single(number: f64) -> f32 {
    number as f32
}

/// The integer part of a non-negative number.
pub(crate) fn floor(number: f32) -> u32 {
    number as u32
}

/// The integer part of a non-negative number.
pub(crate) fn truncate(number: f64) -> u32 {
    number as u32
}

/// A pixel count as a floating-point number.
pub(crate) fn float(number: u32) -> f32 {
    number as f32
}

/// A pixel count as a floating-point number.
pub(crate) fn double(number: u64) -> f64 {
    number as f64
}

/// A count as a floating-point number.
pub(crate) fn from_count(number: usize) -> f64 {
    number as f64
}

/// A list index.
pub(crate) fn index(number: u32) -> usize {
    number as usize
}

/// Rounds and clamps to 0 to 255.
pub(crate) fn byte(number: f32) -> u8 {
    (number + 0.5) as u8
}

/// Rounds and clamps to 0 to 255.
pub(crate) fn nearest_byte(number: f64) -> u8 {
    number.round() as u8
}

/// Rounds a number from 0 to 255 to the nearest integer. Much faster than [`byte`] in bulk.
pub(crate) fn fast_byte(number: f32) -> u8 {
    // After adding 2^23, the lowest bits of a float are its integer part.
    (number + 8_388_608.0).to_bits() as u8
}

/// Rounds to four decimal places, for values shown to people.
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}
