//! Synthetic fonts of a few glyphs.

mod edit;
mod product;

use proptest::prelude::*;
use record::Bytes;

use super::*;
use proof::{assert_round_trip, checked, checked_in, exported, packed, single_warning, unpacked};

/// A glyph whose pixels count up from 1.
fn glyph(enabled: u16, (left, top): (i16, i16), (width, height): (u16, u16)) -> Glyph {
    let pixels = (0..usize::from(width) * usize::from(height)).map(|pixel| (pixel % 9) as u8 + 1).collect();
    Glyph { enabled, offset_left: left, offset_top: top, width, height, pixels: Bytes(pixels) }
}

fn colors() -> Colors {
    let mut out = Colors::default();
    for (index, color) in out.0.iter_mut().enumerate() {
        *color = [index as u8 / 4, 63 - index as u8 / 4, (index % 64) as u8];
    }
    out
}

/// A font with a space, `!`, a disabled `"`, and `#`.
fn sample() -> Font {
    let glyphs = vec![
        Glyph { pixels: Bytes(vec![0; 2]), ..glyph(1, (0, 0), (2, 1)) },
        glyph(1, (1, 2), (3, 6)),
        glyph(0, (0, 0), (4, 2)),
        glyph(7, (-1, 1), (5, 7)),
    ];
    Font::new(9, colors(), glyphs).unwrap()
}

fn rdat() -> Rdat {
    Rdat {
        source_name: FixedText::new("ARIAL.BMP").unwrap(),
        unknown_90: 1,
        unknown_94: 2,
        unknown_98: 3,
        unknown_9c: 4,
        unknown_a0: 5,
        unknown_a4: 6,
        unknown_a8: 7,
        unknown_ac: 8,
        unknown_b0: 9,
        unknown_b4: 10,
    }
}

const HEAD: &[u8] = b"FNHD\0\0\0\x38GXlib font conversion\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\x02\0\x09\0\x20\0\x01\0\0\0\0\0\x01\0";

#[test]
fn every_record_round_trips() {
    assert_round_trip(
        &Glyph { enabled: 2, offset_left: -1, offset_top: 3, width: 2, height: 1, pixels: Bytes(vec![7, 8]) },
        b"\x02\0\xff\xff\x03\0\x02\0\x01\0\x07\x08",
    );
    let metadata: Vec<u8> =
        [1_u32, 2, 3, 4, 5, 6, 7, 8, 9].iter().flat_map(|word| word.to_le_bytes()).collect();
    let metadata = [&b"ARIAL.BMP"[..], &[0; 127], &metadata, &[10]].concat();
    assert_round_trip(&rdat(), &metadata);
    let pixels = b"\x01\0\0\0\0\0\x02\0\x01\0\x01\x02";
    let one = Font::new(9, colors(), vec![glyph(1, (0, 0), (2, 1))]).unwrap();
    let palette = [&b"BPAL\0\0\x03\0"[..], colors().bytes()].concat();
    assert_round_trip(&one, &[HEAD, &palette, b"FBMP\0\0\0\x0c", pixels, b"END "].concat());
    let mut other = one.clone();
    other.sections = vec![
        Section::Other { tag: FixedText(*b"X\0AT"), data: Bytes(vec![1, 2, 3]) },
        Section::Fbmp(Fbmp { glyphs: one.glyphs().to_vec(), rest: Bytes(vec![9]) }),
        Section::Rdat(rdat()),
        Section::Fpal(colors()),
    ];
    other.rest = Bytes(vec![0; 4]);
    let colors = colors();
    let chunks = [
        b"X\0AT\0\0\0\x03\x01\x02\x03FBMP\0\0\0\x0d",
        &pixels[..],
        b"\x09RDAT\0\0\0\xad",
        &metadata,
        b"FPAL\0\0\x03\0",
        colors.bytes(),
        b"END \0\0\0\0",
    ];
    assert_round_trip(&other, &[HEAD, &chunks.concat()].concat());
    let open = Font { end: false, ..one };
    assert_round_trip(&open, &[HEAD, &palette, b"FBMP\0\0\0\x0c", pixels].concat());
}

#[test]
fn errors_contain_the_offset_of_the_damage() {
    let bytes = sample().write().unwrap();
    let with = |at: usize, value: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        Font::read(&bytes).unwrap_err().to_string()
    };
    assert_eq!(with(0, b"JUNK"), "header.tag: expected the chunk \"FNHD\", found \"JUNK\", at offset 0x0");
    assert_eq!(
        with(7, &[10]),
        "header.length: length is 10, but this chunk always has 56 bytes, at offset 0x4"
    );
    assert_eq!(
        with(0x38, &[0xff, 0xff]),
        "sections[1].glyphs: expected 65535 items of at least 10 bytes each, but only 103 bytes are left, at offset 0x38"
    );
    assert!(with(0x38, &[5]).starts_with("sections[1].glyphs[4].enabled: "), "{}", with(0x38, &[5]));
    assert_eq!(
        with(0x44, &[0; 4]),
        "sections[0].length: length is 0, but this chunk always has 768 bytes, at offset 0x44"
    );
    assert_eq!(
        with(0x44, &[0xff; 4]),
        "sections[0].length: length is 4294967295, but only 883 bytes are left, at offset 0x44"
    );
    // The offset of the first glyph, after the header, the palette and the chunk header.
    assert_eq!(
        with(0x350 + 6, &[0xff; 4]),
        "sections[1].glyphs[0].pixels: 65535 x 65535 pixels need 4294836225 bytes, but only 93 are left, at offset 0x35a"
    );
    assert_eq!(with(0x348, b"XBMP"), "sections: the FBMP chunk with the glyphs is missing, at offset 0x3b7");
    assert_eq!(Font::read(&[]).unwrap_err().to_string(), "the file is empty, at offset 0x0");
    for length in 0..bytes.len() {
        match Font::read(&bytes[..length]) {
            Ok(font) => assert!(!font.end && length >= bytes.len() - 4),
            Err(error) => assert!(error.offset().unwrap() <= length as u64, "{error}"),
        }
    }
}

#[test]
fn refuses_to_write_pixels_that_do_not_match_the_size() {
    let mut font = sample();
    font.glyphs_mut().unwrap()[1].pixels.0.pop();
    assert_eq!(
        font.write().unwrap_err().to_string(),
        "sections[1].glyphs[1].pixels: 3 x 6 pixels need 18 bytes, but there are 17"
    );
}

#[test]
fn check_reports_defects() {
    let check = |change: &dyn Fn(&mut Font)| {
        let mut font = sample();
        change(&mut font);
        let bytes = font.write().unwrap();
        checked_in(&FORMAT, &font, &bytes)
    };
    assert!(check(&|_| ()).is_empty(), "{:?}", check(&|_| ()));
    assert!(check(&|font| font.rest = Bytes(vec![0; 4])).is_empty());
    assert_eq!(
        single_warning(&check(&|font| drop(font.sections.remove(0))), &warning::NO_PALETTE),
        "error FNT-E001: header.has_palette: has_palette is 1, but there is no BPAL or FPAL chunk, at offset 0x3e"
    );
    assert_eq!(
        single_warning(&check(&|font| font.header.has_rdat = 1), &warning::NO_RDAT),
        "error FNT-E002: header.has_rdat: has_rdat is 1, but there is no RDAT chunk of 173 bytes, at offset 0x2a"
    );
    single_warning(&check(&|font| font.end = false), &warning::NO_END);
    single_warning(&check(&|font| font.rest = Bytes(vec![1])), &warning::LEFT_OVER);
    let more = |font: &mut Font| {
        if let Section::Fbmp(fbmp) = &mut font.sections[1] {
            fbmp.rest = Bytes(vec![1, 2]);
        }
    };
    let left = single_warning(&check(&more), &warning::LEFT_OVER);
    assert!(left.ends_with("2 unexpected bytes after the glyphs, at offset 0x3b7"), "{left}");
    let add = |tag: &[u8; 4], length: usize| {
        let section = Section::Other { tag: FixedText(*tag), data: Bytes(vec![0; length]) };
        single_warning(&check(&|font| font.sections.push(section.clone())), &warning::OTHER)
    };
    assert!(add(b"XDAT", 3).contains("the chunk \"XDAT\" of 3 bytes is unknown"));
    assert!(add(b"FBMP", 3).contains("the chunk \"FBMP\" of 3 bytes is a duplicate"));
    assert!(add(b"RDAT", 3).contains("the chunk \"RDAT\" of 3 bytes should have 173 bytes"));
    single_warning(&check(&|font| font.header.character_start = 48), &warning::START);
    single_warning(&check(&|font| font.header.has_palette = 0), &warning::NO_PALETTE_READ);
    let bright = |font: &mut Font| {
        if let Section::Bpal(colors) = &mut font.sections[0] {
            colors.0[9] = [64, 0, 0];
        }
    };
    assert!(
        single_warning(&check(&bright), &warning::EIGHT_BIT)
            .ends_with("the palette has values up to 64; assuming 8 bits per channel, at offset 0x40")
    );
    single_warning(&check(&|font| font.glyphs_mut().unwrap()[3] = glyph(1, (0, 0), (0, 4))), &warning::EMPTY);
    let low = single_warning(&check(&|font| font.glyphs_mut().unwrap()[3].offset_top = 4), &warning::BELOW);
    assert!(low.contains("1 glyph extends below the line height of 9 pixels, by 2, at offset "), "{low}");
    let many = |font: &mut Font| font.glyphs_mut().unwrap().resize(225, glyph(1, (0, 0), (1, 1)));
    single_warning(&check(&many), &warning::TOO_MANY);
}

#[test]
fn does_not_recognize_fonts_of_other_programs() {
    let probe = |bytes: &[u8]| (FORMAT.probe)(&Probe::new(bytes, bytes.len() as u64, Some("x.fnt")));
    assert_eq!(probe(&sample().write().unwrap()), Some(Score::CERTAIN));
    assert_eq!(probe(b"info face=\"x\" size=10"), Some(Score::NEVER));
    assert_eq!(probe(b"BMF\x03"), Some(Score::NEVER));
    assert_eq!(probe(b"FNXX\0\0\0\x38"), None);
}

#[test]
fn advance_widths_match_the_game() {
    let font = sample();
    // The advance of a space is its width plus the width of `!` plus one pixel; a disabled glyph does not advance.
    assert_eq!((0..5).map(|index| font.advance(index)).collect::<Vec<_>>(), [6, 4, 0, 6, 0]);
    assert_eq!(font.baseline(), 8);
    assert_eq!(
        [32, 65, 126, 127, 130, 255, 256].map(character_of),
        [Some(' '), Some('A'), Some('~'), Some('⌂'), Some('é'), Some('\u{a0}'), None]
    );
}

fn any_glyph() -> impl Strategy<Value = Glyph> {
    (0_u16..3, -40_i16..40, -40_i16..40, 0_u16..9, 0_u16..9, any::<u8>()).prop_map(
        |(enabled, left, top, width, height, color)| {
            let pixels = (0..width * height).map(|pixel| color.wrapping_mul(pixel as u8)).collect();
            Glyph { pixels: Bytes(pixels), ..Glyph { enabled, ..glyph(0, (left, top), (width, height)) } }
        },
    )
}

fn any_section() -> impl Strategy<Value = Section> {
    prop_oneof![
        Just(Section::Bpal(colors())),
        Just(Section::Fpal(Colors::grey())),
        Just(Section::Rdat(rdat())),
        (prop::collection::vec(any::<u8>(), 0..9), "[A-DF-Z]{4}")
            .prop_map(|(data, tag)| Section::Other { tag: FixedText::new(&tag).unwrap(), data: Bytes(data) }),
    ]
}

/// An arbitrary font: at most one section of each known kind, in any order, and any header.
fn any_font() -> impl Strategy<Value = Font> {
    let glyphs = prop::collection::vec(any_glyph(), 0..40);
    let sections = prop::collection::vec(any_section(), 0..5);
    let rest = prop::collection::vec(any::<u8>(), 0..7);
    (glyphs, sections, rest, any::<[u16; 6]>(), 0_usize..5).prop_map(
        |(glyphs, sections, rest, words, position)| {
            let mut info: Vec<Section> = Vec::new();
            for section in sections {
                let kind = |section: &Section| match section {
                    Section::Bpal(_) | Section::Fpal(_) => 0,
                    Section::Fbmp(_) => 1,
                    Section::Rdat(_) => 2,
                    Section::Other { .. } => 3,
                };
                if kind(&section) == 3 || info.iter().all(|known| kind(known) != kind(&section)) {
                    info.push(section);
                }
            }
            info.insert(position.min(info.len()), Section::Fbmp(Fbmp { glyphs, rest: Bytes(rest.clone()) }));
            let [unknown_24, has_rdat, max_width, line_height, character_start, has_palette] = words;
            let header = Header {
                unknown_24,
                has_rdat,
                max_width,
                line_height,
                character_start,
                has_palette,
                ..Header::default()
            };
            Font { header, sections: info, end: true, rest: Bytes(rest) }
        },
    )
}

proptest! {
    #[test]
    fn any_font_round_trips(font in any_font()) {
        let bytes = font.write().unwrap();
        prop_assert_eq!(&Font::read(&bytes).unwrap(), &font);
        let again: Font = json::from_slice(&json::to_vec(&font).unwrap()).unwrap();
        prop_assert_eq!(&again, &font);
        checked(&FORMAT, &font);
        exported(&FORMAT, &font, "png", &[]);
    }

    #[test]
    fn any_font_round_trips_through_its_folder(font in any_font()) {
        let bytes = font.write().unwrap();
        let folder = tempfile::tempdir().unwrap();
        unpacked(&FORMAT, &bytes, folder.path());
        let (again, report) = packed(&FORMAT, folder.path()).unwrap();
        prop_assert!(again == bytes && report.is_empty());
    }

    #[test]
    fn changed_bytes_do_not_panic(at in 0_usize..1000, value: u8) {
        let mut bytes = sample().write().unwrap();
        let at = at % bytes.len();
        bytes[at] = value;
        if let Ok(font) = Font::read(&bytes) {
            prop_assert_eq!(font.write().unwrap(), bytes);
            checked(&FORMAT, &font);
        }
    }
}
