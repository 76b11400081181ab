//! What dialogue becomes: a sound for each voice, with an index of all lines, and a table.

use std::collections::BTreeMap;

use asset::name::safe_name_within;
use asset::{Choice, Context, Index, IndexLines, Item, ProductKind, Products, Report};
use record::Result;
use scene::product::{Cell, Table};
use serde_json::{Map, Value};

use super::check::damaged;
use super::fact::Facts;
use super::model::{Content, Dialogue, IndexLine, Line, Payload, Piece, Voice, tag_text};
use super::warning;
use crate::sound::sound_of;

/// What voices are called by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// The tag.
    Tag,
    /// What is said.
    Text,
}

/// `--names`.
pub(super) const NAMES: Choice<Names> = Choice::new(
    "names",
    "What the WAVs of dialogue are called",
    &[
        ("tag", "by the tag of the line, as the game calls it"),
        ("text", "by what is said, with the tag behind it"),
    ],
    &[Names::Tag, Names::Text],
);

/// The columns of the table.
const COLUMNS: [&str; 3] = ["tag", "text", "seconds"];

/// How many bytes of a text stand in a file's name.
const SAID: usize = 60;

/// Offers the voice of each line, the index of all lines, and the table.
pub(super) fn products(dialogue: &Dialogue, context: &Context<'_>, out: &mut Products<'_>) -> Result<()> {
    let names = context.options.choice(&NAMES);
    let lines: BTreeMap<usize, &Line> = dialogue.lines().collect();
    let mut facts = Facts::default();
    for entry in &dialogue.index {
        let line = lines.get(&entry.piece).copied();
        let fact = facts.of(entry, line);
        offer(entry, line, names, fact, out)?;
    }
    out.index(Index { head: Map::new(), list: "lines", lines: IndexLines::OneLine })?;
    out.offer(Item::whole(ProductKind::Table), |_| Ok(Some(Table::new(&COLUMNS, rows(dialogue)))))
}

/// Offers the voice of a line. Entries of the table that lead to one line have one voice.
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
        if !can_be_wav(voice, entry.piece, making.report) {
            return Ok(None);
        }
        sound_of(&voice.header, &voice.pcm.read_all()?).map(Some)
    })
}

/// The voice of a line. Only the first that leads to it needs its text: thousands may lead to a long one.
fn item_of(entry: &IndexLine, content: &Content, names: Names, is_first: bool) -> Item<'static> {
    let tag = tag_text(&entry.tag);
    let key = u64::try_from(entry.piece).unwrap_or(u64::MAX);
    if !is_first {
        return Item::named(ProductKind::Sound, tag).with_key(key);
    }
    let text = content.text();
    let name = match names {
        Names::Text => said(&text, &tag),
        Names::Tag => tag,
    };
    Item::named(ProductKind::Sound, name).with_key(key).with_caption(text)
}

/// Tells what of a voice has no place in a WAV; whether it can be one at all.
pub(super) fn can_be_wav(voice: &Voice, number: usize, report: &mut Report) -> bool {
    let field = format!("pieces[{number}].voice");
    match voice.header.playable() {
        Ok(form) => {
            let left = voice.pcm.len().checked_rem(form.frame()).unwrap_or(0);
            if left > 0 {
                let message = format!("the last {left} bytes are no whole frame and not in the WAV");
                report.warn(&warning::PARTIAL, message).in_field(field);
            }
            true
        }
        Err(why) => {
            report.warn(&warning::UNPLAYABLE, format!("{why}: it is left out")).in_field(field);
            false
        }
    }
}

/// What is said, as far as it goes into a name, and the tag behind it.
fn said(text: &str, tag: &str) -> String {
    let letter = |it: char| if it.is_control() || it == '/' || it == '\\' { ' ' } else { it };
    let words: String = text.chars().map(letter).collect();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::new();
    for word in words.split(' ') {
        if !out.is_empty() && out.len().saturating_add(word.len()) >= SAID {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    let out = if out.is_empty() { out } else { safe_name_within(&out, SAID).into_owned() };
    let out = out.trim_matches(['_', '.', ' ']);
    if out.is_empty() { tag.to_owned() } else { format!("{out} ({tag})") }
}

/// The rows of the table.
fn rows(dialogue: &Dialogue) -> impl Iterator<Item = Vec<Cell>> {
    let mut facts = Facts::default();
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
