//! Offers, conversions and indexes, tested with a synthetic bank of images and voices.

use std::cell::Cell;

use files::sink::MemorySink;
use json::{Value, json};
use scene::image::{Delay, IndexedAnimation};
use scene::product::Table;
use scene::sound::{Depth, SampleFormat, Sound};

use super::*;
use crate::format::OutputWriter;
use crate::{Asset, Context, Description, Detail, Install, Options};

/// Images with these numbers of frames, a voice that two lines share, and a table.
struct Bank {
    frames: Vec<usize>,
}

thread_local! {
    /// Number of computed products.
    static COMPUTED: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    COMPUTED.set(COMPUTED.get().saturating_add(1));
}

fn animation(frames: usize) -> IndexedAnimation {
    count();
    let frames = (0..frames).map(|frame| vec![u8::try_from(frame).unwrap()]).collect();
    IndexedAnimation::new(1, 1, frames, vec![[0, 0, 0, 255]; 256], Delay::milliseconds(50)).unwrap()
}

fn facts(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

impl Asset for Bank {
    fn describe(&self, _detail: Detail) -> Description {
        Description::default()
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let images = self.frames.iter().enumerate().map(|(number, frames)| {
            let image = Offer::new(ProductKind::Image, move |making| {
                making.facts.insert("frames".into(), (*frames).into());
                Ok((*frames > 0).then(|| animation(*frames)))
            });
            image.named("same/name").with_facts(facts(&json!({ "number": number })))
        });
        let voices = ["one", "two"].into_iter().map(|line| {
            let voice = Offer::new(ProductKind::Sound, |_| {
                count();
                let form = SampleFormat { rate: 8000, channels: 1, depth: Depth::Eight };
                Ok(Some(Sound { form, data: vec![128], loops: None }))
            });
            let voice = voice.named("voice").with_key(7).with_caption("Hello".into());
            voice.with_facts(facts(&json!({ "line": line })))
        });
        let table = Offer::new(ProductKind::Table, |_| Ok(Some(Table::new(["a"], std::iter::empty()))));
        let head = facts(&json!({ "bank": 302 }));
        Ok(Products::new(context, target).with_all(images).with_all(voices).with(table).with_index(Index {
            head,
            list: "things",
            lines: IndexLayout::OneLine,
        }))
    }
}

/// Converts a bank to the format with this extension for a kind of product.
fn written(bank: &Bank, kind: ProductKind, extension: &str) -> MemorySink {
    let (install, options) = (Install::empty(), Options::default());
    let context = Context { install: &install, location: None, options: &options };
    let encoder = scene::product::encoders_of(kind).find(|encoder| encoder.extension == extension).unwrap();
    let (mut sink, mut report) = (MemorySink::new(), Report::new());
    let target = Target::new("bank", 1.0);
    COMPUTED.set(0);
    OutputWriter::Encoders(vec![encoder])
        .write(bank, &context, target, &mut sink, &mut (), &mut report)
        .unwrap();
    assert!(report.is_empty(), "{report:?}");
    sink
}

fn names(sink: &MemorySink) -> Vec<&str> {
    sink.files().iter().map(|(name, _)| name.as_str()).collect()
}

fn index(sink: &MemorySink) -> Value {
    json::from_slice(sink.get("bank.json").unwrap()).unwrap()
}

#[test]
fn writes_a_file_for_each_image_an_overview_and_an_index() {
    let sink = written(&Bank { frames: vec![1, 3, 0] }, ProductKind::Image, "png");
    assert_eq!(names(&sink), ["bank/same_name.png", "bank/same_name~2.png", "bank.png", "bank.json"]);
    assert_eq!(
        index(&sink),
        json!({ "bank": 302, "things": [
            { "number": 0, "frames": 1, "files": ["bank/same_name.png"] },
            { "number": 1, "frames": 3, "files": ["bank/same_name~2.png"] },
            { "number": 2, "frames": 0 },
            { "line": "one" },
            { "line": "two" },
        ] })
    );
}

#[test]
fn writes_frames_to_separate_files_if_a_file_holds_one() {
    let sink = written(&Bank { frames: vec![2] }, ProductKind::Image, "webp");
    assert_eq!(names(&sink), ["bank/same_name-00.webp", "bank/same_name-01.webp", "bank.webp", "bank.json"]);
}

#[test]
fn writes_no_companions_for_an_encoder_without_them() {
    assert_eq!(names(&written(&Bank { frames: vec![1] }, ProductKind::Image, "act")), ["bank/same_name.act"]);
    assert_eq!(names(&written(&Bank { frames: vec![1] }, ProductKind::Table, "csv")), ["bank.csv"]);
}

#[test]
fn computes_shared_products_once() {
    let sink = written(&Bank { frames: Vec::new() }, ProductKind::Sound, "wav");
    assert_eq!((names(&sink), COMPUTED.get()), (vec!["bank/voice.wav", "bank.json"], 1));
    let lines = index(&sink)["things"].clone();
    assert_eq!(lines[0]["file"], "bank/voice.wav");
    assert_eq!(lines[1], json!({ "line": "two", "file": "bank/voice.wav" }));
}

#[test]
fn computes_no_other_products_for_data() {
    let sink = written(&Bank { frames: vec![1, 2] }, ProductKind::Data, "json");
    assert_eq!((names(&sink), COMPUTED.get()), (vec!["bank.json"], 0));
    assert_eq!(index(&sink)["things"][1], json!({ "number": 1 }));
}

#[test]
fn listing_products_computes_none() {
    let (install, options) = (Install::empty(), Options::default());
    let context = Context { install: &install, location: None, options: &options };
    COMPUTED.set(0);
    let bank = Bank { frames: vec![1; 5602] };
    let offers: Vec<_> = bank.products(&context, Target::new("bank", 1.0)).unwrap().collect();
    assert_eq!((offers.len(), COMPUTED.get()), (5605, 0));
    assert_eq!((offers[5602].kind, offers[5602].name.as_deref()), (ProductKind::Sound, Some("voice")));
}

#[test]
fn uses_a_fallback_if_the_replaced_kind_is_not_requested() {
    struct Both;
    impl Asset for Both {
        fn describe(&self, _detail: Detail) -> Description {
            Description::default()
        }

        fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
            let text = Offer::new(ProductKind::Text, |_| Ok(Some(Product::Text("text".to_owned()))));
            let image = Offer::new(ProductKind::Image, |_| Ok(Some(animation(1))));
            Ok(Products::new(context, target).with(text).with(image.fallback_for(ProductKind::Text)))
        }
    }
    let encoder = |kind| scene::product::encoders_of(kind).next().unwrap();
    let (text, image) = (encoder(ProductKind::Text), encoder(ProductKind::Image));
    for (encoders, expected) in
        [(vec![text, image], "both.txt"), (vec![text], "both.txt"), (vec![image], "both.png")]
    {
        let (install, options) = (Install::empty(), Options::default());
        let context = Context { install: &install, location: None, options: &options };
        let (mut sink, mut report) = (MemorySink::new(), Report::new());
        OutputWriter::Encoders(encoders)
            .write(&Both, &context, Target::new("both", 1.0), &mut sink, &mut (), &mut report)
            .unwrap();
        assert_eq!(names(&sink), [expected]);
    }
}

/// Checks the conversion of an asset whose file has `length` bytes, and returns the warnings.
fn check_conversion(asset: &dyn Asset, kind: ProductKind, length: u64) -> Vec<String> {
    let (install, options) = (Install::empty(), Options::default());
    let context = Context { install: &install, location: None, options: &options };
    let encoder = scene::product::encoders_of(kind).next().unwrap();
    let (output, mut report) = (OutputWriter::Encoders(vec![encoder]), Report::new());
    COMPUTED.set(0);
    output.check_conversion((asset, length), &context, Target::new("bank", 1.0), &mut report);
    report.iter().map(ToString::to_string).collect()
}

#[test]
fn checking_a_conversion_computes_the_same_products_and_reports_errors() {
    struct Nothing;
    impl Asset for Nothing {
        fn describe(&self, _detail: Detail) -> Description {
            Description::default()
        }
    }
    let bank = Bank { frames: vec![1, 3, 0] };
    for kind in [ProductKind::Image, ProductKind::Sound, ProductKind::Data] {
        let extension = scene::product::encoders_of(kind).next().unwrap().extension;
        written(&bank, kind, extension);
        let computed = COMPUTED.get();
        assert_eq!((check_conversion(&bank, kind, 1), COMPUTED.get()), (Vec::new(), computed), "{kind:?}");
    }
    let expected = "warning CONVERT-W002: this format does not support conversion";
    assert_eq!(check_conversion(&Nothing, ProductKind::Image, u64::MAX), [expected]);
    let expected =
        "note CONVERT-N003: the file is larger than 5 MB; use convert --dry-run to check the conversion";
    assert_eq!(check_conversion(&Nothing, ProductKind::Scene, (5 << 20) + 1), [expected]);
    assert_eq!(check_conversion(&Nothing, ProductKind::Scene, 5 << 20).len(), 1);
}
