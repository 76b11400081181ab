//! Splits a line into tokens.

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word; it may start with a digit if it contains letters too.
    Word(String),
    Number(i64),
    /// In double quotes.
    Text(String),
    /// Between < and >.
    Angle(String),
    /// `#0E`.
    Label(u32),
    Symbol(&'static str),
}

/// A token and its column in characters, starting from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) column: usize,
}

/// All symbols. Each symbol precedes its own prefixes.
const SYMBOLS: [&str; 25] = [
    "++", "--", "<<", ">>", "<=", ">=", "!=", "=", "<", ">", "+", "-", "*", "/", "&", "|", "^", "(", ")",
    "{", "}", ",", ".", ":", "@",
];

/// Returns a line without its comment, which starts with ` // `.
pub(super) fn code(text: &str) -> &str {
    let mut is_quoted = false;
    let mut before = ' ';
    for (at, it) in text.char_indices() {
        match it {
            '"' => is_quoted = !is_quoted,
            '/' if !is_quoted
                && before.is_whitespace()
                && text.get(at..).is_some_and(|it| it.starts_with("//")) =>
            {
                return text.get(..at).unwrap_or_default();
            }
            _ => {}
        }
        before = it;
    }
    text
}

/// Returns the tokens of a line without comment, and the first error with its column.
pub(super) fn line(text: &str) -> (Vec<Lexeme>, Option<(usize, String)>) {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut at = 0_usize;
    while let Some(it) = chars.get(at).copied() {
        let column = at.saturating_add(1);
        if it.is_whitespace() || it == '\u{feff}' {
            at = column;
            continue;
        }
        match token(it, chars.get(at..).unwrap_or_default()) {
            Ok((token, length)) => {
                out.push(Lexeme { token, column });
                at = at.saturating_add(length.max(1));
            }
            Err(message) => return (out, Some((column, message))),
        }
    }
    (out, None)
}

fn token(first: char, rest: &[char]) -> Result<(Token, usize), String> {
    let run = |from: usize, is_part: fn(char) -> bool| -> String {
        rest.iter().skip(from).copied().take_while(|it| is_part(*it)).collect()
    };
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    if is_word(first) {
        let word = run(0, is_word);
        let length = word.len();
        if !word.bytes().all(|it| it.is_ascii_digit()) {
            return Ok((Token::Word(word), length));
        }
        return match word.parse() {
            Ok(number) => Ok((Token::Number(number), length)),
            Err(_) => Err(format!("the number {word} does not fit in 32 bits")),
        };
    }
    let until = |end: char| -> Option<String> {
        let text: String = rest.iter().skip(1).copied().take_while(|it| *it != end).collect();
        let length = text.chars().count().saturating_add(1);
        (rest.get(length) == Some(&end)).then_some(text)
    };
    match first {
        '"' => {
            let text = until('"').ok_or("expected \" at the end of the text")?;
            let length = text.chars().count().saturating_add(2);
            Ok((Token::Text(text), length))
        }
        '#' => {
            let digits = run(1, |it| it.is_ascii_hexdigit());
            let length = digits.len().saturating_add(1);
            match u32::from_str_radix(&digits, 16) {
                Ok(label) => Ok((Token::Label(label), length)),
                Err(_) => Err("expected a label: # and hexadecimal digits".to_owned()),
            }
        }
        '<' if rest.get(1).is_some_and(char::is_ascii_alphanumeric) => match until('>') {
            Some(name) => {
                let length = name.chars().count().saturating_add(2);
                Ok((Token::Angle(name), length))
            }
            None => Ok((Token::Symbol("<"), 1)),
        },
        _ => {
            let begins = |symbol: &&str| {
                let mut here = rest.iter();
                symbol.chars().all(|it| here.next() == Some(&it))
            };
            match SYMBOLS.iter().find(|it| begins(it)) {
                Some(symbol) => Ok((Token::Symbol(symbol), symbol.len())),
                None => Err(format!("unexpected character {first:?}")),
            }
        }
    }
}
