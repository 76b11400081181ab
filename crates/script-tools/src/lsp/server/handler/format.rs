//! Formatting of a text.

use antiquary::soup::text::formatted;
use gen_lsp_types::{Range, TextEdit};

use crate::lsp::document::Document;
use crate::lsp::position::{Encoding, Lines};

/// A single edit of the lines that change. The surrounding lines are kept, and the cursor with them.
pub(super) fn edits(document: &Document, encoding: Encoding) -> Vec<TextEdit> {
    let text = document.text();
    let formatted_text = formatted(&text);
    if document.open.is_too_long() || formatted_text == text {
        return Vec::new();
    }
    let old: Vec<&str> = text.split_inclusive('\n').collect();
    let new: Vec<&str> = formatted_text.split_inclusive('\n').collect();
    let is_same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let before = old.iter().zip(&new).take_while(is_same).count();
    let most = old.len().min(new.len()).saturating_sub(before);
    let behind = old.iter().rev().zip(new.iter().rev()).take(most).take_while(is_same).count();
    let new_text = new.get(before..new.len().saturating_sub(behind)).unwrap_or_default().concat();
    let lines = Lines::new(&text, encoding);
    let end = old.len().saturating_sub(behind);
    let is_open = |line: &&&str| !line.ends_with('\n');
    let end = match old.last().filter(|line| behind == 0 && is_open(line)) {
        Some(_) => lines.line_range(end.saturating_sub(1), end.saturating_sub(1)).end,
        None => lines.position(end, 0),
    };
    vec![TextEdit { range: Range { start: lines.position(before, 0), end }, new_text }]
}
