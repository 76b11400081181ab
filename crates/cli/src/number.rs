//! Formatting and parsing numbers.

pub(crate) use antiquary::asset::{counted, size, thousands};

/// Parses an offset: `0x1f40`, `8000`.
pub(crate) fn parse_offset(text: &str) -> Result<u64, String> {
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let number = match hexadecimal {
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16),
        Some(_) => return Err(NOT_AN_OFFSET.into()),
        None => text.parse(),
    };
    number.map_err(|_| NOT_AN_OFFSET.into())
}

const NOT_AN_OFFSET: &str = "expected a number like 0x1f40 or 8000";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_hexadecimal_or_decimal() {
        assert_eq!(parse_offset("0x2a"), Ok(42));
        assert_eq!(parse_offset("0X2A"), Ok(42));
        assert_eq!(parse_offset("42"), Ok(42));
        for wrong in ["", "2a", "-1", "0x", "0x+1", "0x12345678901234567"] {
            assert!(parse_offset(wrong).is_err(), "{wrong}");
        }
    }
}
