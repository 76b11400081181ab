//! Small conversions, and deterministic pseudorandom numbers.

pub(super) use crate::number::single;

/// Converts a count to a float.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "rounding is intended")]
pub(super) const fn of_count(count: usize) -> f32 {
    count as f32
}

/// Rounds down to an integer; `None` for negative numbers.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and saturation is intended"
)]
pub(super) fn floor(number: f32) -> Option<usize> {
    (number >= 0.0).then_some(number as usize)
}

/// Returns an index below `count`, selected by a number in 0..1.
pub(super) fn nth(share: f32, count: usize) -> usize {
    floor(share * of_count(count)).unwrap_or_default().min(count.saturating_sub(1))
}

/// Mixes the bits of a number, so that similar numbers have very different results (the finalizer of `SplitMix64`).
pub(super) const fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Derives four numbers in 0..1 from a seed.
pub(super) fn shares(seed: u64) -> [f32; 4] {
    let share = |bits: u64| single(f64::from(u16::try_from(bits & 0xffff).unwrap_or_default()) / 65_536.0);
    let mixed = mixed(seed);
    [share(mixed), share(mixed >> 16), share(mixed >> 32), share(mixed >> 48)]
}

/// Converts an integer to a float.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "rounding is intended")]
pub(super) const fn of_integer(number: i64) -> f32 {
    number as f32
}

/// The low half of a number.
pub(super) const fn low(number: u64) -> u32 {
    let [a, b, c, d, ..] = number.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
