//! Problems of a text.

use antiquary::script::EditedText;
use antiquary::soup::editor::Severity;
use gen_lsp_types::{Diagnostic, DiagnosticSeverity};

use crate::lsp::document::Document;
use crate::lsp::position::{Encoding, Lines};
use crate::lsp::protocol::{diagnostic, too_long};

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
