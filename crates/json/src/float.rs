//! Floats as JSON represents them.

/// The bits of an `f32` that JSON cannot represent, as text.
pub(crate) fn bits_of_f32(value: f32) -> String {
    format!("{:#010x}", value.to_bits())
}

/// The bits of an `f64` that JSON cannot represent, as text.
pub(crate) fn bits_of_f64(value: f64) -> String {
    format!("{:#018x}", value.to_bits())
}

/// Powers of ten. A product of an `f32` and one of them is exact as an `f64`, and so is each of them.
const POWERS: [f64; 10] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/// Converts to the `f64` with the same shortest decimal: 0.1 for 0.1, not 0.10000000149.
pub(crate) fn double_of(number: f32) -> f64 {
    let wide = f64::from(number);
    if wide.fract() == 0.0 && wide.abs() < 16_777_216.0 {
        return wide;
    }
    short_decimal(wide, number).unwrap_or_else(|| format!("{number:e}").parse().unwrap_or(wide))
}

/// Returns the shortest decimal if it has at most nine places, without formatting it.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "the conversion back to an `f32` is compared with the number"
)]
fn short_decimal(wide: f64, number: f32) -> Option<f64> {
    /// The bits of an `f64` that an `f32` lacks, and their value halfway between two `f32`.
    const LOW_BITS: u64 = (1 << 29) - 1;
    const HALFWAY: u64 = 1 << 28;
    if !(1e-5..8_388_608.0).contains(&wide.abs()) {
        return None;
    }
    for power in POWERS {
        let scaled = wide * power;
        let digits = scaled.round();
        let decimal = digits / power;
        if decimal as f32 == number {
            // Where rounding is ambiguous, the formatted number decides.
            let is_clear = (scaled - digits).abs() != 0.5 && decimal.to_bits() & LOW_BITS != HALFWAY;
            return is_clear.then_some(decimal);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_double_has_the_same_shortest_decimal() {
        let mut bits = 12_345_u32;
        let spread = (0..200_000).map(|_| {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits(bits)
        });
        let decimals = (0..60_000_u16).map(|count| f32::from(count) / 1000.0);
        for number in spread.chain(decimals).filter(|number| number.is_finite()) {
            let parsed: f64 = number.to_string().parse().unwrap();
            assert_eq!(double_of(number).to_bits(), parsed.to_bits(), "{number}");
        }
    }
}
