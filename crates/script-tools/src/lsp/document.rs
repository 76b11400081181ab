//! Open texts.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use gen_lsp_types::{Position, TextDocumentContentChangeEvent};

use crate::lsp::position::Encoding;
use crate::lsp::workspace::Scripts;

/// Maximum size of a text, in bytes; longer ones are not checked. No script and no settings file is that long.
pub(crate) const MAX_TEXT_BYTES: usize = 4 << 20;

/// An open script text.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) open: OpenText,
    /// The scripts that the text belongs to.
    pub(crate) scripts: Arc<Scripts>,
}

impl Document {
    /// The text to process; see [`OpenText::text`].
    pub(crate) fn text(&self) -> Cow<'_, str> {
        self.open.text()
    }

    /// File name without folders and extension.
    pub(crate) fn stem(&self) -> String {
        let stem = self.open.path.as_ref().and_then(|path| path.file_stem());
        stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
    }
}

/// An open text.
#[derive(Debug)]
pub(crate) struct OpenText {
    /// URI as spelled by the client.
    pub(crate) uri: String,
    pub(crate) path: Option<PathBuf>,
    pub(crate) version: i32,
    text: String,
}

impl OpenText {
    pub(crate) fn new(uri: String, path: Option<PathBuf>, version: i32, text: String) -> Self {
        Self { uri, path, version, text }
    }

    /// The text to process; empty if it is too long. Lone carriage returns, which end lines for clients, are replaced by line feeds.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        if self.is_too_long() {
            return Cow::Borrowed("");
        }
        with_line_feeds(&self.text)
    }

    pub(crate) fn is_too_long(&self) -> bool {
        self.text.len() > MAX_TEXT_BYTES
    }

    /// File name without folders; empty if there is none.
    pub(crate) fn file_name(&self) -> String {
        let name = self.path.as_ref().and_then(|path| path.file_name());
        name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// Applies the changes of the client.
    pub(crate) fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        self.version = version;
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(it) => {
                    self.text = it.text;
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(it) => {
                    let start = offset(&self.text, it.range.start, encoding);
                    let end = offset(&self.text, it.range.end, encoding).max(start);
                    self.text.replace_range(start..end, &it.text);
                }
            }
        }
    }
}

fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let mut letters = text.chars().peekable();
    let mut is_lone = false;
    while let Some(letter) = letters.next() {
        is_lone |= letter == '\r' && letters.peek() != Some(&'\n');
    }
    if !is_lone {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_lone = letter == '\r' && letters.peek() != Some(&'\n');
        out.push(if is_lone { '\n' } else { letter });
    }
    Cow::Owned(out)
}

/// The byte offset of a position; the end of the text if the position is after it.
fn offset(text: &str, at: Position, encoding: Encoding) -> usize {
    let (mut start, mut line) = (0_usize, 0_u32);
    let mut bytes = text.bytes().enumerate().peekable();
    while line < at.line {
        let Some((index, byte)) = bytes.next() else { return text.len() };
        let is_end = match byte {
            b'\n' => true,
            b'\r' => bytes.peek().is_none_or(|(_, next)| *next != b'\n'),
            _ => false,
        };
        if is_end {
            line = line.saturating_add(1);
            start = index.saturating_add(1);
        }
    }
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.find(['\r', '\n']).unwrap_or(rest.len());
    let code = rest.get(..end).unwrap_or_default();
    let count = encoding.characters(code, at.character);
    let inside = code.char_indices().nth(count).map_or(end, |(at, _)| at);
    start.saturating_add(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_positions_with_all_line_endings() {
        let text = "ä\r\nb\rc\n\nd";
        let table = [
            ((0, 0), 0),
            ((0, 1), 2),
            ((0, 9), 2),
            ((1, 0), 4),
            ((1, 1), 5),
            ((2, 1), 7),
            ((3, 0), 8),
            ((4, 1), 10),
            ((9, 9), 10),
        ];
        for ((line, character), expected) in table {
            let found = offset(text, Position { line, character }, Encoding::Utf16);
            assert_eq!(found, expected, "{line}:{character}");
        }
        assert_eq!(with_line_feeds(text), "ä\r\nb\nc\n\nd");
        assert!(matches!(with_line_feeds("a\r\nb"), Cow::Borrowed(_)));
    }
}
