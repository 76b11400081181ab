//! Dialogue as a folder to edit: one file with all texts, a WAV for each voice, and back.
//!
//! Neither way has more than one voice in memory, but for the file that is packed.

use std::collections::BTreeMap;

use asset::name::safe_name;
use asset::{Error, Parts, Report, Shows, Unpacked};
use record::{Bytes, Result, Source, json};
use scene::sound::{Depth, Form, Sound, encode_wav};
use serde::{Deserialize, Serialize};

use super::layout::Tag;
use super::model::{Content, Dialogue, EndMark, IndexLine, Payload, Piece, Voice, encode, tag_text};
use super::product::can_be_wav;
use super::take;
use super::write::DialogueWriter;
use crate::sound::{FOLLOWING, SoundHeader, read_wav, wav_of};

/// The view with all texts.
const TEXTS: &str = "texts.json";

/// The folder of the views of voices.
const VOICES: &str = "voices";

/// The folder with a WAV without samples for each line without a voice, to be painted over.
const VOICELESS: &str = "no-voice";

/// `record.json`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    pieces: Vec<HeldPiece>,
    /// Whether `END ` stands behind the pieces.
    end: bool,
    /// The table where it is not the usual one, every line from the last to the first.
    index: Option<Vec<HeldIndex>>,
    behind_index: Bytes,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum HeldPiece {
    Line(HeldLine),
    Damaged(HeldDamage),
    Gap(Held),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeldLine {
    tag: Tag,
    text: String,
    voice: Option<HeldVoice>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    declared_size: Option<u32>,
    #[serde(default, skip_serializing_if = "Held::is_nothing")]
    rest: Held,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeldDamage {
    tag: Tag,
    payload: Held,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    declared_size: Option<u32>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeldVoice {
    header: SoundHeader,
    pcm: Held,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeldIndex {
    tag: Tag,
    piece: usize,
}

/// Bytes: the name of a blob.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Held {
    /// `None` for no bytes.
    blob: Option<String>,
}

impl Held {
    fn is_nothing(&self) -> bool {
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
            .map_or_else(|| Ok(super::model::nothing()), |name| folder.blob(name).map(Source::from))
    }
}

/// A line of the view with all texts.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TextLine {
    /// Which piece of the record it is.
    piece: usize,
    tag: Tag,
    text: String,
}

pub(super) fn unpack(dialogue: &Dialogue, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
    let mut pieces = Vec::with_capacity(dialogue.pieces.len());
    for (number, piece) in dialogue.pieces.iter().enumerate() {
        pieces.push(hold(number, piece, parts)?);
    }
    let index = |line: &IndexLine| HeldIndex { tag: line.tag, piece: line.piece };
    let record = Record {
        pieces,
        end: dialogue.end == EndMark::Present,
        index: (!dialogue.is_usual()).then(|| dialogue.index.iter().map(index).collect()),
        behind_index: dialogue.behind_index.clone(),
    };
    parts.typed(&record)?;
    if !parts.wants_views() {
        return Ok(());
    }
    write_texts(&record, parts)?;
    for (number, line) in dialogue.lines() {
        let Payload::Content(content) = &line.payload else { continue };
        let held = record.pieces.get(number);
        write_voice(number, &line.tag, content, held, parts, report)?;
    }
    Ok(())
}

fn hold(number: usize, piece: &Piece, parts: &mut Parts<'_>) -> Result<HeldPiece> {
    let line = match piece {
        Piece::Gap(bytes) => return Held::out(bytes, &format!("{number:04}.bin"), parts).map(HeldPiece::Gap),
        Piece::Line(line) => line,
    };
    let name = |extension: &str| format!("{number:04}-{}.{extension}", safe_name(&tag_text(&line.tag)));
    let (tag, declared_size) = (line.tag, line.declared_size);
    match &line.payload {
        Payload::Damaged(_, bytes) => {
            let payload = Held::out(bytes, &name("bin"), parts)?;
            Ok(HeldPiece::Damaged(HeldDamage { tag, payload, declared_size }))
        }
        Payload::Content(content) => {
            let voice = match &content.voice {
                Some(voice) => {
                    let pcm = Held::out(&voice.pcm, &name("pcm"), parts)?;
                    Some(HeldVoice { header: voice.header, pcm })
                }
                None => None,
            };
            let rest = Held::out(&content.rest, &name("rest"), parts)?;
            Ok(HeldPiece::Line(HeldLine { tag, text: content.text(), voice, declared_size, rest }))
        }
    }
}

/// All texts, one line each.
fn write_texts(record: &Record, parts: &mut Parts<'_>) -> Result<()> {
    let (mut out, mut pointers) = (b"[".to_vec(), Vec::new());
    for (piece, held) in record.pieces.iter().enumerate() {
        let HeldPiece::Line(line) = held else { continue };
        out.extend_from_slice(if pointers.is_empty() { b"\n" } else { b",\n" });
        let line = TextLine { piece, tag: line.tag, text: line.text.clone() };
        serde_json::to_writer(&mut out, &line).map_err(|error| Error::usage(error.to_string()))?;
        pointers.extend(["tag", "text"].map(|name| format!("/pieces/{piece}/line/{name}")));
    }
    out.extend_from_slice(b"\n]\n");
    let shows: Vec<_> = pointers.iter().map(|pointer| Shows::Record(pointer)).collect();
    parts.view(TEXTS, &out, &shows).map(drop)
}

/// The voice of a line as a WAV; for a line without a voice a WAV without samples.
fn write_voice(
    number: usize,
    tag: &Tag,
    content: &Content,
    held: Option<&HeldPiece>,
    parts: &mut Parts<'_>,
    report: &mut Report,
) -> Result<()> {
    let name = |folder: &str| format!("{folder}/{}.wav", safe_name(&tag_text(tag)));
    let Some(voice) = &content.voice else {
        let pointer = format!("/pieces/{number}/line/voice");
        return parts.view(&name(VOICELESS), &silence()?, &[Shows::Record(&pointer)]).map(drop);
    };
    if !can_be_wav(voice, number, report) {
        return Ok(());
    }
    let wav = wav_of(&voice.header, &voice.pcm.read_all()?)?;
    let fields = FOLLOWING.map(|name| format!("/pieces/{number}/line/voice/header/{name}"));
    let mut shows: Vec<Shows<'_>> = fields.iter().map(|field| Shows::Record(field)).collect();
    if let Some(HeldPiece::Line(HeldLine {
        voice: Some(HeldVoice { pcm: Held { blob: Some(blob) }, .. }),
        ..
    })) = held
    {
        shows.push(Shows::Blob(blob));
    }
    parts.view(&name(VOICES), &wav, &shows).map(drop)
}

/// A WAV without samples: no voice.
fn silence() -> Result<Vec<u8>> {
    let form = Form { rate: 22050, channels: 1, depth: Depth::Sixteen };
    let sound = Sound { form, data: Vec::new(), loops: None };
    encode_wav(&sound)
}

/// What was edited: the texts, and voices by the number of their piece.
struct Edits {
    texts: Vec<TextLine>,
    voices: BTreeMap<usize, (String, Vec<u8>)>,
}

impl Edits {
    fn read(folder: &Unpacked) -> Result<Self> {
        let mut edits = Self { texts: Vec::new(), voices: BTreeMap::new() };
        for view in folder.edited_views()? {
            let file = format!("views/{}", view.name);
            if view.name == TEXTS {
                edits.texts = json::from_slice(&view.bytes).map_err(|error| error.in_file(&file))?;
                continue;
            }
            let number = view.record.first().and_then(|pointer| pointer.split('/').nth(2)?.parse().ok());
            let number =
                number.ok_or_else(|| Error::usage("was edited, but shows no line").in_file(&file))?;
            edits.voices.insert(number, (file, view.bytes));
        }
        Ok(edits)
    }

    /// Changes the texts and tags of the record.
    fn take_texts(&mut self, record: &mut Record) -> Result<()> {
        let in_texts = |error: Error| error.in_file(format!("views/{TEXTS}"));
        for line in std::mem::take(&mut self.texts) {
            let Some(HeldPiece::Line(held)) = record.pieces.get_mut(line.piece) else {
                let message = format!("piece {} is no line of the record", line.piece);
                return Err(in_texts(Error::usage(message)));
            };
            // A table that is not the usual one follows a tag that was changed.
            for entry in record.index.iter_mut().flatten() {
                if entry.piece == line.piece && entry.tag == held.tag {
                    entry.tag = line.tag;
                }
            }
            if held.text != line.text {
                held.declared_size = None;
            }
            (held.tag, held.text) = (line.tag, line.text);
        }
        Ok(())
    }
}

/// Writes the file from the record and the blobs; edited texts and voices from their views.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut record: Record = folder.typed_without_blobs()?;
    let mut edits = Edits::read(folder)?;
    edits.take_texts(&mut record)?;
    let volume = record.pieces.iter().find_map(|piece| match piece {
        HeldPiece::Line(HeldLine { voice: Some(voice), .. }) => Some(voice.header.volume),
        _ => None,
    });
    let volume = volume.unwrap_or_else(|| Dialogue::default().usual_volume());
    let mut out = Vec::with_capacity(usize::try_from(folder.source_length()).unwrap_or(0));
    let mut writer = DialogueWriter::new(&mut out);
    for (number, held) in record.pieces.iter().enumerate() {
        let edited = edits.voices.remove(&number);
        pack_piece(held, edited, volume, folder, &mut writer, report)
            .map_err(|error| error.in_item(number).in_field("pieces"))?;
    }
    if let Some((file, _)) = edits.voices.values().next() {
        return Err(Error::usage("was edited, but the record has no such line").in_file(file));
    }
    let index = match &record.index {
        Some(lines) => lines.iter().map(|line| IndexLine { tag: line.tag, piece: line.piece }).collect(),
        None => super::model::usual_index(record.pieces.iter().map(|piece| match piece {
            HeldPiece::Line(HeldLine { tag, .. }) | HeldPiece::Damaged(HeldDamage { tag, .. }) => Some(*tag),
            HeldPiece::Gap(_) => None,
        })),
    };
    let end = if record.end { EndMark::Present } else { EndMark::Absent };
    writer.finish(end, &index, &record.behind_index)?;
    Ok(out)
}

fn pack_piece(
    held: &HeldPiece,
    edited: Option<(String, Vec<u8>)>,
    volume: u8,
    folder: &Unpacked,
    writer: &mut DialogueWriter<'_>,
    report: &mut Report,
) -> Result<()> {
    match held {
        HeldPiece::Gap(bytes) => writer.gap(&bytes.bytes(folder)?),
        HeldPiece::Damaged(damage) => {
            let payload = damage.payload.bytes(folder)?;
            let error = Error::malformed("kept as it was");
            writer.line(damage.tag, damage.declared_size, &Payload::Damaged(error, payload))
        }
        HeldPiece::Line(line) => {
            let text = encode(&line.text).map_err(|error| error.in_field("text"))?;
            let voice = match &line.voice {
                Some(voice) => Some(Voice { header: voice.header, pcm: voice.pcm.bytes(folder)? }),
                None => None,
            };
            let mut content = Content { text, voice, rest: line.rest.bytes(folder)? };
            let mut declared_size = line.declared_size;
            if let Some((file, wav)) = edited {
                declared_size = None;
                content = with_voice(&content, wav, volume, report).map_err(|error| error.in_file(file))?;
            }
            writer.line(line.tag, declared_size, &Payload::Content(content))
        }
    }
}

/// A line with an edited voice; a WAV without samples, or a file without bytes, takes the voice away.
fn with_voice(old: &Content, wav: Vec<u8>, volume: u8, report: &mut Report) -> Result<Content> {
    if wav.is_empty() {
        return Ok(Content { voice: None, ..old.clone() });
    }
    let sound = read_wav(&Source::from(wav))?;
    if sound.data.is_empty() {
        return Ok(Content { voice: None, ..old.clone() });
    }
    take::voice(old, &sound, volume, report)
}
