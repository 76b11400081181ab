//! Outline of source text: labels and foldable ranges.

use super::Span;
use super::cursor::{is_one_of, is_symbol_at, word_at};
use crate::text::lex::{self, Token};

/// A label with the lines up to the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineItem {
    /// The label.
    pub name: String,
    /// The range of the label.
    pub span: Span,
    /// The last line that belongs to it.
    pub last_line: usize,
}

/// A foldable range of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// The line that stays visible.
    pub first: usize,
    /// The last hidden line.
    pub last: usize,
}

/// Returns the labels of source text, including `start`.
#[must_use]
pub fn outline(text: &str) -> Vec<OutlineItem> {
    let mut out: Vec<OutlineItem> = Vec::new();
    let mut last_line = 0;
    for (line, text) in text.lines().enumerate() {
        last_line = line;
        let (tokens, _) = lex::line(text);
        let (Some(name), true) = (word_at(&tokens, 0), is_symbol_at(&tokens, 1, ":")) else { continue };
        if let Some(above) = out.last_mut() {
            above.last_line = line.saturating_sub(1);
        }
        let start = tokens.first().map_or(0, |it| it.column.saturating_sub(1));
        let end = start.saturating_add(name.len());
        out.push(OutlineItem { name: name.to_owned(), span: Span { line, start, end }, last_line: line });
    }
    if let Some(last) = out.last_mut() {
        last.last_line = last_line;
    }
    out
}

/// Returns the foldable ranges: blocks and the statements after labels.
#[must_use]
pub fn folds(text: &str) -> Vec<Fold> {
    let mut open: Vec<usize> = Vec::new();
    let mut out: Vec<Fold> = Vec::new();
    let mut filled: Vec<usize> = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let (tokens, _) = lex::line(text);
        if !tokens.is_empty() {
            filled.push(line);
        }
        if is_symbol_at(&tokens, 0, "}")
            && let Some(first) = open.pop()
            && line.saturating_sub(first) > 1
        {
            // The line with the brace stays visible.
            out.push(Fold { first, last: line.saturating_sub(1) });
        }
        if tokens.last().is_some_and(|it| it.token == Token::Symbol("{")) {
            open.push(line);
        }
    }
    for it in outline(text).iter().filter(|it| !is_one_of(&it.name, &["start"])) {
        let below = filled.partition_point(|line| *line <= it.last_line);
        let last = below.checked_sub(1).and_then(|at| filled.get(at)).copied().unwrap_or(it.last_line);
        if last > it.span.line {
            out.push(Fold { first: it.span.line, last });
        }
    }
    out.sort_by_key(|it| (it.first, it.last));
    out
}
