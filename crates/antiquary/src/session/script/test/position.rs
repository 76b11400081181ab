//! Positions in a test file.

use serde::Serialize;

/// A position in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct TextPosition {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
}

impl TextPosition {
    /// Returns the position of a byte offset.
    pub(super) fn of(text: &str, at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line = before.matches('\n').count().saturating_add(1);
        let start = before.rfind('\n').map_or(0, |it| it.saturating_add(1));
        let column = before.get(start..).unwrap_or_default().chars().count().saturating_add(1);
        Self { line, column }
    }
}
