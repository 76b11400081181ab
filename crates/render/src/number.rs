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

/// A place, from a number that is neither negative nor large. Faster than [`whole`].
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is beyond saturates, and negative numbers become large ones"
)]
pub(crate) const fn place(value: f32) -> usize {
    value as i32 as u32 as usize
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

/// The greatest whole number that is not greater. Without a special instruction of newer processors, which programs for all of them do
/// not have, this is much faster than the function of the standard library.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "only numbers are converted that are small"
)]
pub(crate) fn floor(value: f32) -> f32 {
    // From here on all are whole.
    if value.abs() >= 8_388_608.0 {
        return value;
    }
    let whole = (value as i32) as f32;
    if whole > value { whole - 1.0 } else { whole }
}
