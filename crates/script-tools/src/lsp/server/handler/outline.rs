//! Labels and folding ranges of a text.

use antiquary::soup::editor::{self, Fold, OutlineItem};
use gen_lsp_types::{DocumentSymbol, FoldingRange, SymbolKind};

use crate::lsp::document::Document;
use crate::lsp::position::{Encoding, Lines};

pub(super) fn symbols(document: &Document, encoding: Encoding) -> Vec<DocumentSymbol> {
    let text = document.text();
    let lines = Lines::new(&text, encoding);
    let symbol = |it: OutlineItem| {
        #[expect(deprecated, reason = "the field is required")]
        DocumentSymbol {
            name: it.name,
            detail: None,
            kind: SymbolKind::Function,
            tags: None,
            deprecated: None,
            range: lines.line_range(it.span.line, it.last_line),
            selection_range: lines.range(it.span),
            children: None,
        }
    };
    editor::outline(&text).into_iter().map(symbol).collect()
}

pub(super) fn folds(document: &Document, _encoding: Encoding) -> Vec<FoldingRange> {
    let text = document.text();
    let number = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
    let fold = |Fold { first, last }| FoldingRange {
        start_line: number(first),
        end_line: number(last),
        ..FoldingRange::default()
    };
    editor::folds(&text).into_iter().map(fold).collect()
}
