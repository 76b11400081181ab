//! A complete format in one file: notes of a fictional game. See the chapter "Adding a format" of the book.

use antiquary_asset::{
    Asset, Code, Context, Counts, Description, Detail, Error, Format, MemorySink, Offer, Offered, Parts,
    ProductKind, Products, Report, Score, Severity, Source, Target, Unpacked,
};
use json::Document;
use record::{Bytes, Record, read_whole, write_whole};
use scene::Product;
use serde::{Deserialize, Serialize};

/// The contents of a `.note` file. This declaration provides the reader, the writer, the hex view, and the editable JSON.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(magic = b"NOTE")]
#[serde(deny_unknown_fields)]
struct Note {
    version: u16,
    /// Since version 2: number of the image of its page.
    #[record(when = version >= 2)]
    page: Option<u16>,
    #[record(count = u32)]
    text: Bytes,
}

/// The entry in the game's list of formats.
static FORMAT: Format = Format::new("example.note", "Note of the example game", open)
    .game("example")
    .extensions(&["note"])
    .probe(|file| file.starts_with(b"NOTE").then_some(Score::CERTAIN))
    .pack(pack)
    .products(&[
        Offered { kind: ProductKind::Text, about: "the text of the note" },
        Offered { kind: ProductKind::Data, about: "every field of the file" },
    ])
    .record::<Note>()
    .codes(&[NO_PAGE]);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>, Error> {
    Ok(Box::new(Note::read_source(source)?))
}

static NO_PAGE: Code = Code {
    id: "NOTE-W001",
    severity: Severity::Warning,
    title: "page missing",
    about: "The page does not exist. Example: `page 7 was not found`.",
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
                Detail::Brief => Document::default(),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        let Some(page) = self.page else { return };
        if context.reference(&format!("page{page}.png"), &["jpg"]).found().is_none() {
            report.warn(&NO_PAGE, format!("page {page} was not found")).in_field("page");
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>, Error> {
        let text = Offer::new(ProductKind::Text, |_| {
            Ok(Some(Product::Text(String::from_utf8_lossy(&self.text).into_owned())))
        });
        Ok(Products::new(context, target).with(text).with_fields(self, self.unit_fields()))
    }

    fn unpack(
        &self,
        _context: &Context<'_>,
        parts: &mut Parts<'_>,
        _report: &mut Report,
    ) -> Result<(), Error> {
        parts.typed(self)
    }
}

fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>, Error> {
    write_whole(&folder.typed::<Note>()?, ())
}

fn main() -> Result<(), Error> {
    let file = b"NOTE\x02\0\x07\0\x05\0\0\0Hello";
    let (mut report, mut sink) = (Report::new(), MemorySink::new());
    let note = (FORMAT.open)(&Source::from_bytes(&file[..]), &mut report)?;

    let install = antiquary_asset::Install::empty();
    let options = antiquary_asset::Options::defaults(FORMAT.options);
    let context = Context { install: &install, location: None, options: &options };
    note.check(&context, &mut report);
    for output in FORMAT.outputs().iter().filter_map(|output| FORMAT.output(output.extension)) {
        let target = Target::new("hello", 1.0);
        output.write(&*note, &context, target, &mut sink, &mut (), &mut report)?;
    }
    assert_eq!(sink.get("hello.txt"), Some(&b"Hello"[..]));
    assert_eq!(report.count_of(&NO_PAGE), 1);

    let read = Note::read_source(&Source::from_bytes(&file[..]))?;
    assert_eq!(write_whole(&read, ())?, file, "what was read is written back");
    Ok(())
}
