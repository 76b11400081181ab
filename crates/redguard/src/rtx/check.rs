//! Whether a file of dialogue is sound: table and lines agree, texts and voices are what they say.

use std::collections::BTreeMap;

use asset::Report;
use record::{Reader, Record, Source};

use super::layout::{CHUNK_HEAD, ChunkHead, INDEX_ENTRY, PREFIX};
use super::model::{Content, Dialogue, EndMark, Line, Payload, Piece, tag_text};
use super::warning::{self, SOUND};
use crate::sound::length;

pub(super) fn check(dialogue: &Dialogue, report: &mut Report) {
    for (number, (at, piece)) in (0_usize..).zip(dialogue.placed()) {
        match piece {
            Piece::Line(line) => check_line(line, number, at, report),
            Piece::Gap(bytes) => check_gap(bytes, number, at, report),
        }
    }
    check_index(dialogue, report);
    if !dialogue.behind_index.is_empty() {
        let message = format!("{} bytes stand behind the table", dialogue.behind_index.len());
        let behind = INDEX_ENTRY.saturating_mul(u64::try_from(dialogue.index.len()).unwrap_or(0));
        let at = index_at(dialogue).saturating_add(behind);
        report.warn(&warning::GAP, message).at(at).in_field("behind_index");
    }
}

/// Where the table starts.
pub(super) fn index_at(dialogue: &Dialogue) -> u64 {
    let pieces = dialogue.pieces.iter().fold(0_u64, |sum, piece| sum.saturating_add(piece.size()));
    pieces.saturating_add(if dialogue.end == EndMark::Present { 4 } else { 0 })
}

/// Tells why a line cannot be read.
pub(super) fn damaged(error: &record::Error, number: usize, at: u64, report: &mut Report) {
    let path = error.path();
    let dot = if path.is_empty() { "" } else { "." };
    report
        .warn(&warning::DAMAGED, error.message())
        .at(error.offset().unwrap_or(at))
        .in_field(format!("pieces[{number}]{dot}{path}"));
}

fn check_line(line: &Line, number: usize, at: u64, report: &mut Report) {
    if let Some(declared) = line.declared_size {
        let message = format!("the line says {declared} bytes, the table {}", line.payload.size());
        let field = format!("pieces[{number}].payload_size");
        report.warn(&warning::OTHER_SIZE, message).at(at.saturating_add(4)).in_field(field);
    }
    match &line.payload {
        Payload::Content(content) => check_content(content, number, at.saturating_add(CHUNK_HEAD), report),
        Payload::Damaged(error, _) => damaged(error, number, at, report),
    }
}

fn check_content(content: &Content, number: usize, at: u64, report: &mut Report) {
    let text_at = at.saturating_add(PREFIX);
    let is_control = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\r' | b'\n' | b'\t');
    if let Some(place) = content.text.iter().position(is_control) {
        let byte = content.text.get(place).copied().unwrap_or_default();
        let offset = text_at.saturating_add(u64::try_from(place).unwrap_or(0));
        let message = format!("character {byte:#04x} at {place} of the text");
        report.warn(&warning::CONTROL, message).at(offset).in_field(format!("pieces[{number}].text"));
    }
    if let Some(voice) = &content.voice {
        let header_at = text_at.saturating_add(length(&content.text));
        let field = format!("pieces[{number}].voice.header");
        voice.header.check(voice.pcm.len(), (header_at, &field), &SOUND, report);
    }
    if !content.rest.is_empty() {
        let behind = if content.voice.is_some() { "voice" } else { "text" };
        let message = format!("{} bytes stand behind the {behind}", content.rest.len());
        let rest_at = at.saturating_add(content.size()).saturating_sub(content.rest.len());
        report.warn(&warning::REST, message).at(rest_at).in_field(format!("pieces[{number}].rest"));
    }
}

fn check_gap(bytes: &Source, number: usize, at: u64, report: &mut Report) {
    let like = bytes.head(CHUNK_HEAD).ok().and_then(|head| ChunkHead::read(&mut Reader::new(&head), ()).ok());
    let like = like.filter(|head| u64::from(head.payload_size).saturating_add(CHUNK_HEAD) <= bytes.len());
    let like = like.map(|head| format!("; they start like a line called {:?}", tag_text(&head.tag)));
    let message = format!("{} bytes are in no line{}", bytes.len(), like.unwrap_or_default());
    report.warn(&warning::GAP, message).at(at).in_field(format!("pieces[{number}]"));
}

fn check_index(dialogue: &Dialogue, report: &mut Report) {
    let start = index_at(dialogue);
    let mut tags = BTreeMap::new();
    let mut pieces = BTreeMap::new();
    let mut amiss = false;
    for (number, entry) in dialogue.index.iter().enumerate() {
        let at = start.saturating_add(INDEX_ENTRY.saturating_mul(u64::try_from(number).unwrap_or(0)));
        let field = || format!("index[{number}]");
        if let Some(line) = dialogue.pieces.get(entry.piece).and_then(Piece::line)
            && line.tag != entry.tag
        {
            amiss = true;
            let (table, own) = (tag_text(&entry.tag), tag_text(&line.tag));
            let message = format!("the table says {table:?}, the line says {own:?}");
            report.warn(&warning::OTHER_TAG, message).at(at).in_field(field());
        }
        if let Some(first) = tags.insert(entry.tag.0.map(|byte| byte.to_ascii_lowercase()), number) {
            let message = format!("{:?} is also the tag of index[{first}]", tag_text(&entry.tag));
            report.warn(&warning::SAME_TAG, message).at(at).in_field(field());
        }
        if let Some(first) = pieces.insert(entry.piece, entry.tag) {
            amiss = true;
            let message = format!("it is the same line as that of {:?}", tag_text(&first));
            report.warn(&warning::SHARED, message).at(at).in_field(field());
        }
    }
    if !amiss && !dialogue.is_usual() {
        let message = "the table does not run from the last line to the first";
        report.warn(&warning::ORDER, message).at(start).in_field("index");
    }
}
