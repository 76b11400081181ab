//! Numbers of less precision.

/// The nearest number of less precision.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounding is meant")]
pub(crate) const fn single(number: f64) -> f32 {
    number as f32
}
