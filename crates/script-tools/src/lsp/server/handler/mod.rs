//! Request handlers.

mod completion;
mod format;
mod hover;
mod outline;
pub(super) mod problem;
mod reference;
mod rename;
mod token;

use gen_lsp_types::{
    CompletionOptions, Full, InitializeResult, RenameOptions, SemanticTokensLegend, SemanticTokensOptions,
    ServerCapabilities, ServerInfo, SignatureHelpOptions, TextDocumentPositionParams, TextDocumentSyncKind,
    TextDocumentSyncOptions,
};
use lsp_server::ErrorCode;
use serde::Serialize;
use serde_json::{Value, json};

use crate::lsp::document::Document;
use crate::lsp::position::Encoding;
use crate::lsp::protocol::{RequestError, params, value};
use crate::lsp::server::Server;
use crate::lsp::settings_file;
use crate::lsp::uri;

/// The capabilities of the server.
pub(crate) fn capabilities(encoding: Encoding) -> Value {
    let words = |words: &[&str]| Some(words.iter().map(|it| (*it).to_owned()).collect());
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: Some(true.into()),
        ..TextDocumentSyncOptions::default()
    };
    let capabilities = ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(sync.into()),
        completion_provider: Some(CompletionOptions {
            trigger_characters: words(&[".", "#", "'", "\"", "[", "="]),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(true.into()),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: words(&["(", ","]),
            ..SignatureHelpOptions::default()
        }),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        document_formatting_provider: Some(true.into()),
        folding_range_provider: Some(true.into()),
        rename_provider: Some(
            RenameOptions { prepare_provider: Some(true), ..RenameOptions::default() }.into(),
        ),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: token::TYPES.map(str::to_owned).into(),
                    token_modifiers: token::MODIFIERS.map(str::to_owned).into(),
                },
                full: Some(Full::Bool(true)),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        ..ServerCapabilities::default()
    };
    let server =
        ServerInfo { name: "antiquary".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
    json!(InitializeResult { capabilities, server_info: Some(server) })
}

/// Handles a request.
pub(crate) fn handle(server: &mut Server<'_>, method: &str, given: Value) -> Result<Value, RequestError> {
    let uri = given.pointer("/textDocument/uri").and_then(Value::as_str);
    if let Some(open) = uri.and_then(|uri| server.settings_files.get(&uri::normalized(uri))) {
        return settings_file::handle(open, method, given, server.encoding, server.snippets);
    }
    match method {
        "textDocument/completion" if is_triggered_by(&given, SETTINGS_TRIGGERS) => Ok(Value::Null),
        "textDocument/completion" => at(server, given, completion::complete),
        "textDocument/hover" => at(server, given, hover::hover),
        "textDocument/signatureHelp" => at(server, given, hover::signature),
        "textDocument/documentHighlight" => at(server, given, reference::highlights),
        "textDocument/prepareRename" => at(server, given, rename::prepare),
        "textDocument/definition" => value(reference::definition(server, &params(given)?)?),
        "textDocument/references" => value(reference::references(server, params(given)?)?),
        "textDocument/rename" => value(rename::rename(server, params(given)?)?),
        "textDocument/documentSymbol" => of(server, &given, outline::symbols),
        "textDocument/foldingRange" => of(server, &given, outline::folds),
        "textDocument/formatting" => of(server, &given, format::edits),
        "textDocument/semanticTokens/full" => of(server, &given, token::tokens),
        _ => Err(RequestError::new(ErrorCode::MethodNotFound, format!("unknown method {method}"))),
    }
}

/// Characters that request completions in settings files, but not in scripts.
const SETTINGS_TRIGGERS: [&str; 2] = ["[", "="];

/// Whether completions were requested because one of these characters was typed.
fn is_triggered_by(given: &Value, characters: [&str; 2]) -> bool {
    let typed = given.pointer("/context/triggerCharacter").and_then(Value::as_str);
    typed.is_some_and(|typed| characters.contains(&typed))
}

/// Handles a request about a position in an open text.
fn at<T: Serialize>(
    server: &mut Server<'_>,
    given: Value,
    handler: fn(&Server<'_>, &Document, &TextDocumentPositionParams) -> Result<T, RequestError>,
) -> Result<Value, RequestError> {
    let given: TextDocumentPositionParams = params(given)?;
    value(handler(server, document(server, &given.text_document.uri.0)?, &given)?)
}

/// Handles a request about an open text.
fn of<T: Serialize>(
    server: &mut Server<'_>,
    given: &Value,
    handler: fn(&Document, Encoding) -> T,
) -> Result<Value, RequestError> {
    let uri = given.pointer("/textDocument/uri").and_then(Value::as_str);
    let uri = uri.ok_or_else(|| RequestError::new(ErrorCode::InvalidParams, "expected textDocument.uri"))?;
    value(handler(document(server, uri)?, server.encoding))
}

fn document<'a>(server: &'a Server<'_>, uri: &str) -> Result<&'a Document, RequestError> {
    let not_open = || RequestError::new(ErrorCode::InvalidParams, format!("{uri} is not open"));
    server.documents.get(&uri::normalized(uri)).ok_or_else(not_open)
}
