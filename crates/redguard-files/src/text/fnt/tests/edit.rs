//! Fonts that are unpacked, edited and packed.

use std::path::Path;

use super::*;
use proof::{indexed, paint};

fn edit(folder: &Path, file: &str, changes: &[(&str, &str)]) {
    let path = folder.join(file);
    let mut text = std::fs::read_to_string(&path).unwrap();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from} in {text}");
        text = text.replace(from, to);
    }
    std::fs::write(path, text).unwrap();
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &sample().write().unwrap(), folder.path());
    folder
}

fn repacked(folder: &Path) -> Font {
    let (bytes, report) = packed(&FORMAT, folder).unwrap();
    assert!(report.is_empty(), "{report:?}");
    Font::read(&bytes).unwrap()
}

/// Paints a rectangle of one index on the sheet.
fn fill(folder: &Path, (left, top): (u32, u32), (width, height): (u32, u32), index: u8) {
    paint(folder, "sheet.png", |old| {
        let mut indices = old.indices().to_vec();
        for y in top..top + height {
            for x in left..left + width {
                indices[(y * old.width() + x) as usize] = index;
            }
        }
        indexed(&old, old.width(), old.height(), indices)
    });
}

/// Cells are 7 x 10: the size of the widest and the tallest glyph plus padding.
#[test]
fn painting_a_glyph_changes_only_that_glyph() {
    let folder = folder();
    // `#` is in the fourth cell.
    fill(folder.path(), (21, 0), (1, 1), 200);
    let (before, after) = (sample(), repacked(folder.path()));
    assert_eq!(after.glyphs()[3].pixels[0], 200);
    let mut expected = before;
    expected.glyphs_mut().unwrap()[3].pixels.0[0] = 200;
    assert_eq!(after, expected);
}

#[test]
fn adds_a_glyph_by_painting_and_enabling_it() {
    let folder = folder();
    // 130 is in the second cell of the seventh row.
    let row = "{\"code\": 130, \"character\": \"é\", \"state\": \"none\", \"x\": 14, \"y\": 60, \"width\": 0, \"height\": 0, \
               \"offset_left\": 0, \"offset_top\": 0}";
    let added =
        row.replace("none", "on").replace("\"width\": 0, \"height\": 0", "\"width\": 4, \"height\": 9");
    edit(folder.path(), "views/glyphs.json", &[(row, &added)]);
    fill(folder.path(), (14, 60), (4, 9), 6);
    let after = repacked(folder.path());
    let (before, glyphs) = (sample(), after.glyphs());
    assert_eq!(glyphs.len(), 99);
    assert_eq!(&glyphs[..4], before.glyphs());
    assert!(glyphs[4..98].iter().all(|glyph| !glyph.is_enabled() && *glyph.pixels == [0]));
    assert_eq!(glyphs[98], Glyph { pixels: Bytes(vec![6; 36]), ..glyph(1, (0, 0), (4, 9)) });
    let (sink, report) = exported(&FORMAT, &after, "png", &[("text", "é")]);
    assert!(report.is_empty() && sink.get("out.png").is_some());
    // The written file is read back unchanged.
    assert_eq!(Font::read(&after.write().unwrap()).unwrap(), after);
}

#[test]
fn enables_moves_resizes_and_removes_glyphs_in_the_list() {
    let folder = folder();
    edit(
        folder.path(),
        "views/glyphs.json",
        &[
            ("\"!\", \"state\": \"on\"", "\"!\", \"state\": \"off\""),
            (
                "\"\\\"\", \"state\": \"off\", \"x\": 14, \"y\": 0, \"width\": 4, \"height\": 2",
                "\"\\\"\", \"state\": \"on\", \"x\": 14, \"y\": 0, \"width\": 3, \"height\": 1",
            ),
            ("\"#\", \"state\": \"on\"", "\"#\", \"state\": \"none\""),
        ],
    );
    let (before, after) = (sample(), repacked(folder.path()));
    let expected = [
        before.glyphs()[0].clone(),
        Glyph { enabled: 0, ..before.glyphs()[1].clone() },
        glyph(1, (0, 0), (3, 1)),
    ];
    assert_eq!(after.glyphs(), expected);
}

#[test]
fn the_record_enables_moves_and_resizes_within_the_cell() {
    let folder = folder();
    edit(
        folder.path(),
        "record.json",
        &[(
            "\"enabled\": 0, \"offset_left\": 0, \"offset_top\": 0, \"width\": 4, \"height\": 2",
            "\"enabled\": 5, \"offset_left\": -2, \"offset_top\": 1, \"width\": 2, \"height\": 3",
        )],
    );
    let after = repacked(folder.path());
    let pixels = Bytes(vec![1, 2, 5, 6, 0, 0]);
    assert_eq!(after.glyphs()[2], Glyph { pixels, ..glyph(5, (-2, 1), (2, 3)) });
    edit(folder.path(), "record.json", &[("\"width\": 2, \"height\": 3", "\"width\": 20, \"height\": 3")]);
    assert_eq!(
        packed(&FORMAT, folder.path()).unwrap_err().to_string(),
        "record.json: code 34 has 20 x 3 pixels, but its cell on the sheet has 7 x 10; move it in \
         views/glyphs.json"
    );
}

#[test]
fn a_sheet_may_grow_and_glyphs_may_be_anywhere_on_it() {
    let folder = folder();
    paint(folder.path(), "sheet.png", |old| {
        let (width, height) = (old.width() + 40, old.height() + 30);
        let mut indices = vec![0; (width * height) as usize];
        for (to, from) in indices.chunks_mut(width as usize).zip(old.indices().chunks(old.width() as usize)) {
            to[..from.len()].copy_from_slice(from);
        }
        // Below the existing rows, larger than a cell.
        for y in old.height()..height {
            indices[(y * width + old.width()) as usize..][..40].fill(3);
        }
        indexed(&old, width, height, indices)
    });
    edit(
        folder.path(),
        "views/glyphs.json",
        &[(
            "\"#\", \"state\": \"on\", \"x\": 21, \"y\": 0, \"width\": 5, \"height\": 7",
            "\"#\", \"state\": \"on\", \"x\": 112, \"y\": 140, \"width\": 40, \"height\": 30",
        )],
    );
    let after = repacked(folder.path());
    let hash = &after.glyphs()[3];
    assert_eq!((hash.enabled, hash.width, hash.height, hash.offset_left), (7, 40, 30, -1));
    assert!(hash.pixels.iter().all(|index| *index == 3));
}

#[test]
fn an_invalid_glyph_list_is_rejected_with_its_location() {
    let refused = |from: &str, to: &str| {
        let folder = folder();
        edit(folder.path(), "views/glyphs.json", &[(from, to)]);
        packed(&FORMAT, folder.path()).unwrap_err().to_string()
    };
    assert_eq!(
        refused("\"code\": 255", "\"code\": 31"),
        "views/glyphs.json: glyphs[223].code: 31 is not a valid glyph code (minimum: 32)"
    );
    assert_eq!(
        refused("\"code\": 255", "\"code\": 65"),
        "views/glyphs.json: glyphs: code 65 is listed twice"
    );
    assert_eq!(
        refused("\"x\": 21, \"y\": 0, ", "\"x\": 21, \"y\": 135, "),
        "views/glyphs.json: code 35: 5 x 7 pixels at 21, 135 are outside of the sheet of 112 x 140 pixels"
    );
    assert!(
        refused("\"!\", \"state\": \"on\"", "\"!\", \"state\": \"yes\"").starts_with("views/glyphs.json: ")
    );
}

#[test]
fn refuses_conflicting_edits() {
    let folder = folder();
    edit(folder.path(), "views/glyphs.json", &[("\"!\", \"state\": \"on\"", "\"!\", \"state\": \"off\"")]);
    edit(folder.path(), "record.json", &[("\"enabled\": 7", "\"enabled\": 0")]);
    let error = packed(&FORMAT, folder.path()).unwrap_err().to_string();
    assert!(
        error.starts_with("views/glyphs.json and record.json (/sections/1/FBMP/glyphs) show the same"),
        "{error}"
    );
}

#[test]
fn an_rgb_sheet_is_matched_to_the_palette_with_a_warning() {
    let folder = folder();
    let path = folder.path().join("views/sheet.png");
    let limits = scene::image::Limits::default();
    let mut picture = scene::image::decode(&std::fs::read(&path).unwrap(), &limits).unwrap();
    // Brighter than any color in the palette.
    picture.pixels_mut()[21 * 4..22 * 4].copy_from_slice(&[255, 255, 255, 255]);
    std::fs::write(&path, scene::image::encode_png(&picture)).unwrap();
    let (bytes, report) = packed(&FORMAT, folder.path()).unwrap();
    single_warning(&report, &warning::INEXACT);
    let (before, after) = (sample(), Font::read(&bytes).unwrap());
    assert_eq!(after.glyphs()[3].pixels[1..], before.glyphs()[3].pixels[1..]);
    assert_eq!(after.glyphs()[..3], before.glyphs()[..3]);
}

#[test]
fn a_font_too_large_for_a_sheet_is_unpacked_without_one() {
    let wide = Glyph { pixels: Bytes(vec![1; 9000]), ..glyph(1, (0, 0), (9000, 1)) };
    let tall = Glyph { pixels: Bytes(vec![1; 9000]), ..glyph(1, (0, 0), (1, 9000)) };
    let bytes = Font::new(9, colors(), vec![wide, tall]).unwrap().write().unwrap();
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert!(!folder.path().join("views").exists());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    edit(folder.path(), "record.json", &[("\"width\": 9000", "\"width\": 8000")]);
    let error = packed(&FORMAT, folder.path()).unwrap_err().to_string();
    assert!(error.contains("the font was unpacked without a sheet"), "{error}");
}
