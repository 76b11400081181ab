//! Formats source text like the disassembler, but keeps comments.

use super::lex::{self, Lexeme, Token};

/// The maximum indentation depth.
const MAX_INDENT: usize = 24;

/// The byte order mark.
const MARK: &str = "\u{feff}";

/// One level of indentation, also written before a trailing comment.
const INDENT: &str = "    ";

/// Keywords that take a target: `goto L0012+2`.
const TAKES_TARGET: [&str; 8] =
    ["goto", "gosub", "end", "stop_task", "pause_task", "resume_task", "start", "else"];

/// Keywords that take a value: `and -3`.
const TAKES_VALUE: [&str; 5] = ["alt", "if", "while", "and", "or"];

/// Returns a line with the offsets removed from its labels: `goto L00A4` becomes `goto L`.
#[must_use]
pub fn without_labels(line: &str) -> String {
    let is_word_character = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_label = |word: &str| {
        word.strip_prefix('L').is_some_and(|offset| {
            offset.len() >= 4 && offset.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F'))
        })
    };
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while !rest.is_empty() {
        let length = rest.find(|letter| !is_word_character(letter)).unwrap_or(rest.len());
        let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        out.push_str(if is_label(word) { "L" } else { word });
        let next = after.find(is_word_character).unwrap_or(after.len());
        let (between, after) = after.split_at_checked(next).unwrap_or((after, ""));
        out.push_str(between);
        rest = after;
    }
    out
}

/// Formats source text: indents by block, puts one space between words, and limits blank lines to one, which also precedes labels. Keeps
/// comments, invalid lines, the byte order mark and the line endings. The meaning does not change.
#[must_use]
pub fn formatted(text: &str) -> String {
    let (mark, text) = match text.strip_prefix(MARK) {
        Some(text) => (MARK, text),
        None => ("", text),
    };
    let ends_in_two = text
        .lines()
        .next()
        .is_some_and(|line| text.get(line.len()..).is_some_and(|rest| rest.starts_with("\r\n")));
    let formatted = format_lines(text);
    let formatted = if ends_in_two { formatted.replace('\n', "\r\n") } else { formatted };
    format!("{mark}{formatted}")
}

fn format_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut depth, mut is_guarded, mut pending_blank) = (0_usize, false, false);
    // The kind of the preceding line, if there is one.
    let mut above = Above::Nothing;
    for line in text.lines() {
        let Line { code, comment, kind } = read(line);
        if code.is_empty() && comment.is_empty() {
            pending_blank = above != Above::Nothing;
            continue;
        }
        if matches!(kind, Kind::Close | Kind::Else) {
            depth = depth.saturating_sub(1);
        }
        let needs_blank = kind == Kind::Label && above == Above::Other;
        if (pending_blank && !matches!(kind, Kind::Close | Kind::Else)) || needs_blank {
            out.push('\n');
        }
        pending_blank = false;
        if kind != Kind::Label {
            let is_brace = matches!(kind, Kind::Close | Kind::Else);
            let guarded = usize::from(is_guarded && !code.is_empty() && !is_brace);
            for _ in 0..depth.min(MAX_INDENT).saturating_add(guarded) {
                out.push_str(INDENT);
            }
        }
        out.push_str(&code);
        if !code.is_empty() && !comment.is_empty() {
            out.push_str(INDENT);
        }
        out.push_str(comment);
        out.push('\n');
        if !code.is_empty() && !matches!(kind, Kind::Label | Kind::Close) {
            is_guarded = kind == Kind::Guard;
        }
        if matches!(kind, Kind::Open | Kind::Else) {
            depth = depth.saturating_add(1);
        }
        above = match (kind, code.is_empty()) {
            (Kind::Label, _) => Above::Label,
            // A comment belongs to the label after it.
            (_, true) => Above::Comment,
            _ => Above::Other,
        };
    }
    out
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Above {
    Nothing,
    Label,
    Comment,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Label,
    Open,
    Close,
    /// `} else {` and `} else if`.
    Else,
    /// The next statement runs only if this one allows it.
    Guard,
    Other,
}

struct Line<'a> {
    code: String,
    comment: &'a str,
    kind: Kind,
}

fn read(line: &str) -> Line<'_> {
    let line = line.trim_matches(lex::is_blank);
    let (code, comment) = line.split_at(line.find(';').unwrap_or(line.len()));
    if code.trim_end().starts_with("bytes ") {
        let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
        return Line { code, comment, kind: Kind::Other };
    }
    let (tokens, error) = lex::line(line);
    if error.is_some() {
        return Line { code: line.to_owned(), comment: "", kind: Kind::Other };
    }
    let end = tokens.last().map_or(0, |it| it.column.saturating_add(it.length).saturating_sub(1));
    let end = line.char_indices().nth(end).map_or(line.len(), |(at, _)| at);
    let comment = line.get(end..).unwrap_or_default().trim_matches(lex::is_blank);
    let kind = match tokens.as_slice() {
        [Lexeme { token: Token::Symbol("}"), .. }, .., Lexeme { token: Token::Symbol("{"), .. }] => {
            Kind::Else
        }
        [Lexeme { token: Token::Symbol("}"), .. }, ..] => Kind::Close,
        [.., Lexeme { token: Token::Symbol("{"), .. }] => Kind::Open,
        [Lexeme { token: Token::Word(_), .. }, Lexeme { token: Token::Symbol(":"), .. }, ..] => Kind::Label,
        [Lexeme { token: Token::Word(word), .. }, ..] if word.eq_ignore_ascii_case("scriptrv") => Kind::Guard,
        _ => Kind::Other,
    };
    Line { code: spaced(line, &tokens), comment, kind }
}

/// Returns the tokens of a line, separated by conventional spaces.
fn spaced(line: &str, tokens: &[Lexeme]) -> String {
    let chars: Vec<char> = line.chars().collect();
    let mut out = String::with_capacity(line.len());
    let assigns = tokens.iter().any(|it| it.token == Token::Symbol("="));
    for (index, it) in tokens.iter().enumerate() {
        let before =
            |count: usize| index.checked_sub(count).and_then(|at| tokens.get(at)).map(|it| &it.token);
        let is_last = index.saturating_add(1) == tokens.len();
        if let Some(previous) = before(1)
            && is_spaced(before(3), before(2), previous, &it.token, is_last && !assigns)
        {
            out.push(' ');
        }
        let first = it.column.saturating_sub(1);
        out.extend(chars.iter().skip(first).take(it.length));
    }
    out
}

/// Returns whether two tokens are separated by a space. `is_step` is whether the second one ends a line without `=`.
fn is_spaced(
    third: Option<&Token>,
    second: Option<&Token>,
    first: &Token,
    it: &Token,
    is_step: bool,
) -> bool {
    let word = |token: Option<&Token>| match token {
        Some(Token::Word(word)) => Some(word.to_ascii_lowercase()),
        _ => None,
    };
    let is_target = |target: Option<&Token>, before: Option<&Token>| {
        matches!(target, Some(Token::Word(_)))
            && word(before).is_some_and(|word| TAKES_TARGET.contains(&word.as_str()))
    };
    let is_value = |token: &Token| {
        matches!(
            token,
            Token::Word(_) | Token::Number(_) | Token::Text(_) | Token::Label(_) | Token::Symbol(")")
        )
    };
    match (first, it) {
        // Without a space, they would form one symbol.
        (Token::Symbol("+" | "++"), Token::Symbol("+" | "++"))
        | (Token::Symbol("-" | "--"), Token::Symbol("-" | "--")) => true,
        (_, Token::Symbol(")" | "," | ":")) | (Token::Symbol("(" | "#" | "."), _) => false,
        // `pad 3 .x`: a number has no property.
        (first, Token::Symbol(".")) => matches!(first, Token::Number(_)),
        (Token::Word(_), Token::Symbol("(")) => false,
        (_, Token::Symbol("++" | "--")) => !is_step,
        (Token::Symbol("++" | "--"), _) => false,
        (target, Token::Symbol("+")) if is_target(Some(target), second) => false,
        (Token::Symbol("+"), _) if is_target(second, third) => false,
        // A sign, not a subtraction.
        (Token::Symbol("-"), Token::Number(_)) => {
            let follows_keyword = word(second).is_some_and(|word| TAKES_VALUE.contains(&word.as_str()));
            second.is_some_and(is_value) && !follows_keyword
        }
        _ => true,
    }
}
