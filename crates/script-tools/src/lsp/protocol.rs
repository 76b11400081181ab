//! Messages of the protocol that scripts and settings files share.

use antiquary::Error;
use gen_lsp_types::{Code, Diagnostic, DiagnosticSeverity, Message, Position, Range};
use lsp_server::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::lsp::document::MAX_TEXT_BYTES;

/// The error of a failed request.
#[derive(Debug)]
pub(crate) struct RequestError {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

impl RequestError {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl From<Error> for RequestError {
    fn from(error: Error) -> Self {
        Self::new(ErrorCode::RequestFailed, error.to_string())
    }
}

impl From<serde_json::Error> for RequestError {
    fn from(error: serde_json::Error) -> Self {
        Self::new(ErrorCode::InvalidParams, error.to_string())
    }
}

/// Parses the parameters of a request.
pub(crate) fn params<T: DeserializeOwned>(value: Value) -> Result<T, RequestError> {
    Ok(serde_json::from_value(value)?)
}

pub(crate) fn value(result: impl Serialize) -> Result<Value, RequestError> {
    Ok(serde_json::to_value(result)?)
}

/// The problem of a text that is too long to be checked.
pub(crate) fn too_long() -> Diagnostic {
    let message = format!("the text is longer than {MAX_TEXT_BYTES} bytes and was not checked");
    let start = Position { line: 0, character: 0 };
    diagnostic(Range { start, end: start }, DiagnosticSeverity::Information, "too_long", message)
}

/// A problem as a diagnostic of the protocol.
pub(crate) fn diagnostic(
    range: Range,
    severity: DiagnosticSeverity,
    code: &str,
    message: String,
) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        code: Some(Code::String(code.to_owned())),
        code_description: None,
        source: Some("antiquary".to_owned()),
        message: Message::String(message),
        tags: None,
        related_information: None,
        data: None,
    }
}

/// Escapes plain text as Markdown. Text between backticks remains code.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_code = false;
    for letter in text.chars() {
        is_code ^= letter == '`';
        if !is_code && matches!(letter, '\\' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|') {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
