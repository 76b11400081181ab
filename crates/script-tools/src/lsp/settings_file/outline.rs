//! Sections and folding ranges of a settings file.

use antiquary::media::ini::LineContent;
use antiquary::soup::editor::Span;
use gen_lsp_types::{DocumentSymbol, FoldingRange, SymbolKind};

use super::line::Line;
use crate::lsp::document::OpenText;
use crate::lsp::position::{Encoding, Lines};

/// A section of a file.
struct Section<'a> {
    name: &'a str,
    /// Range of the name.
    span: Span,
    /// Last line with content.
    last: usize,
}

pub(super) fn symbols(open: &OpenText, encoding: Encoding) -> Vec<DocumentSymbol> {
    let text = open.text();
    let lines = Lines::new(&text, encoding);
    let symbol = |it: Section<'_>| {
        #[expect(deprecated, reason = "the field is required")]
        DocumentSymbol {
            // Names must not be empty.
            name: if it.name.is_empty() { "[]".to_owned() } else { it.name.to_owned() },
            detail: None,
            kind: SymbolKind::Namespace,
            tags: None,
            deprecated: None,
            range: lines.line_range(it.span.line, it.last),
            selection_range: lines.range(it.span),
            children: None,
        }
    };
    sections(&text).into_iter().map(symbol).collect()
}

pub(super) fn folds(open: &OpenText) -> Vec<FoldingRange> {
    let number = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
    let fold = |it: Section<'_>| FoldingRange {
        start_line: number(it.span.line),
        end_line: number(it.last),
        ..FoldingRange::default()
    };
    sections(&open.text()).into_iter().filter(|it| it.last > it.span.line).map(fold).collect()
}

fn sections(text: &str) -> Vec<Section<'_>> {
    let mut out: Vec<Section<'_>> = Vec::new();
    for (number, text) in text.lines().enumerate() {
        let line = Line::new(text);
        if let LineContent::Section(name) = &line.content {
            let span = Span { line: number, start: line.column(name.start), end: line.column(name.end) };
            out.push(Section { name: line.part(name), span, last: number });
        } else if let Some(section) = out.last_mut().filter(|_| !line.code.is_empty()) {
            section.last = number;
        }
    }
    out
}
