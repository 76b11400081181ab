//! Information about a key, its value, or a section.

use std::ops::Range;

use antiquary::asset::SettingDoc;
use antiquary::asset::setting::KeyName;
use antiquary::media::ini::LineContent;
use antiquary::soup::editor::Span;
use gen_lsp_types::{Contents, Hover, MarkupContent, MarkupKind, Position};

use super::line::{Line, section_at};
use super::{declared_keys, keys_of, values_of};
use crate::lsp::document::OpenText;
use crate::lsp::position::{Encoding, Lines};
use crate::lsp::protocol::escaped;

pub(super) fn hover(open: &OpenText, at: Position, encoding: Encoding) -> Option<Hover> {
    let text = open.text();
    let lines = Lines::new(&text, encoding);
    let at = lines.text_position(at);
    let all: Vec<&str> = text.lines().collect();
    let line = Line::new(all.get(at.line)?);
    let byte = line.byte(at.column);
    let touches = |range: &Range<usize>| range.start <= byte && byte <= range.end;
    let section = section_at(&all, at.line);
    let keys = declared_keys(open);
    let (value, range) = match &line.content {
        LineContent::Section(name) if touches(name) => {
            let about = keys_of(&keys, section).next()?.section_about;
            (escaped(about), name)
        }
        LineContent::Entry { key, value } if touches(key) || touches(value) => {
            let name = KeyName::new(line.part(key));
            let declared = keys_of(&keys, section).find(|it| it.is(&name))?;
            if touches(key) {
                (about_key(declared), key)
            } else {
                let named = name_of_value(declared, line.part(value));
                let named = named.map(|named| format!("**{}**\n\n", escaped(&named))).unwrap_or_default();
                (named + &about_key(declared), value)
            }
        }
        _ => return None,
    };
    let contents = Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
    let span = Span { line: at.line, start: line.column(range.start), end: line.column(range.end) };
    Some(Hover { contents, range: Some(lines.range(span)) })
}

/// The number and the name of a value with a name.
fn name_of_value(key: &SettingDoc, value: &str) -> Option<String> {
    let number: usize = value.parse().ok()?;
    Some(format!("{number}: {}", key.names.get(number)?))
}

/// Everything about a key, in Markdown.
pub(super) fn about_key(key: &SettingDoc) -> String {
    let with_unit = if key.unit.is_empty() { key.ty.to_owned() } else { format!("{}, {}", key.ty, key.unit) };
    let values = values_of(key);
    let effect = match key.effect {
        "name" => "only the name of the key is known",
        "none" => "none",
        _ => "",
    };
    let facts = [
        ("Type", with_unit.as_str()),
        ("Values", &values),
        ("Shipped value", key.shipped),
        ("If missing", &key.missing),
        ("Effect", effect),
    ];
    let facts = facts.iter().filter(|(_, fact)| !fact.is_empty());
    let facts: Vec<String> = facts.map(|(name, fact)| format!("- {name}: {}", escaped(fact))).collect();
    format!("`{}`\n\n{}\n\n{}", key.key, escaped(key.about), facts.join("\n"))
}
