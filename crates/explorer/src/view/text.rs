//! Texts: products of files, and text files.

use antiquary::asset::{Charset, ProductKind};
use antiquary::scene::Product;
use antiquary::{Error, Options, Report, Source, script};
use serde::Serialize;

use super::charset::{self, Decoded};
use crate::entry::Entry;
use crate::file::File;
use crate::query::Query;
use crate::{Fault, Response};

/// Parameters of a view of a text; all others are options of the format.
const OWN: &[&str] = &["kind", "item", "charset"];

/// Maximum number of bytes shown of a text.
const MAX_TEXT_LENGTH: usize = 4 << 20;
/// Number of bytes checked to recognize a text file.
const HEAD: u64 = 4096;

#[derive(Serialize)]
struct Text<'a> {
    language: &'static str,
    text: &'a str,
    /// Offset of the start of each line in the file, if its bytes are fields; otherwise null.
    lines: Option<Vec<usize>>,
    /// Character set of the file; null for a product.
    charset: Option<String>,
    truncated: bool,
}

impl<'a> Text<'a> {
    fn new(language: &'static str, text: &'a str) -> Self {
        let end =
            (0..=MAX_TEXT_LENGTH.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        let shown = text.get(..end).unwrap_or(text);
        Self { language, text: shown, lines: None, charset: None, truncated: end < text.len() }
    }
}

/// Whether a file is a text: it has no control characters except line ends and tabs, or starts with a UTF-16 byte order
/// mark.
pub(crate) fn is_text(source: &Source) -> Result<bool, Error> {
    let head = source.head(HEAD)?;
    let allowed = |byte: &u8| *byte >= 0x20 || matches!(byte, b'\n' | b'\r' | b'\t' | 0x1a);
    Ok(charset::is_utf_16(&head) || (!head.is_empty() && head.iter().all(allowed)))
}

/// Returns the text product of a file, or the file if it is a text.
pub(super) fn show(file: &File<'_>, query: &Query) -> Result<Response, Fault> {
    if !file.format().makes(ProductKind::Text) {
        return text_file(&file.entry, query, file.has_spans());
    }
    let options = file.options(query, OWN)?;
    let item = query.number("item")?.unwrap_or(0);
    let made =
        file.with_item(ProductKind::Text, item, &options, &mut Report::new(), |product, _| match product {
            Product::Text(text) => Ok(text),
            _ => Err(Error::usage("not a text")),
        });
    Response::json(&Text::new(language(file), &made?))
}

/// Returns the language of a text product: the script language of its game, if there is one.
fn language(file: &File<'_>) -> &'static str {
    let game = file.entry.root.game.filter(|game| file.format().game == Some(game.id));
    let has_scripts = |id| script::FORMAT.game == Some(id);
    if game.is_some_and(|game| has_scripts(game.id)) { script::EXTENSION } else { "plain" }
}

/// Returns a text file without a known format.
pub(super) fn raw(entry: &Entry<'_>, query: &Query) -> Result<Response, Fault> {
    text_file(entry, query, false)
}

/// Returns the offsets of line starts, for every kind of line end.
fn line_starts(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().zip(1_usize..).filter(|(byte, next)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(*next) != Some(&b'\n'),
        _ => false,
    });
    std::iter::once(0).chain(ends.map(|(_, next)| next)).collect()
}

/// Returns a text file, and the starts of its lines if its bytes are fields.
fn text_file(entry: &Entry<'_>, query: &Query, has_spans: bool) -> Result<Response, Fault> {
    let source = entry.source()?;
    let most = MAX_TEXT_LENGTH as u64 + 1;
    let head = source.head(most)?;
    let game = entry.root.game.map_or(Charset::Windows1252, |game| game.charset);
    let asked = query.get("charset");
    let unknown = || Fault::request(format!("unknown character set {:?}", asked.unwrap_or_default()));
    let Decoded { text, charset } = charset::decode(&head, asked, game).ok_or_else(unknown)?;
    let extension = entry.name().rsplit('.').next().unwrap_or_default().to_lowercase();
    let language = match extension.as_str() {
        "ini" | "cfg" => "ini",
        "json" | "gltf" => "json",
        script::EXTENSION => script::EXTENSION,
        _ => "plain",
    };
    let mut text = Text::new(language, &text);
    text.truncated |= source.len() >= most;
    text.charset = Some(charset);
    text.lines = has_spans.then(|| line_starts(&head));
    Response::json(&text)
}

#[derive(Serialize)]
struct DataText<'a> {
    text: &'a str,
    truncated: bool,
}

/// Returns the structured data of a file as JSON.
pub(super) fn data(file: &File<'_>, query: &Query) -> Result<Response, Fault> {
    let options: Options = file.options(query, OWN)?;
    let item = query.number("item")?.unwrap_or(0);
    let made =
        file.with_item(ProductKind::Data, item, &options, &mut Report::new(), |product, _| match product {
            Product::Data(data) => data.to_json(),
            _ => Err(Error::usage("not data")),
        });
    let json = made?;
    let text = String::from_utf8_lossy(&json);
    let Text { text, truncated, .. } = Text::new("json", &text);
    Response::json(&DataText { text, truncated })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_start_after_every_kind_of_line_end() {
        assert_eq!(line_starts(b"a\r\nb\nc\rd\r\n"), [0, 3, 5, 7, 10]);
        assert_eq!(line_starts(b""), [0]);
    }
}
