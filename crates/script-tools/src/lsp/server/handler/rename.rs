//! Renaming.

use std::collections::HashMap;
use std::sync::Arc;

use antiquary::script::{Declaration, EditedText};
use antiquary::soup::editor::Occurrence;
use gen_lsp_types::{
    PrepareRenamePlaceholder, PrepareRenameResult, RenameParams, TextDocumentPositionParams, TextEdit, Uri,
    WorkspaceEdit,
};
use lsp_server::ErrorCode;

use super::document;
use super::reference::related_texts;
use crate::lsp::document::Document;
use crate::lsp::position::Lines;
use crate::lsp::protocol::RequestError;
use crate::lsp::server::Server;

/// Checks whether a name may be renamed.
fn renamed(
    server: &Server<'_>,
    document: &Document,
    at: &TextDocumentPositionParams,
    new_name: Option<&str>,
) -> Result<Occurrence, RequestError> {
    let text = document.text();
    let lines = Lines::new(&text, server.encoding);
    let stem = document.stem();
    let edited = EditedText { stem: &stem, text: &text };
    let renamed = document.scripts.editor.rename(&edited, lines.text_position(at.position), new_name);
    renamed.map_err(|why| RequestError::new(ErrorCode::RequestFailed, why.to_string()))
}

pub(super) fn prepare(
    server: &Server<'_>,
    document: &Document,
    at: &TextDocumentPositionParams,
) -> Result<PrepareRenameResult, RequestError> {
    let it = renamed(server, document, at, None)?;
    let range = Lines::new(&document.text(), server.encoding).range(it.span);
    Ok(PrepareRenameResult::PrepareRenamePlaceholder(PrepareRenamePlaceholder {
        range,
        placeholder: it.name,
    }))
}

pub(super) fn rename(server: &mut Server<'_>, given: RenameParams) -> Result<WorkspaceEdit, RequestError> {
    let at = given.text_document_position_params;
    let current = document(server, &at.text_document.uri.0)?;
    let it = renamed(server, current, &at, Some(&given.new_name))?;
    let scripts = Arc::clone(&current.scripts);
    let mut texts = related_texts(server, current);
    if it.kind.is_local() {
        texts.truncate(1);
    }
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for related in texts {
        let lines = Lines::new(&related.text, server.encoding);
        let names = scripts.editor.names(&related.text).into_iter();
        let edits: Vec<TextEdit> = names
            .filter(|other| other.kind == it.kind && other.name == it.name)
            .map(|other| TextEdit { range: lines.range(other.span), new_text: given.new_name.clone() })
            .collect();
        if !edits.is_empty() {
            changes.insert(Uri::from(related.uri), edits);
        }
    }
    let declared = scripts.editor.declaration(it.kind, &it.name).filter(|_| !it.kind.is_local());
    if let Some(Declaration::File { name, span, .. }) = declared {
        let line = span.line.saturating_add(1);
        let note = format!(
            "{} is now {} in these texts; also rename it on line {line} of {name}, or the texts cannot be assembled",
            it.name, given.new_name
        );
        server.workspace.notes.push(note);
    }
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}
