//! A serde deserializer of JSON text with exact numbers: a float is the nearest one to its decimals.

mod read;

use std::fmt;

use serde::de::{self, Visitor};

/// Maximum nesting depth of lists and objects.
const MAX_DEPTH: u32 = 128;

/// A parser of one value followed by its [end](Parser::end). A mutable reference to it is a [`Deserializer`](de::Deserializer).
///
/// ```
/// use antiquary_json::Parser;
/// use serde::Deserialize;
///
/// let mut parser = Parser::new(b"[0.1, 0.2]")?;
/// let numbers = Vec::<f64>::deserialize(&mut parser)?;
/// parser.end()?;
/// assert_eq!(numbers, [0.1, 0.2]);
/// # Ok::<(), antiquary_json::SyntaxError>(())
/// ```
#[derive(Debug)]
pub struct Parser<'de> {
    text: &'de str,
    at: usize,
    depth: u32,
}

/// A syntax error with its line and column.
#[derive(Debug)]
pub struct SyntaxError {
    message: String,
    /// Line and column, both one-based. `None` until they are known.
    position: Option<(usize, usize)>,
}

type Result<T> = std::result::Result<T, SyntaxError>;

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some((line, column)) => write!(f, "{} at line {line} column {column}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for SyntaxError {}

impl SyntaxError {
    /// Line number, one-based.
    #[must_use]
    pub fn line(&self) -> usize {
        self.position.map_or(1, |(line, _)| line)
    }

    /// Column of the last byte that was read, one-based.
    #[must_use]
    pub fn column(&self) -> usize {
        self.position.map_or(1, |(_, column)| column.max(1))
    }
}

impl de::Error for SyntaxError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), position: None }
    }
}

/// A parsed number.
enum Number {
    Unsigned(u64),
    Negative(i64),
    Float(f64),
}

impl Number {
    fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Self::Unsigned(number) => visitor.visit_u64(number),
            Self::Negative(number) => visitor.visit_i64(number),
            Self::Float(number) => visitor.visit_f64(number),
        }
    }
}

impl<'de> Parser<'de> {
    /// Creates a parser of UTF-8 text.
    ///
    /// # Errors
    /// If the text is not valid UTF-8.
    pub fn new(json: &'de [u8]) -> Result<Self> {
        match std::str::from_utf8(json) {
            Ok(text) => Ok(Self { text, at: 0, depth: MAX_DEPTH }),
            Err(error) => {
                let valid = json.get(..error.valid_up_to()).unwrap_or_default();
                Err(SyntaxError {
                    message: "the text is not UTF-8".to_owned(),
                    position: Some(line_and_column(valid, valid.len())),
                })
            }
        }
    }

    /// Checks that only whitespace follows the value.
    ///
    /// # Errors
    /// If anything else follows.
    pub fn end(&mut self) -> Result<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error_at_next("expected the end of the text")),
        }
    }

    fn bytes(&self) -> &'de [u8] {
        self.text.as_bytes()
    }

    fn here(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    /// Skips whitespace and returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.here() {
            self.step();
        }
        self.here()
    }

    /// Creates an error after the last byte read.
    fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError { message: message.into(), position: Some(line_and_column(self.bytes(), self.at)) }
    }

    /// Creates an error at the next byte.
    fn error_at_next(&self, message: impl Into<String>) -> SyntaxError {
        let at = self.at.saturating_add(1).min(self.text.len());
        SyntaxError { message: message.into(), position: Some(line_and_column(self.bytes(), at)) }
    }

    /// Adds the position to an error of a visitor.
    fn located<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|error| match error.position {
            Some(_) => error,
            None => self.error(error.message),
        })
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        match self.bytes().get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes())) {
            true => {
                self.at = self.at.saturating_add(word.len());
                Ok(())
            }
            false => Err(self.error_at_next("expected a value")),
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(self.error_at_next(format!("nested more than {MAX_DEPTH} levels deep")));
        };
        self.depth = depth;
        let read = read(self);
        self.depth = depth.saturating_add(1);
        read
    }

    /// Parses a string, whose opening quote is next. Returns its raw text, and its value if it has escapes.
    fn string(&mut self) -> Result<(&'de str, Option<String>)> {
        self.step();
        let start = self.at;
        let mut owned: Option<String> = None;
        let mut copied = start;
        loop {
            let rest = self.bytes().get(self.at..).unwrap_or_default();
            let Some(length) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)) else {
                self.at = self.text.len();
                return Err(self.error("the text ends within a string"));
            };
            self.at = self.at.saturating_add(length);
            match self.here() {
                Some(b'"') => {
                    let last = self.text.get(copied..self.at).unwrap_or_default();
                    let raw = self.text.get(start..self.at).unwrap_or_default();
                    self.step();
                    if let Some(owned) = &mut owned {
                        owned.push_str(last);
                    }
                    return Ok((raw, owned));
                }
                Some(b'\\') => {
                    let unescaped = self.text.get(copied..self.at).unwrap_or_default();
                    let out = owned.get_or_insert_default();
                    out.push_str(unescaped);
                    self.step();
                    let letter = self.escape()?;
                    owned.get_or_insert_default().push(letter);
                    copied = self.at;
                }
                _ => return Err(self.error_at_next("a control character in a string must be escaped")),
            }
        }
    }

    /// Parses an escape after its backslash.
    fn escape(&mut self) -> Result<char> {
        let Some(letter) = self.here() else { return Err(self.error("the text ends within a string")) };
        self.step();
        Ok(match letter {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(self.error("unknown escape sequence")),
        })
    }

    /// Parses a Unicode escape: four hexadecimal digits, or two groups of four for a surrogate pair.
    fn unicode(&mut self) -> Result<char> {
        let first = self.digits()?;
        let code = match first {
            0xd800..=0xdbff => {
                if self.bytes().get(self.at..self.at.saturating_add(2)) != Some(b"\\u") {
                    return Err(self.error("unpaired surrogate"));
                }
                self.at = self.at.saturating_add(2);
                match self.digits()? {
                    second @ 0xdc00..=0xdfff => {
                        ((first & 0x3ff) << 10 | (second & 0x3ff)).saturating_add(0x1_0000)
                    }
                    _ => return Err(self.error("unpaired surrogate")),
                }
            }
            code => code,
        };
        char::from_u32(code).ok_or_else(|| self.error("unpaired surrogate"))
    }

    fn digits(&mut self) -> Result<u32> {
        let end = self.at.saturating_add(4);
        let digits =
            self.text.get(self.at..end).filter(|digits| digits.bytes().all(|it| it.is_ascii_hexdigit()));
        let Some(digits) = digits else { return Err(self.error_at_next("expected four hexadecimal digits")) };
        self.at = end;
        u32::from_str_radix(digits, 16).map_err(|_| self.error("expected four hexadecimal digits"))
    }

    /// Parses a number, whose first byte is next.
    fn number(&mut self) -> Result<Number> {
        let start = self.at;
        let is_negative = self.here() == Some(b'-');
        if is_negative {
            self.step();
        }
        let mut digits = Some(0);
        match self.here() {
            Some(b'0') => self.step(),
            _ => digits = self.some_digits(digits)?,
        }
        let (mut decimals, mut is_integer, mut has_exponent) = (0_usize, true, false);
        if self.here() == Some(b'.') {
            is_integer = false;
            self.step();
            let point = self.at;
            digits = self.some_digits(digits)?;
            decimals = self.at.saturating_sub(point);
        }
        if let Some(b'e' | b'E') = self.here() {
            (is_integer, has_exponent) = (false, true);
            self.step();
            if let Some(b'+' | b'-') = self.here() {
                self.step();
            }
            self.some_digits(None)?;
        }
        if let Some(b'0'..=b'9') = self.here() {
            return Err(self.error_at_next("a number must not start with 0"));
        }
        match digits {
            Some(number) if is_integer && !is_negative => return Ok(Number::Unsigned(number)),
            // The integer -0 is a float, because it has a sign.
            Some(number @ 1..) if is_integer => {
                if let Some(number) = 0_i64.checked_sub_unsigned(number) {
                    return Ok(Number::Negative(number));
                }
            }
            Some(number) if !has_exponent => {
                if let Some(float) = exact_quotient(number, decimals) {
                    return Ok(Number::Float(if is_negative { -float } else { float }));
                }
            }
            _ => {}
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Number::Float(number)),
            _ => Err(self.error("the number is out of range")),
        }
    }

    /// Parses at least one digit. Returns the value of `digits` followed by the new digits, or `None` if it does not fit.
    fn some_digits(&mut self, mut digits: Option<u64>) -> Result<Option<u64>> {
        let start = self.at;
        while let Some(digit @ b'0'..=b'9') = self.here() {
            let digit = u64::from(digit & 0xf);
            digits = digits.and_then(|value| value.checked_mul(10)?.checked_add(digit));
            self.step();
        }
        if self.at == start { Err(self.error_at_next("expected a digit")) } else { Ok(digits) }
    }
}

/// Divides an integer by a power of ten if both are exact as floats, so that the quotient is rounded only once.
fn exact_quotient(number: u64, decimals: usize) -> Option<f64> {
    const POWERS: [f64; 23] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
        1e18, 1e19, 1e20, 1e21, 1e22,
    ];
    let power = POWERS.get(decimals)?;
    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "the mantissa of the float can hold the number"
    )]
    (number <= 1 << f64::MANTISSA_DIGITS).then_some(number as f64 / power)
}

/// Returns the one-based line and column of the last byte before an offset.
fn line_and_column(text: &[u8], at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.iter().filter(|byte| **byte == b'\n').count().saturating_add(1);
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end.saturating_add(1));
    (line, before.len().saturating_sub(start))
}
