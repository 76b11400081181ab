//! Byte ranges of fields, for the views of fields and bytes.

use std::fmt::{self, Write};

use antiquary::asset::{Span, Visit, Visitor};
use antiquary::record::FieldDoc;
use antiquary::{Can, Error};
use serde::Serialize;

use crate::file::File;

/// Maximum number of characters shown of a value.
const MAX_VALUE_LENGTH: usize = 160;

/// A field with its byte range and its value.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Field {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) path: String,
    pub(super) value: String,
}

impl Field {
    pub(super) fn of(span: &Span<'_>) -> Self {
        Self { start: span.start, end: span.end, path: span.path.to_owned(), value: short(span.value) }
    }
}

/// Returns the start of a value of any length.
pub(super) fn short(value: &dyn fmt::Display) -> String {
    let mut out = Short(String::new());
    if write!(out, "{value}").is_err() {
        out.0.push('…');
    }
    out.0
}

struct Short(String);

impl Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            if self.0.len() >= MAX_VALUE_LENGTH {
                return Err(fmt::Error);
            }
            self.0.push(letter);
        }
        Ok(())
    }
}

/// Whether a path is equal to, or below, another.
pub(super) fn is_within(path: &str, above: &str) -> bool {
    below(path, above).is_some()
}

/// Returns the rest of a path after its parent `above`; empty if they are equal.
pub(super) fn below<'a>(path: &'a str, above: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(above)?;
    let is_step = above.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']);
    is_step.then_some(rest)
}

/// Returns the first step of the rest of a path: `.surfaces` or `surfaces` of `surfaces[3].texture`, `[3]` of `[3].texture`.
pub(super) fn first_step(rest: &str) -> &str {
    if rest.starts_with("[\"") {
        return quoted_step(rest);
    }
    let first = rest.char_indices().skip(1).find(|(_, letter)| matches!(letter, '.' | '['));
    match first {
        Some((end, _)) => rest.get(..end).unwrap_or(rest),
        None => rest,
    }
}

/// Returns a quoted step, which may contain any character: `["a.b"]`.
fn quoted_step(rest: &str) -> &str {
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(2) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return rest.get(..at + 2).unwrap_or(rest),
            _ => {}
        }
    }
    rest
}

/// Visits the fields at or below a path, and its parents.
pub(super) struct Near<'a, F, D> {
    pub(super) at: &'a str,
    pub(super) visit: F,
    /// Called with the documentation of declarations.
    pub(super) describe: D,
}

impl<F: FnMut(&Span<'_>) -> Visit, D: FnMut(&str, &'static FieldDoc)> Visitor for Near<'_, F, D> {
    fn span(&mut self, span: Span<'_>) -> Visit {
        if is_within(span.path, self.at) { (self.visit)(&span) } else { Visit::Continue }
    }

    fn enters(&mut self, path: &str) -> bool {
        is_within(path, self.at) || is_within(self.at, path)
    }

    fn describe(&mut self, path: &str, doc: &'static FieldDoc) {
        if is_within(path, self.at) {
            (self.describe)(path, doc);
        }
    }
}

impl File<'_> {
    /// Whether the bytes of the file can be traced.
    pub(super) fn has_spans(&self) -> bool {
        self.format().can(Can::Hex)
    }

    /// Visits the fields of the file. A damaged file is traced up to the damage.
    pub(super) fn trace(&self, visitor: &mut dyn Visitor) -> Result<(), Error> {
        self.format().trace(self.asset(), &self.opened.source, visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_below_another_only_at_a_step() {
        assert_eq!(below("surfaces[3].texture", "surfaces"), Some("[3].texture"));
        assert_eq!(below("surfaces[3]", "surfaces[3]"), Some(""));
        assert_eq!(below("surfaces[31]", "surfaces[3"), None);
        assert_eq!(below("surfaces_count", "surfaces"), None);
    }

    #[test]
    fn the_first_step_is_a_name_or_an_index() {
        for (rest, step) in [
            ("surfaces[3].x", "surfaces"),
            ("[3].x", "[3]"),
            (".x.y", ".x"),
            ("[3]", "[3]"),
            ("a", "a"),
            ("", ""),
            (r#"["a.b\"]"].x"#, r#"["a.b\"]"]"#),
        ] {
            assert_eq!(first_step(rest), step, "{rest:?}");
        }
    }

    #[test]
    fn truncates_a_long_value() {
        let long = short(&"x".repeat(1000));
        assert_eq!(long.chars().count(), MAX_VALUE_LENGTH + 1);
        assert!(long.ends_with('…'));
        assert_eq!(short(&12), "12");
    }
}
