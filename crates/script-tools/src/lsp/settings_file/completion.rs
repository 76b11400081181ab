//! Completions in a settings file: sections, keys, and the names of values.

use std::ops::Range;

use antiquary::asset::SettingDoc;
use antiquary::asset::setting::{KeyName, numbered};
use antiquary::media::ini::LineContent;
use antiquary::soup::editor::Span;
use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, InsertTextFormat, MarkupContent, MarkupKind,
    Position, TextEdit,
};

use super::hover::about_key;
use super::line::{Line, keys_in, section_at};
use super::{declared_keys, keys_of};
use crate::lsp::document::OpenText;
use crate::lsp::position::{Encoding, Lines};

/// Maximum number of digits of the number of a section, with leading zeros.
const MAX_DIGITS: usize = 10;

/// A completion.
struct Item {
    /// Shown text, by which the item is also found.
    label: String,
    /// Inserted text.
    text: String,
    /// Inserted snippet, in which the numbers of a key can be edited. `None` if the key has none.
    snippet: Option<String>,
    detail: String,
    documentation: String,
    kind: CompletionItemKind,
}

pub(super) fn complete(
    open: &OpenText,
    at: Position,
    encoding: Encoding,
    snippets: bool,
) -> Option<CompletionList> {
    let text = open.text();
    let lines = Lines::new(&text, encoding);
    let at = lines.text_position(at);
    let all: Vec<&str> = text.lines().collect();
    // The last line may be empty, and then it is not one of the lines.
    let line = Line::new(all.get(at.line).copied().unwrap_or_default());
    let byte = line.byte(at.column);
    let keys = declared_keys(open);
    let (range, items) = items(&keys, &all, at.line, &line, byte)?;
    let span = Span { line: at.line, start: line.column(range.start), end: line.column(range.end) };
    let range = lines.range(span);
    let items = items.into_iter().enumerate().map(|(order, it)| {
        let markdown = MarkupContent { kind: MarkupKind::Markdown, value: it.documentation };
        let snippet = it.snippet.filter(|_| snippets);
        let is_snippet = snippet.is_some();
        let new_text = snippet.unwrap_or(it.text);
        CompletionItem {
            label: it.label,
            kind: Some(it.kind),
            detail: Some(it.detail).filter(|it| !it.is_empty()),
            documentation: Some(markdown.into()),
            sort_text: Some(format!("{order:05}")),
            insert_text_format: is_snippet.then_some(InsertTextFormat::Snippet),
            text_edit: Some(TextEdit { range, new_text }.into()),
            ..CompletionItem::default()
        }
    });
    Some(CompletionList { is_incomplete: false, items: items.collect(), ..CompletionList::default() })
}

/// The completions at a byte of a line, and the range that they replace.
fn items(
    keys: &[SettingDoc],
    lines: &[&str],
    number: usize,
    line: &Line<'_>,
    byte: usize,
) -> Option<(Range<usize>, Vec<Item>)> {
    let before = line.text.get(..byte)?;
    if before.contains(';') {
        return None;
    }
    let start = line.code.start.min(byte);
    if before.trim_ascii_start().starts_with('[') {
        let start = start.saturating_add(1);
        let is_closed = line.part(&line.code).ends_with(']');
        let end = if is_closed { line.code.end.saturating_sub(1) } else { line.code.end.max(byte) };
        let end_text = if is_closed { "" } else { "]" };
        return (start..=end).contains(&byte).then(|| (start..end, sections(keys, lines, end_text)));
    }
    let section = section_at(lines, number);
    match &line.content {
        LineContent::Entry { key, value } if before.contains('=') => {
            let name = KeyName::new(line.part(key));
            let declared = keys_of(keys, section).find(|it| it.is(&name))?;
            let range = if value.start <= byte && byte <= value.end { value.clone() } else { byte..byte };
            Some((range, values(declared)))
        }
        LineContent::Entry { key, .. } => {
            let range = start..key.end.max(byte);
            let typed = line.part(&range);
            Some((range.clone(), names(keys, lines, (section, number), typed, "")))
        }
        _ => {
            let range = start..line.code.end.max(byte);
            let typed = line.part(&range);
            Some((range.clone(), names(keys, lines, (section, number), typed, "=")))
        }
    }
}

/// The declared sections, with the number after the last one if they are numbered.
fn sections(keys: &[SettingDoc], lines: &[&str], end: &'static str) -> Vec<Item> {
    let written: Vec<String> =
        lines.iter().filter_map(|text| Line::new(text).section().map(str::to_lowercase)).collect();
    let mut out: Vec<Item> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for key in keys.iter().filter(|key| !key.section.is_empty()) {
        if seen.contains(&key.section) {
            continue;
        }
        seen.push(key.section);
        let numbers = written.iter().filter_map(|name| Some((numbered(key.section, name)?, name)));
        let text = match numbers.max() {
            Some((last, name)) if key.section.contains('#') => {
                let width = name.len().saturating_sub(key.section.len().saturating_sub(1)).min(MAX_DIGITS);
                key.section.replace('#', &format!("{:0width$}", last.saturating_add(1)))
            }
            _ => key.section.replace('#', "0"),
        };
        out.push(Item {
            text: format!("{text}{end}"),
            label: text,
            snippet: None,
            detail: String::new(),
            documentation: key.section_about.to_owned(),
            kind: CompletionItemKind::Module,
        });
    }
    out
}

/// The declared keys of a section, except those that another line already sets.
fn names(
    keys: &[SettingDoc],
    lines: &[&str],
    (section, number): (&str, usize),
    typed: &str,
    end: &'static str,
) -> Vec<Item> {
    let written: Vec<(usize, KeyName)> =
        keys_in(lines, section).into_iter().map(|(line, key)| (line, KeyName::new(key))).collect();
    let others: Vec<&KeyName> =
        written.iter().filter(|(line, _)| *line != number).map(|(_, key)| key).collect();
    let before = || written.iter().filter(|(line, _)| *line < number).rev().map(|(_, key)| key);
    let typed = KeyName::new(typed);
    let index = typed.index.or_else(|| before().find_map(|key| key.index)).unwrap_or(0);
    let item = |key: &SettingDoc| {
        let known = std::iter::once(&typed).chain(before());
        let number = known.filter(|name| key.is(name)).find_map(|name| name.number(key.key)).unwrap_or(0);
        let (declared, is_indexed) = match key.key.strip_suffix("[]") {
            Some(declared) => (declared, true),
            None => (key.key, false),
        };
        let base = declared.replace('#', &number.to_string());
        let mut name = KeyName { base, index: is_indexed.then_some(index) };
        // An index that is already set is followed by the next one.
        if is_indexed && typed.index.is_none() && others.contains(&&name) {
            name.index = Some(index.saturating_add(1));
        }
        let is_new = !others.contains(&&name) || typed == name;
        is_new.then(|| Item {
            label: name.to_string(),
            text: format!("{name}{end}"),
            snippet: snippet(declared, number, name.index).map(|snippet| snippet + end + "$0"),
            detail: [key.ty, key.unit]
                .iter()
                .filter(|it| !it.is_empty())
                .copied()
                .collect::<Vec<_>>()
                .join(", "),
            documentation: about_key(key),
            kind: CompletionItemKind::Property,
        })
    };
    keys_of(keys, section).filter_map(item).collect()
}

/// The numbers with names of a key.
fn values(key: &SettingDoc) -> Vec<Item> {
    let item = |(number, name): (usize, &&str)| Item {
        label: format!("{number} {name}"),
        text: number.to_string(),
        snippet: None,
        detail: String::new(),
        documentation: about_key(key),
        kind: CompletionItemKind::EnumMember,
    };
    key.names.iter().enumerate().map(item).collect()
}

/// A key as a snippet in which the number in its name and its index can be edited; `None` if it has neither.
fn snippet(declared: &str, number: u32, index: Option<u32>) -> Option<String> {
    let has_number = declared.contains('#');
    let base = declared.replace('#', &format!("${{1:{number}}}"));
    match index {
        Some(index) => Some(format!("{base}[${{{}:{index}}}]", if has_number { 2 } else { 1 })),
        None => has_number.then_some(base),
    }
}
