//! Semantic tokens: the names of a text by kind, for highlighting.

use antiquary::soup::editor::{Access, NameKind};
use gen_lsp_types::{SemanticToken, SemanticTokens};

use crate::lsp::document::Document;
use crate::lsp::position::{Encoding, Lines};

/// Token types, by index.
pub(super) const TYPES: [&str; 7] =
    ["keyword", "label", "variable", "function", "property", "string", "enumMember"];

/// Token modifiers, by bit.
pub(super) const MODIFIERS: [&str; 3] = ["declaration", "modification", "static"];

const fn type_of(kind: NameKind) -> u32 {
    match kind {
        NameKind::Keyword => 0,
        NameKind::Label => 1,
        NameKind::Local | NameKind::Flag => 2,
        NameKind::Function => 3,
        NameKind::Property => 4,
        NameKind::Text | NameKind::Line => 5,
        NameKind::Attribute | NameKind::AnimationGroup | NameKind::Item | NameKind::Map => 6,
    }
}

pub(super) fn tokens(document: &Document, encoding: Encoding) -> SemanticTokens {
    let text = document.text();
    let lines = Lines::new(&text, encoding);
    let (mut line, mut start) = (0_u32, 0_u32);
    let mut data = Vec::new();
    for it in document.scripts.editor.names(&text) {
        let range = lines.range(it.span);
        let access = match it.access {
            Access::Declared => 1,
            Access::Read => 0,
            Access::Written => 2,
        };
        let is_shared = if it.kind == NameKind::Flag { 4 } else { 0 };
        if range.start.line != line {
            start = 0;
        }
        data.push(SemanticToken {
            delta_line: range.start.line.saturating_sub(line),
            delta_start: range.start.character.saturating_sub(start),
            length: range.end.character.saturating_sub(range.start.character),
            token_type: type_of(it.kind),
            token_modifiers_bitset: access | is_shared,
        });
        (line, start) = (range.start.line, range.start.character);
    }
    SemanticTokens { result_id: None, data }
}
