//! Numbers from one kind into another. What does not fit becomes the nearest that does.
#![expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "conversions from floats saturate, and texels are counted in thousands"
)]

/// The whole part of a number; 0 for negative ones.
pub(crate) fn whole(number: f32) -> u32 {
    number as u32
}

/// A count of texels as a number.
pub(crate) fn float(number: u32) -> f32 {
    number as f32
}

/// A count as a number.
pub(crate) fn of_count(number: usize) -> f32 {
    number as f32
}

/// The nearest single-precision number.
pub(crate) fn single(number: f64) -> f32 {
    number as f32
}

/// A list index.
pub(crate) fn index(number: u32) -> usize {
    number as usize
}

/// The number of an item in a list.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
