//! Numbers from one kind into another. What does not fit becomes the nearest that does.
#![expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "conversions from floats saturate, rounding to single precision is meant, and pixels are counted in millions"
)]

/// The nearest single-precision number.
pub(crate) fn single(number: f64) -> f32 {
    number as f32
}

/// The whole part of a number that is not negative.
pub(crate) fn floor(number: f32) -> u32 {
    number as u32
}

/// The whole part of a number that is not negative.
pub(crate) fn whole(number: f64) -> u32 {
    number as u32
}

/// A count of pixels as a number.
pub(crate) fn float(number: u32) -> f32 {
    number as f32
}

/// A count of pixels as a number.
pub(crate) fn double(number: u64) -> f64 {
    number as f64
}

/// A count as a number.
pub(crate) fn of_count(number: usize) -> f64 {
    number as f64
}

/// A list index.
pub(crate) fn index(number: u32) -> usize {
    number as usize
}

/// The nearest of 0 to 255.
pub(crate) fn byte(number: f32) -> u8 {
    (number + 0.5) as u8
}

/// The nearest of 0 to 255.
pub(crate) fn nearest_byte(number: f64) -> u8 {
    number.round() as u8
}

/// The nearest whole number to one from 0 to 255. Much faster than [`byte`] where many are made.
pub(crate) fn fast_byte(number: f32) -> u8 {
    // With 2^23 added, the last bits of a number are its whole part.
    (number + 8_388_608.0).to_bits() as u8
}

/// Rounded to four digits after the point, for figures that people read.
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}
