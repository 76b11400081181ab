//! A whole format in one file: notes of a made-up game. Read it next to the page "Adding a format" of the book.

use asset::{
    Asset, Can, Code, Context, Counts, Description, Detail, Error, Format, MemorySink, Output, OutputKind,
    Parts, Report, Score, Severity, Sink, Source, Target, Unpacked, Visitor,
};
use record::{Bytes, Record, json, read_whole, trace_whole, write_whole};
use serde::{Deserialize, Serialize};

/// What stands in a `.note` file. This one declaration reads it, writes it, explains its bytes, and is the JSON people edit.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(magic = b"NOTE")]
#[serde(deny_unknown_fields)]
struct Note {
    version: u16,
    /// Since version 2: the picture of the page it is on.
    #[record(when = version >= 2)]
    page: Option<u16>,
    #[record(count = u32)]
    text: Bytes,
}

/// The line that goes into the game's list of formats.
static FORMAT: Format = Format {
    id: "example.note",
    name: "Note of the example game",
    game: "example",
    extensions: &["note"],
    can: &[Can::Read, Can::Write, Can::Check, Can::Text, Can::Pack, Can::Hex],
    probe: |file| file.starts_with(b"NOTE").then_some(Score::CERTAIN),
    open: |source, _report| Ok(Box::new(Note::read_source(source)?)),
    pack: Some(pack),
    import: None,
    outputs: &[Output { extension: "txt", kind: OutputKind::Text, about: "the text of the note" }],
    options: &[],
    codes: &[NO_PAGE],
};

static NO_PAGE: Code = Code {
    id: "NOTE-W001",
    severity: Severity::Warning,
    title: "page missing",
    about: "The picture of the page is not there. Example: `page 7 is not there`.",
};

impl Note {
    fn read_source(source: &Source) -> Result<Self, Error> {
        read_whole(&source.read_all()?, ())
    }
}

impl Asset for Note {
    fn describe(&self, detail: Detail) -> Description {
        Description {
            summary: format!("note, {} letters", self.text.len()),
            dialect: format!("version {}", self.version),
            counts: Counts::new().with("letters", self.text.len()),
            fields: match detail {
                Detail::Brief => serde_json::Value::Null,
                Detail::Full => serde_json::to_value(self).unwrap_or_default(),
            },
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        let Some(page) = self.page else { return };
        if context.reference(&format!("page{page}.png"), &["jpg"]).found().is_none() {
            report.warn(&NO_PAGE, format!("page {page} is not there")).in_field("page");
        }
    }

    fn export(
        &self,
        _context: &Context<'_>,
        target: &Target<'_>,
        sink: &mut dyn Sink,
        _report: &mut Report,
    ) -> Result<(), Error> {
        sink.put(&target.main_name(), &self.text)
    }

    fn unpack(
        &self,
        _context: &Context<'_>,
        parts: &mut Parts<'_>,
        _report: &mut Report,
    ) -> Result<(), Error> {
        parts.record(json::to_vec(self)?)
    }

    fn spans(&self, source: &Source, visitor: &mut dyn Visitor) -> Result<(), Error> {
        trace_whole::<Self>(&source.read_all()?, (), visitor)
    }
}

fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>, Error> {
    write_whole(&json::from_slice::<Note>(&folder.record()?)?, ())
}

fn main() -> Result<(), Error> {
    let file = b"NOTE\x02\0\x07\0\x05\0\0\0Hello";
    let (mut report, mut sink) = (Report::new(), MemorySink::new());
    let note = (FORMAT.open)(&Source::from_bytes(&file[..]), &mut report)?;

    let install = asset::Install::nowhere();
    let options = asset::Options::defaults(FORMAT.options);
    let context = Context { install: &install, place: None, options: &options };
    note.check(&context, &mut report);
    for output in FORMAT.outputs {
        note.export(&context, &Target { output, stem: "hello", scale: 1.0 }, &mut sink, &mut report)?;
    }
    assert_eq!(sink.get("hello.txt"), Some(&b"Hello"[..]));
    assert_eq!(report.count_of(&NO_PAGE), 1);

    let read = Note::read_source(&Source::from_bytes(&file[..]))?;
    assert_eq!(write_whole(&read, ())?, file, "what was read is written back");
    Ok(())
}
