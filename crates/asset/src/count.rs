//! Numbers formatted for sentences.

/// Formats a number with its noun: `1 triangle`, `6,532 triangles`. Takes the noun in both forms.
#[must_use]
pub fn counted(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// Formats a number with thousands separators: `1,234,567`.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len().saturating_mul(2));
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && digits.len().saturating_sub(index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a size in bytes: `27 bytes`, `1.5 kB`, `40.2 MB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    let tenths = |unit: u64| {
        let tenths = bytes.saturating_mul(10).checked_div(unit).unwrap_or_default();
        let (whole, rest) = (tenths.checked_div(10), tenths.checked_rem(10));
        format!("{}.{}", thousands(whole.unwrap_or_default()), rest.unwrap_or_default())
    };
    match bytes {
        0..1_000 => counted(bytes, "byte", "bytes"),
        1_000..1_000_000 => format!("{} kB", tenths(1_000)),
        _ => format!("{} MB", tenths(1_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_commas_and_one_is_singular() {
        assert_eq!(counted(1_u64, "triangle", "triangles"), "1 triangle");
        assert_eq!(counted(0_usize, "triangle", "triangles"), "0 triangles");
        assert_eq!(counted(999_u32, "triangle", "triangles"), "999 triangles");
        assert_eq!(counted(1_234_567_u64, "triangle", "triangles"), "1,234,567 triangles");
        assert_eq!(thousands(1_000), "1,000");
    }

    #[test]
    fn sizes_have_one_decimal() {
        let sizes = [1, 999, 1_000, 1_550, 999_999, 1_000_000, 2_345_678_901].map(size);
        let read = ["1 byte", "999 bytes", "1.0 kB", "1.5 kB", "999.9 kB", "1.0 MB", "2,345.6 MB"];
        assert_eq!(sizes, read);
    }
}
