//! Conversions of fonts.

use json::Value;
use scene::image::{Limits, decode};

use super::*;
use proof::names;

#[test]
fn converts_a_font_to_a_sheet_bmfont_json_and_truetype() {
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
    let coordinate = |name: &str| hash[name].as_u64().unwrap() as u32;
    // Index 1 of a 6-bit palette, times four; index 0 is fully transparent.
    assert_eq!(sheet.get(coordinate("x"), coordinate("y")), Some([0, 252, 4, 255]));
    assert_eq!(sheet.get(0, 0), Some([0; 4]));
    let bmfont = String::from_utf8(sink.get("out.bmfont.fnt").unwrap().to_vec()).unwrap();
    assert!(bmfont.contains("page id=0 file=\"out.png\"\nchars count=3\n"));
    let line = format!(
        "char id=35 x={} y={} width=5 height=7 xoffset=-1 yoffset=1 xadvance=6",
        coordinate("x"),
        coordinate("y")
    );
    assert!(bmfont.contains(&line), "{bmfont}");
}

#[test]
fn each_output_can_be_requested_alone() {
    for (extension, files) in
        [("ttf", &["out.ttf"][..]), ("fnt", &["out.png", "out.fnt"]), ("json", &["out.json"])]
    {
        assert_eq!(names(&exported(&FORMAT, &sample(), extension, &[]).0), files);
    }
    let (all, _) = exported(&FORMAT, &sample(), "png", &[]);
    let (single, _) = exported(&FORMAT, &sample(), "ttf", &[]);
    assert_eq!(all.get("out.ttf"), single.get("out.ttf"));
}

/// If no text is given, a request for an image returns the sheet.
#[test]
fn the_sheet_is_also_an_image() {
    let (sink, report) = exported(&FORMAT, &sample(), "gif", &[]);
    assert_eq!((names(&sink), report.is_empty()), (vec!["out.gif"], true));
    let (all, _) = exported(&FORMAT, &sample(), "png", &[]);
    let size = |gif: &[u8]| [6, 8].map(|at| u32::from(u16::from_le_bytes([gif[at], gif[at + 1]])));
    let sheet = decode(all.get("out.png").unwrap(), &Limits::default()).unwrap();
    assert_eq!(size(sink.get("out.gif").unwrap()), [sheet.width(), sheet.height()]);
    let (sink, _) = exported(&FORMAT, &sample(), "gif", &[("text", "!")]);
    assert_eq!(names(&sink), ["out.gif"]);
    assert_ne!(size(sink.get("out.gif").unwrap()), [sheet.width(), sheet.height()]);
}

#[test]
fn writes_the_sheet_of_a_font_that_truetype_cannot_store() {
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
fn draws_a_text_as_the_game_does() {
    let text = |text: &str| {
        let (sink, report) = exported(&FORMAT, &sample(), "png", &[("text", text)]);
        assert_eq!(names(&sink), ["out.png"]);
        (decode(sink.get("out.png").unwrap(), &Limits::default()).unwrap(), report)
    };
    let (picture, report) = text("! #\\n#!");
    assert!(report.is_empty());
    // `!` is 4 pixels wide, the space 6, `#` 6; the second line starts one pixel to the left of the first.
    assert_eq!((picture.width(), picture.height()), (17, 18));
    let solid = |x: u32, y: u32| picture.get(x, y).unwrap()[3] == 255;
    assert!(solid(2, 2) && !solid(1, 2) && !solid(2, 1) && solid(4, 7) && !solid(2, 8));
    assert!(solid(10, 1) && !solid(9, 1) && solid(14, 7));
    assert!(solid(0, 10) && solid(4, 16) && solid(8, 11) && !solid(8, 10));
    let (_, report) = text("\"!é\"é中");
    assert!(single_warning(&report, &warning::NOT_DRAWN).contains("'\"' is disabled in the font"));
    assert_eq!(report.count_of(&warning::MISSING), 2);
}
