//! Problems of a text.

use antiquary::script::EditedText;
use antiquary::soup::editor::Severity;
use gen_lsp_types::{Code, Diagnostic, DiagnosticSeverity, Message, Position, Range};

use crate::lsp::document::{Document, MAX_TEXT_BYTES};
use crate::lsp::position::{Encoding, Lines};

/// The problems of a text as diagnostics of the protocol.
pub(crate) fn diagnostics(document: &Document, encoding: Encoding) -> Vec<Diagnostic> {
    if document.open.is_too_long() {
        return vec![too_long()];
    }
    let text = document.text();
    let lines = Lines::new(&text, encoding);
    let stem = document.stem();
    let found = document.scripts.editor.findings(&EditedText { stem: &stem, text: &text });
    let found = found.into_iter().map(|it| {
        let severity = match it.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
            Severity::Note => DiagnosticSeverity::Information,
        };
        diagnostic(lines.range(it.span), severity, it.code, it.message)
    });
    found.collect()
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
