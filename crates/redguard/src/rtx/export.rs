//! Dialogue as WAVs, as a JSON of all lines, and as a table for spreadsheets.

use std::collections::BTreeMap;

use asset::name::{Namer, safe_name, safe_name_within};
use asset::{Context, FormatOption, OptionValue, OutputKind, Report, Sink, Target};
use record::{Error, Result};
use serde_json::{Map, Value};

use super::check::damaged;
use super::fact::Facts;
use super::model::{Dialogue, IndexLine, Line, Payload, Voice, tag_text};
use super::warning;
use crate::sound::wav_of;

/// What voices are called.
pub(super) const NAMES: FormatOption = FormatOption {
    name: "names",
    about: "What the WAVs of dialogue are called",
    value: OptionValue::Choice {
        values: &[
            ("tag", "by the tag of the line, as the game calls it"),
            ("text", "by what is said, with the tag behind it"),
        ],
        default: "tag",
    },
};

/// How many bytes of a text stand in a file's name.
const SAID: usize = 60;

pub(super) fn export(
    dialogue: &Dialogue,
    context: &Context<'_>,
    target: &Target<'_>,
    sink: &mut dyn Sink,
    report: &mut Report,
) -> Result<()> {
    let by_text = context.options.choice(NAMES.name) == "text";
    let mut voices = Voices { target, namer: Namer::new(), by_text, files: BTreeMap::new() };
    let mut facts = Facts::default();
    let lines: BTreeMap<usize, (u64, &Line)> =
        dialogue.lines().map(|(number, at, line)| (number, (at, line))).collect();
    let is_table = target.output.extension == "csv";
    let mut out = if is_table { b"tag,text,seconds\r\n".to_vec() } else { b"{\n  \"lines\": [".to_vec() };
    for (number, entry) in dialogue.index.iter().enumerate() {
        let line = lines.get(&entry.piece).copied();
        let mut fact = facts.of(entry, line.map(|(_, line)| line));
        if let Some(file) = voices.file(entry, line, sink, report)? {
            fact.insert("file".to_owned(), file.into());
        }
        if is_table {
            out.extend_from_slice(row(&fact).as_bytes());
        } else {
            out.extend_from_slice(if number == 0 { b"\n    " } else { b",\n    " });
            serde_json::to_writer(&mut out, &fact).map_err(|error| Error::usage(error.to_string()))?;
        }
    }
    if is_table {
        return sink.put(&target.main_name(), &out);
    }
    out.extend_from_slice(b"\n  ]\n}\n");
    sink.put(&target.side_name("json"), &out)
}

/// Writes the voices of lines, each once.
struct Voices<'a> {
    target: &'a Target<'a>,
    namer: Namer,
    by_text: bool,
    /// The file of the voice of each piece, where it has one.
    files: BTreeMap<usize, Option<String>>,
}

impl Voices<'_> {
    /// The file with the voice of a line, which starts at an offset.
    fn file(
        &mut self,
        entry: &IndexLine,
        line: Option<(u64, &Line)>,
        sink: &mut dyn Sink,
        report: &mut Report,
    ) -> Result<Option<String>> {
        if let Some(file) = self.files.get(&entry.piece) {
            return Ok(file.clone());
        }
        let file = match line {
            Some((at, line)) => self.write(entry, at, line, sink, report)?,
            None => None,
        };
        self.files.insert(entry.piece, file.clone());
        Ok(file)
    }

    fn write(
        &mut self,
        entry: &IndexLine,
        at: u64,
        line: &Line,
        sink: &mut dyn Sink,
        report: &mut Report,
    ) -> Result<Option<String>> {
        let content = match &line.payload {
            Payload::Content(content) => content,
            Payload::Damaged(error, _) => {
                damaged(error, entry.piece, at, report);
                return Ok(None);
            }
        };
        let Some(voice) = content.voice.as_ref().filter(|_| self.target.output.kind == OutputKind::Sound)
        else {
            return Ok(None);
        };
        if !can_be_wav(voice, entry.piece, at, report) {
            return Ok(None);
        }
        let tag = tag_text(&entry.tag);
        let stem = if self.by_text { said(&content.text(), &tag) } else { tag };
        let wish = format!("{}/{}", self.target.stem, safe_name(&format!("{stem}.wav")));
        let file = self
            .namer
            .file(&wish)
            .map_err(|why| Error::usage(format!("{why}, so it cannot be written")).in_file(&wish))?;
        sink.put(&file, &wav_of(&voice.header, &voice.pcm.read_all()?)?)?;
        sink.caption(&file, &content.text());
        Ok(Some(file))
    }
}

/// Tells what of a voice has no place in a WAV; whether it can be one at all.
pub(super) fn can_be_wav(voice: &Voice, number: usize, at: u64, report: &mut Report) -> bool {
    let field = format!("pieces[{number}].voice");
    match voice.header.playable() {
        Ok(form) => {
            let left = voice.pcm.len().checked_rem(form.frame()).unwrap_or(0);
            if left > 0 {
                let message = format!("the last {left} bytes are no whole frame and not in the WAV");
                report.warn(&warning::PARTIAL, message).at(at).in_field(field);
            }
            true
        }
        Err(why) => {
            report.warn(&warning::UNPLAYABLE, format!("{why}: it is left out")).at(at).in_field(field);
            false
        }
    }
}

/// What is said, as far as it goes into a name, and the tag behind it.
fn said(text: &str, tag: &str) -> String {
    let letter = |it: char| if it.is_control() || it == '/' || it == '\\' { ' ' } else { it };
    let words: String = text.chars().map(letter).collect();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::new();
    for word in words.split(' ') {
        if !out.is_empty() && out.len().saturating_add(word.len()) >= SAID {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    let out = if out.is_empty() { out } else { safe_name_within(&out, SAID).into_owned() };
    let out = out.trim_matches(['_', '.', ' ']);
    if out.is_empty() { tag.to_owned() } else { format!("{out} ({tag})") }
}

/// A row of the table.
fn row(fact: &Map<String, Value>) -> String {
    let cell = |name: &str| match fact.get(name) {
        Some(Value::String(text)) => quoted(text),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    format!("{},{},{}\r\n", cell("tag"), cell("text"), cell("seconds"))
}

/// A cell in quotation marks, so that no spreadsheet takes a tag for a number.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
