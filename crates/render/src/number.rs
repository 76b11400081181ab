//! Between floats, counts and bytes.

/// A count from a number that is not negative; beyond what there is it saturates, and what is no number is 0.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturating is meant"
)]
pub(crate) const fn whole(value: f32) -> usize {
    value as usize
}

/// A count of pixels, which is small.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "pixels are few")]
pub(crate) const fn float(count: usize) -> f32 {
    count as f32
}

/// A place in a list.
pub(crate) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
