//! Unpacks dialogue to a folder with all texts in one file and a WAV for each voice, and packs it again. Rows and WAVs may be
//! added, rows removed.
//!
//! At most one voice is in memory at a time, apart from the packed file.

use std::collections::{BTreeMap, BTreeSet};

use asset::archive::stem_and_extension;
use asset::unpack::{EditedView, NEW_ENTRY, ROW_REMOVED};
use asset::{Error, Parts, Report, Unpacked, ViewSource, counted};
use files::name::safe_name;
use record::{Bytes, Result, Source};
use scene::product::{Data, Layout};
use scene::sound::{Depth, SampleFormat, Sound};
use serde::{Deserialize, Serialize};

use super::edit::new_tag;
use super::layout::Tag;
use super::model::{Content, Dialogue, EndMark, IndexLine, Payload, Piece, Voice, encode, tag_text};
use super::product::check_wav;
use super::write::DialogueWriter;
use super::{replace, warning};
use crate::sound::{SoundHeader, WAV_FIELDS, named, sound_of};

/// The view that contains all texts.
const TEXTS: &str = "texts";

/// The folder for voices.
const VOICES: &str = "voices";

/// The folder with an empty WAV for each line without a voice, to be replaced by a recording.
const VOICELESS: &str = "no-voice";

/// The contents of `record.json`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    pieces: Vec<PieceRecord>,
    /// Whether `END ` follows the pieces.
    end: bool,
    /// The index, if it differs from the default one.
    index: Option<Vec<IndexRecord>>,
    behind_index: Bytes,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PieceRecord {
    Line(LineRecord),
    Damaged(DamagedRecord),
    Gap(BlobRef),
}

impl PieceRecord {
    /// Returns the tag; `None` for a gap.
    fn tag(&self) -> Option<Tag> {
        match self {
            Self::Line(LineRecord { tag, .. }) | Self::Damaged(DamagedRecord { tag, .. }) => Some(*tag),
            Self::Gap(_) => None,
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LineRecord {
    tag: Tag,
    text: String,
    voice: Option<VoiceRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    declared_size: Option<u32>,
    #[serde(default, skip_serializing_if = "BlobRef::is_empty")]
    rest: BlobRef,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DamagedRecord {
    tag: Tag,
    payload: BlobRef,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    declared_size: Option<u32>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VoiceRecord {
    header: SoundHeader,
    pcm: BlobRef,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct IndexRecord {
    tag: Tag,
    piece: usize,
}

/// A reference to a blob.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlobRef {
    /// The name of the blob; `None` for no bytes.
    blob: Option<String>,
}

impl BlobRef {
    fn is_empty(&self) -> bool {
        self.blob.is_none()
    }

    fn out(bytes: &Source, name: &str, parts: &mut Parts<'_>) -> Result<Self> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        Ok(Self { blob: Some(parts.blob(name, &bytes.read_all()?)?) })
    }

    fn bytes(&self, folder: &Unpacked) -> Result<Source> {
        self.blob
            .as_ref()
            .map_or_else(|| Ok(super::model::no_bytes()), |name| folder.blob(name).map(Source::from))
    }
}

/// A row of the view that contains all texts.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TextLine {
    /// The index of the line's piece; `None` for a new line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    piece: Option<usize>,
    tag: Tag,
    text: String,
}

pub(super) fn unpack(dialogue: &Dialogue, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
    let mut pieces = Vec::with_capacity(dialogue.pieces.len());
    for (number, piece) in dialogue.pieces.iter().enumerate() {
        pieces.push(record_piece(number, piece, parts)?);
    }
    let index = |line: &IndexLine| IndexRecord { tag: line.tag, piece: line.piece };
    let record = Record {
        pieces,
        end: dialogue.end == EndMark::Present,
        index: (!dialogue.is_default()).then(|| dialogue.index.iter().map(index).collect()),
        behind_index: dialogue.behind_index.clone(),
    };
    parts.typed(&record)?;
    if !parts.wants_views() {
        return Ok(());
    }
    write_texts(&record, parts)?;
    for (number, line) in dialogue.lines() {
        let Payload::Content(content) = &line.payload else { continue };
        let recorded = record.pieces.get(number);
        write_voice(number, &line.tag, content, recorded, parts, report)?;
    }
    Ok(())
}

fn record_piece(number: usize, piece: &Piece, parts: &mut Parts<'_>) -> Result<PieceRecord> {
    let line = match piece {
        Piece::Gap(bytes) => {
            return BlobRef::out(bytes, &format!("{number:04}.bin"), parts).map(PieceRecord::Gap);
        }
        Piece::Line(line) => line,
    };
    let name = |extension: &str| format!("{number:04}-{}.{extension}", safe_name(&tag_text(&line.tag)));
    let (tag, declared_size) = (line.tag, line.declared_size);
    match &line.payload {
        Payload::Damaged(_, bytes) => {
            let payload = BlobRef::out(bytes, &name("bin"), parts)?;
            Ok(PieceRecord::Damaged(DamagedRecord { tag, payload, declared_size }))
        }
        Payload::Content(content) => {
            let voice = match &content.voice {
                Some(voice) => {
                    let pcm = BlobRef::out(&voice.pcm, &name("pcm"), parts)?;
                    Some(VoiceRecord { header: voice.header, pcm })
                }
                None => None,
            };
            let rest = BlobRef::out(&content.rest, &name("rest"), parts)?;
            Ok(PieceRecord::Line(LineRecord { tag, text: content.text(), voice, declared_size, rest }))
        }
    }
}

/// Writes the view that contains all texts, one row per line.
fn write_texts(record: &Record, parts: &mut Parts<'_>) -> Result<()> {
    let (mut lines, mut pointers) = (Vec::new(), Vec::new());
    for (piece, recorded) in record.pieces.iter().enumerate() {
        let PieceRecord::Line(line) = recorded else { continue };
        lines.push(TextLine { piece: Some(piece), tag: line.tag, text: line.text.clone() });
        pointers.extend(["tag", "text"].map(|name| format!("/pieces/{piece}/line/{name}")));
    }
    let shows: Vec<_> = pointers.iter().map(|pointer| ViewSource::Record(pointer)).collect();
    parts.view(TEXTS, Data::new(lines).with_layout(Layout::Lines), &shows).map(drop)
}

/// Writes the voice of a line as a WAV; an empty WAV for a line without a voice.
fn write_voice(
    number: usize,
    tag: &Tag,
    content: &Content,
    recorded: Option<&PieceRecord>,
    parts: &mut Parts<'_>,
    report: &mut Report,
) -> Result<()> {
    let name = |folder: &str| format!("{folder}/{}", safe_name(&tag_text(tag)));
    let Some(voice) = &content.voice else {
        let pointer = format!("/pieces/{number}/line/voice");
        return parts.view(&name(VOICELESS), silence(), &[ViewSource::Record(&pointer)]).map(drop);
    };
    if !check_wav(voice, number, report) {
        return Ok(());
    }
    let sound = sound_of(&voice.header, &voice.pcm.read_all()?)?;
    let fields = WAV_FIELDS.map(|name| format!("/pieces/{number}/line/voice/header/{name}"));
    let mut shows: Vec<ViewSource<'_>> = fields.iter().map(|field| ViewSource::Record(field)).collect();
    if let Some(PieceRecord::Line(LineRecord {
        voice: Some(VoiceRecord { pcm: BlobRef { blob: Some(blob) }, .. }),
        ..
    })) = recorded
    {
        shows.push(ViewSource::Blob(blob));
    }
    parts.view(&name(VOICES), sound, &shows).map(drop)
}

/// Returns a sound without samples.
fn silence() -> Sound {
    let form = SampleFormat { rate: 22050, channels: 1, depth: Depth::Sixteen };
    Sound { form, data: Vec::new(), loops: None }
}

/// Edited texts, and edited voices by piece index.
struct Edits {
    /// The edited texts; `None` if they were not edited.
    texts: Option<Vec<TextLine>>,
    voices: BTreeMap<usize, EditedView>,
}

impl Edits {
    fn read(folder: &Unpacked) -> Result<Self> {
        let mut edits = Self { texts: None, voices: BTreeMap::new() };
        for view in folder.edited_views()? {
            if view.stem() == TEXTS {
                edits.texts = Some(view.data()?);
                continue;
            }
            let number = view.record.first().and_then(|pointer| pointer.split('/').nth(2)?.parse().ok());
            let number = number.ok_or_else(|| {
                Error::usage("was edited, but does not match any line").in_file(view.path())
            })?;
            edits.voices.insert(number, view);
        }
        Ok(edits)
    }

    /// Applies edited, new and removed rows to the record.
    fn apply_texts(&mut self, record: &mut Record, report: &mut Report) -> Result<()> {
        let Some(rows) = self.texts.take() else { return Ok(()) };
        let in_row = |error: Error, row: usize| error.in_item(row).in_file(format!("views/{TEXTS}.json"));
        let mut listed = BTreeSet::new();
        let mut new = Vec::new();
        for (row, line) in rows.into_iter().enumerate() {
            let Some(piece) = line.piece else {
                new.push((row, line));
                continue;
            };
            if !listed.insert(piece) {
                let message = format!("piece {piece} is in two rows; the row of a new line has no \"piece\"");
                return Err(in_row(Error::usage(message), row));
            }
            record.apply(piece, line).map_err(|error| in_row(error, row))?;
        }
        record.keep(&listed, report);
        for (row, line) in new {
            record.add(line).map_err(|error| in_row(error, row))?;
        }
        Ok(())
    }

    /// Applies WAVs that were not unpacked: each is the voice of the line that it is named after, or of a new line with that tag.
    fn apply_new_voices(
        &mut self,
        record: &mut Record,
        folder: &Unpacked,
        report: &mut Report,
    ) -> Result<()> {
        for view in folder.new_views(&["wav"], report) {
            let view = view?;
            let path = view.path();
            let in_view = |error: Error| error.in_file(&path);
            let stem = stem_and_extension(&view.name).0.to_owned();
            let piece = match record.line_for_file(&stem) {
                Some(piece) => piece,
                None => {
                    let tag = new_tag(&stem).map_err(in_view)?;
                    let message = format!("\"{stem}\" has a voice, but no text");
                    report.warn(&warning::NO_TEXT, message);
                    record.add(TextLine { piece: None, tag, text: String::new() }).map_err(in_view)?
                }
            };
            let message = format!("{path} is a new file and becomes the voice of the line \"{stem}\"");
            report.warn(&NEW_ENTRY, message);
            if let Some(other) = self.voices.insert(piece, view) {
                let message = format!("is the voice of the line \"{stem}\", as is {}", other.path());
                return Err(in_view(Error::usage(message)));
            }
        }
        Ok(())
    }
}

impl Record {
    /// Applies an edited row.
    fn apply(&mut self, piece: usize, line: TextLine) -> Result<()> {
        let Some(PieceRecord::Line(recorded)) = self.pieces.get_mut(piece) else {
            return Err(Error::usage(format!("piece {piece} is not a line of the record")));
        };
        // Update changed tags in an explicit index.
        for entry in self.index.iter_mut().flatten() {
            if entry.piece == piece && entry.tag == recorded.tag {
                entry.tag = line.tag;
            }
        }
        if recorded.text != line.text {
            recorded.declared_size = None;
        }
        (recorded.tag, recorded.text) = (line.tag, line.text);
        Ok(())
    }

    /// Removes the lines that are not in `listed`. The indices of the other pieces do not change.
    fn keep(&mut self, listed: &BTreeSet<usize>, report: &mut Report) {
        let mut removed = BTreeSet::new();
        let mut tags = Vec::new();
        for (piece, recorded) in self.pieces.iter_mut().enumerate() {
            if let PieceRecord::Line(line) = recorded
                && !listed.contains(&piece)
            {
                tags.push(tag_text(&line.tag));
                removed.insert(piece);
                *recorded = PieceRecord::Gap(BlobRef::default());
            }
        }
        if let Some(index) = &mut self.index {
            index.retain(|entry| !removed.contains(&entry.piece));
        }
        if !tags.is_empty() {
            let (count, rest) = (tags.len(), tags.len().saturating_sub(MAX_LISTED_TAGS));
            tags.truncate(MAX_LISTED_TAGS);
            let more = if rest > 0 { format!(", and {rest} more") } else { String::new() };
            let message = format!(
                "{} not in views/{TEXTS}.json and {} removed: {}{more}",
                counted(count, "line is", "lines are"),
                if count == 1 { "was" } else { "were" },
                tags.join(", ")
            );
            report.warn(&ROW_REMOVED, message);
        }
    }

    /// Appends a line without a voice. Returns the index of its piece.
    fn add(&mut self, line: TextLine) -> Result<usize> {
        let tag = new_tag(&tag_text(&line.tag)).map_err(|error| error.in_field("tag"))?;
        encode(&line.text).map_err(|error| error.in_field("text"))?;
        if let Some(other) = self.lines().find(|(_, other)| other.0.eq_ignore_ascii_case(&tag.0)) {
            let message = format!("\"{}\" is already the tag of piece {}", tag_text(&tag), other.0);
            return Err(Error::usage(message).in_field("tag"));
        }
        let piece = self.pieces.len();
        let (voice, rest) = (None, BlobRef::default());
        let line = LineRecord { tag, text: line.text, voice, declared_size: None, rest };
        self.pieces.push(PieceRecord::Line(line));
        if let Some(index) = &mut self.index {
            index.insert(0, IndexRecord { tag, piece });
        }
        Ok(piece)
    }

    /// Returns the piece index and tag of each line.
    fn lines(&self) -> impl Iterator<Item = (usize, Tag)> {
        self.pieces.iter().enumerate().filter_map(|(piece, recorded)| Some((piece, recorded.tag()?)))
    }

    /// Returns the line for a file name: by its tag, or by the tag made safe for file systems.
    fn line_for_file(&self, stem: &str) -> Option<usize> {
        let named = |name: &dyn Fn(&str) -> bool| {
            self.lines().find(|(_, tag)| name(&tag_text(tag))).map(|(piece, _)| piece)
        };
        named(&|tag| tag.eq_ignore_ascii_case(stem))
            .or_else(|| named(&|tag| safe_name(tag).eq_ignore_ascii_case(stem)))
    }
}

/// The maximum number of removed lines whose tags are reported.
const MAX_LISTED_TAGS: usize = 8;

/// Writes the file from the record and the blobs, and from the views for edited and new texts and voices.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut record: Record = folder.typed_without_blobs()?;
    let mut edits = Edits::read(folder)?;
    edits.apply_texts(&mut record, report)?;
    edits.apply_new_voices(&mut record, folder, report)?;
    let volume = record.pieces.iter().find_map(|piece| match piece {
        PieceRecord::Line(LineRecord { voice: Some(voice), .. }) => Some(voice.header.volume),
        _ => None,
    });
    let volume = volume.unwrap_or_else(|| Dialogue::default().usual_volume());
    let mut out = Vec::with_capacity(usize::try_from(folder.source_length()).unwrap_or(0));
    let mut writer = DialogueWriter::new(&mut out);
    for (number, recorded) in record.pieces.iter().enumerate() {
        let edited = edits.voices.remove(&number);
        pack_piece(recorded, edited, volume, folder, &mut writer, report)
            .map_err(|error| error.in_item(number).in_field("pieces"))?;
    }
    if let Some(view) = edits.voices.values().next() {
        return Err(Error::usage("was edited, but the line does not exist").in_file(view.path()));
    }
    let index = match &record.index {
        Some(lines) => lines.iter().map(|line| IndexLine { tag: line.tag, piece: line.piece }).collect(),
        None => super::model::default_index(record.pieces.iter().map(PieceRecord::tag)),
    };
    let end = if record.end { EndMark::Present } else { EndMark::Absent };
    writer.finish(end, &index, &record.behind_index)?;
    Ok(out)
}

fn pack_piece(
    recorded: &PieceRecord,
    edited: Option<EditedView>,
    volume: u8,
    folder: &Unpacked,
    writer: &mut DialogueWriter<'_>,
    report: &mut Report,
) -> Result<()> {
    match recorded {
        PieceRecord::Gap(bytes) => writer.gap(&bytes.bytes(folder)?),
        PieceRecord::Damaged(damage) => {
            let payload = damage.payload.bytes(folder)?;
            let error = Error::malformed("unchanged");
            writer.line(damage.tag, damage.declared_size, &Payload::Damaged(error, payload))
        }
        PieceRecord::Line(line) => {
            let text = encode(&line.text).map_err(|error| error.in_field("text"))?;
            let voice = match &line.voice {
                Some(voice) => Some(Voice { header: voice.header, pcm: voice.pcm.bytes(folder)? }),
                None => None,
            };
            let mut content = Content { text, voice, rest: line.rest.bytes(folder)? };
            let mut declared_size = line.declared_size;
            if let Some(view) = edited {
                declared_size = None;
                content = named(&view.path(), report, |report| with_voice(&content, &view, volume, report))?;
            }
            writer.line(line.tag, declared_size, &Payload::Content(content))
        }
    }
}

/// Applies an edited voice; an empty WAV or file removes the voice.
fn with_voice(old: &Content, view: &EditedView, volume: u8, report: &mut Report) -> Result<Content> {
    if view.bytes.is_empty() {
        return Ok(Content { voice: None, ..old.clone() });
    }
    let sound = view.sound()?;
    if sound.data.is_empty() {
        return Ok(Content { voice: None, ..old.clone() });
    }
    replace::voice(old, sound, volume, report)
}
