//! Settings files: diagnostics, completions, hover texts and an outline, from the declarations of their format.

pub(crate) mod check;
mod completion;
mod hover;
mod line;
mod outline;
#[cfg(test)]
mod tests;

use antiquary::asset::SettingDoc;
use antiquary::{Error, Format, Game, Opened, Source, formats};
use gen_lsp_types::TextDocumentPositionParams;
use serde_json::Value;

use crate::lsp::document::OpenText;
use crate::lsp::position::Encoding;
use crate::lsp::protocol::{RequestError, params, value};

/// Whether a text has the extension of a format with documented settings.
pub(crate) fn is_settings_file(open: &OpenText) -> bool {
    let name = open.file_name().to_lowercase();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let mut with_settings = formats().filter(|format| format.settings.is_some());
    extension.is_some_and(|extension| with_settings.any(|format| format.extensions.contains(&extension)))
}

/// Handles a request about a settings file. The result of an unsupported request is null.
pub(crate) fn handle(
    open: &OpenText,
    method: &str,
    given: Value,
    encoding: Encoding,
    snippets: bool,
) -> Result<Value, RequestError> {
    match method {
        "textDocument/completion" => {
            let given: TextDocumentPositionParams = params(given)?;
            value(completion::complete(open, given.position, encoding, snippets))
        }
        "textDocument/hover" => {
            let given: TextDocumentPositionParams = params(given)?;
            value(hover::hover(open, given.position, encoding))
        }
        "textDocument/documentSymbol" => value(outline::symbols(open, encoding)),
        "textDocument/foldingRange" => value(outline::folds(open)),
        _ => Ok(Value::Null),
    }
}

/// The format of a settings file; `None` if it is not recognized as one.
fn format_of(name: &str, text: &str) -> Option<&'static Format> {
    // Formats are recognized by names of sections and keys, which are ASCII.
    let source = Source::from(text.as_bytes().to_vec());
    let format = antiquary::detect(&source, Some(name)).ok()??.format;
    format.settings.map(|_| format)
}

/// Opens a file as the only one of a game in memory. Its name helps to recognize it.
fn open_alone(name: &str, bytes: Vec<u8>) -> Result<Opened, Error> {
    Game::from_files([(name, Source::from(bytes))])?.file(name)
}

/// The declared keys of a settings file; empty if it is not recognized.
fn declared_keys(open: &OpenText) -> Vec<SettingDoc> {
    let (name, text) = (open.file_name(), open.text());
    let Some(settings) = format_of(&name, &text).and_then(|format| format.settings) else {
        return Vec::new();
    };
    let mut bytes = text.as_bytes().to_vec();
    // An empty file cannot be opened.
    bytes.push(b'\n');
    let Ok(opened) = open_alone(&name, bytes) else { return Vec::new() };
    let mut description = opened.asset.describe(antiquary::Detail::Brief);
    opened.asset.describe_in_game(&opened.context(), &mut description);
    settings().into_iter().filter(|key| key.dialect == description.dialect).collect()
}

/// The keys of a section.
fn keys_of<'a>(keys: &'a [SettingDoc], section: &str) -> impl Iterator<Item = &'a SettingDoc> {
    keys.iter().filter(move |key| key.is_in(section))
}

/// The numbers of a key with names, as `0 off, 1 on`, or else its valid numbers.
fn values_of(key: &SettingDoc) -> String {
    if key.names.is_empty() {
        return key.valid.clone();
    }
    let named = key.names.iter().enumerate().map(|(number, name)| format!("{number} {name}"));
    named.collect::<Vec<_>>().join(", ")
}
