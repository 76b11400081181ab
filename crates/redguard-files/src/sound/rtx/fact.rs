//! The metadata of each line.

use std::collections::BTreeMap;

use json::{Map, Value};

use super::archive::OpenDialogue;
use super::model::{IndexLine, Line, Payload, Piece, tag_text};

/// Collects the metadata of lines in index order. Thousands of entries may share one long line, which is fully described only
/// once.
#[derive(Debug, Default)]
pub(super) struct LineFacts {
    /// The tag under which each piece was fully described.
    described: BTreeMap<usize, String>,
}

impl LineFacts {
    /// Returns the metadata of a line.
    pub(super) fn of(&mut self, entry: &IndexLine, line: Option<&Line>) -> Map<String, Value> {
        let tag = tag_text(&entry.tag);
        let mut fact = Map::new();
        fact.insert("tag".to_owned(), tag.clone().into());
        if let Some(first) = self.described.get(&entry.piece) {
            fact.insert("same_as".to_owned(), first.clone().into());
            return fact;
        }
        self.described.insert(entry.piece, tag);
        match line.map(|line| &line.payload) {
            Some(Payload::Content(content)) => {
                let kind = if content.voice.is_some() { "voice" } else { "text" };
                fact.insert("kind".to_owned(), kind.into());
                fact.insert("text".to_owned(), content.text().into());
                if let Some(voice) = &content.voice {
                    fact.extend(voice.header.facts(voice.pcm.len()));
                    fact.insert("speech_volume".to_owned(), voice.header.speech_volume().into());
                }
            }
            Some(Payload::Damaged(..)) => {
                fact.insert("kind".to_owned(), "damaged".into());
            }
            None => {}
        }
        fact
    }
}

impl OpenDialogue {
    /// Returns the metadata of all lines.
    pub(super) fn facts(&self) -> impl Iterator<Item = Map<String, Value>> {
        let (mut facts, dialogue) = (LineFacts::default(), self.dialogue());
        let line = move |piece: usize| dialogue.pieces.get(piece).and_then(Piece::line);
        dialogue.index.iter().map(move |entry| facts.of(entry, line(entry.piece)))
    }
}
