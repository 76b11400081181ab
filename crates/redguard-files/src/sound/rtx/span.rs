//! Visits the spans of a dialogue file. Only the headers of voices are read.

use record::{PartTracer, Result, Source, Visitor};

use super::check::index_at;
use super::layout::{CHUNK_HEAD, ChunkHead, FOOTER, Footer, INDEX_ENTRY, IndexEntry, PREFIX, Prefix};
use super::model::{Content, Dialogue, EndMark, Payload, Piece, one_line};
use crate::sound::{HEADER, SoundHeader, length};

/// The length of text excerpts in characters.
const EXCERPT_LENGTH: usize = 60;

/// Visits every piece in file order, the index and the footer.
pub(super) fn trace(dialogue: &Dialogue, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
    let mut parts = PartTracer::new(visitor);
    for (number, (at, piece)) in (0_usize..).zip(dialogue.located()) {
        if parts.is_stopped() {
            return Ok(());
        }
        let field = format!("pieces[{number}]");
        match piece {
            Piece::Gap(bytes) => parts.bytes(at, bytes.len(), &field, "bytes not in any line"),
            Piece::Line(line) => {
                parts.record::<ChunkHead>(source, at..at.saturating_add(CHUNK_HEAD), field.clone(), ())?;
                let at = at.saturating_add(CHUNK_HEAD);
                match &line.payload {
                    Payload::Content(content) => line_spans(content, source, at, &field, &mut parts)?,
                    Payload::Damaged(_, bytes) => {
                        parts.bytes(
                            at,
                            bytes.len(),
                            &format!("{field}.payload"),
                            "bytes that cannot be decoded",
                        );
                    }
                }
            }
        }
    }
    table(dialogue, source, &mut parts)
}

fn line_spans(
    content: &Content,
    source: &Source,
    at: u64,
    field: &str,
    parts: &mut PartTracer<'_>,
) -> Result<()> {
    parts.record::<Prefix>(source, at..at.saturating_add(PREFIX), field, ())?;
    let mut at = at.saturating_add(PREFIX);
    let text = one_line(&content.text(), EXCERPT_LENGTH);
    let end = at.saturating_add(length(&content.text));
    parts.span(at..end, &format!("{field}.text"), &format_args!("{text:?}"));
    at = end;
    if let Some(voice) = &content.voice {
        parts.record::<SoundHeader>(
            source,
            at..at.saturating_add(HEADER),
            format!("{field}.voice.header"),
            (),
        )?;
        at = at.saturating_add(HEADER);
        parts.bytes(at, voice.pcm.len(), &format!("{field}.voice.pcm"), "bytes of samples");
        at = at.saturating_add(voice.pcm.len());
    }
    parts.bytes(at, content.rest.len(), &format!("{field}.rest"), "bytes after the line");
    Ok(())
}

fn table(dialogue: &Dialogue, source: &Source, parts: &mut PartTracer<'_>) -> Result<()> {
    let mut at = index_at(dialogue);
    if dialogue.end == EndMark::Present {
        parts.span(at.saturating_sub(4)..at, "end", &"END");
    }
    for number in 0..dialogue.index.len() {
        if parts.is_stopped() {
            return Ok(());
        }
        let end = at.saturating_add(INDEX_ENTRY);
        parts.record::<IndexEntry>(source, at..end, format!("index[{number}]"), ())?;
        at = end;
    }
    parts.bytes(at, length(&dialogue.behind_index), "behind_index", "bytes after the index");
    at = at.saturating_add(length(&dialogue.behind_index));
    parts.record::<Footer>(source, at..at.saturating_add(FOOTER), "footer", ())
}
