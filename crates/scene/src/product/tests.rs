//! Every kind of product has an encoder, and encoded products can be decoded again.

use json::{Map, Number, json};

use super::*;
use crate::Result;
use crate::font::{Glyph, PixelFont};
use crate::image::{Delay, IndexedAnimation, Limits, Rgba8, decode as decode_image, decode_gif};
use crate::sample::every_feature;
use crate::sound::{Depth, SampleFormat, Sound};
use record::Kind;

fn animation(frames: usize) -> IndexedAnimation {
    let palette = (0..=255).map(|value| [value, 0, !value, 255]).collect();
    let frames = (0..frames).map(|frame| vec![u8::try_from(frame).unwrap(), 7, 9, 255]).collect();
    IndexedAnimation::new(2, 2, frames, palette, Delay::milliseconds(100)).unwrap()
}

fn font() -> FontProduct {
    let glyph = Glyph {
        character: Some('A'),
        width: 2,
        height: 2,
        left: 0,
        top: 0,
        advance: 3,
        pixels: vec![1, 0, 1, 1],
    };
    let font = PixelFont {
        name: "Small".into(),
        line_height: 4,
        baseline: 3,
        palette: vec![[0; 4], [255; 4]],
        glyphs: vec![glyph],
    };
    let metadata = |value: json::Value| value.as_object().cloned().unwrap();
    FontProduct {
        font,
        metadata: metadata(json!({ "line_height": 4 })),
        glyph_metadata: vec![metadata(json!({ "codepoint": 65 }))],
    }
}

fn product(kind: ProductKind) -> Product<'static> {
    match kind {
        ProductKind::Scene => every_feature().into(),
        ProductKind::Image => animation(1).into(),
        ProductKind::Sound => {
            let form = SampleFormat { rate: 11025, channels: 1, depth: Depth::Eight };
            Sound { form, data: vec![128, 255, 0, 128], loops: None }.into()
        }
        ProductKind::Font => font().into(),
        ProductKind::Table => {
            let rows = vec![vec![Cell::from("say \"hi\""), Cell::from(Number::from(5)), Cell::Empty]];
            Table::new(["text", "number", "nothing"], rows.into_iter()).into()
        }
        ProductKind::Text => Product::Text("Grüße\n".into()),
        ProductKind::Subtitles => {
            let end = std::time::Duration::from_secs(1);
            let cue = Cue { start: end / 2, end, text: "Grüße".into(), is_forced: false };
            Subtitles { cues: vec![cue] }.into()
        }
        ProductKind::Data => Data::new(json!({ "a": [1, 2] })).into(),
    }
}

fn encode(kind: ProductKind, extension: &str, product: &mut Product<'_>) -> Result<Memory> {
    let encoder = encoder_for(kind, extension).unwrap();
    let mut files = Memory::default();
    encoder.encode(product, &EncodeOptions::new("file"), &mut files)?;
    Ok(files)
}

fn file(kind: ProductKind, extension: &str) -> Vec<u8> {
    let files = encode(kind, extension, &mut product(kind)).unwrap().files;
    let name = format!("file.{extension}");
    files.into_iter().find(|file| file.name == name).unwrap().bytes
}

#[test]
fn every_kind_has_an_encoder_and_extensions_are_unique() {
    for kind in ProductKind::ALL {
        let extensions: Vec<_> = encoders_of(kind).map(|encoder| encoder.extension).collect();
        assert!(!extensions.is_empty(), "{kind}");
        let mut once = extensions.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), extensions.len(), "{kind}: {extensions:?}");
    }
}

#[test]
fn every_encoder_writes_a_file_of_its_extension_and_refuses_other_kinds() {
    for encoder in ENCODERS {
        assert!(!file(encoder.kind, encoder.extension).is_empty(), "{encoder:?}");
        for kind in ProductKind::ALL.into_iter().filter(|kind| *kind != encoder.kind) {
            let refused =
                encoder.encode(&mut product(kind), &EncodeOptions::new("x"), &mut Memory::default());
            assert_eq!(refused.unwrap_err().kind(), Kind::Usage, "{encoder:?} of {kind}");
        }
    }
}

#[test]
fn decodes_encoded_products_as_the_same_kind() {
    for decoder in DECODERS {
        for extension in decoder.extensions {
            let Some(encoder) = encoders_of(decoder.kind).find(|it| it.extension == *extension) else {
                continue;
            };
            // A scene in several files needs its companion files.
            if encoder.extension == "gltf" {
                continue;
            }
            let bytes = file(decoder.kind, extension);
            let again = decode(&bytes, extension, decoder.kind).unwrap();
            assert_eq!(again.product.kind(), decoder.kind, "{extension}");
        }
    }
    let wrong = decode(&file(ProductKind::Sound, "wav"), "wav", ProductKind::Image).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "expected image content (png, jpg, jpeg, bmp, tga, gpl, act), found sound content"
    );
    assert_eq!(decode(b"?", "bin", ProductKind::Image).unwrap_err().kind(), Kind::Unsupported);
}

#[test]
fn round_trips_pixels_through_every_image_format() {
    let pixels = animation(1).first().to_rgba8();
    let png = file(ProductKind::Image, "png");
    assert_eq!(decode_image(&png, &Limits::default()).unwrap(), pixels);
    let gif = file(ProductKind::Image, "gif");
    assert_eq!(decode_gif(&gif, &Limits::default()).unwrap().0, std::slice::from_ref(&pixels));
    let webp = file(ProductKind::Image, "webp");
    let mut decoder = image_webp::WebPDecoder::new(std::io::Cursor::new(&webp)).unwrap();
    assert_eq!((decoder.dimensions(), decoder.has_alpha()), ((2, 2), false));
    let mut out = vec![0; decoder.output_buffer_size().unwrap()];
    decoder.read_image(&mut out).unwrap();
    let solid: Vec<u8> = pixels.pixels().chunks_exact(4).flat_map(|pixel| pixel[..3].to_vec()).collect();
    assert_eq!(out, solid);
}

#[test]
fn preserves_alpha_in_webp() {
    let picture = Rgba8::new(1, 2, vec![1, 2, 3, 4, 5, 6, 7, 255]).unwrap();
    let webp = encode(ProductKind::Image, "webp", &mut picture.clone().into()).unwrap();
    let mut decoder = image_webp::WebPDecoder::new(std::io::Cursor::new(&webp.files[0].bytes)).unwrap();
    let mut out = vec![0; decoder.output_buffer_size().unwrap()];
    decoder.read_image(&mut out).unwrap();
    assert_eq!(out, picture.pixels());
}

#[test]
fn writes_all_frames_if_the_format_supports_animation() {
    let mut moving: Product<'_> = animation(3).into();
    let gif = encode(ProductKind::Image, "gif", &mut moving).unwrap();
    assert_eq!(decode_gif(&gif.files[0].bytes, &Limits::default()).unwrap().0.len(), 3);
    let png = encode(ProductKind::Image, "png", &mut moving).unwrap();
    assert!(png.files[0].bytes.windows(4).any(|four| four == b"acTL"));
}

#[test]
fn writes_palettes_of_indexed_images_only() {
    let act = file(ProductKind::Image, "act");
    assert_eq!((act.len(), &act[3..6]), (768, &[1, 0, 254][..]));
    let gpl = String::from_utf8(file(ProductKind::Image, "gpl")).unwrap();
    assert!(
        gpl.starts_with("GIMP Palette\nName: file\n") && gpl.ends_with("255   0   0\tindex 255\n"),
        "{gpl}"
    );
    let mut channels: Product<'_> = Rgba8::new(1, 1, vec![0; 4]).unwrap().into();
    let refused = encode(ProductKind::Image, "act", &mut channels).unwrap_err();
    assert_eq!(refused.to_string(), "a color table needs an image with a palette");
}

#[test]
fn writes_the_number_of_colors_of_a_short_palette() {
    let act = crate::image::to_act(&[[9, 8, 7, 255]; 3]);
    assert_eq!((act.len(), &act[768..]), (772, &[0, 3, 255, 255][..]));
}

#[test]
fn reads_palettes_as_images_with_each_color_once() {
    let colors = animation(1).palette().to_vec();
    for extension in ["act", "gpl"] {
        let read = decode(&file(ProductKind::Image, extension), extension, ProductKind::Image).unwrap();
        let Picture::Indexed(row) = read.into_image().unwrap() else { panic!("not indexed") };
        assert_eq!((row.width(), row.height(), row.palette()), (256, 1, &colors[..]), "{extension}");
    }
    let short = crate::image::to_act(&[[9, 8, 7, 255]; 3]);
    assert_eq!(crate::image::from_act(&short).unwrap(), [[9, 8, 7, 255]; 3]);
    let refused =
        |bytes: &[u8], extension| decode(bytes, extension, ProductKind::Image).unwrap_err().to_string();
    assert_eq!(refused(b"123", "act"), "a color table has 768 or 772 bytes, this file has 3, at offset 0x0");
    assert!(refused(b"GIMP Palette\n1 2\n", "gpl").contains("line 2 is not a color: \"1 2\""));
    assert_eq!(refused(b"GIMP Palette\n", "gpl"), "the palette has no colors");
}

#[test]
fn encodes_a_product_as_one_file() {
    let png = super::encode(&mut animation(1).into(), "file", "png").unwrap();
    assert_eq!(png, file(ProductKind::Image, "png"));
    let refused = super::encode(&mut animation(1).into(), "file", "wav").unwrap_err();
    assert_eq!(refused.to_string(), "no encoder writes .wav files of the kind image");
}

#[test]
fn writes_a_font_as_a_sheet_with_companion_files() {
    let made = encode(ProductKind::Font, "png", &mut font().into()).unwrap();
    let names: Vec<_> = made.files.iter().map(|file| (file.name.as_str(), file.kind)).collect();
    assert_eq!(
        names,
        [
            ("file.png", ProductKind::Image),
            ("file.bmfont.fnt", ProductKind::Data),
            ("file.json", ProductKind::Data),
            ("file.ttf", ProductKind::Font)
        ]
    );
    let metadata: json::Value = json::from_slice(&made.files[2].bytes).unwrap();
    assert_eq!(metadata["sheet"]["file"], "file.png");
    assert_eq!(metadata["glyphs"][0], json!({ "codepoint": 65, "x": 0, "y": 0 }));
}

#[test]
fn reports_a_failed_font_file_and_writes_the_others() {
    let mut empty = font();
    empty.font.glyphs.clear();
    empty.glyph_metadata.clear();
    let made = encode(ProductKind::Font, "png", &mut empty.into()).unwrap();
    assert_eq!(made.files.len() + made.skipped.len(), 4, "{made:?}");
}

#[test]
fn does_not_use_the_name_of_the_source_file() {
    let encoder = encoders_of(ProductKind::Font).find(|encoder| encoder.extension == "fnt").unwrap();
    let mut files = Memory::default();
    let options = EncodeOptions { taken: Some("arial.FNT"), ..EncodeOptions::new("ARIAL") };
    encoder.encode(&mut font().into(), &options, &mut files).unwrap();
    assert_eq!(files.files[1].name, "ARIAL.bmfont.fnt");
}

#[test]
fn quotes_texts_but_not_numbers_in_tables() {
    assert_eq!(file(ProductKind::Table, "csv"), b"text,number,nothing\r\n\"say \"\"hi\"\"\",5,\r\n");
}

#[test]
fn escapes_texts_that_could_run_as_formulas() {
    let texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "'quoted", "a=b", ""];
    let rows = texts.map(|text| vec![Cell::from(text.to_owned()), Cell::from(Number::from(-5))]);
    let mut table = Product::from(Table::new(["text", "number"], rows.into_iter()));
    let made = encode(ProductKind::Table, "csv", &mut table).unwrap();
    let csv = String::from_utf8(made.files[0].bytes.clone()).unwrap();
    let cells: Vec<_> = csv.lines().skip(1).map(|line| line.strip_suffix(",-5").unwrap()).collect();
    assert_eq!(
        cells,
        ["\"'=1+1\"", "\"'+1\"", "\"'-1\"", "\"'@SUM(A1)\"", "\"'\tx\"", "\"''quoted\"", "\"a=b\"", "\"\""]
    );
    // Removing one apostrophe restores the text.
    for (cell, text) in cells.iter().zip(texts) {
        let read = cell.trim_matches('"');
        assert_eq!(read.strip_prefix('\'').unwrap_or(read), text);
    }
}

#[test]
fn formats_data_according_to_the_layout() {
    let value = json!({ "name": "x", "list": [{ "a": 1 }, { "a": 2 }] });
    let json = |layout| String::from_utf8(Data::new(&value).with_layout(layout).to_json().unwrap()).unwrap();
    assert_eq!(
        json(Layout::Lines),
        "{\n  \"name\": \"x\",\n  \"list\": [\n    {\"a\":1},\n    {\"a\":2}\n  ]\n}\n"
    );
    assert_eq!(json(Layout::Record), "{\"name\": \"x\", \"list\": [{\"a\": 1}, {\"a\": 2}]}\n");
    assert!(json(Layout::Expanded).contains("\n      \"a\": 2\n"));
    let list = Data::new(json!([{ "a": [1, 2] }, 5])).with_layout(Layout::Lines).to_json().unwrap();
    assert_eq!(String::from_utf8(list).unwrap(), "[\n{\"a\":[1,2]},\n5\n]\n");
    assert!(Data::new(5).with_layout(Layout::Lines).to_json().is_err());
    let empty = Data::new(Map::<String, json::Value>::new()).with_layout(Layout::Lines);
    assert_eq!(empty.to_json().unwrap(), b"{\n}\n");
}
