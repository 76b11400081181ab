//! Writes a dialogue file piece by piece, with at most one line in memory.

use std::io::Write;

use record::{Error, Record, Result, Source, Writer};

use super::layout::{ChunkHead, END, Footer, IndexEntry, Prefix, Tag};
use super::model::{Content, Dialogue, EndMark, IndexLine, Line, Payload, Piece};
use crate::sound::{SoundHeader, length};

/// The block size for copying, in bytes.
const PIECE: u64 = 1 << 20;

/// Writes the pieces of a file in order.
pub(super) struct DialogueWriter<'a> {
    out: &'a mut dyn Write,
    at: u64,
    /// Offset and size of the payload of each piece; `None` for gaps.
    located: Vec<Option<(u32, u32)>>,
}

impl<'a> DialogueWriter<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, at: 0, located: Vec::new() }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes)?;
        self.at = self.at.saturating_add(length(bytes));
        Ok(())
    }

    fn copy(&mut self, source: &Source) -> Result<()> {
        let mut at = 0;
        while at < source.len() {
            let end = at.saturating_add(PIECE).min(source.len());
            self.put(&source.read(at..end)?)?;
            at = end;
        }
        Ok(())
    }

    /// Writes a piece.
    pub(super) fn piece(&mut self, piece: &Piece) -> Result<()> {
        match piece {
            Piece::Line(line) => self.line(line.tag, line.declared_size, &line.payload),
            Piece::Gap(bytes) => self.gap(bytes),
        }
    }

    pub(super) fn gap(&mut self, bytes: &Source) -> Result<()> {
        self.located.push(None);
        self.copy(bytes)
    }

    /// Writes a line.
    pub(super) fn line(&mut self, tag: Tag, declared_size: Option<u32>, payload: &Payload) -> Result<()> {
        let size = narrow(payload.size())?;
        let mut head = Writer::new();
        ChunkHead { tag, payload_size: declared_size.unwrap_or(size) }.write(&mut head, ())?;
        self.put(&head.into_bytes())?;
        self.located.push(Some((narrow(self.at)?, size)));
        match payload {
            Payload::Content(content) => self.content(content),
            Payload::Damaged(_, bytes) => self.copy(bytes),
        }
    }

    fn content(&mut self, content: &Content) -> Result<()> {
        let mut head = Writer::new();
        let text_length = narrow(length(&content.text))?;
        Prefix { kind: u16::from(content.voice.is_some()), text_length }.write(&mut head, ())?;
        head.put(&content.text);
        if let Some(voice) = &content.voice {
            let header = SoundHeader { data_length: narrow(voice.pcm.len())?, ..voice.header };
            header.write(&mut head, ())?;
        }
        self.put(&head.into_bytes())?;
        if let Some(voice) = &content.voice {
            self.copy(&voice.pcm)?;
        }
        self.copy(&content.rest)
    }

    /// Writes everything after the pieces.
    pub(super) fn finish(mut self, end: EndMark, index: &[IndexLine], behind_index: &[u8]) -> Result<()> {
        if end == EndMark::Present {
            self.put(END)?;
        }
        let index_offset = narrow(self.at)?;
        let index_count = narrow(u64::try_from(index.len()).unwrap_or(u64::MAX))?;
        let mut table = Writer::new();
        for (number, line) in index.iter().enumerate() {
            let location = self.located.get(line.piece).copied().flatten();
            let (payload_offset, payload_size) = location.ok_or_else(|| {
                let message = format!("piece {} is not a line", line.piece);
                Error::usage(message).in_item(number).in_field("index")
            })?;
            IndexEntry { tag: line.tag, payload_offset, payload_size }.write(&mut table, ())?;
        }
        table.put(behind_index);
        Footer { index_offset, index_count }.write(&mut table, ())?;
        self.put(&table.into_bytes())?;
        Ok(self.out.flush()?)
    }
}

/// Converts an offset or a size to a 32-bit field.
fn narrow(value: u64) -> Result<u32> {
    u32::try_from(value)
        .map_err(|_| Error::limit(format!("{value:#x} does not fit into 32 bits; the file is too large")))
}

impl Dialogue {
    /// Writes the file. An unchanged file is written byte for byte as it was read.
    ///
    /// # Errors
    /// Returns an error if `out` fails, a voice cannot be read, or the file would exceed 4 GB.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        self.write_with(None, out)
    }

    /// Writes the file, optionally with one line replaced.
    pub(super) fn write_with(&self, other: Option<(usize, &Line)>, out: &mut dyn Write) -> Result<()> {
        let mut writer = DialogueWriter::new(out);
        for (number, piece) in self.pieces.iter().enumerate() {
            match other {
                Some((at, line)) if at == number => {
                    writer.line(line.tag, line.declared_size, &line.payload)?;
                }
                _ => writer.piece(piece)?,
            }
        }
        writer.finish(self.end, &self.index, &self.behind_index)
    }
}
