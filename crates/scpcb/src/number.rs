//! Numbers from one kind into another.

/// The nearest single-precision number.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "rounding to single precision is meant"
)]
pub(crate) fn narrow(number: f64) -> f32 {
    number as f32
}
