//! Completions at a position.

use antiquary::script::EditedText;
use antiquary::soup::editor::NameKind;
use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, InsertTextFormat, TextDocumentPositionParams,
    TextEdit,
};

use crate::lsp::document::Document;
use crate::lsp::position::Lines;
use crate::lsp::protocol::RequestError;
use crate::lsp::server::Server;

pub(super) fn complete(
    server: &Server<'_>,
    document: &Document,
    at: &TextDocumentPositionParams,
) -> Result<Option<CompletionList>, RequestError> {
    let text = document.text();
    let lines = Lines::new(&text, server.encoding);
    let stem = document.stem();
    let edited = EditedText { stem: &stem, text: &text };
    let Some(found) = document.scripts.editor.complete(&edited, lines.text_position(at.position)) else {
        return Ok(None);
    };
    let range = lines.range(found.span);
    // The following text may already be the parentheses of a call.
    let line: String =
        text.lines().nth(found.span.line).unwrap_or_default().chars().skip(found.span.end).collect();
    let is_called = line.trim_start().starts_with('(');
    let items = found.items.into_iter().map(|it| {
        let is_snippet = server.snippets && it.kind == NameKind::Function && !is_called;
        let has_parameters = !it.detail.ends_with("()");
        let new_text = match (is_snippet, has_parameters) {
            (true, true) => format!("{}($0)", it.text),
            (true, false) => format!("{}()$0", it.text),
            (false, _) => it.text.clone(),
        };
        // Lines of dialogue can also be found by their spoken text.
        let filter_text = (it.kind == NameKind::Line).then(|| format!("{} {}", it.text, it.detail));
        CompletionItem {
            label: it.text,
            filter_text,
            kind: Some(kind_of(it.kind)),
            detail: Some(it.detail).filter(|it| !it.is_empty()),
            insert_text_format: is_snippet.then_some(InsertTextFormat::Snippet),
            text_edit: Some(TextEdit { range, new_text }.into()),
            ..CompletionItem::default()
        }
    });
    Ok(Some(CompletionList {
        is_incomplete: found.is_truncated,
        items: items.collect(),
        ..CompletionList::default()
    }))
}

const fn kind_of(kind: NameKind) -> CompletionItemKind {
    match kind {
        NameKind::Keyword => CompletionItemKind::Keyword,
        NameKind::Label => CompletionItemKind::Reference,
        NameKind::Local | NameKind::Flag => CompletionItemKind::Variable,
        NameKind::Function => CompletionItemKind::Function,
        NameKind::Property => CompletionItemKind::Property,
        NameKind::Text | NameKind::Line => CompletionItemKind::Text,
        NameKind::Attribute | NameKind::AnimationGroup | NameKind::Item | NameKind::Map => {
            CompletionItemKind::Constant
        }
    }
}
