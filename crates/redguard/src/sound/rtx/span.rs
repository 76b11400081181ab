//! Which bytes of a file of dialogue hold what. Of voices only the headers are read.

use std::fmt;
use std::ops::Range;

use record::{Reader, Record, Result, Source, Span, Visit, Visitor};

use super::check::index_at;
use super::layout::{CHUNK_HEAD, ChunkHead, FOOTER, Footer, INDEX_ENTRY, IndexEntry, PREFIX, Prefix};
use super::model::{Content, Dialogue, EndMark, Payload, Piece, one_line};
use crate::sound::{HEADER, SoundHeader, length};

/// How much of a text is shown.
const SHOWN: usize = 60;

/// Tells a visitor of every piece in its order, of the table and of the footer.
pub(super) fn trace(dialogue: &Dialogue, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
    let mut moved = Moved { visitor, base: 0, prefix: String::new(), stopped: false };
    for (number, (at, piece)) in (0_usize..).zip(dialogue.placed()) {
        if moved.stopped {
            return Ok(());
        }
        let field = format!("pieces[{number}]");
        match piece {
            Piece::Gap(bytes) => moved.bytes(at, bytes.len(), &field, "in no line"),
            Piece::Line(line) => {
                moved.record::<ChunkHead>(source, at, CHUNK_HEAD, field.clone())?;
                let at = at.saturating_add(CHUNK_HEAD);
                match &line.payload {
                    Payload::Content(content) => line_spans(content, source, at, &field, &mut moved)?,
                    Payload::Damaged(_, bytes) => {
                        moved.bytes(at, bytes.len(), &format!("{field}.payload"), "that cannot be read");
                    }
                }
            }
        }
    }
    table(dialogue, source, &mut moved)
}

fn line_spans(content: &Content, source: &Source, at: u64, field: &str, moved: &mut Moved<'_>) -> Result<()> {
    moved.record::<Prefix>(source, at, PREFIX, field.to_owned())?;
    let mut at = at.saturating_add(PREFIX);
    let text = one_line(&content.text(), SHOWN);
    let end = at.saturating_add(length(&content.text));
    moved.tell(at..end, &format!("{field}.text"), &format_args!("{text:?}"));
    at = end;
    if let Some(voice) = &content.voice {
        moved.record::<SoundHeader>(source, at, HEADER, format!("{field}.voice"))?;
        at = at.saturating_add(HEADER);
        moved.bytes(at, voice.pcm.len(), &format!("{field}.voice.pcm"), "of samples");
        at = at.saturating_add(voice.pcm.len());
    }
    moved.bytes(at, content.rest.len(), &format!("{field}.rest"), "behind the line");
    Ok(())
}

fn table(dialogue: &Dialogue, source: &Source, moved: &mut Moved<'_>) -> Result<()> {
    let mut at = index_at(dialogue);
    if dialogue.end == EndMark::Present {
        moved.tell(at.saturating_sub(4)..at, "end", &"END");
    }
    for number in 0..dialogue.index.len() {
        if moved.stopped {
            return Ok(());
        }
        moved.record::<IndexEntry>(source, at, INDEX_ENTRY, format!("index[{number}]"))?;
        at = at.saturating_add(INDEX_ENTRY);
    }
    moved.bytes(at, length(&dialogue.behind_index), "behind_index", "behind the table");
    at = at.saturating_add(length(&dialogue.behind_index));
    moved.record::<Footer>(source, at, FOOTER, "footer".to_owned())
}

/// Tells of a part of the file that starts at `base`, under a prefix.
struct Moved<'a> {
    visitor: &'a mut dyn Visitor,
    base: u64,
    prefix: String,
    stopped: bool,
}

impl Moved<'_> {
    fn tell(&mut self, place: Range<u64>, path: &str, value: &dyn fmt::Display) {
        if !self.stopped && !place.is_empty() {
            let span = Span { start: place.start, end: place.end, path, value };
            self.stopped = self.visitor.span(span) == Visit::Stop;
        }
    }

    fn bytes(&mut self, at: u64, count: u64, path: &str, what: &str) {
        self.tell(at..at.saturating_add(count), path, &format_args!("{count} bytes {what}"));
    }

    fn record<T: Record<Context = ()>>(
        &mut self,
        source: &Source,
        at: u64,
        size: u64,
        prefix: String,
    ) -> Result<()> {
        if self.stopped {
            return Ok(());
        }
        (self.base, self.prefix) = (at, prefix);
        let bytes = source.read(at..at.saturating_add(size))?;
        T::read(&mut Reader::tracing(&bytes, self), ()).map(drop)
    }
}

impl Visitor for Moved<'_> {
    fn span(&mut self, span: Span<'_>) -> Visit {
        let path = format!("{}.{}", self.prefix, span.path);
        let (start, end) = (span.start.saturating_add(self.base), span.end.saturating_add(self.base));
        self.tell(start..end, &path, span.value);
        if self.stopped { Visit::Stop } else { Visit::Continue }
    }
}
