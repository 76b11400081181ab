//! The products of dialogue: a sound for each voice, an index of all lines, and a table.

use std::collections::{BTreeMap, BTreeSet};

use asset::{Choice, Context, Index, IndexLayout, Offer, ProductKind, Products, Report, Target};
use files::name::safe_name_with_limit;
use json::{Map, Value};
use scene::product::{Cell, Table};

use super::check::damaged;
use super::fact::LineFacts;
use super::model::{Dialogue, IndexLine, Line, Payload, Piece, Voice, tag_text};
use super::warning;
use crate::sound::sound_of;

/// The naming of voice files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceNames {
    /// Named by tag.
    Tag,
    /// Named by text.
    Text,
}

/// The option `--names`.
pub(super) const NAMES: Choice<VoiceNames> = Choice::new(
    "names",
    "Names of the WAV files of dialogue.",
    &[("tag", "the tag of the line"), ("text", "the text of the line, followed by the tag")],
    &[VoiceNames::Tag, VoiceNames::Text],
);

/// The columns of the table.
const COLUMNS: [&str; 3] = ["tag", "text", "seconds"];

/// The maximum length in bytes of the text in a file name.
const NAME_LENGTH: usize = 60;

/// Returns the voice of each line, the table, and the index of all lines.
pub(super) fn products<'a>(
    dialogue: &'a Dialogue,
    context: &Context<'a>,
    target: Target<'a>,
) -> Products<'a> {
    let names = context.options.choice(&NAMES);
    let lines: BTreeMap<usize, &Line> = dialogue.lines().collect();
    let mut facts = LineFacts::default();
    let voices = dialogue.index.iter().map(move |entry| {
        let line = lines.get(&entry.piece).copied();
        voice(entry, line, names, facts.of(entry, line))
    });
    let table = Offer::new(ProductKind::Table, |_| Ok(Some(Table::new(COLUMNS, rows(dialogue)))));
    Products::new(context, target)
        .with_all(voices)
        .with(table)
        .with_index(Index { head: Map::new(), list: "lines", lines: IndexLayout::OneLine })
        .with_closing(|report| report_damaged(dialogue, report))
}

/// Returns the voice of a line. Index entries that share a line share its voice.
fn voice<'a>(
    entry: &'a IndexLine,
    line: Option<&'a Line>,
    names: VoiceNames,
    facts: Map<String, Value>,
) -> Offer<'a> {
    let content = line.and_then(|line| match &line.payload {
        Payload::Content(content) => Some(content),
        Payload::Damaged(..) => None,
    });
    let spoken = content.and_then(|content| Some((content, content.voice.as_ref()?)));
    let Some((content, voice)) = spoken else { return Offer::note(ProductKind::Sound).with_facts(facts) };
    let offer = Offer::new(ProductKind::Sound, |making| {
        if !check_wav(voice, entry.piece, making.report) {
            return Ok(None);
        }
        sound_of(&voice.header, &voice.pcm.read_all()?).map(Some)
    });
    let tag = tag_text(&entry.tag);
    let key = u64::try_from(entry.piece).unwrap_or(u64::MAX);
    // Only the first index entry of a line includes its text, because thousands may share a long one.
    let offer = if facts.contains_key("same_as") {
        offer.named(tag)
    } else {
        let text = content.text();
        let name = match names {
            VoiceNames::Text => name_from_text(&text, &tag),
            VoiceNames::Tag => tag,
        };
        offer.named(name).with_caption(text)
    };
    offer.with_key(key).with_facts(facts)
}

/// Reports each line of the index that cannot be read.
fn report_damaged(dialogue: &Dialogue, report: &mut Report) {
    let lines: BTreeMap<usize, &Line> = dialogue.lines().collect();
    let mut seen = BTreeSet::new();
    for entry in dialogue.index.iter().filter(|entry| seen.insert(entry.piece)) {
        if let Some(Payload::Damaged(error, _)) = lines.get(&entry.piece).map(|line| &line.payload) {
            damaged(error, entry.piece, report);
        }
    }
}

/// Reports the parts of a voice that a WAV cannot represent. Returns whether the voice can be converted at all.
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

/// Builds a file name from the start of the text and the tag.
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

/// Returns the rows of the table.
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
