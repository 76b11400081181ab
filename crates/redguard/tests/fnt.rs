//! The fonts of the forged install.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

mod forge;

use antiquary_redguard::text::fnt::{FORMAT, Font, Section};
use forge::{
    Picture, broken, comes_back, convert, crc, explains_all, judge_broken, listed, png, survives_cuts,
};
use json::Value;

const FILES: usize = 4;

fn crc_of(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

/// The pixels of a rectangle.
fn cut(sheet: &Picture, [x, y, width, height]: [usize; 4]) -> Vec<u8> {
    let row = |row: usize| {
        let start = 4 * ((y + row) * sheet.width as usize + x);
        &sheet.frames[0][start..start + 4 * width]
    };
    (0..height).flat_map(row).copied().collect()
}

#[test]
fn every_font_holds_what_an_independent_reader_found() {
    for (path, want) in listed("assets_index.json", "fnt", FILES) {
        let at = path.display();
        let font = Font::read(&std::fs::read(&path).unwrap()).unwrap();
        let header = &font.header;
        assert_eq!(want["description"], header.description.text(), "{at}");
        for (name, value) in [
            ("has_rdat", header.has_rdat),
            ("line_height", header.line_height),
            ("max_width", header.max_width),
            ("character_start", header.character_start),
        ] {
            assert_eq!(want[name], value, "{at}: {name}");
        }
        assert_eq!(want["trailing_zero_bytes"], font.rest.len(), "{at}");
        let tag = font.sections.iter().find_map(|section| match section {
            Section::Bpal(_) => Some("BPAL"),
            Section::Fpal(_) => Some("FPAL"),
            _ => None,
        });
        assert_eq!(want["palette_tag"], tag.unwrap(), "{at}");
        let rgb = |colors: &media::picture::Colors| json::to_value(colors.0.to_vec()).unwrap();
        assert_eq!(want["palette_raw_6bit"], rgb(font.palette().unwrap()), "{at}");
        assert_eq!(want["palette_rgb8"], rgb(&font.colors()), "{at}");
        let rdat = font.sections.iter().find_map(|section| match section {
            Section::Rdat(rdat) => Some(crc_of(&record::write_whole(rdat, ()).unwrap())),
            _ => None,
        });
        assert_eq!(want["rdat_crc32"], json::to_value(rdat).unwrap(), "{at}");
        let glyphs = want["glyphs"].as_array().unwrap();
        assert_eq!(
            (&want["character_count"], glyphs.len()),
            (&font.glyphs().len().into(), font.glyphs().len())
        );
        for (glyph, want) in font.glyphs().iter().zip(glyphs) {
            let found = json::to_value(glyph).unwrap();
            for name in ["enabled", "offset_left", "offset_top", "width", "height"] {
                assert_eq!(want[name], found[name], "{at}: {want}");
            }
            assert_eq!(want["pixels_crc32"], crc_of(&glyph.pixels), "{at}: {want}");
        }
    }
}

#[test]
fn every_glyph_stands_on_the_sheet_where_the_files_say() {
    for (path, want) in listed("assets_index.json", "fnt", FILES) {
        let at = path.display();
        let (sink, report) = convert(&FORMAT, &path, "png", &[]);
        assert!(report.iter().all(|warning| warning.code.id == "FNT-N012"), "{at}: {report:?}");
        let sheet = png(sink.get("out.png").unwrap());
        let facts: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        let bmfont = String::from_utf8(sink.get("out.bmfont.fnt").unwrap().to_vec()).unwrap();
        let mut characters = 0;
        for (facts, want) in
            facts["glyphs"].as_array().unwrap().iter().zip(want["glyphs"].as_array().unwrap())
        {
            assert_eq!(facts["codepoint"], want["codepoint"], "{at}");
            let place = ["x", "y", "width", "height"].map(|name| facts[name].as_u64().unwrap() as usize);
            assert_eq!(want["rgba_crc32"], crc(&cut(&sheet, place)), "{at}: {want}");
            let enabled = want["enabled"] != 0;
            assert_eq!(facts["enabled"], enabled, "{at}");
            let id = u32::from(facts["character"].as_str().unwrap().chars().next().unwrap());
            let [x, y, width, height] = place;
            let line = format!("\nchar id={id} x={x} y={y} width={width} height={height} ");
            assert_eq!(bmfont.contains(&line), enabled, "{at}: {line}");
            characters += usize::from(enabled);
        }
        assert!(bmfont.contains(&format!("\nchars count={characters}\n")), "{at}");
        assert_eq!(want["enabled_glyphs"], characters, "{at}");
        assert!(sink.get("out.ttf").unwrap().starts_with(&[0, 1, 0, 0]), "{at}");
    }
}

#[test]
fn every_font_comes_back_explained_and_survives_cuts() {
    for (path, _) in listed("assets_index.json", "fnt", FILES) {
        comes_back(&FORMAT, &path);
        explains_all(&FORMAT, &path);
        survives_cuts(&FORMAT, &path);
        let report = forge::check(&FORMAT, &path);
        assert!(report.iter().all(|warning| warning.code.id == "FNT-N016"), "{}: {report:?}", path.display());
    }
}

/// The game's name ends like BMFont's: in the folder of the font itself the two stay apart, whatever letter case counts for.
#[test]
fn bmfont_never_has_the_name_of_the_font() {
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
fn malformed_files_give_what_their_manifest_says() {
    judge_broken(&FORMAT, &broken("assets_manifest.json", "fnt", 40));
}
