//! The labels of a text, and what can be folded.

use gen_lsp_types::{DocumentSymbol, FoldingRange, SymbolKind};

use crate::lsp::document::Document;
use crate::lsp::position::{Encoding, Lines};

pub(super) fn symbols(document: &Document, encoding: Encoding) -> Vec<DocumentSymbol> {
    let text = document.text();
    let lines = Lines::new(&text, encoding);
    let parts = document.scripts.editor.outline(&text);
    let symbol = |it: antiquary::asset::script::editor::OutlinePart| {
        #[expect(deprecated, reason = "the field has to be there")]
        DocumentSymbol {
            name: it.name,
            detail: None,
            kind: SymbolKind::Function,
            tags: None,
            deprecated: None,
            range: lines.whole(it.range.line, it.last_line),
            selection_range: lines.range(it.range),
            children: None,
        }
    };
    parts.into_iter().map(symbol).collect()
}

pub(super) fn folds(document: &Document, _encoding: Encoding) -> Vec<FoldingRange> {
    let text = document.text();
    let number = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
    let fold = |(first, last)| FoldingRange {
        start_line: number(first),
        end_line: number(last),
        ..FoldingRange::default()
    };
    document.scripts.editor.folds(&text).into_iter().map(fold).collect()
}
