//! A synthetic game: boxes with a text and the name of a picture.
//!
//! A box is `TEXTBOX`, a version byte (1 or 2), the length of the picture's name (1 byte), the name, and text to the end.

use asset::{
    Asset, Charset, Choice, Code, Context, Counts, Description, Detail, Error, Flag, Format, GameInfo,
    KnownFile, Lookup, Match, Offer, Offered, Parts, ProductKind, Products, Report, Score, Severity, Source,
    Span, Target, Unpacked, ViewSource, Visit, Visitor,
};
use scene::Product;
use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;

pub(super) static CATALOG: Catalog = Catalog::new(&[&GAME, &OTHER_GAME]);

static GAME: GameInfo = GameInfo {
    id: "test",
    name: "Test Game",
    charset: Charset::Windows1252,
    formats: &[&BOX, &NOTE, &super::crates::CRATE],
    markers: &["boxes/LIST.ini"],
    archives: Some(&super::crates::CRATES),
    known: &[
        KnownFile { pattern: "*.Movie", about: "movie; any player shows it" },
        KnownFile { pattern: "part?.tmp", about: "unfinished <things>" },
    ],
    check: None,
    builders: &[],
    characters: &[],
    sample: |sink| sink.put("Boxes/a.box", &textbox(1, "", "sample")),
};

static OTHER_GAME: GameInfo = GameInfo {
    id: "other",
    name: "Other Game",
    charset: Charset::Windows1252,
    formats: &[&OTHER_NOTE],
    markers: &[],
    archives: None,
    known: &[],
    check: None,
    builders: &[],
    characters: &[],
    sample: |sink| sink.put("a.txt", b"other"),
};

pub(super) static BOX: Format = Format::new("test.box", "text box", open)
    .game("test")
    .extensions(&["box"])
    .probe(|file| file.starts_with(b"TEXTBOX").then_some(Score::CERTAIN))
    .pack(pack)
    .import(asset::Import { extensions: &["box"], options: &[], make: import })
    .products(&[
        Offered { kind: ProductKind::Text, about: "the text" },
        Offered { kind: ProductKind::Data, about: "everything" },
    ])
    .spans(spans)
    .options(&[CASE.option(), SIDE.option()])
    .codes(&[MISSING, OTHER_CASE, LATE]);

fn open(source: &Source, report: &mut Report) -> Result<Box<dyn Asset>, Error> {
    Ok(Box::new(TextBox::read(&source.read_all()?, report)?))
}

static NOTE: Format = Format::new("test.note", "note", |_, _| Ok(Box::new(Note)))
    .game("test")
    .extensions(&["note", "me"])
    .probe(|file| Some(if file.starts_with(b"NOTE") { Score::LIKELY } else { Score::NEVER }));

static OTHER_NOTE: Format = Format::new("other.note", "other note", |_, _| Ok(Box::new(Note)))
    .game("other")
    .extensions(&["other"])
    .probe(|file| file.starts_with(b"NOTE").then_some(Score::LIKELY))
    .options(&[OTHER_CASES.option()]);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Keep,
    Upper,
}

const CASE: Choice<Case> = Choice::new(
    "case",
    "Letter case.",
    &[("keep", "as it is"), ("upper", "loud")],
    &[Case::Keep, Case::Upper],
);
const SIDE: Flag = Flag::new("side", "Also write a companion file.");
const OTHER_CASES: Choice<()> = Choice::new("case", "Something else.", &[("snake", "")], &[()]);

const MISSING: Code =
    Code { id: "BOX-W001", severity: Severity::Warning, title: "picture not found", about: "" };
const OTHER_CASE: Code =
    Code { id: "BOX-N002", severity: Severity::Note, title: "picture in another case", about: "" };
const LATE: Code = Code { id: "BOX-E003", severity: Severity::Error, title: "text says so", about: "" };

/// Returns the bytes of a box.
pub(super) fn textbox(version: u8, picture: &str, text: &str) -> Vec<u8> {
    let mut out = b"TEXTBOX".to_vec();
    out.extend([version, u8::try_from(picture.len()).unwrap()]);
    out.extend(picture.as_bytes());
    out.extend(text.as_bytes());
    out
}

#[derive(Serialize, Deserialize)]
struct TextBox {
    version: u8,
    picture: String,
    text: String,
}

impl TextBox {
    fn read(bytes: &[u8], report: &mut Report) -> Result<Self, Error> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (version, length) = match bytes.get(7..9) {
            Some([version @ 1..=2, length]) => (*version, usize::from(*length)),
            Some(_) => return Err(Error::unsupported("version unknown").at(7).in_field("version")),
            None => return Err(Error::malformed("cut short").at(7).in_field("version")),
        };
        let rest = &bytes[9..];
        if rest.len() < length {
            return Err(Error::malformed("picture runs past the end").at(8).in_field("picture"));
        }
        let out = Self { version, picture: text(&rest[..length]), text: text(&rest[length..]) };
        if out.text.contains("ERROR") {
            report.warn(&LATE, "the text says so").in_field("text");
        }
        Ok(out)
    }

    fn write(&self) -> Vec<u8> {
        textbox(self.version, &self.picture, &self.text)
    }
}

impl Asset for TextBox {
    fn describe(&self, detail: Detail) -> Description {
        assert!(!self.text.contains("PANIC"), "the text says so");
        Description {
            summary: format!("text, {} characters", self.text.len()),
            dialect: format!("v{}", self.version),
            counts: Counts::new().with("characters", self.text.len()),
            fields: match detail {
                Detail::Full => json::to_value(self).unwrap().into(),
                Detail::Brief => json::Document::default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        match context.reference(&self.picture, &["png"]) {
            Lookup::Found(found) if found.matched == Match::OtherCase => {
                let path = found.location.path();
                report.warn(&OTHER_CASE, format!("\"{}\" is {path}", self.picture)).in_field("picture");
            }
            Lookup::Found(_) => {}
            Lookup::Missing => {
                report.warn(&MISSING, format!("\"{}\" not found", self.picture)).in_field("picture");
            }
            Lookup::Rejected(why) => {
                report.warn(&MISSING, format!("\"{}\" {why}", self.picture)).in_field("picture");
            }
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>, Error> {
        let case = context.options.choice(&CASE);
        let text = Offer::new(ProductKind::Text, move |_| {
            Ok(Some(Product::Text(match case {
                Case::Upper => self.text.to_uppercase(),
                Case::Keep => self.text.clone(),
            })))
        });
        let mut products = Products::new(context, target).with(text);
        if context.options.flag(&SIDE) {
            let side = Offer::new(ProductKind::Text, |_| Ok(Some(Product::Text(self.picture.clone()))));
            products = products.with(side.named("side"));
        }
        let refused = Offer::new(ProductKind::Text, |_| {
            assert!(!self.text.contains("PANIC"), "the text says so");
            let is_refused = self.text.contains("REFUSE");
            if is_refused { Err(Error::unsupported("the text says so")) } else { Ok(None::<Product<'_>>) }
        });
        let around = context.clone();
        let products = products.with(refused).with_fields(self, self.unit_fields());
        Ok(products.with_closing(move |report| self.check(&around, report)))
    }

    fn unpack(&self, _: &Context<'_>, parts: &mut Parts<'_>, _: &mut Report) -> Result<(), Error> {
        parts.typed(self)?;
        parts.view("text", Product::Text(self.text.clone()), &[ViewSource::Record("/text")])?;
        Ok(())
    }
}

fn spans(asset: &dyn Asset, source: &Source, visitor: &mut dyn Visitor) -> Result<(), Error> {
    let version = asset.typed::<TextBox>().map_or(0, |file| file.version);
    visitor.span(Span { start: 7, end: 8, path: "version", value: &version });
    match visitor.span(Span { start: 9, end: source.len(), path: "rest", value: &"..." }) {
        Visit::Continue | Visit::Stop => Ok(()),
    }
}

fn pack(unpacked: &Unpacked, _: &mut Report) -> Result<Vec<u8>, Error> {
    let mut out: TextBox = unpacked.typed()?;
    if out.text.contains("FAULTY") {
        out.version = 9;
    }
    for view in unpacked.edited_views()? {
        out.text = String::from_utf8_lossy(&view.bytes).into_owned();
    }
    Ok(out.write())
}

fn import(file: &asset::SceneFile<'_>, report: &mut Report) -> Result<asset::Imported, Error> {
    report.warn(&MISSING, "pictures of scenes have no place in a box");
    let scene = &file.read.scene;
    Ok(textbox(1, "", &format!("{}, {} meshes", scene.name, scene.meshes.len())).into())
}

struct Note;

impl Asset for Note {
    fn describe(&self, _: Detail) -> Description {
        Description { summary: "note".to_owned(), ..Description::default() }
    }
}
