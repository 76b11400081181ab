//! A dialogue file in memory: its pieces in file order, and its index. Voices stay on disk.

use asset::{Charset, NameKind, NameVisitor, Named};
use record::{Bytes, Error, Source};

use super::layout::{PREFIX, Tag};
use crate::sound::{HEADER, SoundHeader, length};

/// A dialogue file.
#[derive(Debug, Clone, Default)]
pub struct Dialogue {
    /// Everything before the index, in file order.
    pub pieces: Vec<Piece>,
    /// Whether `END ` follows the pieces.
    pub end: EndMark,
    /// The index.
    pub index: Vec<IndexLine>,
    /// Bytes between the index and the footer; empty in valid files.
    pub behind_index: Bytes,
}

/// Whether `END ` precedes the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EndMark {
    /// Present, as in the game.
    #[default]
    Present,
    /// Absent.
    Absent,
}

/// A piece of the file.
#[derive(Debug, Clone)]
pub enum Piece {
    /// A line.
    Line(Line),
    /// Bytes that the index does not refer to.
    Gap(Source),
}

/// A line: a text and an optional voice.
#[derive(Debug, Clone)]
pub struct Line {
    /// The tag in the chunk header.
    pub tag: Tag,
    /// The size in the chunk header, if it differs from the actual size.
    pub declared_size: Option<u32>,
    /// The content of the chunk.
    pub payload: Payload,
}

/// The content of a line.
#[derive(Debug, Clone)]
pub enum Payload {
    /// Valid content.
    Content(Content),
    /// Malformed content: the error and the bytes.
    Damaged(Error, Source),
}

/// The text and voice of a line.
#[derive(Debug, Clone)]
pub struct Content {
    /// The text, in code page 437.
    pub text: Bytes,
    /// The voice.
    pub voice: Option<Voice>,
    /// Bytes after the text and voice; empty in valid files.
    pub rest: Source,
}

/// A voice.
#[derive(Debug, Clone)]
pub struct Voice {
    /// The sound header.
    pub header: SoundHeader,
    /// The samples.
    pub pcm: Source,
}

/// An index entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexLine {
    /// The tag that the game looks up.
    pub tag: Tag,
    /// The index of the line's piece.
    pub piece: usize,
}

impl Content {
    /// Creates a line without a voice.
    ///
    /// # Errors
    /// Returns an error if the text contains characters that are not in code page 437.
    pub fn new(text: &str) -> Result<Self, Error> {
        Ok(Self { text: encode(text)?, voice: None, rest: no_bytes() })
    }

    /// Returns the decoded text.
    #[must_use]
    pub fn text(&self) -> String {
        Charset::Cp437.decode(&self.text).into_owned()
    }

    /// Returns the size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        let voice = self.voice.as_ref().map_or(0, |voice| HEADER.saturating_add(voice.pcm.len()));
        let text = PREFIX.saturating_add(length(&self.text));
        text.saturating_add(voice).saturating_add(self.rest.len())
    }
}

impl Voice {
    /// Returns the duration in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.header.seconds(self.pcm.len())
    }
}

impl Payload {
    /// Returns the size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::Content(content) => content.size(),
            Self::Damaged(_, bytes) => bytes.len(),
        }
    }

    /// Returns the content; `None` if it is damaged.
    #[must_use]
    pub fn content(&self) -> Option<&Content> {
        match self {
            Self::Content(content) => Some(content),
            Self::Damaged(..) => None,
        }
    }

    /// Returns the voice, if the line has one.
    #[must_use]
    pub fn voice(&self) -> Option<&Voice> {
        self.content()?.voice.as_ref()
    }
}

impl Piece {
    /// Returns the line; `None` for a gap.
    #[must_use]
    pub fn line(&self) -> Option<&Line> {
        match self {
            Self::Line(line) => Some(line),
            Self::Gap(_) => None,
        }
    }

    /// Returns the size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::Line(line) => line.payload.size().saturating_add(super::layout::CHUNK_HEAD),
            Self::Gap(bytes) => bytes.len(),
        }
    }
}

impl Dialogue {
    /// Creates a file with these lines and an index in the game's order.
    #[must_use]
    pub fn new(lines: Vec<(Tag, Content)>) -> Self {
        let line = |(tag, content)| Line { tag, declared_size: None, payload: Payload::Content(content) };
        let pieces: Vec<_> = lines.into_iter().map(line).map(Piece::Line).collect();
        let index = default_index(pieces.iter().map(|piece| piece.line().map(|line| line.tag)));
        Self { pieces, index, ..Self::default() }
    }

    /// Returns the pieces, each with its offset.
    pub(super) fn located(&self) -> impl Iterator<Item = (u64, &Piece)> {
        let mut at = 0_u64;
        self.pieces.iter().map(move |piece| {
            let start = at;
            at = start.saturating_add(piece.size());
            (start, piece)
        })
    }

    /// Returns the lines, each with the index of its piece.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &Line)> {
        let pieces = self.pieces.iter().enumerate();
        pieces.filter_map(|(number, piece)| Some((number, piece.line()?)))
    }

    /// Whether the index equals the default one.
    pub(super) fn is_default(&self) -> bool {
        self.index == default_index(self.pieces.iter().map(|piece| piece.line().map(|line| line.tag)))
    }
}

/// Returns an index in the game's order: every line once, from the last to the first.
pub(super) fn default_index(
    tags: impl DoubleEndedIterator<Item = Option<Tag>> + ExactSizeIterator,
) -> Vec<IndexLine> {
    let numbered = tags.enumerate().rev();
    numbered.filter_map(|(piece, tag)| Some(IndexLine { tag: tag?, piece })).collect()
}

/// Encodes a text in the game's character set.
pub(super) fn encode(text: &str) -> Result<Bytes, Error> {
    match Charset::Cp437.encode(text) {
        Some(bytes) => Ok(Bytes::from(&*bytes)),
        None => {
            let lacks = |letter: &char| Charset::Cp437.encode(letter.encode_utf8(&mut [0; 4])).is_none();
            let foreign: String = text.chars().filter(lacks).take(8).collect();
            let message = format!(
                "{:?} contains characters that are not in the game's charset ({}): {foreign}",
                one_line(text, 40),
                Charset::Cp437.name()
            );
            Err(Error::usage(message))
        }
    }
}

/// Returns an empty source.
pub(super) fn no_bytes() -> Source {
    Source::from(Vec::new())
}

/// Formats a tag for display and JSON: as text, or as `0x...` bytes if it is not plain text.
pub(super) fn tag_text(tag: &Tag) -> String {
    match json::to_value(tag) {
        Ok(json::Value::String(text)) => text,
        _ => tag.text(),
    }
}

/// Converts a text to one line, truncated to `max_length` characters.
pub(super) fn one_line(text: &str, max_length: usize) -> String {
    let mut out = String::new();
    for (number, letter) in text.chars().enumerate() {
        if number >= max_length {
            out.push('…');
            break;
        }
        out.push(if letter.is_control() { ' ' } else { letter });
    }
    out
}

impl Dialogue {
    /// Visits the tags and texts of all lines.
    pub(super) fn visit_names(&self, take: NameVisitor<'_>) {
        for (number, piece) in self.pieces.iter().enumerate() {
            let Some(line) = piece.line() else { continue };
            let label = &line.tag.to_string();
            let path = format_args!("pieces[{number}].tag");
            take(Named::new(NameKind::Label, label, path));
            if let Some(content) = line.payload.content() {
                let text = &content.text();
                take(Named::new(NameKind::Text, text, format_args!("pieces[{number}].text")));
            }
        }
    }
}
