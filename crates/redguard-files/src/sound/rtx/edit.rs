//! Adds, removes and renames lines. Scripts refer to them by tag.

use std::collections::BTreeSet;

use asset::Report;
use asset::archive::{EditParts, EntryChange, EntryChangeKind, PartChanges, stem_and_extension};
use files::name::safe_name;
use record::{Error, Result, Source};

use super::layout::Tag;
use super::model::{Content, Dialogue, IndexLine, Line, Payload, Piece, tag_text};
use super::warning;
use crate::sound::named;

impl EditParts for Dialogue {
    /// Removes index entries. A line is removed with the last entry that refers to it.
    fn remove(&mut self, entries: &BTreeSet<usize>, done: &mut PartChanges<'_>) -> Result<()> {
        let mut unreferenced = BTreeSet::new();
        for entry in entries.iter().rev() {
            let line = *self.index.get(*entry).ok_or_else(missing)?;
            done.note(self.file_name(line), EntryChangeKind::Removed);
            self.index.remove(*entry);
            unreferenced.insert(line.piece);
        }
        for line in &self.index {
            unreferenced.remove(&line.piece);
        }
        for piece in unreferenced.iter().rev() {
            self.pieces.remove(*piece);
        }
        for line in &mut self.index {
            line.piece = line.piece.saturating_sub(unreferenced.range(..line.piece).count());
        }
        Ok(())
    }

    fn rename(&mut self, entry: usize, to: &str, done: &mut PartChanges<'_>) -> Result<()> {
        let tag = new_tag(stem_and_extension(to).0)?;
        let line = *self.index.get(entry).ok_or_else(missing)?;
        if self.entry_of(&tag).is_some_and(|other| other != entry) {
            return Err(Error::usage(format!("a line with the tag \"{}\" already exists", tag_text(&tag))));
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
        done.note(old, EntryChangeKind::Renamed { to: self.file_name(IndexLine { tag, ..line }) });
        Ok(())
    }

    /// Adds or replaces a line: a WAV is its voice, any other file its text.
    fn put(&mut self, name: &str, content: &Source, done: &mut PartChanges<'_>) -> Result<()> {
        let (stem, _) = stem_and_extension(name);
        let known = self.entry_for_file(stem).and_then(|entry| self.index.get(entry)).copied();
        let (line, fate) = match known {
            Some(line) => (line, EntryChangeKind::Replaced),
            None => (self.add(new_tag(stem)?)?, EntryChangeKind::Added),
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

/// Parses a tag: exactly four ASCII characters without spaces.
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
    /// Returns the index entry with a tag. The game's lookup ignores the case of A to Z.
    fn entry_of(&self, tag: &Tag) -> Option<usize> {
        self.index.iter().position(|line| line.tag.0.eq_ignore_ascii_case(&tag.0))
    }

    /// Returns the index entry for a file name: by its tag, or by the tag made safe for file systems if only one entry matches.
    fn entry_for_file(&self, stem: &str) -> Option<usize> {
        if let Some(entry) = Tag::new(stem).ok().and_then(|tag| self.entry_of(&tag)) {
            return Some(entry);
        }
        let is_safe_name = |line: &IndexLine| safe_name(&tag_text(&line.tag)).eq_ignore_ascii_case(stem);
        let mut found = self.index.iter().enumerate().filter(|(_, line)| is_safe_name(line));
        let (entry, _) = found.next()?;
        found.next().is_none().then_some(entry)
    }

    /// Appends an empty line, and inserts its entry at the start of the index, which matches the order of the game's own file.
    fn add(&mut self, tag: Tag) -> Result<IndexLine> {
        let line = IndexLine { tag, piece: self.pieces.len() };
        let payload = Payload::Content(Content::new("")?);
        self.pieces.push(Piece::Line(Line { tag, declared_size: None, payload }));
        self.index.insert(0, line);
        Ok(line)
    }

    /// Returns the file name of an entry.
    fn file_name(&self, line: IndexLine) -> String {
        let payload = self.pieces.get(line.piece).and_then(Piece::line).map(|line| &line.payload);
        let extension = match payload {
            Some(Payload::Content(Content { voice: Some(_), .. })) => "wav",
            Some(Payload::Content(_)) => "txt",
            _ => "bin",
        };
        format!("{}.{extension}", tag_text(&line.tag))
    }

    /// Reports new lines that have a voice but no text.
    pub(super) fn check_new_lines(&self, changes: &[EntryChange], report: &mut Report) {
        let new = changes.iter().filter(|change| change.what == EntryChangeKind::Added);
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
