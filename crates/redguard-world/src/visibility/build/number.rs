//! Small conversions, and numbers that look like chance and are the same each time.

pub(super) use crate::number::single;

/// A count as a number to reckon with.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "rounding is meant")]
pub(super) const fn of_count(count: usize) -> f32 {
    count as f32
}

/// The whole number below; `None` for negative ones.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and saturating is meant"
)]
pub(super) fn floor(number: f32) -> Option<usize> {
    (number >= 0.0).then_some(number as usize)
}

/// One of so many things, by a number within 0..1.
pub(super) fn nth(share: f32, count: usize) -> usize {
    floor(share * of_count(count)).unwrap_or_default().min(count.saturating_sub(1))
}

/// Mixes a number well: two that differ little give ones that differ much (the finalizer of `SplitMix64`).
pub(super) const fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Four numbers within 0..1 from one.
pub(super) fn shares(seed: u64) -> [f32; 4] {
    let share = |bits: u64| single(f64::from(u16::try_from(bits & 0xffff).unwrap_or_default()) / 65_536.0);
    let mixed = mixed(seed);
    [share(mixed), share(mixed >> 16), share(mixed >> 32), share(mixed >> 48)]
}

/// A whole number as one to reckon with.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "rounding is meant")]
pub(super) const fn of_whole(number: i64) -> f32 {
    number as f32
}

/// The low half of a number.
pub(super) const fn low(number: u64) -> u32 {
    let [a, b, c, d, ..] = number.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
