//! A file of dialogue as a program holds it: its pieces in the order they stand, and its table. Voices stay where they are.

use asset::Charset;
use record::{Bytes, Error, Source};

use super::layout::{PREFIX, Tag};
use crate::sound::{HEADER, SoundHeader, length};

/// The lines of the game's dialogue.
#[derive(Debug, Clone, Default)]
pub struct Dialogue {
    /// What stands in front of the table, in its order.
    pub pieces: Vec<Piece>,
    /// Whether `END ` stands behind the pieces.
    pub end: EndMark,
    /// The table.
    pub index: Vec<IndexLine>,
    /// What stands between the table and the footer: nothing in sound files.
    pub behind_index: Bytes,
}

/// Whether `END ` stands in front of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EndMark {
    /// It does, as in the game.
    #[default]
    Present,
    /// It does not.
    Absent,
}

/// A piece of the file.
#[derive(Debug, Clone)]
pub enum Piece {
    /// A line.
    Line(Line),
    /// Bytes that the table does not name.
    Gap(Source),
}

/// A line: a text, and a voice that speaks it.
#[derive(Debug, Clone)]
pub struct Line {
    /// What it is called by.
    pub tag: Tag,
    /// The length in front of it, where that is not true.
    pub declared_size: Option<u32>,
    /// What stands in it.
    pub payload: Payload,
}

/// What stands in a line.
#[derive(Debug, Clone)]
pub enum Payload {
    /// What can be read.
    Content(Content),
    /// What cannot: why, and its bytes.
    Damaged(Error, Source),
}

/// What a line says.
#[derive(Debug, Clone)]
pub struct Content {
    /// The text, in code page 437.
    pub text: Bytes,
    /// The voice.
    pub voice: Option<Voice>,
    /// What stands behind: nothing in sound files.
    pub rest: Source,
}

/// A voice.
#[derive(Debug, Clone)]
pub struct Voice {
    /// What its samples are like.
    pub header: SoundHeader,
    /// Its samples.
    pub pcm: Source,
}

/// An entry of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexLine {
    /// What the game looks for.
    pub tag: Tag,
    /// The piece it finds, a line.
    pub piece: usize,
}

impl Content {
    /// A line without a voice.
    ///
    /// # Errors
    /// When the text has characters that code page 437 lacks.
    pub fn new(text: &str) -> Result<Self, Error> {
        Ok(Self { text: encode(text)?, voice: None, rest: nothing() })
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> String {
        Charset::Cp437.decode(&self.text).into_owned()
    }

    /// How many bytes it takes.
    #[must_use]
    pub fn size(&self) -> u64 {
        let voice = self.voice.as_ref().map_or(0, |voice| HEADER.saturating_add(voice.pcm.len()));
        let text = PREFIX.saturating_add(length(&self.text));
        text.saturating_add(voice).saturating_add(self.rest.len())
    }
}

impl Voice {
    /// How long it speaks, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.header.seconds(self.pcm.len())
    }
}

impl Payload {
    /// How many bytes it takes.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::Content(content) => content.size(),
            Self::Damaged(_, bytes) => bytes.len(),
        }
    }

    /// What it says; `None` when it cannot be read.
    #[must_use]
    pub fn content(&self) -> Option<&Content> {
        match self {
            Self::Content(content) => Some(content),
            Self::Damaged(..) => None,
        }
    }

    /// Its voice.
    #[must_use]
    pub fn voice(&self) -> Option<&Voice> {
        self.content()?.voice.as_ref()
    }
}

impl Piece {
    /// The line, when it is one.
    #[must_use]
    pub fn line(&self) -> Option<&Line> {
        match self {
            Self::Line(line) => Some(line),
            Self::Gap(_) => None,
        }
    }

    /// How many bytes it takes.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::Line(line) => line.payload.size().saturating_add(super::layout::CHUNK_HEAD),
            Self::Gap(bytes) => bytes.len(),
        }
    }
}

impl Dialogue {
    /// These lines, with a table as the game has it.
    #[must_use]
    pub fn new(lines: Vec<(Tag, Content)>) -> Self {
        let line = |(tag, content)| Line { tag, declared_size: None, payload: Payload::Content(content) };
        let pieces: Vec<_> = lines.into_iter().map(line).map(Piece::Line).collect();
        let index = usual_index(pieces.iter().map(|piece| piece.line().map(|line| line.tag)));
        Self { pieces, index, ..Self::default() }
    }

    /// The pieces, each with the place where it starts.
    pub(super) fn placed(&self) -> impl Iterator<Item = (u64, &Piece)> {
        let mut at = 0_u64;
        self.pieces.iter().map(move |piece| {
            let start = at;
            at = start.saturating_add(piece.size());
            (start, piece)
        })
    }

    /// The lines, each with its number among the pieces.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &Line)> {
        let pieces = self.pieces.iter().enumerate();
        pieces.filter_map(|(number, piece)| Some((number, piece.line()?)))
    }

    /// Whether the table is the usual one.
    pub(super) fn is_usual(&self) -> bool {
        self.index == usual_index(self.pieces.iter().map(|piece| piece.line().map(|line| line.tag)))
    }
}

/// The table as the game has it: every line once, from the last to the first.
pub(super) fn usual_index(
    tags: impl DoubleEndedIterator<Item = Option<Tag>> + ExactSizeIterator,
) -> Vec<IndexLine> {
    let numbered = tags.enumerate().rev();
    numbered.filter_map(|(piece, tag)| Some(IndexLine { tag: tag?, piece })).collect()
}

/// Text as bytes of the file.
pub(super) fn encode(text: &str) -> Result<Bytes, Error> {
    match Charset::Cp437.encode(text) {
        Some(bytes) => Ok(Bytes::from(&*bytes)),
        None => {
            let lacks = |letter: &char| Charset::Cp437.encode(letter.encode_utf8(&mut [0; 4])).is_none();
            let foreign: String = text.chars().filter(lacks).take(8).collect();
            let message = format!(
                "{:?} has characters that the game's charset (cp437) lacks: {foreign}",
                one_line(text, 40)
            );
            Err(Error::usage(message))
        }
    }
}

/// No bytes.
pub(super) fn nothing() -> Source {
    Source::from(Vec::new())
}

/// A tag as it is shown and as JSON has it: its text, or its bytes behind `0x` when there is more to it.
pub(super) fn tag_text(tag: &Tag) -> String {
    match serde_json::to_value(tag) {
        Ok(serde_json::Value::String(text)) => text,
        _ => tag.text(),
    }
}

/// A text on one line, cut behind so many characters.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let mut out = String::new();
    for (number, letter) in text.chars().enumerate() {
        if number >= most {
            out.push('…');
            break;
        }
        out.push(if letter.is_control() { ' ' } else { letter });
    }
    out
}
