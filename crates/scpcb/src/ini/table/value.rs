//! Values as the game reads them.

use json::{Value, json};

use super::schema::Kind;

/// What the game makes of a text where it expects a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    /// Whether all of the text is part of it.
    pub(super) is_whole_text: bool,
}

/// The number that a text starts with, or 0; `Int` and `Float` of Blitz3D never fail.
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
    // 8.0 is as good as 8.
    let rest = text.get(end..).unwrap_or_default();
    let is_read = rest.is_empty()
        || (!has_fraction && rest.starts_with('.') && rest.trim_matches(['.', '0']).is_empty());
    // Minus zero is zero.
    Number { value: value.unwrap_or(0.0) + 0.0, is_whole_text: has_digit && is_read }
}

/// Whether a switch is on; `None` where a text is no switch.
pub(super) fn switch(text: &str) -> Option<bool> {
    if text.eq_ignore_ascii_case("true") {
        return Some(true);
    }
    if text.eq_ignore_ascii_case("false") {
        return Some(false);
    }
    let number = number(text, false);
    number.is_whole_text.then_some(number.value != 0.0)
}

/// Red, green and blue.
pub(super) fn color(text: &str) -> Option<[u8; 3]> {
    let channels: Vec<u8> =
        text.split(',').map(|channel| channel.trim().parse().ok()).collect::<Option<_>>()?;
    channels.try_into().ok()
}

/// A number as it is written: 38.0 stays 38.0, and a whole number has no point.
fn written(text: &str) -> Option<Value> {
    let number = number(text, true);
    let written = json::from_str(text.trim()).ok().filter(Value::is_number);
    number.is_whole_text.then(|| written.unwrap_or_else(|| json!(number.value)))
}

/// A value as JSON has it: text where it is not what it should be.
pub(super) fn typed(kind: Kind, text: &str) -> Value {
    match kind {
        Kind::Number | Kind::Within(..) | Kind::NumberOr(_) | Kind::Whole | Kind::WholeWithin(..) => {
            written(text)
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
    fn numbers_are_read_as_blitz3d_does() {
        for (text, has_fraction, value, is_whole_text) in [
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
            assert_eq!(number(text, has_fraction), Number { value, is_whole_text }, "{text}");
        }
    }

    #[test]
    fn values_are_typed_where_they_are_what_they_should_be() {
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
