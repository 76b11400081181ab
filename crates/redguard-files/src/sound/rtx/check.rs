//! Checks a dialogue file: the index and the lines agree, and texts and voices are valid.

use std::collections::BTreeMap;

use asset::Report;
use record::{Reader, Record, Source};

use super::layout::{CHUNK_HEAD, ChunkHead};
use super::model::{Content, Dialogue, EndMark, Line, Payload, Piece, tag_text};
use super::warning::{self, SOUND};

pub(super) fn check(dialogue: &Dialogue, report: &mut Report) {
    for (number, piece) in dialogue.pieces.iter().enumerate() {
        match piece {
            Piece::Line(line) => check_line(line, number, report),
            Piece::Gap(bytes) => check_gap(bytes, number, report),
        }
    }
    check_index(dialogue, report);
    if !dialogue.behind_index.is_empty() {
        let message = format!("{} unexpected bytes after the index", dialogue.behind_index.len());
        report.warn(&warning::GAP, message).in_field("behind_index");
    }
}

/// Returns the offset of the index.
pub(super) fn index_at(dialogue: &Dialogue) -> u64 {
    let pieces = dialogue.pieces.iter().fold(0_u64, |sum, piece| sum.saturating_add(piece.size()));
    pieces.saturating_add(if dialogue.end == EndMark::Present { 4 } else { 0 })
}

/// Reports why a line cannot be read. The error contains an offset within the payload.
pub(super) fn damaged(error: &record::Error, number: usize, report: &mut Report) {
    let field = format!("pieces[{number}].payload");
    report.warn_error(&warning::DAMAGED, error).in_field(field);
}

fn check_line(line: &Line, number: usize, report: &mut Report) {
    if let Some(declared) = line.declared_size {
        let message = format!("the line has size {declared}, but the index says {}", line.payload.size());
        let field = format!("pieces[{number}].payload_size");
        report.warn(&warning::OTHER_SIZE, message).in_field(field);
    }
    match &line.payload {
        Payload::Content(content) => check_content(content, number, report),
        Payload::Damaged(error, _) => damaged(error, number, report),
    }
}

fn check_content(content: &Content, number: usize, report: &mut Report) {
    let is_control = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\r' | b'\n' | b'\t');
    if let Some(position) = content.text.iter().position(is_control) {
        let byte = content.text.get(position).copied().unwrap_or_default();
        let message = format!("control character {byte:#04x} at position {position} of the text");
        report.warn(&warning::CONTROL, message).in_field(format!("pieces[{number}].text"));
    }
    if let Some(voice) = &content.voice {
        let field = format!("pieces[{number}].voice.header");
        voice.header.check(voice.pcm.len(), &field, &SOUND, report);
    }
    if !content.rest.is_empty() {
        let preceding = if content.voice.is_some() { "voice" } else { "text" };
        let message = format!("{} unexpected bytes after the {preceding}", content.rest.len());
        report.warn(&warning::REST, message).in_field(format!("pieces[{number}].rest"));
    }
}

fn check_gap(bytes: &Source, number: usize, report: &mut Report) {
    let lost_line =
        bytes.head(CHUNK_HEAD).ok().and_then(|head| ChunkHead::read(&mut Reader::new(&head), ()).ok());
    let lost_line =
        lost_line.filter(|head| u64::from(head.payload_size).saturating_add(CHUNK_HEAD) <= bytes.len());
    let lost_line =
        lost_line.map(|head| format!("; they look like a line with the tag {:?}", tag_text(&head.tag)));
    let message = format!("{} bytes do not belong to any line{}", bytes.len(), lost_line.unwrap_or_default());
    report.warn(&warning::GAP, message).in_field(format!("pieces[{number}]"));
}

fn check_index(dialogue: &Dialogue, report: &mut Report) {
    let mut tags = BTreeMap::new();
    let mut pieces = BTreeMap::new();
    let mut has_defect = false;
    for (number, entry) in dialogue.index.iter().enumerate() {
        let field = || format!("index[{number}]");
        if let Some(line) = dialogue.pieces.get(entry.piece).and_then(Piece::line)
            && line.tag != entry.tag
        {
            has_defect = true;
            let (table, own) = (tag_text(&entry.tag), tag_text(&line.tag));
            let message = format!("the index has the tag {table:?}, but the line has {own:?}");
            report.warn(&warning::OTHER_TAG, message).in_field(field());
        }
        if let Some(first) = tags.insert(entry.tag.0.map(|byte| byte.to_ascii_lowercase()), number) {
            let message = format!("{:?} is also the tag of index[{first}]", tag_text(&entry.tag));
            report.warn(&warning::SAME_TAG, message).in_field(field());
        }
        if let Some(first) = pieces.insert(entry.piece, entry.tag) {
            has_defect = true;
            let message = format!("shares its line with {:?}", tag_text(&first));
            report.warn(&warning::SHARED, message).in_field(field());
        }
    }
    if !has_defect && !dialogue.is_default() {
        let message = "the index is not in reverse line order";
        report.warn(&warning::ORDER, message).in_field("index");
    }
}
