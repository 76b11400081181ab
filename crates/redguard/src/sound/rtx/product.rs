//! The products of dialogue: a sound for each voice, an index of all lines, and a table.

use std::collections::BTreeMap;

use asset::name::safe_name_with_limit;
use asset::{Choice, Context, Index, IndexLayout, Item, ProductKind, Products, Report};
use record::Result;
use scene::product::{Cell, Table};
use serde_json::{Map, Value};

use super::check::damaged;
use super::fact::LineFacts;
use super::model::{Content, Dialogue, IndexLine, Line, Payload, Piece, Voice, tag_text};
use super::warning;
use crate::sound::sound_of;

/// How voice files are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// By tag.
    Tag,
    /// By text.
    Text,
}

/// `--names`.
pub(super) const NAMES: Choice<Names> = Choice::new(
    "names",
    "How the WAV files of dialogue are named.",
    &[("tag", "by the tag of the line"), ("text", "by the text, followed by the tag")],
    &[Names::Tag, Names::Text],
);

/// The columns of the table.
const COLUMNS: [&str; 3] = ["tag", "text", "seconds"];

/// The most bytes of a text in a file name.
const NAME_LENGTH: usize = 60;

/// Offers the voice of each line, the index of all lines, and the table.
pub(super) fn products(dialogue: &Dialogue, context: &Context<'_>, out: &mut Products<'_>) -> Result<()> {
    let names = context.options.choice(&NAMES);
    let lines: BTreeMap<usize, &Line> = dialogue.lines().collect();
    let mut facts = LineFacts::default();
    for entry in &dialogue.index {
        let line = lines.get(&entry.piece).copied();
        let fact = facts.of(entry, line);
        offer(entry, line, names, fact, out)?;
    }
    out.index(Index { head: Map::new(), list: "lines", lines: IndexLayout::OneLine })?;
    out.offer(Item::whole(ProductKind::Table), |_| Ok(Some(Table::new(&COLUMNS, rows(dialogue)))))
}

/// Offers the voice of a line. Index entries that share a line share its voice.
fn offer(
    entry: &IndexLine,
    line: Option<&Line>,
    names: Names,
    fact: Map<String, Value>,
    out: &mut Products<'_>,
) -> Result<()> {
    let is_first = !fact.contains_key("same_as");
    let content = match line.map(|line| &line.payload) {
        Some(Payload::Content(content)) => content,
        Some(Payload::Damaged(error, _)) => {
            if is_first {
                damaged(error, entry.piece, out.report());
            }
            return out.note(ProductKind::Sound, fact);
        }
        None => return out.note(ProductKind::Sound, fact),
    };
    let Some(voice) = &content.voice else { return out.note(ProductKind::Sound, fact) };
    let item = item_of(entry, content, names, is_first).with_facts(fact);
    out.offer(item, |making| {
        if !check_wav(voice, entry.piece, making.report) {
            return Ok(None);
        }
        sound_of(&voice.header, &voice.pcm.read_all()?).map(Some)
    })
}

/// The product item of a line's voice. Only the first index entry of a line includes its text: thousands may share a long one.
fn item_of(entry: &IndexLine, content: &Content, names: Names, is_first: bool) -> Item<'static> {
    let tag = tag_text(&entry.tag);
    let key = u64::try_from(entry.piece).unwrap_or(u64::MAX);
    if !is_first {
        return Item::named(ProductKind::Sound, tag).with_key(key);
    }
    let text = content.text();
    let name = match names {
        Names::Text => name_from_text(&text, &tag),
        Names::Tag => tag,
    };
    Item::named(ProductKind::Sound, name).with_key(key).with_caption(text)
}

/// Reports what a WAV cannot represent of a voice; returns whether it can be converted at all.
pub(super) fn check_wav(voice: &Voice, number: usize, report: &mut Report) -> bool {
    let field = format!("pieces[{number}].voice");
    match voice.header.playable() {
        Ok(form) => {
            let left = voice.pcm.len().checked_rem(form.frame()).unwrap_or(0);
            if left > 0 {
                let message = format!("the last {left} bytes are an incomplete frame and not in the WAV");
                report.warn(&warning::PARTIAL, message).in_field(field);
            }
            true
        }
        Err(why) => {
            report.warn(&warning::UNPLAYABLE, format!("{why}; skipped")).in_field(field);
            false
        }
    }
}

/// A file name from the start of the text and the tag.
fn name_from_text(text: &str, tag: &str) -> String {
    let letter = |it: char| if it.is_control() || it == '/' || it == '\\' { ' ' } else { it };
    let words: String = text.chars().map(letter).collect();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::new();
    for word in words.split(' ') {
        if !out.is_empty() && out.len().saturating_add(word.len()) >= NAME_LENGTH {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    let out = if out.is_empty() { out } else { safe_name_with_limit(&out, NAME_LENGTH).into_owned() };
    let out = out.trim_matches(['_', '.', ' ']);
    if out.is_empty() { tag.to_owned() } else { format!("{out} ({tag})") }
}

/// The rows of the table.
fn rows(dialogue: &Dialogue) -> impl Iterator<Item = Vec<Cell>> {
    let mut facts = LineFacts::default();
    dialogue.index.iter().map(move |entry| {
        let fact = facts.of(entry, dialogue.pieces.get(entry.piece).and_then(Piece::line));
        COLUMNS.map(|name| cell(fact.get(name))).into()
    })
}

fn cell(value: Option<&Value>) -> Cell {
    match value {
        Some(Value::String(text)) => Cell::Text(text.clone()),
        Some(Value::Number(number)) => Cell::Number(number.clone()),
        _ => Cell::Empty,
    }
}
