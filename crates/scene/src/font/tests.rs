//! Fonts with a few pixels.

use proptest::prelude::*;
use write_fonts::read::tables::glyf::Glyph as ReadGlyph;
use write_fonts::read::types::Tag;
use write_fonts::read::{FontRef, TableProvider};

use super::outline::outlines;
use super::*;

/// A glyph drawn with characters: `#` is a filled pixel.
fn drawn(character: char, left: i16, top: i16, rows: &[&str]) -> Glyph {
    let width = rows.first().map_or(0, |row| row.len()) as u16;
    Glyph {
        character: Some(character),
        width,
        height: rows.len() as u16,
        left,
        top,
        advance: u32::from(width) + 1,
        pixels: rows.concat().bytes().map(|dot| u8::from(dot == b'#')).collect(),
    }
}

fn ring() -> Glyph {
    drawn('O', 1, 2, &["####", "#..#", "####"])
}

fn font(glyphs: Vec<Glyph>) -> PixelFont {
    let palette = vec![[0; 4], [255, 255, 255, 255]];
    PixelFont { name: "Test".into(), line_height: 10, baseline: 8, palette, glyphs }
}

/// Twice the area within an outline; positive if it runs clockwise as seen.
fn area(outline: &[(u32, u32)]) -> i64 {
    let next = outline.iter().cycle().skip(1);
    let pairs = outline.iter().zip(next);
    pairs.map(|(a, b)| i64::from(a.0) * i64::from(b.1) - i64::from(b.0) * i64::from(a.1)).sum()
}

/// The number of times outlines run around the center of a pixel.
fn winding(outlines: &[Vec<(u32, u32)>], x: u32, y: u32) -> i32 {
    let mut count = 0;
    for outline in outlines {
        for (a, b) in outline.iter().zip(outline.iter().cycle().skip(1)) {
            if a.0 == b.0 && a.0 > x && (a.1.min(b.1)..a.1.max(b.1)).contains(&y) {
                count += if b.1 > a.1 { 1 } else { -1 };
            }
        }
    }
    count
}

#[test]
fn runs_outlines_clockwise_around_shapes_and_counter_clockwise_around_holes() {
    let one = outlines(&drawn('.', 0, 0, &["#"]));
    assert_eq!(one, [vec![(0, 0), (1, 0), (1, 1), (0, 1)]]);
    let ring = outlines(&ring());
    assert_eq!(ring, [vec![(0, 0), (4, 0), (4, 3), (0, 3)], vec![(1, 2), (3, 2), (3, 1), (1, 1)]]);
    assert_eq!(ring.iter().map(|outline| area(outline)).collect::<Vec<_>>(), [24, -4]);
    let corner = outlines(&drawn('L', 0, 0, &["#.", "##"]));
    assert_eq!(corner, [vec![(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (0, 2)]]);
    assert!(outlines(&drawn(' ', 0, 0, &["..", ".."])).is_empty());
}

#[test]
fn separates_pixels_that_only_touch_at_a_corner() {
    let outlines = outlines(&drawn('x', 0, 0, &["#.", ".#"]));
    assert_eq!(outlines.len(), 2);
    assert!(outlines.iter().all(|outline| area(outline) == 2));
}

#[test]
fn bmfont_lists_the_position_of_each_character() {
    let mut hidden = drawn('?', 0, 0, &["#"]);
    hidden.character = None;
    let font = font(vec![ring(), hidden, drawn('.', -1, 7, &["##", "##"])]);
    let atlas = Atlas::new(&font.glyphs).unwrap();
    let expected = "\
info face=\"Test\" size=10 bold=0 italic=0 charset=\"\" unicode=1 stretchH=100 smooth=0 aa=1 padding=0,0,0,0 spacing=1,1 outline=0
common lineHeight=10 base=8 scaleW=7 scaleH=6 pages=1 packed=0 alphaChnl=0 redChnl=0 greenChnl=0 blueChnl=0
page id=0 file=\"test.png\"
chars count=2
char id=46 x=0 y=4 width=2 height=2 xoffset=-1 yoffset=7 xadvance=3 page=0 chnl=15
char id=79 x=0 y=0 width=4 height=3 xoffset=1 yoffset=2 xadvance=5 page=0 chnl=15
";
    assert_eq!(
        write_bmfont(&font, &atlas, "test.png"),
        expected.replace("scaleW=7", &format!("scaleW={}", atlas.width))
    );
    let sheet = atlas.paint(&font).unwrap();
    assert_eq!((sheet.width(), sheet.height()), (atlas.width, atlas.height));
    let ink = sheet.indices().iter().filter(|index| **index == 1).count();
    assert_eq!(ink, 10 + 1 + 4);
}

#[test]
fn writes_the_glyph_sizes_to_a_truetype_font() {
    let font = font(vec![drawn(' ', 0, 0, &["."]), ring(), drawn('é', -1, 6, &["#.", "##"])]);
    let bytes = write_ttf(&font).unwrap();
    assert_eq!(bytes, write_ttf(&font).unwrap());
    let read = FontRef::new(&bytes).unwrap();
    let tables: Vec<String> =
        read.table_directory().table_records().iter().map(|record| record.tag().to_string()).collect();
    assert_eq!(
        tables,
        ["OS/2", "cmap", "gasp", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post", "prep"]
    );
    let head = read.head().unwrap();
    assert_eq!((head.units_per_em(), head.x_min(), head.y_max()), (640, -64, 512));
    let hhea = read.hhea().unwrap();
    let line = (hhea.ascender().to_i16(), hhea.descender().to_i16(), hhea.line_gap().to_i16());
    assert_eq!(line, (512, -128, 0));
    let glyph = |character: char| read.cmap().unwrap().map_codepoint(character);
    assert_eq!(glyph('x'), None);
    let bounds = |character: char| {
        let loca = read.loca(None).unwrap();
        let glyph = loca.get_glyf(glyph(character).unwrap(), &read.glyf().unwrap()).unwrap();
        glyph.map(|glyph: ReadGlyph<'_>| [glyph.x_min(), glyph.y_min(), glyph.x_max(), glyph.y_max()])
    };
    assert_eq!(bounds(' '), None);
    assert_eq!(bounds('O'), Some([64, 3 * 64, 5 * 64, 6 * 64]));
    assert_eq!(bounds('é'), Some([-64, 0, 64, 2 * 64]));
    let hmtx = read.hmtx().unwrap();
    let metric = |character: char| {
        let id = glyph(character).unwrap();
        (hmtx.advance(id).unwrap(), hmtx.side_bearing(id).unwrap())
    };
    assert_eq!((metric(' '), metric('O'), metric('é')), ((128, 0), (320, 64), (192, -64)));
    let name = read.name().unwrap();
    let family = name.name_record().iter().find(|record| record.name_id().to_u16() == 1).unwrap();
    assert_eq!(family.string(name.string_data()).unwrap().to_string(), "Test");
    assert!(read.table_data(Tag::new(b"glyf")).is_some());
}

#[test]
fn refuses_sizes_that_a_font_file_cannot_store() {
    let high = PixelFont { line_height: 40_000, ..font(vec![ring()]) };
    assert_eq!(
        write_ttf(&high).unwrap_err().to_string(),
        "font: lines of 40000 pixels and glyphs up to 40000 pixels are too large for a TrueType font"
    );
    // A large font is scaled down as far as necessary.
    let large = PixelFont { line_height: 2000, baseline: 1500, ..font(vec![ring()]) };
    assert_eq!(FontRef::new(&write_ttf(&large).unwrap()).unwrap().head().unwrap().units_per_em(), 16_000);
    assert!(write_ttf(&font(Vec::new())).is_err(), "no character");
    assert!(write_ttf(&font(vec![ring(), ring()])).is_err(), "two of one character");
    // 65,536 shapes that only touch at corners.
    let row =
        |odd: bool| (0..512_u16).map(|x| if (x % 2 == 1) == odd { '#' } else { '.' }).collect::<String>();
    let rows: Vec<String> = (0..255_u16).map(|y| row(y % 2 == 1)).collect();
    let checked = drawn('c', 0, 0, &rows.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(write_ttf(&font(vec![checked])).unwrap_err().to_string().contains("too many outlines"));
    let wide = Glyph { width: 65_535, height: 1, pixels: vec![1; 65_535], ..ring() };
    let tall = Glyph { width: 1, height: 65_535, pixels: vec![1; 65_535], ..ring() };
    assert!(
        Atlas::new(&[wide, tall]).unwrap_err().to_string().starts_with("sheet: it would have 65535 x 65")
    );
}

#[test]
fn draws_a_text_line_by_line() {
    let font = font(vec![ring(), drawn('.', -1, 7, &["##", "##"])]);
    let picture = draw_text(&font, "O.\n!.").unwrap();
    // The lower dot extends one pixel to the left of its line.
    assert_eq!((picture.width(), picture.height()), (1 + 5 + 3, 20));
    let ink = |x: u32, y: u32| picture.indices()[(y * picture.width() + x) as usize] == 1;
    assert!(ink(2, 2) && !ink(3, 3) && ink(5, 4) && ink(5, 7) && ink(6, 8));
    assert!(ink(0, 17) && ink(1, 18) && !ink(2, 17));
    assert!(draw_text(&PixelFont { line_height: 0, ..font }, "!").is_err());
}

fn any_glyph() -> impl Strategy<Value = Glyph> {
    (0_u16..12, 0_u16..12, -9_i16..9, -9_i16..9).prop_flat_map(|(width, height, left, top)| {
        let count = usize::from(width) * usize::from(height);
        prop::collection::vec(0_u8..2, count).prop_map(move |pixels| Glyph {
            character: None,
            width,
            height,
            left,
            top,
            advance: 3,
            pixels,
        })
    })
}

proptest! {
    #[test]
    fn encloses_exactly_the_filled_pixels(glyph in any_glyph()) {
        let outlines = outlines(&glyph);
        for y in 0..u32::from(glyph.height) {
            for x in 0..u32::from(glyph.width) {
                prop_assert_eq!(winding(&outlines, x, y), i32::from(glyph.pixel(x, y)), "{} {}", x, y);
            }
        }
        for outline in &outlines {
            // Every corner is a turn: no three points are on a line.
            for ((a, b), c) in outline.iter().zip(outline.iter().cycle().skip(1)).zip(outline.iter().cycle().skip(2)) {
                prop_assert!((a.0 == b.0) != (a.1 == b.1));
                prop_assert!((a.0 == b.0) != (b.0 == c.0));
            }
        }
    }

    #[test]
    fn places_glyphs_on_a_sheet_without_overlap(glyphs in prop::collection::vec(any_glyph(), 0..60)) {
        let font = font(glyphs);
        let atlas = Atlas::new(&font.glyphs).unwrap();
        let sheet = atlas.paint(&font).unwrap();
        let mut owner = vec![false; sheet.indices().len()];
        for (glyph, (left, top)) in font.glyphs.iter().zip(&atlas.positions) {
            for y in 0..u32::from(glyph.height) {
                for x in 0..u32::from(glyph.width) {
                    let index = ((top + y) * sheet.width() + left + x) as usize;
                    prop_assert!(!std::mem::replace(&mut owner[index], true));
                    prop_assert_eq!(sheet.indices()[index], glyph.pixel(x, y));
                }
            }
        }
    }

    #[test]
    fn writes_or_refuses_any_font(
        glyphs in prop::collection::vec(any_glyph(), 1..20),
        line_height: u16, baseline: u16, left: i16, top: i16, advance in 0_u32..80_000,
    ) {
        let mut glyphs = glyphs;
        for (glyph, character) in glyphs.iter_mut().zip('A'..) {
            glyph.character = Some(character);
        }
        if let Some(glyph) = glyphs.first_mut() {
            (glyph.left, glyph.top, glyph.advance) = (left, top, advance);
        }
        let font = PixelFont { line_height, baseline, ..font(glyphs) };
        if let Ok(bytes) = write_ttf(&font) {
            let read = FontRef::new(&bytes).unwrap();
            prop_assert_eq!(usize::from(read.maxp().unwrap().num_glyphs()), font.glyphs.len() + 1);
        }
        let _ = draw_text(&font, "ABC\nAAA");
    }
}
