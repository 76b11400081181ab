//! Synthetic banks with images of a few pixels.

use proptest::prelude::*;
use record::{Bytes, Kind};

use super::*;
use asset::FixedText;
use media::picture::Colors;
use proof::{assert_round_trip, checked, exported, indexed, names, packed, paint, single_warning, unpacked};

fn header(width: i16, height: i16, frame_count: i16) -> Header {
    let data_encoding = if frame_count > 1 { 4 } else { 0 };
    Header { width, height, frame_count, data_encoding, tex_scale: 256, anim_delay: 71, ..Header::default() }
}

fn still(width: i16, height: i16, pixels: &[u8]) -> Image {
    let sections = vec![
        Section::Static(Bytes::default()),
        Section::Header(header(width, height, 1)),
        Section::Data(pixels.into()),
    ];
    Image { sections, end: End::WithLength }
}

/// An image with two frames of 2 x 2 pixels, which share their first row.
fn moving() -> Image {
    let mut data = Vec::new();
    for offset in [16_u32, 18, 16, 20] {
        data.extend(offset.to_le_bytes());
    }
    data.extend([1, 2, 3, 4, 5, 6]);
    let sections = vec![
        Section::Animated(Bytes(vec![1; 44])),
        Section::Header(header(2, 2, 2)),
        Section::Palette(Colors::default()),
        Section::Data(Bytes(data)),
    ];
    Image { sections, end: End::WithLength }
}

fn entry(name: &str, image: Image) -> Entry {
    Entry { name: FixedText::new(name).unwrap(), image, rest: Bytes::default() }
}

fn bank(entries: Vec<Entry>) -> Bank {
    Bank { entries, rest: Bytes::default() }
}

pub(super) fn sample() -> Bank {
    bank(vec![entry("D02000", still(3, 2, &[0, 1, 2, 3, 4, 5])), entry("D02031", moving())])
}

#[expect(clippy::needless_pass_by_value, reason = "tests make banks only to check them")]
fn check(bank: Bank) -> Report {
    checked(&FORMAT, &bank)
}

const STILL: &[u8] = b"BSIF\0\0\0\0BHDR\0\0\0\x1a\x05\0\xfe\xff\x03\0\x02\0\x01\x09abcd\x01\0\xf4\x01efgh\x80\0\0\0DATA\0\0\0\x06\0\x01\x02\x03\x04\x05END \0\0\0\0";

#[test]
fn every_record_round_trips() {
    let header = Header {
        x_offset: 5,
        y_offset: -2,
        width: 3,
        height: 2,
        has_cmap: 1,
        export_flags: 9,
        unknown_0x0a: *b"abcd",
        frame_count: 1,
        anim_delay: 500,
        unknown_0x12: *b"efgh",
        tex_scale: 128,
        data_encoding: 0,
    };
    assert_round_trip(&header, &STILL[16..42]);
    assert_round_trip(&Section::Unknown(*b"WHAT", Bytes(b"hm".to_vec())), b"WHAT\0\0\0\x02hm");
    let sections = vec![
        Section::Static(Bytes::default()),
        Section::Header(header),
        Section::Data(Bytes(vec![0, 1, 2, 3, 4, 5])),
    ];
    let image = Image { sections, end: End::WithLength };
    assert_round_trip(&image, STILL);
    assert_round_trip(&Image { end: End::TagOnly, ..image.clone() }, &STILL[..STILL.len() - 4]);
    let entry = Entry { rest: Bytes(b"xy".to_vec()), ..entry("D02000", image) };
    let named = [&b"D02000\0\0\0"[..], &(STILL.len() as u32 + 2).to_le_bytes(), STILL, b"xy"].concat();
    assert_round_trip(&entry, &named);
    let bytes = [&named[..], &[0; 9], b"!"].concat();
    assert_round_trip(&Bank { entries: vec![entry], rest: Bytes(b"!".to_vec()) }, &bytes);
    assert_round_trip(&bank(vec![]), &[0; 9]);
}

#[test]
fn finds_an_image_of_bank_302_by_its_number() {
    let bank = sample();
    assert_eq!(bank.image(31).unwrap().name.text(), "D02031");
    assert_eq!(bank.image(1), None);
    for (name, key) in [
        ("D02031", Some((302, 31))),
        ("a02003", Some((2, 3))),
        ("F62999", Some((562, 999))),
        ("water", None),
        ("D0203", None),
        ("D020311", None),
        ("~02031", None),
    ] {
        let found = ImageKey::of_name(&FixedText::new(name).unwrap());
        assert_eq!(found.map(|key| (key.bank, key.image)), key, "{name}");
    }
    assert_eq!(ImageKey { bank: 302, image: 31 }.name().unwrap().text(), "D02031");
    assert_eq!(ImageKey { bank: 2600, image: 0 }.name(), None);
    assert_eq!(
        (bank_of_file("texbsi.302"), bank_of_file("TEXTURE.302"), bank_of_file("TEXBSI.30")),
        (Some(302), None, None)
    );
}

#[test]
fn rows_shared_by_frames_are_read_for_each_frame() {
    let frames = moving().frames(&moving().layout(0).unwrap()).unwrap();
    assert_eq!(frames.frames, [[1, 2, 3, 4], [1, 2, 5, 6]]);
    // 71 ms are one tick; the clock has 18.2065 ticks per second.
    assert_eq!((moving().ticks(), frames.delay), (1, crate::picture::delay_of(1)));
}

#[test]
fn a_changed_row_moves_only_if_it_is_shared() {
    let data = |image: &Image| image.data().unwrap().1.to_vec();
    let layout = moving().layout(0).unwrap();
    // An unshared row is changed in place.
    let mut image = moving();
    image.set_frames(&layout, &[(1, vec![1, 2, 5, 9])]).unwrap();
    let mut expected = data(&moving());
    expected[21] = 9;
    assert_eq!(data(&image), expected);
    // A changed shared row is appended, and only its offset in the table changes.
    let mut image = moving();
    image.set_frames(&layout, &[(1, vec![7, 2, 5, 6])]).unwrap();
    let mut expected = data(&moving());
    expected[8] = 22;
    expected.extend([7, 2]);
    assert_eq!(data(&image), expected);
    // A shared row that becomes equal to another refers to that one; no row is added.
    let mut image = moving();
    image.set_frames(&layout, &[(1, vec![3, 4, 5, 6])]).unwrap();
    let mut expected = data(&moving());
    expected[8] = 18;
    assert_eq!(data(&image), expected);
    // Setting equal pixels changes nothing.
    let mut image = moving();
    image.set_frames(&layout, &[(0, vec![1, 2, 3, 4]), (1, vec![1, 2, 5, 6])]).unwrap();
    assert_eq!(image, moving());
}

#[test]
fn a_rebuilt_image_shares_equal_rows() {
    let mut image = still(1, 1, &[9]);
    image.rebuild(2, 2, &[vec![1, 2, 1, 2], vec![1, 2, 3, 4]]).unwrap();
    let (_, header) = image.header().unwrap();
    assert_eq!((header.width, header.height, header.frame_count, header.data_encoding), (2, 2, 2, 4));
    let data = image.data().unwrap().1;
    assert_eq!(data.len(), 16 + 4);
    assert_eq!(image.frames(&image.layout(0).unwrap()).unwrap().frames, [[1, 2, 1, 2], [1, 2, 3, 4]]);
    assert_eq!(image.rebuild(40_000, 1, &[vec![0; 40_000]]).unwrap_err().kind(), Kind::Usage);
}

#[test]
fn errors_contain_the_offset_of_the_damage() {
    let bytes = sample().write().unwrap();
    let refused = |bytes: &[u8]| Bank::read(bytes).unwrap_err().to_string();
    let cut = refused(&bytes[..bytes.len() - 1]);
    let ending = format!("name: expected 9 bytes, but only 8 are left, at offset {:#x}", bytes.len() - 9);
    assert!(cut.starts_with("entries[") && cut.ends_with(&ending), "{cut}");
    let with = |at: usize, value: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        refused(&bytes)
    };
    assert!(
        with(9, &[0xff; 4]).starts_with("entries[0].subrecord_bytes: expected 4294967295 bytes, but only")
    );
    assert!(
        with(25, &[0xff; 4]).starts_with("entries[0].image.sections[1].length: expected 4294967295 bytes"),
        "{}",
        with(25, &[0xff; 4])
    );
    assert_eq!(with(21, b"WHAT"), "entries[0].image.sections: the BHDR section is missing, at offset 0xd");
    let cut = Image { sections: vec![Section::Header(header(1, 1, 1))], end: End::TagOnly };
    let bytes = bank(vec![entry("D02000", cut)]).write().unwrap();
    assert_eq!(refused(&bytes), "entries[0].image.sections: the DATA section is missing, at offset 0xd");
    assert_eq!(refused(b""), "the file is empty, at offset 0x0");
    let mut nameless = sample();
    nameless.entries[1].name = FixedText::default();
    let error = nameless.write().unwrap_err();
    assert_eq!(
        error.to_string(),
        "entries[1].name: an image needs a name, because an empty name terminates the bank"
    );
}

#[test]
fn refuses_every_truncated_file_with_an_offset_in_the_file() {
    let bytes = sample().write().unwrap();
    for length in 0..bytes.len() {
        let error = Bank::read(&bytes[..length]).unwrap_err();
        assert!(error.offset().unwrap() <= length as u64, "cut at {length}: {error}");
    }
}

/// A valid bank has no warnings; each change causes its warning.
#[test]
fn check_reports_defects() {
    assert!(check(sample()).is_empty(), "{:?}", check(sample()));
    let with = |change: &dyn Fn(&mut Bank)| {
        let mut bank = sample();
        change(&mut bank);
        check(bank)
    };
    let still_header =
        |change: fn(&mut Header)| with(&|bank| change(bank.entries[0].image.header_mut().unwrap()));
    let moving_header =
        |change: fn(&mut Header)| with(&|bank| change(bank.entries[1].image.header_mut().unwrap()));
    assert_eq!(
        single_warning(&still_header(|header| header.height = 3), &warning::DAMAGED),
        "error TEXBSI-E001: entries[0].image.sections[2]: pixels of 1 x 3 x 3 need 9 bytes, but there are only 6, at offset 0x3f"
    );
    assert_eq!(
        single_warning(&still_header(|header| header.width = -4), &warning::DAMAGED),
        "error TEXBSI-E001: entries[0].image.sections[1].width: -4 is too small (minimum: 0), at offset 0x21"
    );
    single_warning(&still_header(|header| header.frame_count = 0), &warning::DAMAGED);
    single_warning(&moving_header(|header| header.frame_count = 32767), &warning::DAMAGED);
    single_warning(&still_header(|header| header.width = 0), &warning::EMPTY);
    single_warning(&still_header(|header| header.anim_delay = -5), &warning::DELAY);
    single_warning(&moving_header(|header| header.data_encoding = 9), &warning::ENCODING);
    single_warning(&still_header(|header| header.height = 1), &warning::DATA_LEFT_OVER);
    single_warning(
        &with(&|bank| bank.entries[1].image.sections[0] = Section::Static(Bytes::default())),
        &warning::ENCODING,
    );
    let row = |offset: u32| {
        with(&move |bank: &mut Bank| {
            bank.entries[1].image.data_mut().unwrap().0[4..8].copy_from_slice(&offset.to_le_bytes());
        })
    };
    assert!(
        single_warning(&row(21), &warning::DAMAGED)
            .contains("row 1 of frame 0 is out of bounds: 2 bytes at 0x15, but the data has 22 bytes")
    );
    single_warning(&row(u32::MAX), &warning::DAMAGED);
    single_warning(&row(3), &warning::IN_TABLE);
    single_warning(
        &with(&|bank| bank.entries[0].image.sections.push(Section::Unknown(*b"WHAT", Bytes::default()))),
        &warning::SECTIONS,
    );
    single_warning(
        &with(&|bank| bank.entries[0].image.sections.push(Section::Data(Bytes::default()))),
        &warning::SECTIONS,
    );
    single_warning(&with(&|bank| drop(bank.entries[0].image.sections.remove(0))), &warning::SECTIONS);
    let mut bright = Colors::default();
    bright.0[1] = [200, 0, 0];
    single_warning(
        &with(&|bank| bank.entries[1].image.sections[2] = Section::Palette(bright.clone())),
        &warning::CMAP,
    );
    single_warning(&with(&|bank| bank.entries[0].name = FixedText::new("water").unwrap()), &warning::NAME);
    single_warning(
        &with(&|bank| bank.entries[0].name = FixedText::new("D02031").unwrap()),
        &warning::SAME_NAME,
    );
    single_warning(&with(&|bank| bank.entries[0].rest = Bytes(vec![1])), &warning::REST);
    single_warning(&with(&|bank| bank.rest = Bytes(vec![1])), &warning::REST);
}

#[test]
fn converts_every_image_to_a_picture_with_metadata_as_json() {
    let images = sample();
    let (sink, report) = exported(&FORMAT, &images, "png", &[]);
    assert_eq!(names(&sink), ["out/D02000.png", "out/D02031.png", "out.png", "out.json"]);
    assert!(
        single_warning(&report, &warning::NO_PALETTE)
            .ends_with("1 image converted to grayscale; choose a palette with --palette")
    );
    let (sink, _) = exported(&FORMAT, &images, "png", &[("frames", "apart")]);
    assert_eq!(names(&sink)[1..3], ["out/D02031-00.png", "out/D02031-01.png"]);
    let (sink, _) = exported(&FORMAT, &images, "gif", &[]);
    assert_eq!(names(&sink), ["out/D02000.gif", "out/D02031.gif", "out.json"]);
    let (sink, report) = exported(&FORMAT, &images, "json", &[]);
    assert_eq!(names(&sink), ["out.json"]);
    assert!(report.is_empty());
    let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    assert_eq!(json["images"][1]["anim_delay_ticks"], 1);
}

#[test]
fn unsafe_and_duplicate_names_become_unique_file_names() {
    let image = || still(1, 1, &[1]);
    let bank = bank(vec![
        entry("..\\..\\x", image()),
        entry("../a", image()),
        entry("CON", image()),
        entry("con", image()),
    ]);
    let (sink, _) = exported(&FORMAT, &bank, "png", &[]);
    let names = names(&sink);
    assert_eq!(names[..4], ["out/.._.._x.png", "out/.._a.png", "out/CON_.png", "out/con_~2.png"]);
    let folder = tempfile::tempdir().unwrap();
    let bytes = bank.write().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
}

#[test]
fn an_edited_image_of_another_size_changes_only_its_header() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = sample().write().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    paint(folder.path(), "D02000.png", |old| indexed(&old, 2, 1, vec![7, 8]));
    let (changed, report) = packed(&FORMAT, folder.path()).unwrap();
    assert!(report.is_empty());
    let mut expected = sample();
    expected.entries[0].image = still(2, 1, &[7, 8]);
    assert_eq!(Bank::read(&changed).unwrap(), expected);
    paint(folder.path(), "D02031-01.png", |old| indexed(&old, 1, 1, vec![7]));
    let error = packed(&FORMAT, folder.path()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a frame is 1 x 1 pixels, but the image is 2 x 2; resize all 2 frames to the same size"
    );
}

#[test]
fn matches_other_colors_to_the_nearest_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &sample().write().unwrap(), folder.path());
    // Displayed in grayscale: index 100 is 100, 100, 100.
    paint(folder.path(), "D02000.png", |_| {
        let pixels = [
            [100, 100, 100, 255],
            [101, 100, 100, 255],
            [0, 0, 0, 0],
            [3, 3, 3, 255],
            [4, 4, 4, 255],
            [5, 5, 5, 255],
        ];
        scene::image::encode_png(&scene::image::Rgba8::new(3, 2, pixels.concat()).unwrap())
    });
    let (changed, report) = packed(&FORMAT, folder.path()).unwrap();
    assert_eq!(Bank::read(&changed).unwrap().entries[0].image, still(3, 2, &[100, 100, 0, 3, 4, 5]));
    assert!(single_warning(&report, &warning::INEXACT).ends_with(
        "in views/D02000.png, 1 of 6 pixels were changed to the nearest color of the palette, which differs by up to 1"
    ));
}

#[test]
fn refuses_an_edited_picture_with_an_edited_header() {
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &sample().write().unwrap(), folder.path());
    paint(folder.path(), "D02000.png", |old| indexed(&old, 2, 1, vec![7, 8]));
    let record = folder.path().join("record.json");
    let text = std::fs::read_to_string(&record).unwrap();
    let mut value: Value = json::from_str(&text).unwrap();
    value["entries"][0]["image"]["sections"][1]["Header"]["width"] = 6.into();
    std::fs::write(&record, value.to_string()).unwrap();
    assert!(packed(&FORMAT, folder.path()).unwrap_err().to_string().contains("were both edited"));
}

#[test]
fn refuses_an_edited_view_of_a_removed_image() {
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &sample().write().unwrap(), folder.path());
    paint(folder.path(), "D02000.png", |old| indexed(&old, 3, 2, vec![7; 6]));
    let record = folder.path().join("record.json");
    let mut value: Value = json::from_slice(&std::fs::read(&record).unwrap()).unwrap();
    value["entries"].as_array_mut().unwrap().swap(0, 1);
    std::fs::write(&record, value.to_string()).unwrap();
    assert!(packed(&FORMAT, folder.path()).is_err());
    value["entries"].as_array_mut().unwrap().swap(0, 1);
    value["entries"][0]["image"]["sections"][2]["Data"] = "000102030405".into();
    std::fs::write(&record, value.to_string()).unwrap();
    let error = packed(&FORMAT, folder.path()).unwrap_err();
    assert_eq!(error.to_string(), "views/D02000.png was edited, but record.json no longer contains its blob");
}

fn any_section() -> impl Strategy<Value = Section> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..12).prop_map(Bytes);
    prop_oneof![
        bytes().prop_map(Section::Static),
        bytes().prop_map(Section::Animated),
        bytes().prop_map(Section::Data),
        prop::array::uniform10(any::<i16>()).prop_map(|numbers| Section::Header(Header {
            x_offset: numbers[0],
            y_offset: numbers[1],
            width: numbers[2],
            height: numbers[3],
            has_cmap: numbers[4].to_le_bytes()[0],
            export_flags: numbers[4].to_le_bytes()[1],
            unknown_0x0a: [1, 2, 3, 4],
            frame_count: numbers[5] % 4,
            anim_delay: numbers[6],
            unknown_0x12: [5, 6, 7, 8],
            tex_scale: numbers[7].unsigned_abs(),
            data_encoding: numbers[8],
        })),
        bytes().prop_map(|bytes| Section::Unknown(*b"WHAT", bytes)),
    ]
}

fn any_bank() -> impl Strategy<Value = Bank> {
    let image = prop::collection::vec(any_section(), 0..6).prop_map(|mut sections| {
        sections.extend([Section::Header(header(2, 1, 1)), Section::Data(Bytes(vec![1, 2]))]);
        Image { sections, end: End::WithLength }
    });
    let entry = (prop::array::uniform9(1_u8..), image, prop::collection::vec(1_u8.., 0..4))
        .prop_map(|(name, image, rest)| Entry { name: FixedText(name), image, rest: Bytes(rest) });
    (prop::collection::vec(entry, 0..4), prop::collection::vec(any::<u8>(), 0..4))
        .prop_map(|(entries, rest)| Bank { entries, rest: Bytes(rest) })
}

proptest! {
    #[test]
    fn any_bank_round_trips(bank in any_bank()) {
        let bytes = bank.write().unwrap();
        prop_assert_eq!(&Bank::read(&bytes).unwrap(), &bank);
        let again: Bank = json::from_slice(&json::to_vec(&bank).unwrap()).unwrap();
        prop_assert_eq!(&again, &bank);
        checked(&FORMAT, &bank);
        exported(&FORMAT, &bank, "png", &[]);
    }

    #[test]
    fn changed_bytes_do_not_panic(at in 0_usize..1200, value: u8) {
        let mut bytes = sample().write().unwrap();
        let at = at % bytes.len();
        bytes[at] = value;
        if let Ok(bank) = Bank::read(&bytes) {
            prop_assert_eq!(bank.write().unwrap(), bytes);
            checked(&FORMAT, &bank);
            exported(&FORMAT, &bank, "png", &[]);
        }
    }

    #[test]
    fn frames_round_trip_through_shared_rows(rows in prop::collection::vec(prop::collection::vec(0_u8..3, 3), 4), painted in prop::collection::vec(0_u8..3, 6), frame in 0_usize..2) {
        let mut frames: Vec<Vec<u8>> = rows.chunks(2).map(|rows| rows.concat()).collect();
        let mut image = still(1, 1, &[0]);
        image.rebuild(3, 2, &frames).unwrap();
        let layout = image.layout(0).unwrap();
        prop_assert_eq!(&image.frames(&layout).unwrap().frames, &frames);
        frames[frame] = painted.clone();
        image.set_frames(&layout, &[(frame, painted)]).unwrap();
        prop_assert_eq!(&image.frames(&image.layout(0).unwrap()).unwrap().frames, &frames);
    }
}
