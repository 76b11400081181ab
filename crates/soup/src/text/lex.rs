//! Splits a line into tokens.

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Word(String),
    Number(i64),
    /// In double quotes.
    Text(String),
    /// In single quotes.
    Label(String),
    Symbol(&'static str),
}

/// A token, its column in characters, starting from 1, and its length in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) column: usize,
    pub(crate) length: usize,
}

/// All symbols. Each symbol precedes its own prefixes.
const SYMBOLS: [&str; 28] = [
    "++", "--", "<<", ">>", "<=", ">=", "!=", "==", "=", "<", ">", "+", "-", "*", "/", "&", "|", "^", "(",
    ")", "{", "}", ",", ".", ":", "#", "@", "%",
];

/// Returns the tokens of a line and the first error with its column.
pub(crate) fn line(text: &str) -> (Vec<Lexeme>, Option<(usize, String)>) {
    let mut lexer = Lexer::new(text);
    let tokens = lexer.by_ref().collect();
    (tokens, lexer.error)
}

/// An iterator over the tokens of a line, up to the first error.
#[derive(Debug)]
pub(crate) struct Lexer<'t> {
    rest: &'t str,
    /// The column of the rest, starting from 1.
    column: usize,
    /// The first error, with its column.
    pub(crate) error: Option<(usize, String)>,
}

impl<'t> Lexer<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self { rest: text, column: 1, error: None }
    }

    /// Advances by a number of bytes. Returns the number of characters skipped.
    fn skip(&mut self, bytes: usize) -> usize {
        let (skipped, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        let length = skipped.chars().count();
        self.rest = rest;
        self.column = self.column.saturating_add(length);
        length
    }
}

/// Returns whether a character separates tokens: white space, or a byte order mark anywhere.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

impl Iterator for Lexer<'_> {
    type Item = Lexeme;

    fn next(&mut self) -> Option<Lexeme> {
        let text = self.rest.trim_start_matches(is_blank);
        self.skip(self.rest.len().saturating_sub(text.len()));
        let first = text.chars().next().filter(|it| *it != ';' && self.error.is_none())?;
        let column = self.column;
        match token(first, text) {
            Ok((token, bytes)) => Some(Lexeme { token, column, length: self.skip(bytes) }),
            Err(message) => {
                self.error = Some((column, message));
                None
            }
        }
    }
}

/// Reads the token at the start of a text. Returns it and its length in bytes.
fn token(first: char, text: &str) -> Result<(Token, usize), String> {
    let run = |is_part: fn(char) -> bool| {
        let end = text.find(|it| !is_part(it)).unwrap_or(text.len());
        text.get(..end).unwrap_or_default()
    };
    if first.is_ascii_alphabetic() || first == '_' {
        let word = run(|it| it.is_ascii_alphanumeric() || it == '_');
        return Ok((Token::Word(word.to_owned()), word.len()));
    }
    if first.is_ascii_digit() {
        let digits = run(|it| it.is_ascii_alphanumeric());
        let parsed = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(digits) => i64::from_str_radix(digits, 16),
            None => digits.parse(),
        };
        return match parsed {
            Ok(number) => Ok((Token::Number(number), digits.len())),
            Err(_) => Err(format!("\"{digits}\" is not a number")),
        };
    }
    match first {
        '"' => quoted(text),
        '\'' => {
            let label = text.strip_prefix('\'').and_then(|rest| rest.split_once('\''));
            let (label, _) = label.ok_or("expected ' at the end of the dialogue label")?;
            Ok((Token::Label(label.to_owned()), label.len().saturating_add(2)))
        }
        _ => match SYMBOLS.iter().find(|it| text.starts_with(**it)) {
            Some(symbol) => Ok((Token::Symbol(symbol), symbol.len())),
            None => Err(format!("unexpected character {first:?}")),
        },
    }
}

/// Reads the string in double quotes at the start of a text. Returns it and its length in bytes, quotes included.
fn quoted(text: &str) -> Result<(Token, usize), String> {
    let mut out = String::new();
    let mut rest = text.strip_prefix('"').unwrap_or(text).chars();
    loop {
        match rest.next().ok_or("expected \" at the end of the text")? {
            '"' => return Ok((Token::Text(out), text.len().saturating_sub(rest.as_str().len()))),
            '\\' => match rest.next() {
                Some(it @ ('"' | '\\')) => out.push(it),
                Some('u') => {
                    let (it, after) = escaped(rest.as_str()).ok_or("expected \\u{HEX} in the text")?;
                    out.push(it);
                    rest = after.chars();
                }
                _ => return Err("unknown escape (known: \\\" \\\\ \\u{HEX})".to_owned()),
            },
            it => out.push(it),
        }
    }
}

/// Reads the `{HEX}` of an escape at the start of a text. Returns the character and the rest of the text.
fn escaped(text: &str) -> Option<(char, &str)> {
    let (digits, after) = text.strip_prefix('{')?.split_once('}')?;
    let is_code = (1..=6).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_hexdigit());
    let code = u32::from_str_radix(digits, 16).ok().filter(|_| is_code)?;
    Some((char::from_u32(code)?, after))
}
