//! The values of an object in any encoding.

use crate::number::single;
use std::ops::Range;

use record::{Error, Result};

use super::content::Content;
use super::object::Object;
use super::token::{Token, Tokens, array_at};

/// A number as stored in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Number {
    Integer(i64),
    Float(f64),
    /// A single-precision float. Numbers in text are rounded only once.
    Single(f32),
}

/// The binary list being read.
#[derive(Debug, Clone, Copy)]
enum List {
    Integers { left: usize, next: usize },
    Floats { left: usize, next: usize },
}

/// Reads the values of an object.
#[derive(Debug, Clone)]
pub(super) struct Values<'a> {
    content: &'a Content<'a>,
    tokens: Tokens<'a>,
    list: Option<List>,
    start: usize,
}

impl<'a> Values<'a> {
    pub(super) fn new(content: &'a Content<'a>, object: &Object) -> Self {
        let Range { start, end } = object.values;
        let end = end.max(start);
        Self { content, tokens: Tokens::new(content, start..end), list: None, start: object.start }
    }

    /// Returns the current offset in the content.
    fn position(&self) -> usize {
        match self.list {
            Some(List::Integers { next, .. } | List::Floats { next, .. }) => next,
            None => self.tokens.position(),
        }
    }

    /// Returns the maximum number of remaining numbers.
    fn max_left(&self) -> usize {
        let in_list = match self.list {
            Some(List::Integers { left, .. } | List::Floats { left, .. }) => left,
            None => 0,
        };
        // A number in text needs a digit and a separator, except for the last one.
        let each = if self.content.header.encoding.is_binary() { 4 } else { 2 };
        in_list.saturating_add(self.tokens.left().saturating_add(1).div_euclid(each))
    }

    /// Returns the next number with its offset; `None` if there are no more values.
    fn next(&mut self) -> Result<Option<(usize, Number)>> {
        loop {
            if let Some(number) = self.next_in_list() {
                return Ok(Some(number));
            }
            match self.tokens.next()? {
                None => return Ok(None),
                Some((_, Token::Separator)) => {}
                Some((_, Token::Integers(left, next))) => self.list = Some(List::Integers { left, next }),
                Some((_, Token::Floats(left, next))) => self.list = Some(List::Floats { left, next }),
                Some((start, Token::Word(word))) => {
                    let Some(number) = parse(self.content.get(word.clone())) else {
                        let word = self.content.text(word);
                        let message = format!("expected a number, found \"{word:.40}\"");
                        return Err(self.content.malformed(start, &message));
                    };
                    return Ok(Some((start, number)));
                }
                Some((start, _)) => return Err(self.content.malformed(start, "expected a number")),
            }
        }
    }

    fn next_in_list(&mut self) -> Option<(usize, Number)> {
        let content = self.content;
        match self.list.as_mut()? {
            List::Integers { left, next } if *left > 0 => {
                let start = *next;
                *left = left.saturating_sub(1);
                *next = start.saturating_add(4);
                let number = u32::from_le_bytes(array_at(content, start));
                Some((start, Number::Integer(number.into())))
            }
            List::Floats { left, next } if *left > 0 => {
                let start = *next;
                let size = content.header.float_size.bytes();
                *left = left.saturating_sub(1);
                *next = start.saturating_add(size);
                let number = if size == 8 {
                    Number::Float(f64::from_le_bytes(array_at(content, start)))
                } else {
                    Number::Single(f32::from_le_bytes(array_at(content, start)))
                };
                Some((start, number))
            }
            _ => {
                self.list = None;
                None
            }
        }
    }

    fn needed(&mut self, what: &'static str) -> Result<(usize, Number)> {
        let found = self.next().map_err(|error| error.in_field(what))?;
        found.ok_or_else(|| self.ended(what))
    }

    #[cold]
    fn ended(&self, what: &'static str) -> Error {
        let at = self.position().max(self.start);
        self.content.malformed(at, "expected more values").in_field(what)
    }

    /// Returns the next number as a float. Numbers beyond single precision become infinite.
    pub(super) fn float(&mut self, what: &'static str) -> Result<f32> {
        let (_, number) = self.needed(what)?;
        Ok(match number {
            Number::Single(number) => number,
            Number::Float(number) => single(number),
            #[expect(
                clippy::as_conversions,
                clippy::cast_precision_loss,
                reason = "an integer in the place of a float"
            )]
            Number::Integer(number) => number as f32,
        })
    }

    /// Returns the next numbers as floats.
    pub(super) fn floats<const N: usize>(&mut self, what: &'static str) -> Result<[f32; N]> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = self.float(what)?;
        }
        Ok(floats)
    }

    /// Returns the next number as a 32-bit integer: -1 and 4294967295 are the same.
    pub(super) fn integer(&mut self, what: &'static str) -> Result<u32> {
        let (at, number) = self.needed(what)?;
        let integer = match number {
            Number::Integer(number) => Some(number),
            Number::Float(number) => exact_integer(number),
            Number::Single(number) => exact_integer(number.into()),
        };
        let word = integer.and_then(|integer| {
            u32::try_from(integer).ok().or_else(|| i32::try_from(integer).ok().map(i32::cast_unsigned))
        });
        word.ok_or_else(|| self.content.malformed(at, "expected a 32-bit integer").in_field(what))
    }

    /// Returns the next number as a count of items of at least `each` numbers. A count that exceeds the remaining values is
    /// refused.
    pub(super) fn count(&mut self, what: &'static str, each: usize) -> Result<usize> {
        let (at, number) = self.needed(what)?;
        let count = match number {
            Number::Integer(number) => Some(number),
            Number::Float(number) => exact_integer(number),
            Number::Single(number) => exact_integer(number.into()),
        };
        let max = self.max_left();
        let fits = |count: &usize| count.checked_mul(each).is_some_and(|numbers| numbers <= max);
        if let Some(count) = count.and_then(|count| usize::try_from(count).ok()).filter(fits) {
            return Ok(count);
        }
        let count = match number {
            Number::Integer(number) => number.to_string(),
            Number::Float(number) => number.to_string(),
            Number::Single(number) => number.to_string(),
        };
        let message = format!("count is {count:.40}, but at most {max} numbers are left");
        Err(self.content.malformed(at, &message).in_field(what))
    }

    /// Returns the next value as text. Some programs omit the quotes.
    pub(super) fn text(&mut self, what: &'static str) -> Result<String> {
        loop {
            match self.tokens.next().map_err(|error| error.in_field(what))? {
                None => return Err(self.ended(what)),
                Some((_, Token::Separator)) => {}
                Some((_, Token::Quoted(range) | Token::Word(range))) => return Ok(self.content.text(range)),
                Some((start, _)) => {
                    return Err(self.content.malformed(start, "expected a string").in_field(what));
                }
            }
        }
    }

    /// Returns the offset of the first unread value, if any.
    pub(super) fn left_over(mut self) -> Option<usize> {
        if let Some((at, _)) = self.next_in_list() {
            return Some(at);
        }
        loop {
            match self.tokens.next() {
                Ok(Some((_, Token::Separator | Token::Integers(0, _) | Token::Floats(0, _)))) => {}
                Ok(Some((start, _))) => return Some(start),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

/// Parses a number in text. Old compilers write non-finite numbers as `1.#QNAN`, `-1.#IND00` or `1.#INF`.
fn parse(word: &[u8]) -> Option<Number> {
    let text = std::str::from_utf8(word).ok()?;
    if let Ok(integer) = text.parse::<i64>() {
        return Some(Number::Integer(integer));
    }
    if let Ok(float) = text.parse::<f32>() {
        return Some(Number::Single(float));
    }
    let (_, special) = text.split_once('#')?;
    let special = special.to_ascii_uppercase();
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    if special.starts_with("INF") {
        return Some(Number::Single(f32::INFINITY * sign));
    }
    let is_nan = ["QNAN", "SNAN", "IND", "NAN"].iter().any(|name| special.starts_with(name));
    is_nan.then_some(Number::Single(f32::NAN))
}

/// Returns a float as an integer, if it is one and small enough to be exact.
fn exact_integer(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "an exact integer")]
    let integer = (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64);
    integer
}

/// Returns sixteen numbers as the rows of a matrix.
pub(super) fn rows(numbers: [f32; 16]) -> [[f32; 4]; 4] {
    let (rows, _) = numbers.as_chunks::<4>();
    rows.try_into().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_numbers_as_programs_write_them() {
        let float = |text: &str| match parse(text.as_bytes()) {
            Some(Number::Single(number)) => number,
            other => panic!("{text}: {other:?}"),
        };
        for (text, number) in
            [("1.5", 1.5), ("-0.25", -0.25), ("1e-7", 1e-7), ("+2.0E+3", 2000.0), ("1.", 1.0), (".5", 0.5)]
        {
            assert_eq!(float(text), number, "{text}");
        }
        assert_eq!(parse(b"-12"), Some(Number::Integer(-12)));
        for text in ["1.#QNAN", "-1.#IND00", "1.#SNAN", "nan", "-NaN"] {
            assert!(float(text).is_nan(), "{text}");
        }
        assert_eq!((float("1.#INF"), float("-1.#INF00")), (f32::INFINITY, f32::NEG_INFINITY));
        for word in ["", "x", "1.0.0", "0x12", "1#", "1,5"] {
            assert_eq!(parse(word.as_bytes()), None, "{word}");
        }
    }
}
