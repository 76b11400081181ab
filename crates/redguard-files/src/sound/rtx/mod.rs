//! RTX: all spoken and displayed text of the game, `ENGLISH.RTX`. Scripts refer to a line by its tag of four characters.
//!
//! The file is large because it contains the voices. Opening it reads the index and the first bytes of each line; voices are read
//! on demand.

mod archive;
mod check;
mod edit;
mod fact;
mod layout;
mod model;
mod product;
mod read;
mod replace;
mod span;
#[cfg(test)]
mod tests;
mod unpack;
mod warning;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use asset::archive::Editing;
use asset::{
    Asset, Context, Counts, Description, Detail, Entries, Format, Names, Offered, Parts, Probe, ProductKind,
    Products, Report, Score, Target, item_index,
};
use json::{Document, Node};
use record::{Error, Reader, Record, Result, Source};
use scene::sound::Sound;
use soup::SpokenLines;

use crate::location::Named;

pub use layout::{ChunkHead, Footer, IndexEntry, Prefix, Tag};
pub use model::{Content, Dialogue, EndMark, IndexLine, Line, Payload, Piece, Voice};
pub use product::VoiceNames;
pub use read::MAX_LINES;
pub use soup::label_key;
pub use warning::CODES;

use crate::sound::{HEADER, SoundHeader, clock};
pub use archive::OpenDialogue;

/// The dialogue format.
pub static FORMAT: Format = Format::new("redguard.rtx", "Redguard dialogue", open)
    .game("redguard")
    .extensions(&["rtx"])
    .probe(probe)
    .pack(unpack::pack)
    .products(&[
        Offered { kind: ProductKind::Sound, about: "each voice, in a folder" },
        Offered {
            kind: ProductKind::Data,
            about: "all lines: tag, text, sample format and length of the voice",
        },
        Offered { kind: ProductKind::Table, about: "all lines: tag, text, seconds" },
    ])
    .schema(|| layout::SCHEMA)
    .spans(|asset, source, visitor| match asset.typed::<OpenDialogue>() {
        Some(lines) => span::trace(lines.dialogue(), source, visitor),
        None => Err(Error::usage("not a dialogue file")),
    })
    .archive(Entries::of::<OpenDialogue>(Editing::Parts))
    .options(DialogueOptions::DECLARED)
    .names(Names::NONE.reported(|asset, _, take| {
        asset.typed::<OpenDialogue>().into_iter().for_each(|file| file.dialogue().visit_names(take));
        Ok(())
    }))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(OpenDialogue::new(Dialogue::read(source)?)))
}

asset::format_options! {
    /// Options for converting dialogue.
    pub struct DialogueOptions {
        /// The naming of sound files.
        names: VoiceNames = product::NAMES;
    }
}

/// Recognizes dialogue by its first line, because the file has no signature but stores the length of the line redundantly.
fn probe(file: &Probe<'_>) -> Option<Score> {
    let mut reader = Reader::new(file.head);
    let head = ChunkHead::read(&mut reader, ()).ok()?;
    let prefix = Prefix::read(&mut reader, ()).ok()?;
    let (size, text) = (u64::from(head.payload_size), u64::from(prefix.text_length));
    let length = match prefix.kind {
        0 => 0,
        1 => {
            reader.take(usize::try_from(prefix.text_length).ok()?).ok()?;
            let header = SoundHeader::read(&mut reader, ()).ok().filter(|header| header.type_id <= 3)?;
            HEADER.saturating_add(header.data_length.into())
        }
        _ => return None,
    };
    let is_line = layout::PREFIX.saturating_add(text).saturating_add(length) == size;
    let is_tag = head.tag.0.iter().all(u8::is_ascii_graphic);
    let fits = size.saturating_add(layout::CHUNK_HEAD) <= file.length;
    (is_line && is_tag && fits).then_some(Score::LIKELY)
}

/// Returns the [keys](label_key) of all lines in the game that a file belongs to; `None` if it has no readable dialogue.
#[must_use]
pub fn labels(context: &Context<'_>) -> Option<Arc<BTreeSet<String>>> {
    let found = Named::Dialogue.find(context)?;
    let read = || {
        let dialogue = Dialogue::read(&context.install.open(&found.location)?)?;
        let lines = dialogue.pieces.iter().filter_map(Piece::line);
        let labels: BTreeSet<String> = lines.map(|line| label_key(&line.tag.to_string())).collect();
        let size = labels.len().saturating_mul(64);
        Ok((labels, size))
    };
    context.install.decoded(&found.location, "labels", read).ok()
}

/// Returns the texts of all lines in the game that a file belongs to; `None` if it has no readable dialogue.
#[must_use]
pub fn texts(context: &Context<'_>) -> Option<Arc<SpokenLines>> {
    let found = Named::Dialogue.find(context)?;
    let read = || {
        let dialogue = Dialogue::read(&context.install.open(&found.location)?)?;
        let lines = dialogue.pieces.iter().filter_map(Piece::line);
        let spoken = |line: &Line| Some((line.tag.to_string(), line.payload.content()?.text()));
        let texts: SpokenLines = lines.filter_map(spoken).collect();
        let size = texts.iter().map(|(_, text)| text.len().saturating_add(96)).sum();
        Ok((texts, size))
    };
    context.install.decoded(&found.location, "texts", read).ok()
}

/// Returns the duration of each voiced line in seconds, by its [key](label_key).
#[must_use]
pub fn durations(context: &Context<'_>) -> Option<Arc<BTreeMap<String, f64>>> {
    let found = Named::Dialogue.find(context)?;
    let read = || {
        let dialogue = Dialogue::read(&context.install.open(&found.location)?)?;
        let lines = dialogue.pieces.iter().filter_map(Piece::line);
        let spoken = |line: &Line| Some((label_key(&line.tag.to_string()), line.payload.voice()?.seconds()));
        let seconds: BTreeMap<String, f64> = lines.filter_map(spoken).collect();
        let size = seconds.len().saturating_mul(64);
        Ok((seconds, size))
    };
    context.install.decoded(&found.location, "durations", read).ok()
}

impl Content {
    /// Creates a line with a voice at this volume.
    ///
    /// # Errors
    /// Returns an error if the text contains characters that are not in code page 437, or the sound is not mono.
    pub fn voiced(text: &str, sound: &Sound, volume: u8) -> Result<Self> {
        replace::voice(&Self::new(text)?, sound.clone(), volume, &mut Report::new())
    }
}

impl Asset for OpenDialogue {
    fn describe(&self, detail: Detail) -> Description {
        let dialogue = self.dialogue();
        let lines = || dialogue.lines().map(|(_, line)| line);
        let voiced = lines().filter(|line| line.payload.voice().is_some()).count();
        let seconds = lines().filter_map(|line| Some(line.payload.voice()?.seconds())).sum();
        let count = dialogue.index.len();
        Description {
            summary: format!(
                "dialogue, {}, {} of them voiced, {} of speech",
                asset::counted(count, "line", "lines"),
                asset::thousands(u64::try_from(voiced).unwrap_or(u64::MAX)),
                clock(seconds)
            ),
            dialect: String::new(),
            counts: Counts::new().with("lines", count).with("voiced lines", voiced),
            fields: match detail {
                Detail::Brief => Document::default(),
                Detail::Full => Document::object(|out| {
                    out.list("lines", self.facts());
                }),
            },
            derived: &[
                "lines[*].same_as",
                "lines[*].kind",
                "lines[*].channels",
                "lines[*].bits",
                "lines[*].loop",
                "lines[*].bytes",
                "lines[*].frames",
                "lines[*].seconds",
                "lines[*].speech_volume",
            ],
        }
    }

    fn field_alias(&self, record: Node<'_>, path: &str) -> Option<String> {
        let (index, fact) = path.strip_prefix("lines[")?.split_once("].")?;
        // An index that differs from the default one stores its own tags.
        if fact == "tag" && matches!(record.get("index").map(Node::content), Some(json::Content::List(_))) {
            return Some(format!("index[{index}].tag"));
        }
        let member = match fact {
            "tag" | "text" => fact.to_owned(),
            _ => format!("voice.header.{}", SoundHeader::member_of(fact)?),
        };
        if index == "*" {
            return Some(format!("pieces[*].{member}"));
        }
        let lines = &self.dialogue().index;
        let line = lines.get(item_index(index, lines.len())?)?;
        Some(format!("pieces[{}].{member}", line.piece))
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        check::check(self.dialogue(), report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        Ok(product::products(self.dialogue(), context, target))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        unpack::unpack(self.dialogue(), parts, report)
    }
}
