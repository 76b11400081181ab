//! Texts as the disassembler would lay them out, with the comments of whoever wrote them.

use super::lex::{self, Lexeme, Token};

/// Deeper blocks are indented no further.
const DEEPEST: usize = 24;

/// A byte order mark.
const MARK: &str = "\u{feff}";

/// A level of indentation, and what stands in front of a comment behind a statement.
const INDENT: &str = "    ";

/// Words behind which a place stands: `goto L0012+2`.
const BEFORE_PLACES: [&str; 8] =
    ["goto", "gosub", "end", "stop_task", "pause_task", "resume_task", "start", "else"];

/// Words behind which a value stands: `and -3`.
const BEFORE_VALUES: [&str; 5] = ["alt", "if", "while", "and", "or"];

/// A line whose labels have no offsets in their names: `goto L00A4` is `goto L`.
#[must_use]
pub fn without_labels(line: &str) -> String {
    let is_of_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_label = |word: &str| {
        word.strip_prefix('L').is_some_and(|offset| {
            offset.len() >= 4 && offset.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F'))
        })
    };
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while !rest.is_empty() {
        let length = rest.find(|letter| !is_of_word(letter)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        out.push_str(if is_label(word) { "L" } else { word });
        let next = behind.find(is_of_word).unwrap_or(behind.len());
        let (between, behind) = behind.split_at_checked(next).unwrap_or((behind, ""));
        out.push_str(between);
        rest = behind;
    }
    out
}

/// Lays a text out: indentation by blocks, one space between words, one blank line at most, and one in front of labels. Comments are kept, and so
/// is each line that cannot be read; so are a byte order mark and the kind of line ends. The text means the same.
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
    let laid_out = laid_out(text);
    let laid_out = if ends_in_two { laid_out.replace('\n', "\r\n") } else { laid_out };
    format!("{mark}{laid_out}")
}

fn laid_out(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut depth, mut is_guarded, mut wants_blank) = (0_usize, false, false);
    // What the line above is: nothing yet, a label, or something else.
    let mut above = Above::Nothing;
    for line in text.lines() {
        let Line { code, comment, kind } = read(line);
        if code.is_empty() && comment.is_empty() {
            wants_blank = above != Above::Nothing;
            continue;
        }
        if matches!(kind, Kind::Close | Kind::Else) {
            depth = depth.saturating_sub(1);
        }
        let stands_apart = kind == Kind::Label && above == Above::Other;
        if (wants_blank && !matches!(kind, Kind::Close | Kind::Else)) || stands_apart {
            out.push('\n');
        }
        wants_blank = false;
        if kind != Kind::Label {
            let is_brace = matches!(kind, Kind::Close | Kind::Else);
            let guarded = usize::from(is_guarded && !code.is_empty() && !is_brace);
            for _ in 0..depth.min(DEEPEST).saturating_add(guarded) {
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
            // A comment belongs to the label below it.
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
    /// `} else {` and the like.
    Else,
    /// The statement below stands only if this one lets it.
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

/// The tokens of a line, with spaces where readers expect them.
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

/// Whether a space stands between two tokens. `is_step` is whether the second one is the last of a line without `=`.
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
    let is_place = |place: Option<&Token>, before: Option<&Token>| {
        matches!(place, Some(Token::Word(_)))
            && word(before).is_some_and(|word| BEFORE_PLACES.contains(&word.as_str()))
    };
    let is_value = |token: &Token| {
        matches!(
            token,
            Token::Word(_) | Token::Number(_) | Token::Text(_) | Token::Label(_) | Token::Symbol(")")
        )
    };
    match (first, it) {
        // Without a space they would be one symbol.
        (Token::Symbol("+" | "++"), Token::Symbol("+" | "++"))
        | (Token::Symbol("-" | "--"), Token::Symbol("-" | "--")) => true,
        (_, Token::Symbol(")" | "," | ":")) | (Token::Symbol("(" | "#" | "."), _) => false,
        // `pad 3 .x`: a number has no property.
        (first, Token::Symbol(".")) => matches!(first, Token::Number(_)),
        (Token::Word(_), Token::Symbol("(")) => false,
        (_, Token::Symbol("++" | "--")) => !is_step,
        (Token::Symbol("++" | "--"), _) => false,
        (place, Token::Symbol("+")) if is_place(Some(place), second) => false,
        (Token::Symbol("+"), _) if is_place(second, third) => false,
        // A sign, not a difference.
        (Token::Symbol("-"), Token::Number(_)) => {
            let is_behind_word = word(second).is_some_and(|word| BEFORE_VALUES.contains(&word.as_str()));
            second.is_some_and(is_value) && !is_behind_word
        }
        _ => true,
    }
}
