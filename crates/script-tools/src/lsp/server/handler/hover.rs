//! Information about a name, and about the parameters of a call.

use antiquary::script::{EXTENSION, EditedText};
use gen_lsp_types::{
    Contents, Hover, MarkupContent, MarkupKind, ParameterInformation, ParameterInformationLabel,
    SignatureHelp, SignatureInformation, TextDocumentPositionParams,
};

use crate::lsp::document::Document;
use crate::lsp::position::Lines;
use crate::lsp::protocol::{RequestError, escaped};
use crate::lsp::server::Server;

pub(super) fn hover(
    server: &Server<'_>,
    document: &Document,
    at: &TextDocumentPositionParams,
) -> Result<Option<Hover>, RequestError> {
    let text = document.text();
    let lines = Lines::new(&text, server.encoding);
    let stem = document.stem();
    let edited = EditedText { stem: &stem, text: &text };
    let found = document.scripts.editor.hover(&edited, lines.text_position(at.position));
    Ok(found.map(|it| {
        let mut value = String::new();
        if !it.declaration.is_empty() {
            value.push_str(&format!("```{EXTENSION}\n{}\n```\n\n", it.declaration));
        }
        value.push_str(&it.about.lines().map(escaped).collect::<Vec<_>>().join("\n\n"));
        let contents = Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
        Hover { contents, range: Some(lines.range(it.span)) }
    }))
}

pub(super) fn signature(
    server: &Server<'_>,
    document: &Document,
    at: &TextDocumentPositionParams,
) -> Result<Option<SignatureHelp>, RequestError> {
    let text = document.text();
    let lines = Lines::new(&text, server.encoding);
    let stem = document.stem();
    let edited = EditedText { stem: &stem, text: &text };
    let found = document.scripts.editor.signature(&edited, lines.text_position(at.position));
    Ok(found.map(|it| {
        let parameter = |label: String| ParameterInformation {
            label: ParameterInformationLabel::String(label),
            documentation: None,
        };
        let active = u32::try_from(it.active).unwrap_or(u32::MAX);
        let signature = SignatureInformation {
            label: it.label,
            documentation: Some(it.about).filter(|it| !it.is_empty()).map(Into::into),
            parameters: Some(it.parameters.into_iter().map(parameter).collect()),
            active_parameter: Some(active.into()),
        };
        SignatureHelp {
            signatures: vec![signature],
            active_signature: Some(0),
            active_parameter: Some(active.into()),
        }
    }))
}
