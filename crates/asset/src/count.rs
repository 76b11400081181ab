//! Numbers in sentences, as people read them.

/// `1 triangle`, `6,532 triangles`: the word is given in both forms.
#[must_use]
pub fn counted(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// `1,234,567`.
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
}
