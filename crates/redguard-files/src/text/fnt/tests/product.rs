//! What fonts become.

use json::Value;
use scene::image::{Limits, decode};

use super::*;
use proof::names;

#[test]
fn a_font_becomes_a_sheet_with_bmfont_json_and_truetype() {
    let (sink, report) = exported(&FORMAT, &sample(), "png", &[]);
    assert_eq!(names(&sink), ["out.png", "out.bmfont.fnt", "out.json", "out.ttf"]);
    assert!(single_warning(&report, &warning::LEFT_OUT).ends_with("1 of 4 glyphs are disabled"));
    let facts: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    let hash = &facts["glyphs"][3];
    assert_eq!(
        (&hash["codepoint"], &hash["character"], &hash["advance"]),
        (&35.into(), &"#".into(), &6.into())
    );
    assert_eq!((&facts["glyphs"][2]["enabled"], &facts["sheet"]["file"]), (&false.into(), &"out.png".into()));
    let sheet = decode(sink.get("out.png").unwrap(), &Limits::default()).unwrap();
    let place = |name: &str| hash[name].as_u64().unwrap() as u32;
    // Index 1 of a palette of 6 bits, times four; index 0 is nothing at all.
    assert_eq!(sheet.get(place("x"), place("y")), Some([0, 252, 4, 255]));
    assert_eq!(sheet.get(0, 0), Some([0; 4]));
    let bmfont = String::from_utf8(sink.get("out.bmfont.fnt").unwrap().to_vec()).unwrap();
    assert!(bmfont.contains("page id=0 file=\"out.png\"\nchars count=3\n"));
    let line = format!(
        "char id=35 x={} y={} width=5 height=7 xoffset=-1 yoffset=1 xadvance=6",
        place("x"),
        place("y")
    );
    assert!(bmfont.contains(&line), "{bmfont}");
}

#[test]
fn each_output_can_be_asked_for_alone() {
    for (extension, files) in
        [("ttf", &["out.ttf"][..]), ("fnt", &["out.png", "out.fnt"]), ("json", &["out.json"])]
    {
        assert_eq!(names(&exported(&FORMAT, &sample(), extension, &[]).0), files);
    }
    let (whole, _) = exported(&FORMAT, &sample(), "png", &[]);
    let (alone, _) = exported(&FORMAT, &sample(), "ttf", &[]);
    assert_eq!(whole.get("out.ttf"), alone.get("out.ttf"));
}

/// Without a text, who wants an image and no font gets the sheet.
#[test]
fn the_sheet_is_an_image_too() {
    let (sink, report) = exported(&FORMAT, &sample(), "gif", &[]);
    assert_eq!((names(&sink), report.is_empty()), (vec!["out.gif"], true));
    let (whole, _) = exported(&FORMAT, &sample(), "png", &[]);
    let size = |gif: &[u8]| [6, 8].map(|at| u32::from(u16::from_le_bytes([gif[at], gif[at + 1]])));
    let sheet = decode(whole.get("out.png").unwrap(), &Limits::default()).unwrap();
    assert_eq!(size(sink.get("out.gif").unwrap()), [sheet.width(), sheet.height()]);
    let (sink, _) = exported(&FORMAT, &sample(), "gif", &[("text", "!")]);
    assert_eq!(names(&sink), ["out.gif"]);
    assert_ne!(size(sink.get("out.gif").unwrap()), [sheet.width(), sheet.height()]);
}

#[test]
fn a_font_that_truetype_cannot_hold_still_has_its_sheet() {
    let mut font = sample();
    font.header.line_height = 60_000;
    let (sink, report) = exported(&FORMAT, &font, "png", &[]);
    assert_eq!(names(&sink), ["out.png", "out.bmfont.fnt", "out.json"]);
    let message = single_warning(&report, &asset::product::INCOMPLETE);
    assert!(message.starts_with("warning CONVERT-W001: \"out.ttf\" is not written: "), "{message}");
}

#[test]
fn glyphs_too_large_for_a_sheet_are_rejected_with_their_location() {
    let sizes = [(9000, 1), (1, 9000)];
    let glyphs = sizes.map(|size| glyph(1, (0, 0), size)).to_vec();
    let font = Font::new(9, colors(), glyphs).unwrap();
    let (install, options) = (asset::Install::empty(), proof::options(&FORMAT, &[]));
    let context = Context { install: &install, location: None, options: &options };
    let target = Target::new("out", 1.0);
    let (mut sink, mut report) = (asset::MemorySink::new(), Report::new());
    let error = FORMAT.convert(&font, "png", &context, target, &mut sink, &mut report).unwrap_err();
    assert_eq!(
        error.to_string(),
        "sections: sheet: it would have 9000 x 9002 pixels, but the limit is 16777216"
    );
}

#[test]
fn a_text_is_drawn_as_the_game_draws_it() {
    let text = |text: &str| {
        let (sink, report) = exported(&FORMAT, &sample(), "png", &[("text", text)]);
        assert_eq!(names(&sink), ["out.png"]);
        (decode(sink.get("out.png").unwrap(), &Limits::default()).unwrap(), report)
    };
    let (picture, report) = text("! #\\n#!");
    assert!(report.is_empty());
    // `!` 4, the space 6, `#` 6 pixels; the second line starts a pixel to the left of the first.
    assert_eq!((picture.width(), picture.height()), (17, 18));
    let solid = |x: u32, y: u32| picture.get(x, y).unwrap()[3] == 255;
    assert!(solid(2, 2) && !solid(1, 2) && !solid(2, 1) && solid(4, 7) && !solid(2, 8));
    assert!(solid(10, 1) && !solid(9, 1) && solid(14, 7));
    assert!(solid(0, 10) && solid(4, 16) && solid(8, 11) && !solid(8, 10));
    let (_, report) = text("\"!é\"é中");
    assert!(single_warning(&report, &warning::NOT_DRAWN).contains("'\"' is disabled in the font"));
    assert_eq!(report.count_of(&warning::MISSING), 2);
}
