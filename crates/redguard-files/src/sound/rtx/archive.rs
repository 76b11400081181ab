//! Dialogue as an archive: a voiced line is a WAV file, any other line a UTF-8 text file.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::Write;

use asset::archive::{Change, Content as Kind, EditMode, EditParts, Entry, EntryChange};
use asset::{Archive, Context, Report};
use files::sink::Output;
use record::{Error, Result, Source};
use scene::sound::is_wav;

use super::layout::{CHUNK_HEAD, Tag};
use super::model::{Content, Dialogue, IndexLine, Line, Payload, Piece, one_line, tag_text};
use super::{replace, warning};
use crate::sound::{read_wav, wav_bytes, wav_of};

/// The length of the text excerpt in listings. It is generous because listings are searched by text; it is limited because many
/// lines may share one long text.
const EXCERPT_LENGTH: usize = 512;

/// An opened dialogue file; its archive entries are the lines.
#[derive(Debug)]
pub struct OpenDialogue {
    dialogue: Dialogue,
    /// The name of each index entry.
    names: Vec<String>,
    /// The archive entry of each piece; its name is the extension. Many index entries may refer to one long text, which is read
    /// only once.
    listed: HashMap<usize, Entry<'static>>,
}

impl OpenDialogue {
    pub(super) fn new(dialogue: Dialogue) -> Self {
        let mut listed: HashMap<usize, Entry<'static>> = HashMap::new();
        let mut names = Names::default();
        let name = |line: &IndexLine| {
            let piece = listed.entry(line.piece).or_insert_with(|| {
                let it = dialogue.pieces.get(line.piece).and_then(Piece::line);
                it.map_or_else(unknown, entry_of)
            });
            names.next(&line.tag, &piece.name)
        };
        let names = dialogue.index.iter().map(name).collect();
        Self { dialogue, names, listed }
    }

    /// Returns the parsed file.
    #[must_use]
    pub fn dialogue(&self) -> &Dialogue {
        &self.dialogue
    }

    fn line(&self, index: usize) -> Result<(usize, &Line)> {
        let missing = || Error::usage("line index out of range");
        let piece = self.dialogue.index.get(index).ok_or_else(missing)?.piece;
        Ok((piece, self.dialogue.pieces.get(piece).and_then(Piece::line).ok_or_else(missing)?))
    }
}

/// Generates file names from tags: path separators are replaced, and duplicates are numbered.
#[derive(Default)]
struct Names {
    given: HashSet<String>,
    numbers: HashMap<String, u64>,
}

impl Names {
    fn next(&mut self, tag: &Tag, extension: &str) -> String {
        let plain =
            |letter: char| if letter.is_control() || matches!(letter, '/' | '\\') { '_' } else { letter };
        let stem: String = tag_text(tag).chars().map(plain).collect();
        let mut name = format!("{stem}.{extension}");
        while !self.given.insert(name.clone()) {
            let number = self.numbers.entry(stem.clone()).or_insert(1);
            *number = number.saturating_add(1);
            name = format!("{stem}~{number}.{extension}");
        }
        name
    }
}

fn unknown() -> Entry<'static> {
    Entry { name: "bin".into(), length: 0, stored: 0, content: Kind::Unreadable, note: "".into() }
}

/// The archive entry of a line; its name is the extension.
fn entry_of(line: &Line) -> Entry<'static> {
    let stored = line.payload.size().saturating_add(CHUNK_HEAD);
    let entry = |extension: &'static str, length, content, note: String| Entry {
        name: extension.into(),
        length,
        stored,
        content,
        note: note.into(),
    };
    let content = match &line.payload {
        Payload::Damaged(error, bytes) => {
            return entry("bin", bytes.len(), Kind::Unreadable, format!("damaged: {}", error.message()));
        }
        Payload::Content(content) => content,
    };
    let text = content.text();
    let shown = one_line(&text, EXCERPT_LENGTH);
    match &content.voice {
        Some(voice) => {
            let note = format!("{:?}, {}", shown, voice.header.note(voice.pcm.len()));
            let length = wav_bytes(&voice.header, voice.pcm.len());
            let kind = if voice.header.form().is_some() { Kind::File } else { Kind::Unreadable };
            entry("wav", length, kind, note)
        }
        None => {
            let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
            entry("txt", length, Kind::File, format!("{shown:?}"))
        }
    }
}

impl Archive for OpenDialogue {
    fn count(&self) -> usize {
        self.names.len()
    }

    fn entry(&self, index: usize) -> Option<Entry<'_>> {
        let (name, line) = (self.names.get(index)?, self.dialogue.index.get(index)?);
        let Entry { length, stored, content, note, .. } = self.listed.get(&line.piece)?;
        let (name, note) = (Cow::from(name), Cow::from(&**note));
        Some(Entry { name, length: *length, stored: *stored, content: *content, note })
    }

    fn open(&self, index: usize) -> Result<Source> {
        match &self.line(index)?.1.payload {
            Payload::Damaged(error, _) => Err(error.clone()),
            Payload::Content(Content { voice: Some(voice), .. }) => {
                wav_of(&voice.header, &voice.pcm.read_all()?).map(Source::from)
            }
            Payload::Content(content) => Ok(Source::from(content.text().into_bytes())),
        }
    }

    fn replace(
        &self,
        _context: &Context<'_>,
        index: usize,
        name: &str,
        content: &Source,
        out: &mut dyn Write,
        report: &mut Report,
    ) -> Result<()> {
        let (piece, line) = self.line(index)?;
        let new = self.dialogue.with(line, name, content, report).map_err(|error| error.in_file(name))?;
        let others = self.dialogue.index.iter().filter(|it| it.piece == piece).count().saturating_sub(1);
        if others > 0 {
            let message = format!("{others} other index entries share this line and change with it");
            report.warn(&warning::SHARED, message).in_field(format!("index[{index}]"));
        }
        self.dialogue.write_with(Some((piece, &new)), out)
    }

    fn edit(
        &self,
        _context: &Context<'_>,
        changes: &[Change],
        _mode: EditMode,
        out: &mut dyn Output,
        report: &mut Report,
    ) -> Result<Vec<EntryChange>> {
        let mut dialogue = self.dialogue.clone();
        let changes = dialogue.make(changes, report)?;
        dialogue.check_new_lines(&changes, report);
        dialogue.write(out)?;
        Ok(changes)
    }
}

impl Dialogue {
    /// Returns a line with its voice or text replaced.
    pub(super) fn with(&self, line: &Line, name: &str, new: &Source, report: &mut Report) -> Result<Line> {
        let is_sound = is_wav(&new.head(12)?) || name.to_lowercase().ends_with(".wav");
        let content = match (&line.payload, is_sound) {
            (Payload::Content(old), true) => {
                // A WAV cannot store an incomplete frame; an unedited sound keeps it.
                let own = old.voice.as_ref().and_then(|it| wav_of(&it.header, &it.pcm.read_all().ok()?).ok());
                if own.is_some_and(|own| new.read_all().is_ok_and(|new| *new == *own)) {
                    return Ok(line.clone());
                }
                replace::voice(old, read_wav(new)?, self.usual_volume(), report)?
            }
            (Payload::Content(old), false) => replace::text(old, new)?,
            (Payload::Damaged(..), true) => {
                let message =
                    "the line is damaged and its text is unknown; replace it with a text file first";
                return Err(Error::usage(message));
            }
            (Payload::Damaged(..), false) => replace::text(&Content::new("")?, new)?,
        };
        Ok(Line { tag: line.tag, declared_size: None, payload: Payload::Content(content) })
    }
}
