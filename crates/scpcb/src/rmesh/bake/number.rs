//! Numbers from one kind into another. What does not fit becomes the nearest that does.
#![expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "conversions from floats saturate, and pixels are counted in thousands"
)]

use glam::Vec4;

/// The whole part of a number that is not negative.
pub(super) fn floor(number: f32) -> u32 {
    number as u32
}

/// The whole part of a number that is not negative.
pub(super) fn whole(number: f64) -> u32 {
    number as u32
}

/// The nearest single-precision number.
pub(super) fn single(number: f64) -> f32 {
    number as f32
}

/// A count of pixels as a number.
pub(super) fn float(number: u32) -> f32 {
    number as f32
}

/// A count of pixels as a number.
pub(super) fn double(number: u64) -> f64 {
    number as f64
}

/// A list index.
pub(super) fn index(number: u32) -> usize {
    number as usize
}

/// The nearest of 0 to 255.
pub(super) fn byte(number: f32) -> u8 {
    (number + 0.5) as u8
}

/// The nearest whole numbers of four that are from 0 to 255.
pub(super) fn bytes(numbers: Vec4) -> [u8; 4] {
    // With 2^23 added, the last bits of a number are its whole part. Much faster than four conversions.
    (numbers + 8_388_608.0).to_array().map(|number| number.to_bits() as u8)
}

/// The nearest of 0 to 255.
pub(super) fn nearest_byte(number: f64) -> u8 {
    number.round() as u8
}
