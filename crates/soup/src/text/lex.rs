//! The tokens of a line.

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

/// A token, its column in characters from 1 on, and how many it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) column: usize,
    pub(crate) length: usize,
}

/// All symbols; a longer one before those that it begins with.
const SYMBOLS: [&str; 28] = [
    "++", "--", "<<", ">>", "<=", ">=", "!=", "==", "=", "<", ">", "+", "-", "*", "/", "&", "|", "^", "(",
    ")", "{", "}", ",", ".", ":", "#", "@", "%",
];

/// The tokens of a line, and the first error with its column.
pub(crate) fn line(text: &str) -> (Vec<Lexeme>, Option<(usize, String)>) {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut at = 0_usize;
    while let Some(it) = chars.get(at).copied() {
        let column = at.saturating_add(1);
        if it == ';' {
            break;
        }
        if it.is_whitespace() || it == '\u{feff}' {
            at = column;
            continue;
        }
        let rest = chars.get(at..).unwrap_or_default();
        let (token, length) = match token(it, rest) {
            Ok(found) => found,
            Err(message) => return (out, Some((column, message))),
        };
        out.push(Lexeme { token, column, length });
        at = at.saturating_add(length.max(1));
    }
    (out, None)
}

fn token(first: char, rest: &[char]) -> Result<(Token, usize), String> {
    let run = |is_part: fn(char) -> bool| rest.iter().take_while(|it| is_part(**it)).count();
    if first.is_ascii_alphabetic() || first == '_' {
        let length = run(|it| it.is_ascii_alphanumeric() || it == '_');
        return Ok((Token::Word(rest.iter().take(length).collect()), length));
    }
    if first.is_ascii_digit() {
        let length = run(|it| it.is_ascii_alphanumeric());
        let text: String = rest.iter().take(length).collect();
        let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => i64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        return match parsed {
            Ok(number) => Ok((Token::Number(number), length)),
            Err(_) => Err(format!("\"{text}\" is not a number")),
        };
    }
    match first {
        '"' => quoted(rest),
        '\'' => {
            let text: String = rest.iter().skip(1).take_while(|it| **it != '\'').collect();
            let length = text.chars().count().saturating_add(2);
            match rest.get(length.saturating_sub(1)) {
                Some('\'') => Ok((Token::Label(text), length)),
                _ => Err("expected ' at the end of the dialogue label".to_owned()),
            }
        }
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

/// A text in double quotes.
fn quoted(rest: &[char]) -> Result<(Token, usize), String> {
    let mut out = String::new();
    let mut at = 1_usize;
    loop {
        let it = rest.get(at).copied().ok_or("expected \" at the end of the text")?;
        at = at.saturating_add(1);
        match it {
            '"' => return Ok((Token::Text(out), at)),
            '\\' => {
                let escape = rest.get(at).copied();
                at = at.saturating_add(1);
                match escape {
                    Some(it @ ('"' | '\\')) => out.push(it),
                    Some('u') => {
                        let digits: String = rest
                            .iter()
                            .skip(at)
                            .skip(1)
                            .take_while(|it| it.is_ascii_hexdigit())
                            .take(6)
                            .collect();
                        let end = at.saturating_add(digits.len()).saturating_add(1);
                        let is_closed = rest.get(at) == Some(&'{') && rest.get(end) == Some(&'}');
                        let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                        match code.filter(|_| is_closed) {
                            Some(it) => out.push(it),
                            None => return Err("expected \\u{HEX} in the text".to_owned()),
                        }
                        at = end.saturating_add(1);
                    }
                    _ => return Err("unknown escape (known: \\\" \\\\ \\u{HEX})".to_owned()),
                }
            }
            it => out.push(it),
        }
    }
}
