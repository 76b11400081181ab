//! Tests with the fonts of the synthetic install.

use crate::forge::{
    self, Picture, assert_covers_all_bytes, assert_matches_manifest, assert_round_trip,
    assert_survives_truncation, convert, crc, indexed_files, malformed_files, png,
};
use antiquary_redguard::text::fnt::{FORMAT, Font, Section};
use json::Value;

const FILES: usize = 4;

fn crc_of(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

/// Pixels of a rectangle.
fn cut(sheet: &Picture, [x, y, width, height]: [usize; 4]) -> Vec<u8> {
    let row = |row: usize| {
        let start = 4 * ((y + row) * sheet.width as usize + x);
        &sheet.frames[0][start..start + 4 * width]
    };
    (0..height).flat_map(row).copied().collect()
}

#[test]
fn matches_an_independent_reader_on_every_font() {
    for (path, expected) in indexed_files("assets_index.json", "fnt", FILES) {
        let at = path.display();
        let font = Font::read(&std::fs::read(&path).unwrap()).unwrap();
        let header = &font.header;
        assert_eq!(expected["description"], header.description.text(), "{at}");
        for (name, value) in [
            ("has_rdat", header.has_rdat),
            ("line_height", header.line_height),
            ("max_width", header.max_width),
            ("character_start", header.character_start),
        ] {
            assert_eq!(expected[name], value, "{at}: {name}");
        }
        assert_eq!(expected["trailing_zero_bytes"], font.rest.len(), "{at}");
        let tag = font.sections.iter().find_map(|section| match section {
            Section::Bpal(_) => Some("BPAL"),
            Section::Fpal(_) => Some("FPAL"),
            _ => None,
        });
        assert_eq!(expected["palette_tag"], tag.unwrap(), "{at}");
        let rgb = |colors: &media::picture::Colors| json::to_value(colors.0.to_vec()).unwrap();
        assert_eq!(expected["palette_raw_6bit"], rgb(font.palette().unwrap()), "{at}");
        assert_eq!(expected["palette_rgb8"], rgb(&font.colors()), "{at}");
        let rdat = font.sections.iter().find_map(|section| match section {
            Section::Rdat(rdat) => Some(crc_of(&record::write_whole(rdat, ()).unwrap())),
            _ => None,
        });
        assert_eq!(expected["rdat_crc32"], json::to_value(rdat).unwrap(), "{at}");
        let glyphs = expected["glyphs"].as_array().unwrap();
        assert_eq!(
            (&expected["character_count"], glyphs.len()),
            (&font.glyphs().len().into(), font.glyphs().len())
        );
        for (glyph, expected) in font.glyphs().iter().zip(glyphs) {
            let found = json::to_value(glyph).unwrap();
            for name in ["enabled", "offset_left", "offset_top", "width", "height"] {
                assert_eq!(expected[name], found[name], "{at}: {expected}");
            }
            assert_eq!(expected["pixels_crc32"], crc_of(&glyph.pixels), "{at}: {expected}");
        }
    }
}

#[test]
fn places_every_glyph_on_the_sheet_as_described() {
    for (path, expected) in indexed_files("assets_index.json", "fnt", FILES) {
        let at = path.display();
        let (sink, report) = convert(&FORMAT, &path, "png", &[]);
        assert!(report.iter().all(|warning| warning.code.id == "FNT-N012"), "{at}: {report:?}");
        let sheet = png(sink.get("out.png").unwrap());
        let details: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        let bmfont = String::from_utf8(sink.get("out.bmfont.fnt").unwrap().to_vec()).unwrap();
        let mut characters = 0;
        for (details, expected) in
            details["glyphs"].as_array().unwrap().iter().zip(expected["glyphs"].as_array().unwrap())
        {
            assert_eq!(details["codepoint"], expected["codepoint"], "{at}");
            let rectangle =
                ["x", "y", "width", "height"].map(|name| details[name].as_u64().unwrap() as usize);
            assert_eq!(expected["rgba_crc32"], crc(&cut(&sheet, rectangle)), "{at}: {expected}");
            let enabled = expected["enabled"] != 0;
            assert_eq!(details["enabled"], enabled, "{at}");
            let id = u32::from(details["character"].as_str().unwrap().chars().next().unwrap());
            let [x, y, width, height] = rectangle;
            let line = format!("\nchar id={id} x={x} y={y} width={width} height={height} ");
            assert_eq!(bmfont.contains(&line), enabled, "{at}: {line}");
            characters += usize::from(enabled);
        }
        assert!(bmfont.contains(&format!("\nchars count={characters}\n")), "{at}");
        assert_eq!(expected["enabled_glyphs"], characters, "{at}");
        assert!(sink.get("out.ttf").unwrap().starts_with(&[0, 1, 0, 0]), "{at}");
    }
}

#[test]
fn round_trips_and_describes_every_font() {
    for (path, _) in indexed_files("assets_index.json", "fnt", FILES) {
        assert_round_trip(&FORMAT, &path);
        assert_covers_all_bytes(&FORMAT, &path);
        assert_survives_truncation(&FORMAT, &path);
        let report = forge::check(&FORMAT, &path);
        assert!(report.iter().all(|warning| warning.code.id == "FNT-N016"), "{}: {report:?}", path.display());
    }
}

/// The file extension of the game's fonts is the one of BMFont: the names differ in the folder of the font, regardless of letter case.
#[test]
fn never_names_the_bmfont_file_like_the_font() {
    let folder = tempfile::tempdir().unwrap();
    let mut sink = asset::MemorySink::new();
    antiquary_redguard::sample::write(&mut sink).unwrap();
    let path = folder.path().join("SAMPLE.FNT");
    std::fs::write(&path, sink.get("fonts/SAMPLE.FNT").unwrap()).unwrap();
    let (asset, mut report) = forge::open(&FORMAT, &std::fs::read(&path).unwrap()).unwrap();
    let install = asset::game::install_around(&path, forge::GAMES).unwrap();
    let options = forge::options(&FORMAT, &[]);
    let context =
        asset::Context { install: &install, location: install.location_of(&path), options: &options };
    for (stem, name) in [("sample", "sample.bmfont.fnt"), ("other", "other.fnt")] {
        let target = asset::Target::new(stem, 1.0);
        let mut sink = asset::MemorySink::new();
        FORMAT.convert(&*asset, "fnt", &context, target, &mut sink, &mut report).unwrap();
        assert!(sink.get(name).is_some(), "{name}");
    }
}

#[test]
fn refuses_malformed_files_as_in_the_manifest() {
    assert_matches_manifest(&FORMAT, &malformed_files("assets_manifest.json", "fnt", 40));
}
