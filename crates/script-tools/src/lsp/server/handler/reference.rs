//! Declarations and references of names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use antiquary::Source;
use antiquary::files::disk;
use antiquary::script::{Declaration, EXTENSION, EditedText, is_text};
use antiquary::soup::editor::{Access, NameKind, Occurrence, Span};
use gen_lsp_types::{
    DefinitionParams, DocumentHighlight, DocumentHighlightKind, Location, ReferenceParams,
    TextDocumentPositionParams, Uri,
};

use super::document;
use crate::lsp::document::{Document, MAX_TEXT_BYTES};
use crate::lsp::position::{Encoding, Lines};
use crate::lsp::protocol::RequestError;
use crate::lsp::server::Server;
use crate::lsp::uri::{normalized, uri_of};
use crate::lsp::workspace::{Origin, Scripts};

/// Maximum number of texts read from a folder.
const MAX_TEXTS: usize = 4096;

/// A text that is open, or in the same folder as an open one.
pub(super) struct RelatedText {
    pub(super) uri: String,
    pub(super) stem: String,
    pub(super) text: String,
}

impl RelatedText {
    pub(super) fn edited(&self) -> EditedText<'_> {
        EditedText { stem: &self.stem, text: &self.text }
    }
}

/// The text itself, the texts in its folder, and the open texts of the same origin.
pub(super) fn related_texts(server: &Server<'_>, document: &Document) -> Vec<RelatedText> {
    let of_document = |it: &Document| RelatedText {
        uri: it.open.uri.clone(),
        stem: it.stem(),
        text: it.text().into_owned(),
    };
    let mut out = vec![of_document(document)];
    let mut known: BTreeSet<String> = BTreeSet::from([normalized(&document.open.uri)]);
    for (key, it) in &server.documents {
        if it.scripts.origin == document.scripts.origin && known.insert(key.clone()) {
            out.push(of_document(it));
        }
    }
    let is_library = document.open.path.as_ref().is_some_and(|path| server.library.has(path));
    let folder = document.open.path.as_deref().and_then(Path::parent).filter(|_| !is_library);
    for file in folder.map(texts_in).unwrap_or_default() {
        let uri = uri_of(&file);
        if !is_text(&file) || !known.insert(uri.clone()) {
            continue;
        }
        if let Some(text) = text_of(&file) {
            let stem = file.file_stem().map_or_else(String::new, |it| it.to_string_lossy().into_owned());
            out.push(RelatedText { uri, stem, text });
        }
    }
    out
}

/// The files of a folder, sorted.
fn texts_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = disk::entries(folder) else { return Vec::new() };
    let mut out: Vec<PathBuf> =
        entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| disk::is_file(path)).collect();
    out.sort();
    out.truncate(MAX_TEXTS);
    out
}

/// Reads a text from disk; `None` if it is too long or not UTF-8.
fn text_of(file: &Path) -> Option<String> {
    let source: Source = disk::open(file).ok()?;
    let is_short = usize::try_from(source.len()).is_ok_and(|length| length <= MAX_TEXT_BYTES);
    String::from_utf8(is_short.then(|| source.read_all())?.ok()?.into_owned()).ok()
}

fn location(uri: String, text: &str, span: Span, encoding: Encoding) -> Location {
    Location { uri: Uri::from(uri), range: Lines::new(text, encoding).range(span) }
}

/// The name at a position.
fn name_at(document: &Document, at: &TextDocumentPositionParams, encoding: Encoding) -> Option<Occurrence> {
    let text = document.text();
    let lines = Lines::new(&text, encoding);
    document.scripts.editor.name_at(&text, lines.text_position(at.position))
}

pub(super) fn definition(
    server: &mut Server<'_>,
    given: &DefinitionParams,
) -> Result<Option<Location>, RequestError> {
    let at = &given.text_document_position_params;
    let document = document(server, &at.text_document.uri.0)?;
    let encoding = server.encoding;
    let Some(it) = name_at(document, at, encoding) else { return Ok(None) };
    let text = document.text();
    let scripts = Arc::clone(&document.scripts);
    if it.kind.is_local() {
        let is_it = |other: &&Occurrence| {
            let is_declaration = other.access == Access::Declared || it.kind == NameKind::Local;
            other.kind == it.kind && other.name == it.name && is_declaration
        };
        let names = scripts.editor.names(&text);
        let found = names.iter().find(is_it).filter(|_| it.kind != NameKind::Keyword);
        return Ok(found.map(|found| location(document.open.uri.clone(), &text, found.span, encoding)));
    }
    declared(server, &given.text_document_position_params, &scripts, &it)
}

/// The declaration of a name that is not local to the text.
fn declared(
    server: &mut Server<'_>,
    at: &TextDocumentPositionParams,
    scripts: &Arc<Scripts>,
    it: &Occurrence,
) -> Result<Option<Location>, RequestError> {
    let encoding = server.encoding;
    match scripts.editor.declaration(it.kind, &it.name) {
        None => Ok(None),
        Some(Declaration::File { path, name, text, span }) => {
            let path = match path {
                Some(path) => path,
                None => server.library.file(&["names", &name], &text)?,
            };
            Ok(Some(location(uri_of(&path), &text, span, encoding)))
        }
        Some(Declaration::Script(script)) => {
            let first = Span { line: 0, start: 0, end: 0 };
            let document = document(server, &at.text_document.uri.0)?;
            let related = related_texts(server, document);
            let own = related
                .into_iter()
                .find(|related| scripts.editor.owner(&related.edited()) == Some(script.number));
            if let Some(related) = own {
                return Ok(Some(location(related.uri, &related.text, first, encoding)));
            }
            let Some(text) = scripts.editor.script(script.number) else { return Ok(None) };
            let uri = library_uri(server, &scripts.origin, script.number, &script.name, &text)?;
            Ok(Some(location(uri, &text, first, encoding)))
        }
    }
}

/// The URI of a script in a file, as a generated text of the library.
fn library_uri(
    server: &mut Server<'_>,
    origin: &Origin,
    number: usize,
    name: &str,
    text: &str,
) -> Result<String, RequestError> {
    let (Origin::Map(path) | Origin::Folder(path) | Origin::Game(path)) = origin else {
        return Err(antiquary::Error::unsupported("the script has no file").into());
    };
    let file = path.file_name().map_or_else(String::new, |it| it.to_string_lossy().into_owned());
    // Files with the same name are distinguished by their paths.
    let folder = format!("{file}-{:08x}", hash(path));
    let path = server.library.file(&[&folder, &format!("{number:03}-{name}.{EXTENSION}")], text)?;
    server.library.remember(&path, origin.clone());
    Ok(uri_of(&path))
}

fn hash(path: &Path) -> u32 {
    // FNV-1a, which gives the same hash in each run.
    path.to_string_lossy()
        .bytes()
        .fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

pub(super) fn references(
    server: &mut Server<'_>,
    given: ReferenceParams,
) -> Result<Vec<Location>, RequestError> {
    let at = given.text_document_position_params;
    let encoding = server.encoding;
    let current = document(server, &at.text_document.uri.0)?;
    let Some(it) = name_at(current, &at, encoding).filter(|it| it.kind != NameKind::Keyword) else {
        return Ok(Vec::new());
    };
    let scripts = Arc::clone(&current.scripts);
    let with_declaration = given.context.include_declaration;
    let is_it = |other: &Occurrence| {
        let is_included = with_declaration || other.access != Access::Declared;
        other.kind == it.kind && other.name == it.name && is_included
    };
    if it.kind.is_local() {
        let text = current.text();
        let found = scripts.editor.names(&text).into_iter().filter(is_it);
        return Ok(found
            .map(|found| location(current.open.uri.clone(), &text, found.span, encoding))
            .collect());
    }
    let mut out = Vec::new();
    let related = related_texts(server, current);
    let owners: BTreeSet<usize> =
        related.iter().filter_map(|it| scripts.editor.owner(&it.edited())).collect();
    for related in &related {
        let lines = Lines::new(&related.text, encoding);
        let found = scripts.editor.names(&related.text).into_iter().filter(is_it);
        out.extend(
            found.map(|found| Location {
                uri: Uri::from(related.uri.clone()),
                range: lines.range(found.span),
            }),
        );
    }
    if with_declaration && it.kind != NameKind::Text {
        out.extend(declared(server, &at, &scripts, &it)?);
    }
    out.extend(in_game(server, &scripts, &it, &owners)?);
    Ok(out)
}

/// Occurrences of a name in the scripts of the game, except those whose texts are already included.
fn in_game(
    server: &mut Server<'_>,
    scripts: &Scripts,
    it: &Occurrence,
    owners: &BTreeSet<usize>,
) -> Result<Vec<Location>, RequestError> {
    let Some(index) = server.index(scripts)? else { return Ok(Vec::new()) };
    let encoding = server.encoding;
    let mut out: Vec<Location> = Vec::new();
    // Occurrences of the same text are consecutive.
    let mut last: Option<(usize, String, Lines<'_>)> = None;
    for (number, span) in index.occurrences(it.kind, &it.name) {
        let Some((file, text)) = index.text(*number) else { continue };
        let name = file.file_name().map(|it| it.to_string_lossy().to_lowercase());
        let is_same_file = name.is_some() && name == scripts.file_name;
        // A text can only name objects of its own file.
        let is_elsewhere = it.kind == NameKind::Text && !is_same_file;
        if is_elsewhere || is_same_file && owners.contains(&text.script.number) {
            continue;
        }
        if last.as_ref().is_none_or(|(known, ..)| known != number) {
            let origin = Origin::Map(file.to_path_buf());
            let script = &text.script;
            let uri = library_uri(server, &origin, script.number, &script.name, &text.text)?;
            last = Some((*number, uri, Lines::new(&text.text, encoding)));
        }
        if let Some((_, uri, lines)) = &last {
            out.push(Location { uri: Uri::from(uri.clone()), range: lines.range(*span) });
        }
    }
    Ok(out)
}

pub(super) fn highlights(
    server: &Server<'_>,
    document: &Document,
    at: &TextDocumentPositionParams,
) -> Result<Vec<DocumentHighlight>, RequestError> {
    let Some(it) = name_at(document, at, server.encoding).filter(|it| it.kind != NameKind::Keyword) else {
        return Ok(Vec::new());
    };
    let text = document.text();
    let lines = Lines::new(&text, server.encoding);
    let names = document.scripts.editor.names(&text).into_iter();
    let highlight = |other: Occurrence| DocumentHighlight {
        range: lines.range(other.span),
        kind: Some(match other.access {
            Access::Read => DocumentHighlightKind::Read,
            Access::Declared | Access::Written => DocumentHighlightKind::Write,
        }),
    };
    Ok(names.filter(|other| other.kind == it.kind && other.name == it.name).map(highlight).collect())
}
