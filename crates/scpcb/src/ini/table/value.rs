//! Values as the game reads them.

use json::{Value, json};

use super::schema::Kind;

/// A text as read by the game where it expects a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    /// Whether the entire text is part of the number.
    pub(super) is_complete: bool,
}

/// Returns the number at the start of a text, or 0; `Int` and `Float` of Blitz3D never fail.
pub(super) fn number(text: &str, has_fraction: bool) -> Number {
    let text = text.trim();
    let (mut end, mut has_digit, mut has_point) = (0_usize, false, !has_fraction);
    for (at, letter) in text.char_indices() {
        match letter {
            '+' | '-' if at == 0 => {}
            '0'..='9' => has_digit = true,
            '.' if !has_point => has_point = true,
            _ => break,
        }
        end = at.saturating_add(1);
    }
    let value = text.get(..end).filter(|_| has_digit).and_then(|text| text.parse::<f64>().ok());
    // 8.0 is a valid integer.
    let rest = text.get(end..).unwrap_or_default();
    let is_read = rest.is_empty()
        || (!has_fraction && rest.starts_with('.') && rest.trim_matches(['.', '0']).is_empty());
    // Turns negative zero into zero.
    Number { value: value.unwrap_or(0.0) + 0.0, is_complete: has_digit && is_read }
}

/// Returns whether a switch is on; `None` if a text is not a switch.
pub(super) fn switch(text: &str) -> Option<bool> {
    if text.eq_ignore_ascii_case("true") {
        return Some(true);
    }
    if text.eq_ignore_ascii_case("false") {
        return Some(false);
    }
    let number = number(text, false);
    number.is_complete.then_some(number.value != 0.0)
}

/// Parses red, green and blue.
pub(super) fn color(text: &str) -> Option<[u8; 3]> {
    let channels: Vec<u8> =
        text.split(',').map(|channel| channel.trim().parse().ok()).collect::<Option<_>>()?;
    channels.try_into().ok()
}

/// Returns a number as written: 38.0 remains 38.0, and an integer has no decimal point.
fn parse_number(text: &str) -> Option<Value> {
    let number = number(text, true);
    let exact = json::from_str(text.trim()).ok().filter(Value::is_number);
    number.is_complete.then(|| exact.unwrap_or_else(|| json!(number.value)))
}

/// Returns a value as JSON, or the text if it is invalid.
pub(super) fn typed(kind: Kind, text: &str) -> Value {
    match kind {
        Kind::Number | Kind::Within(..) | Kind::NumberOr(_) | Kind::Whole | Kind::WholeWithin(..) => {
            parse_number(text)
        }
        Kind::Switch => switch(text).map(Value::from),
        Kind::ExactSwitch => Some((text == "true" || text == "1").into()),
        Kind::Color => color(text).map(|color| json!(color)),
        Kind::Text | Kind::Choice(_) | Kind::ExactChoice(_) | Kind::Room | Kind::File(..) => None,
    }
    .unwrap_or_else(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_as_blitz3d_does() {
        for (text, has_fraction, value, is_complete) in [
            ("12", false, 12.0, true),
            (" -3.50 ", true, -3.5, true),
            ("1.5", false, 1.0, false),
            ("8.00", false, 8.0, true),
            ("-0.2", false, 0.0, false),
            ("12abc", true, 12.0, false),
            ("abc", true, 0.0, false),
            ("", true, 0.0, false),
            ("-", true, 0.0, false),
            (".5", true, 0.5, true),
            ("1.2.3", true, 1.2, false),
            ("nan", true, 0.0, false),
        ] {
            assert_eq!(number(text, has_fraction), Number { value, is_complete }, "{text}");
        }
    }

    #[test]
    fn types_valid_values() {
        assert_eq!(typed(Kind::Number, "38.0"), json!(38.0));
        assert_eq!(typed(Kind::Whole, "7"), json!(7));
        assert_eq!(typed(Kind::Whole, "7x"), json!("7x"));
        assert_eq!(typed(Kind::Switch, "TRUE"), json!(true));
        assert_eq!(typed(Kind::ExactSwitch, "TRUE"), json!(false));
        assert_eq!(typed(Kind::Color, "1, 2,255"), json!([1, 2, 255]));
        assert_eq!(typed(Kind::Color, "1,2,256"), json!("1,2,256"));
        assert_eq!(typed(Kind::NumberOr("random"), "RANDOM"), json!("RANDOM"));
    }
}
