//! Synthetic palettes.

use std::sync::Arc;

use asset::{FolderSink, Guard, Install, MemorySink, Options, Overwrite, Target, Unpacked};
use files::layer::MemoryLayer;
use media::picture::{Colors, Index0};
use proptest::prelude::*;
use record::{Bytes, Kind, Source};
use scene::image::{encode_indexed_png, to_act, to_gpl};

use super::*;
use crate::picture::Renderer;

fn colors() -> Colors {
    let mut out = Colors::default();
    for (index, color) in out.0.iter_mut().enumerate() {
        *color = [index as u8, 255 - index as u8, (index * 7 % 256) as u8];
    }
    out.0[0] = [0; 3];
    out
}

/// Returns a file that starts with these two numbers.
fn file(size: u32, magic: u32, rest: &[u8]) -> Vec<u8> {
    [&size.to_le_bytes()[..], &magic.to_le_bytes(), colors().bytes(), rest].concat()
}

fn read(bytes: &[u8]) -> (Palette, Report) {
    let mut report = Report::new();
    let palette = Palette::read(bytes, &mut report).unwrap();
    report.locate(|visitor| FORMAT.trace(&palette, &Source::from_bytes(bytes), visitor));
    (palette, report)
}

fn messages(report: &Report) -> Vec<String> {
    report.iter().map(ToString::to_string).collect()
}

#[test]
fn every_field_round_trips() {
    let bytes = file(776, 0xb123, b"");
    assert_eq!(bytes.len(), 776);
    let (palette, report) = read(&bytes);
    assert_eq!(palette, Palette::new(colors()));
    assert!(report.is_empty());
    assert_eq!(palette.write().unwrap(), bytes);
    let again: Palette = json::from_slice(&json::to_vec(&palette).unwrap()).unwrap();
    assert_eq!(again, palette);
}

#[test]
fn wrong_header_flags_are_reported_and_kept() {
    let bytes = file(777, 0xb123, b"x");
    let (palette, report) = read(&bytes);
    assert_eq!(palette.rest, Bytes(b"x".to_vec()));
    assert_eq!(palette.write().unwrap(), bytes);
    assert_eq!(
        messages(&report),
        [
            "error COL-E001: file_size: file_size is 777, but the file has 777 bytes (expected: 776), at offset 0x0",
            "warning COL-W002: rest: 1 unexpected byte after the colors, at offset 0x308"
        ]
    );
}

#[test]
fn refuses_other_files_with_the_offset_of_the_difference() {
    let refused = |bytes: &[u8]| Palette::read(bytes, &mut Report::new()).unwrap_err().to_string();
    assert_eq!(refused(b""), "the file is empty, at offset 0x0");
    assert_eq!(refused(&file(776, 0xb124, b"")), "magic: expected 0xb123, found 0xb124, at offset 0x4");
    assert_eq!(
        refused(&file(776, 0xb123, b"")[..775]),
        "colors: expected 768 bytes, but only 767 are left, at offset 0x8"
    );
    for length in 0..776 {
        let error = Palette::read(&file(776, 0xb123, b"")[..length], &mut Report::new()).unwrap_err();
        assert!(error.offset().unwrap() <= length as u64, "{error}");
    }
}

#[test]
fn recognizes_palettes_by_their_header() {
    let score = |bytes: &[u8]| probe(&Probe::new(bytes, bytes.len() as u64, Some("X.COL")));
    assert_eq!(score(&file(776, 0xb123, b"")), Some(Score::CERTAIN));
    assert_eq!(score(&file(777, 0xb123, b"")), Some(Score::LIKELY));
    assert_eq!(score(b"anything"), None);
}

#[test]
fn palette_files_of_paint_programs_round_trip() {
    let colors = colors();
    let act = to_act(&Index0::Opaque.apply(&colors));
    let gpl = to_gpl(&Index0::Opaque.apply(&colors), "na\nme");
    let json = interchange::to_data(&colors, "say \"hi\"").to_json().unwrap();
    assert!(gpl.starts_with(
        "GIMP Palette\nName: name\nColumns: 16\n#\n  0   0   0\tindex 0\n  1 254   7\tindex 1\n"
    ));
    for bytes in [&act[..], gpl.as_bytes(), &json, &file(776, MAGIC, b"")] {
        assert_eq!(interchange::read_any(bytes).unwrap(), colors);
    }
    let value: json::Value = json::from_slice(&json).unwrap();
    assert_eq!(value, interchange::to_json(&colors, "say \"hi\""));
    assert_eq!(value["version"], "redguard-col-v1");
    assert_eq!(value["colors"][2], json::json!({"index": 2, "r": 2, "g": 253, "b": 14, "hex": "#02fd0e"}));
    assert_eq!(swatch::from_picture(&swatch::picture(&colors).unwrap().into()).unwrap(), colors);
    let with_count = [&act[..], &[1, 0, 0, 0]].concat();
    assert_eq!(interchange::read_any(&with_count).unwrap(), colors);
}

#[test]
fn refuses_invalid_palette_files_of_paint_programs() {
    let refused = |bytes: &[u8]| interchange::read_any(bytes).unwrap_err().to_string();
    assert_eq!(refused(b"GIMP Palette\n1 2 3\n"), "expected 256 colors, found 1");
    assert_eq!(refused(b"GIMP Palette\n1 2 333\n"), "line 2 is not a color: \"1 2 333\"");
    assert_eq!(refused(b"{}"), "colors: the list of colors is missing");
    assert_eq!(
        refused(br##"[{"r": 1, "g": 2, "b": 3, "hex": "#010204"}]"##),
        "colors[0]: r, g and b are #010203, but hex is #010204; change both or remove one"
    );
    assert_eq!(
        refused(br#"["nothing"]"#),
        "colors[0]: not a color (expected r, g and b from 0 to 255, or hex such as #12ab9f)"
    );
    assert_eq!(refused(&[vec![0; 768], vec![0, 16, 0, 0]].concat()), "expected 256 colors, found 16");
    let picture = scene::image::Rgba8::new(20, 20, vec![9; 1600]).unwrap();
    let error = swatch::from_picture(&picture.into()).unwrap_err();
    assert_eq!(error.kind(), Kind::Usage);
}

#[test]
fn six_bit_colors_are_recognized_by_their_values() {
    let mut dark = Colors::default();
    dark.0[1] = [63, 1, 0];
    assert!(dark.is_six_bit());
    assert_eq!(dark.expanded().get(1), [252, 4, 0]);
    dark.0[2] = [64, 0, 0];
    assert_eq!(dark.expanded(), dark);
    let glide = as_displayed_by_glide(&colors());
    assert_eq!((glide.get(0), glide.get(255)), ([0; 3], [252, 0, 248]));
}

#[test]
fn check_reports_unusual_colors() {
    let mut palette = Palette::new(Colors::default());
    palette.colors.0[0] = [1, 2, 3];
    let options = Options::defaults(FORMAT.options);
    let install = Install::empty();
    let mut report = Report::new();
    palette.check(&Context { install: &install, location: None, options: &options }, &mut report);
    let source = Source::from_bytes(palette.write().unwrap());
    report.locate(|visitor| FORMAT.trace(&palette, &source, visitor));
    assert_eq!(
        messages(&report),
        [
            "warning COL-W003: colors: all values are below 64, at offset 0x8",
            "note COL-N004: colors[0]: the first color is #010203, not black, at offset 0x8",
            "note COL-N005: colors: 254 entries repeat an earlier color, at offset 0x8"
        ]
    );
}

fn image(bytes: &[u8]) -> Result<scene::product::Picture> {
    scene::product::decode(bytes, "png", ProductKind::Image)?.into_image()
}

fn export(extension: &str, given: &[(&str, &str)]) -> MemorySink {
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options::parse(FORMAT.options, &given).unwrap();
    let install = Install::empty();
    let context = Context { install: &install, location: None, options: &options };
    let target = Target::new("island", 1.0);
    let mut sink = MemorySink::new();
    let palette = Palette::new(colors());
    FORMAT.convert(&palette, extension, &context, target, &mut sink, &mut Report::new()).unwrap();
    sink
}

#[test]
fn every_output_contains_the_colors() {
    for output in FORMAT.outputs().iter().filter(|output| !["gif", "webp"].contains(&output.extension)) {
        let sink = export(output.extension, &[]);
        let main = sink.get(&format!("island.{}", output.extension)).unwrap();
        let found = match output.extension {
            "png" => swatch::from_picture(&image(main).unwrap()),
            _ => interchange::read_any(main),
        };
        assert_eq!(found.unwrap(), colors(), "{}", output.extension);
    }
    let names: Vec<_> = export("png", &[]).into_files().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["island.png", "island.json"]);
    let names: Vec<_> = export("json", &[]).into_files().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["island.json", "island.png"]);
    assert_eq!(export("gpl", &[]).files().len(), 1);
    let sink = export("act", &[("glide-colors", "")]);
    assert_eq!(sink.get("island.act").unwrap(), as_displayed_by_glide(&colors()).bytes());
}

fn unpacked(folder: &std::path::Path, bytes: &[u8]) {
    let guard = Guard::new(Overwrite::Refuse);
    guard.protect(std::path::Path::new("none"));
    let mut sink = FolderSink::new(folder, Arc::new(guard));
    let mut parts = Parts::new(&mut sink, FORMAT.id, &Source::from_bytes(bytes), "ISLAND.COL").unwrap();
    unpack::unpack(&read(bytes).0, &mut parts).unwrap();
    parts.finish(&mut Report::new()).unwrap();
    sink.finish().unwrap();
}

fn packed(folder: &std::path::Path) -> Result<Vec<u8>> {
    unpack::pack(&Unpacked::open(folder)?, &mut Report::new())
}

#[test]
fn an_edit_of_any_view_changes_only_the_edited_color() {
    let bytes = file(776, MAGIC, b"");
    let mut painted = colors();
    painted.0[200] = [1, 2, 3];
    let mut expected = bytes.clone();
    expected[8 + 600..8 + 603].copy_from_slice(&[1, 2, 3]);
    for (name, edited) in [
        ("palette.png", encode_indexed_png(&swatch::picture(&painted).unwrap(), scene::Compression::Usual)),
        ("palette.act", to_act(&Index0::Opaque.apply(&painted))),
        ("palette.gpl", to_gpl(&Index0::Opaque.apply(&painted), "x").into_bytes()),
        ("palette.json", interchange::to_data(&painted, "x").to_json().unwrap()),
    ] {
        let folder = tempfile::tempdir().unwrap();
        unpacked(folder.path(), &bytes);
        assert_eq!(packed(folder.path()).unwrap(), bytes);
        std::fs::write(folder.path().join("views").join(name), edited).unwrap();
        assert_eq!(packed(folder.path()).unwrap(), expected, "{name}");
    }
}

#[test]
fn refuses_two_edited_views() {
    let folder = tempfile::tempdir().unwrap();
    unpacked(folder.path(), &file(776, MAGIC, b""));
    for name in ["palette.act", "palette.gpl"] {
        std::fs::write(folder.path().join("views").join(name), "x").unwrap();
    }
    let error = packed(folder.path()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "views/palette.act and views/palette.gpl show the same colors and were both edited; restore one of them"
    );
}

/// A file without a map is converted with the palette that most of the game uses; a mod without that palette uses one of its
/// worlds.
#[test]
fn guesses_a_palette_from_the_worlds() {
    let guessed = |files: &[&str]| {
        let worlds = b"[world]\nworld_palette[0]=3DART\\GONE.COL\nworld_palette[4]=3DART\\SUNSET.COL\n";
        let palettes = files.iter().map(|name| ((*name).to_owned(), Source::from(file(776, MAGIC, b""))));
        let settings = ("WORLD.INI".to_owned(), Source::from_bytes(&worlds[..]));
        let layer = MemoryLayer::new("mod", palettes.chain([settings])).unwrap();
        let install = Install::new(vec![Arc::new(layer)]).with_game("redguard", asset::Charset::Cp437);
        let options = proof::options(&crate::picture::texbsi::FORMAT, &[]);
        let context = Context { install: &install, location: None, options: &options };
        PaletteChoices::new(&context, Renderer::Glide).unwrap().choose(None).origin
    };
    let (common, sunset) = ("fxart/ISLAND.COL", "fxart/sunset.col");
    assert_eq!(guessed(&[common, sunset]), PaletteOrigin::Guessed("ISLAND.COL".to_owned()));
    assert_eq!(guessed(&[sunset]), PaletteOrigin::Guessed("sunset.col".to_owned()));
    assert_eq!(guessed(&[]), PaletteOrigin::Grey);
}

proptest! {
    #[test]
    fn any_palette_round_trips(bytes in prop::collection::vec(any::<u8>(), 768), rest in prop::collection::vec(any::<u8>(), 0..9)) {
        let palette = Palette { rest: Bytes(rest), ..Palette::new(Colors::from_bytes(&bytes).unwrap()) };
        let written = palette.write().unwrap();
        prop_assert_eq!(Palette::read(&written, &mut Report::new()).unwrap(), palette);
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..900)) {
        let _ = interchange::read_any(&bytes);
        let _ = image(&bytes).and_then(|picture| swatch::from_picture(&picture));
    }
}
