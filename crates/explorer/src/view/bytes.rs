//! Bytes of a file, with the fields that they contain.

use antiquary::asset::{Span, Visit};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::span::Field;
use crate::entry::Entry;
use crate::query::Query;
use crate::{Explorer, Fault, Response};

/// Maximum number of bytes in an answer.
pub(crate) const BYTES: u64 = 64 << 10;
/// Maximum number of fields in an answer: one per byte.
const MAX_FIELDS: usize = 64 << 10;

#[derive(Serialize)]
struct Window {
    total: u64,
    from: u64,
    bytes: String,
    spans: Vec<Field>,
    truncated: bool,
}

impl Explorer {
    pub(super) fn bytes_view(&self, entry: &Entry<'_>, query: &Query) -> Result<Response, Fault> {
        let source = entry.source()?;
        let total = source.len();
        let (from, count) = query.range(BYTES, 0)?;
        let from = from.min(total);
        let end = from.saturating_add(count).min(total);
        let bytes = STANDARD.encode(source.read(from..end)?);
        let mut spans = Vec::new();
        // A file that cannot be opened still has bytes.
        if self.format_of(entry).is_some()
            && let Ok(file) = self.file(entry.clone())
            && file.has_spans()
        {
            let _ = file.trace(&mut |span: Span<'_>| {
                if span.start < end && from < span.end {
                    spans.push(Field::of(&span));
                }
                if spans.len() > MAX_FIELDS { Visit::Stop } else { Visit::Continue }
            });
        }
        let truncated = spans.len() > MAX_FIELDS;
        spans.truncate(MAX_FIELDS);
        spans.sort_by_key(|span| (span.start, span.end));
        if !truncated {
            spans = with_gaps(spans, from, end);
        }
        Response::json(&Window { total, from, bytes, spans, truncated })
    }
}

/// Adds a gap between fields for bytes without a field.
fn with_gaps(spans: Vec<Field>, from: u64, end: u64) -> Vec<Field> {
    let mut out = Vec::with_capacity(spans.len());
    let mut at = from;
    let gap = |start: u64, end: u64| Field { start, end, path: String::new(), value: String::new() };
    for span in spans {
        if span.start > at {
            out.push(gap(at, span.start));
        }
        at = at.max(span.end);
        out.push(span);
    }
    if at < end {
        out.push(gap(at, end));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_gaps_for_bytes_without_a_field() {
        let field = |start, end| Field { start, end, path: "a".into(), value: String::new() };
        let filled = with_gaps(vec![field(2, 4), field(6, 12)], 0, 16);
        let found: Vec<_> =
            filled.iter().map(|field| (field.start, field.end, field.path.as_str())).collect();
        assert_eq!(found, [(0, 2, ""), (2, 4, "a"), (4, 6, ""), (6, 12, "a"), (12, 16, "")]);
    }
}
