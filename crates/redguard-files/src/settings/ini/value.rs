//! Keys and values as parsed by the game.

use json::Value;

pub use crate::location::SYNTAX;
pub use asset::setting::indexed;

/// Parses a number: `true`, `yes` and `on` are 1, `false`, `no` and `off` are 0; otherwise the leading digits with their sign, or
/// 0 if there are none.
#[must_use]
pub fn integer(text: &str) -> i32 {
    let text = text.trim();
    if ["true", "yes", "on"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return 1;
    }
    let (sign, digits) = match text.as_bytes() {
        [b'-', ..] => (-1, text.get(1..).unwrap_or_default()),
        [b'+', ..] => (1, text.get(1..).unwrap_or_default()),
        _ => (1, text),
    };
    let end = digits.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
    let digits = digits.get(..end).unwrap_or_default();
    let number = digits.bytes().fold(0_i64, |number, digit| {
        number.saturating_mul(10).saturating_add(i64::from(digit.wrapping_sub(b'0')))
    });
    let number = number.saturating_mul(sign).clamp(i64::from(i32::MIN), i64::from(i32::MAX));
    i32::try_from(number).unwrap_or_default()
}

/// Whether the entire text is a number.
#[must_use]
pub fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is one of the words that the game reads as a number.
#[must_use]
pub fn is_word(text: &str) -> bool {
    ["true", "yes", "on", "false", "no", "off"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The decimal number at the start of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Float {
    number: f64,
    /// Whether the number is the entire text.
    pub is_whole: bool,
}

impl Float {
    /// Parses sign, digits and a fraction; `None` if there are no digits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_part = |(at, byte): (usize, u8)| match byte {
            b'-' | b'+' => at == 0,
            _ => byte.is_ascii_digit() || byte == b'.',
        };
        let end = text.bytes().enumerate().position(|it| !is_part(it)).unwrap_or(text.len());
        let number = text.get(..end)?;
        // A second point ends the number.
        let end = number.match_indices('.').nth(1).map_or(end, |(second, _)| second);
        let number: f64 = text.get(..end)?.parse().ok()?;
        Some(Self { number, is_whole: end == text.len() })
    }

    /// Returns the number: an integer if it has no fraction.
    pub(super) fn value(self) -> Value {
        if self.number.fract() == 0.0 { self.truncated().into() } else { Value::from(self.number) }
    }

    /// Returns the number without its fraction.
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturates")]
    pub(super) const fn truncated(self) -> i32 {
        self.number as i32
    }
}

/// Parses the decimal number at the start of a text; 0 if there is none.
#[must_use]
pub fn float(text: &str) -> f64 {
    Float::parse(text).map_or(0.0, |it| it.number)
}

/// Parses a comma-separated list of numbers.
#[must_use]
pub fn integers(text: &str) -> Vec<i32> {
    text.split(',').map(integer).collect()
}
