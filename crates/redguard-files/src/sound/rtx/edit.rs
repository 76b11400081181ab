//! Lines added, removed and renamed. Scripts refer to them by tag.

use std::collections::BTreeSet;

use asset::Report;
use asset::archive::{EditParts, EntryChange, EntryFate, PartChanges, stem_and_extension};
use files::name::safe_name;
use record::{Error, Result, Source};

use super::layout::Tag;
use super::model::{Content, Dialogue, IndexLine, Line, Payload, Piece, tag_text};
use super::warning;
use crate::sound::named;

impl EditParts for Dialogue {
    /// A line goes with the last entry that refers to it.
    fn remove(&mut self, entries: &BTreeSet<usize>, done: &mut PartChanges<'_>) -> Result<()> {
        let mut freed = BTreeSet::new();
        for entry in entries.iter().rev() {
            let line = *self.index.get(*entry).ok_or_else(missing)?;
            done.note(self.file_name(line), EntryFate::Removed);
            self.index.remove(*entry);
            freed.insert(line.piece);
        }
        for line in &self.index {
            freed.remove(&line.piece);
        }
        for piece in freed.iter().rev() {
            self.pieces.remove(*piece);
        }
        for line in &mut self.index {
            line.piece = line.piece.saturating_sub(freed.range(..line.piece).count());
        }
        Ok(())
    }

    fn rename(&mut self, entry: usize, to: &str, done: &mut PartChanges<'_>) -> Result<()> {
        let tag = new_tag(stem_and_extension(to).0)?;
        let line = *self.index.get(entry).ok_or_else(missing)?;
        if self.entry_of(&tag).is_some_and(|other| other != entry) {
            return Err(Error::usage(format!("there is a line with the tag \"{}\" already", tag_text(&tag))));
        }
        if let Some(Piece::Line(own)) = self.pieces.get_mut(line.piece)
            && own.tag == line.tag
        {
            own.tag = tag;
        }
        let old = self.file_name(line);
        if let Some(line) = self.index.get_mut(entry) {
            line.tag = tag;
        }
        done.note(old, EntryFate::Renamed { to: self.file_name(IndexLine { tag, ..line }) });
        Ok(())
    }

    /// A WAV is the voice of a line, any other file its text.
    fn put(&mut self, name: &str, content: &Source, done: &mut PartChanges<'_>) -> Result<()> {
        let (stem, _) = stem_and_extension(name);
        let known = self.entry_called(stem).and_then(|entry| self.index.get(entry)).copied();
        let (line, fate) = match known {
            Some(line) => (line, EntryFate::Replaced),
            None => (self.add(new_tag(stem)?)?, EntryFate::Added),
        };
        let old = self.pieces.get(line.piece).and_then(Piece::line).ok_or_else(missing)?;
        let new = named(name, done.report, |report| self.with(old, name, content, report))?;
        if let Some(piece) = self.pieces.get_mut(line.piece) {
            *piece = Piece::Line(new);
        }
        let name = self.file_name(line);
        let tag = tag_text(&line.tag);
        match done.put_before(&tag) {
            Some(change) => change.name = name,
            None => done.note(name, fate),
        }
        Ok(())
    }
}

fn missing() -> Error {
    Error::usage("line index out of range")
}

/// The tag that a text is: four characters.
pub(super) fn new_tag(text: &str) -> Result<Tag> {
    let tag = Tag::new(text).ok().filter(|tag| {
        let bytes = tag.bytes();
        bytes.len() == 4 && bytes.iter().all(u8::is_ascii_graphic)
    });
    tag.ok_or_else(|| {
        Error::usage(format!(
            "\"{text}\" is not a tag: expected four ASCII characters without spaces; rename it, or use --name"
        ))
    })
}

impl Dialogue {
    /// The entry with a tag. The game's lookup ignores the case of A to Z.
    fn entry_of(&self, tag: &Tag) -> Option<usize> {
        self.index.iter().position(|line| line.tag.0.eq_ignore_ascii_case(&tag.0))
    }

    /// The entry that the name of a file means: by its tag, or by the tag as file systems take it, if only one has it.
    fn entry_called(&self, stem: &str) -> Option<usize> {
        if let Some(entry) = Tag::new(stem).ok().and_then(|tag| self.entry_of(&tag)) {
            return Some(entry);
        }
        let is_safe_name = |line: &IndexLine| safe_name(&tag_text(&line.tag)).eq_ignore_ascii_case(stem);
        let mut found = self.index.iter().enumerate().filter(|(_, line)| is_safe_name(line));
        let (entry, _) = found.next()?;
        found.next().is_none().then_some(entry)
    }

    /// Adds an empty line behind the others, and its entry in front of the others, as the game's own file has them.
    fn add(&mut self, tag: Tag) -> Result<IndexLine> {
        let line = IndexLine { tag, piece: self.pieces.len() };
        let payload = Payload::Content(Content::new("")?);
        self.pieces.push(Piece::Line(Line { tag, declared_size: None, payload }));
        self.index.insert(0, line);
        Ok(line)
    }

    /// The name of an entry as a file.
    fn file_name(&self, line: IndexLine) -> String {
        let payload = self.pieces.get(line.piece).and_then(Piece::line).map(|line| &line.payload);
        let extension = match payload {
            Some(Payload::Content(Content { voice: Some(_), .. })) => "wav",
            Some(Payload::Content(_)) => "txt",
            _ => "bin",
        };
        format!("{}.{extension}", tag_text(&line.tag))
    }

    /// Reports new lines that are spoken, but show no text.
    pub(super) fn check_new_lines(&self, changes: &[EntryChange], report: &mut Report) {
        let new = changes.iter().filter(|change| change.what == EntryFate::Added);
        for tag in new.filter_map(|change| Tag::new(stem_and_extension(&change.name).0).ok()) {
            let line = self.entry_of(&tag).and_then(|entry| self.index.get(entry));
            let line = line.and_then(|line| self.pieces.get(line.piece)?.line());
            let Some(Payload::Content(content)) = line.map(|line| &line.payload) else { continue };
            if content.text.is_empty() && content.voice.is_some() {
                report.warn(&warning::NO_TEXT, format!("\"{}\" has a voice, but no text", tag_text(&tag)));
            }
        }
    }
}
