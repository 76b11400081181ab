//! Synthetic sets with records of a few pixels.

use proptest::prelude::*;
use record::Bytes;

use super::*;
use asset::FixedText;
use proof::{
    assert_round_trip, checked, checked_in, exported, indexed, names, packed, paint, single_warning, unpacked,
};

/// Returns the offset of the body of a set with this many records.
fn body_start(records: usize) -> usize {
    26 + 20 * records
}

fn descriptor(width: i16, height: i16, frame_count: u16, flags: u16) -> Descriptor {
    let row_gap = if frame_count == 1 && flags & flag::RUNS == 0 { 256 - width } else { 0 };
    Descriptor {
        width,
        height,
        frame_count,
        flags,
        data_offset: 28,
        row_gap,
        size: 28,
        frame_delay: 71,
        ..Descriptor::default()
    }
}

/// Creates a set with consecutive records: each a descriptor with pixels, or `None` for a solid color.
fn set(records: &[Option<(Descriptor, Vec<u8>)>]) -> TextureSet {
    let mut body = Vec::new();
    let mut out = Vec::new();
    for record in records {
        let Some((descriptor, pixels)) = record else {
            out.push(TextureRecord { entry: DirectoryEntry::default(), descriptor: None });
            continue;
        };
        let position = (body_start(records.len()) + body.len()) as i32;
        out.push(TextureRecord {
            entry: DirectoryEntry { position, ..DirectoryEntry::default() },
            descriptor: Some(*descriptor),
        });
        body.extend(write_whole(descriptor, ()).unwrap());
        body.extend(pixels);
    }
    TextureSet { name: FixedText::new("a set").unwrap(), records: out, body: Bytes(body) }
}

/// A record of 2 x 2 pixels in a page of 256 columns that ends with its last pixel.
fn page() -> (Descriptor, Vec<u8>) {
    let mut pixels = vec![1, 2];
    pixels.resize(256, 99);
    pixels.extend([3, 4]);
    (descriptor(2, 2, 1, flag::PAGE), pixels)
}

/// Two frames of 3 x 1 pixels that share their bytes: one transparent pixel, two opaque ones.
fn runs_with_gaps() -> (Descriptor, Vec<u8>) {
    (descriptor(3, 1, 2, flag::CLEAR), vec![8, 0, 0, 0, 8, 0, 0, 0, 3, 0, 1, 0, 1, 2, 6, 7])
}

/// A record of 4 x 2 pixels: a row of four equal pixels, and a plain row.
fn rows_of_runs() -> (Descriptor, Vec<u8>) {
    let pixels = vec![36, 0, 0, 0x80, 41, 0, 0, 0, 4, 0, 0xfc, 0xff, 9, 1, 2, 3, 4];
    (descriptor(4, 2, 1, flag::CLEAR | flag::RUNS), pixels)
}

fn sample() -> TextureSet {
    set(&[
        Some(page()),
        Some(runs_with_gaps()),
        Some(rows_of_runs()),
        Some((Descriptor { width: 6, ..Descriptor::default() }, vec![])),
        None,
    ])
}

fn shown(set: &TextureSet, index: usize) -> Result<Vec<Vec<u8>>> {
    let layout = set.layout(index).unwrap()?;
    (0..layout.frames).map(|frame| set.frame(&layout, frame)).collect()
}

#[test]
fn every_record_round_trips() {
    let entry =
        DirectoryEntry { type1: 1, position: -2, type2: 3, unknown_0x08: 4, unknown_0x0c: *b"abcdefgh" };
    assert_round_trip(&entry, b"\x01\0\xfe\xff\xff\xff\x03\0\x04\0\0\0abcdefgh");
    let descriptor = Descriptor {
        x_offset: -1,
        y_offset: 2,
        width: 3,
        height: 4,
        flags: 0x0900,
        size: 5,
        data_offset: 28,
        row_gap: 253,
        frame_count: 1,
        frame_delay: 71,
        x_scale: -6,
        y_scale: 7,
    };
    assert_round_trip(
        &descriptor,
        b"\xff\xff\x02\0\x03\0\x04\0\0\x09\x05\0\0\0\x1c\0\0\0\xfd\0\x01\0\x47\0\xfa\xff\x07\0",
    );
    let solid = TextureRecord { entry: DirectoryEntry::default(), descriptor: None };
    let name = FixedText::new("a name that fills it all").unwrap();
    let set = TextureSet { name, records: vec![solid], body: Bytes(b"xyz".to_vec()) };
    assert_round_trip(&set, &[&b"\x01\0a name that fills it all"[..], &[0; 20], b"xyz"].concat());
    assert_round_trip(&sample(), &sample().write().unwrap());
}

#[test]
fn decodes_every_encoding() {
    let set = sample();
    let forms: Vec<_> = (0..5).map(|index| set.layout(index).unwrap().unwrap().encoding.name()).collect();
    assert_eq!(forms, ["single", "multi", "rle", "empty", "solid"]);
    assert_eq!(shown(&set, 0).unwrap(), [[1, 2, 3, 4]]);
    assert_eq!(shown(&set, 1).unwrap(), [[0, 6, 7], [0, 6, 7]]);
    assert_eq!(shown(&set, 2).unwrap(), [[9, 9, 9, 9, 1, 2, 3, 4]]);
    assert!(shown(&set, 3).unwrap().is_empty());
    assert!(set.layout(5).is_none());
    assert_eq!(TextureSet::solid_color(Some(0), 127), Some(127));
    assert_eq!(TextureSet::solid_color(Some(1), 127), Some(255));
    assert_eq!((TextureSet::solid_color(Some(1), 128), TextureSet::solid_color(Some(2), 0)), (None, None));
}

#[test]
fn reads_consecutive_rows_only_without_other_indications() {
    let packed = Descriptor { row_gap: 0, flags: 0, ..page().0 };
    let set = set(&[Some((packed, vec![1, 2, 3, 4]))]);
    assert_eq!(set.layout(0).unwrap().unwrap().encoding, PixelEncoding::Single { stride: 2 });
    assert_eq!(shown(&set, 0).unwrap(), [[1, 2, 3, 4]]);
    single_warning(&checked(&FORMAT, &set), &warning::PACKED);
    // The gap indicates a page, which does not fit; neither do runs.
    let page = Descriptor { flags: 0, ..page().0 };
    let set = self::set(&[Some((page, vec![1, 2, 3, 4]))]);
    assert!(
        shown(&set, 0)
            .unwrap_err()
            .to_string()
            .starts_with("2 x 2 pixels at 0x4a exceed the file of 78 bytes")
    );
    // One frame that is stored as runs with gaps.
    let (runs, _) = runs_with_gaps();
    let one = Descriptor { frame_count: 1, height: 2, row_gap: 253, ..runs };
    let set = self::set(&[Some((one, vec![4, 0, 0, 0, 3, 0, 2, 0, 1, 2, 6, 7, 0, 3, 1, 2, 3]))]);
    assert_eq!(set.layout(0).unwrap().unwrap().encoding, PixelEncoding::Multi);
    assert_eq!(shown(&set, 0).unwrap(), [[0, 6, 7, 1, 2, 3]]);
}

#[test]
fn refuses_damaged_directories() {
    let refused = |bytes: &[u8]| TextureSet::read(bytes).unwrap_err().to_string();
    assert_eq!(refused(&[0; 26]), "count: invalid record count 0, at offset 0x0");
    assert_eq!(refused(&[0xff; 26]), "count: invalid record count -1, at offset 0x0");
    let bytes = sample().write().unwrap();
    assert!(
        refused(&bytes[..100])
            .starts_with("records: expected 5 items of at least 20 bytes each, but only 74 bytes are left")
    );
    for length in 0..bytes.len() {
        match TextureSet::read(&bytes[..length]) {
            Ok(set) => assert_eq!(set.write().unwrap(), &bytes[..length]),
            Err(error) => assert!(length < body_start(5) && error.offset().unwrap() <= length as u64),
        }
    }
}

#[test]
fn check_reports_defects() {
    let located = checked_in(&FORMAT, &sample(), &sample().write().unwrap());
    let solid_only = single_warning(&located, &warning::NO_COLOR);
    assert_eq!(
        solid_only,
        "warning TEXTURE-W005: records[4].entry: solid color outside of sets 0 and 1, at offset 0x6a"
    );
    let with = |record: (Descriptor, Vec<u8>)| checked(&FORMAT, &set(&[Some(record)]));
    let gaps = |at: usize, value: u8| {
        let (descriptor, mut pixels) = runs_with_gaps();
        pixels[at] = value;
        with((descriptor, pixels))
    };
    let damaged = |report: &Report| single_warning(report, &warning::DAMAGED);
    assert!(damaged(&gaps(3, 0x80)).contains("frame 0 at -2147483640 is out of bounds"));
    assert!(damaged(&gaps(1, 1)).contains("frame 0 at 264 is out of bounds"));
    assert!(damaged(&gaps(8, 4)).contains("frame 0 has a side of 4 pixels, but the record has 3"));
    assert!(
        damaged(&gaps(12, 9)).contains(
            "a run of 9 transparent and 2 opaque pixels at column 0 does not fit a row of 3 pixels"
        )
    );
    let (descriptor_, mut pixels) = runs_with_gaps();
    pixels[12..14].copy_from_slice(&[0, 0]);
    assert!(damaged(&with((descriptor_, pixels))).contains("a run of 0 transparent and 0 opaque pixels"));
    let rows = |at: usize, value: u8| {
        let (descriptor, mut pixels) = rows_of_runs();
        pixels[at] = value;
        with((descriptor, pixels))
    };
    assert!(damaged(&rows(0, 3)).contains("row 0 at 3 overlaps or precedes the descriptor"));
    assert!(damaged(&rows(8, 5)).contains("the row has 5 pixels, but the record has 4"));
    assert!(damaged(&rows(10, 0xfb)).contains("a run of -5 pixels, but only 4 are left in the row"));
    let change = |change: fn(&mut Descriptor)| {
        let (mut descriptor, pixels) = page();
        change(&mut descriptor);
        with((descriptor, pixels))
    };
    assert!(
        damaged(&change(|descriptor| descriptor.width = -1))
            .contains("records[0].descriptor.width: -1 is not a valid size, at offset 0x32")
    );
    assert!(damaged(&change(|descriptor| descriptor.data_offset = u32::MAX)).contains("is out of bounds"));
    damaged(&change(|descriptor| descriptor.data_offset = 0));
    damaged(&change(|descriptor| descriptor.height = 3));
    damaged(&change(|descriptor| descriptor.frame_count = 65535));
    damaged(&change(|descriptor| {
        (descriptor.width, descriptor.height, descriptor.frame_count) = (32767, 32767, 65535);
    }));
    damaged(&change(|descriptor| {
        (descriptor.width, descriptor.height, descriptor.row_gap) = (32767, 32767, 9);
    }));
    single_warning(&change(|descriptor| descriptor.width = 0), &warning::SMALL_FRAME);
    single_warning(&change(|descriptor| descriptor.flags |= 0x4000), &warning::FLAGS);
    for position in [-1, 3, 10_000] {
        let mut set = set(&[Some(page())]);
        set.records[0] = TextureRecord {
            entry: DirectoryEntry { position, ..DirectoryEntry::default() },
            descriptor: None,
        };
        assert!(
            damaged(&checked(&FORMAT, &set)).contains("is out of bounds (after the directory, file size")
        );
    }
}

#[test]
fn converts_every_record_to_a_picture_with_metadata_as_json() {
    let (sink, report) = exported(&FORMAT, &sample(), "png", &[]);
    assert_eq!(names(&sink), ["out/000.png", "out/001.png", "out/002.png", "out.png", "out.json"]);
    assert!(
        single_warning(&report, &warning::NO_PALETTE)
            .ends_with("3 images converted to grayscale; choose a palette with --palette")
    );
    let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    assert_eq!(
        (&json["images"][1]["frame_delay_ms"], &json["images"][3]["form"]),
        (&json!(71), &json!("empty"))
    );
}

#[test]
fn shared_descriptors_must_be_edited_identically() {
    let mut set = set(&[Some(page()), Some(page())]);
    set.records[1] = set.records[0].clone();
    assert!(set.write().is_ok());
    set.records[1].descriptor.as_mut().unwrap().x_offset = 9;
    let error = set.write().unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("records[0].descriptor: the descriptor shares bytes with that of another record")
    );
    set.records[0].descriptor.as_mut().unwrap().x_offset = 9;
    assert!(set.write().is_ok());
    set.records[0].entry.position = 7;
    assert!(
        set.write()
            .unwrap_err()
            .to_string()
            .starts_with("records[0].position: a descriptor at 7 is out of bounds")
    );
}

#[test]
fn editing_pixels_changes_only_one_record() {
    let bytes = sample().write().unwrap();
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    paint(folder.path(), "000.png", |old| indexed(&old, 2, 2, vec![1, 2, 3, 77]));
    let (changed, report) = packed(&FORMAT, folder.path()).unwrap();
    assert!(report.is_empty());
    assert_eq!(bytes.iter().zip(&changed).filter(|(a, b)| a != b).count(), 1);
    paint(folder.path(), "001-01.png", |old| indexed(&old, 3, 1, vec![5, 0, 5]));
    paint(folder.path(), "002.png", |old| indexed(&old, 4, 2, vec![8, 8, 8, 8, 1, 8, 8, 9]));
    let (changed, report) = packed(&FORMAT, folder.path()).unwrap();
    assert_eq!(report.count_of(&warning::MOVED), 2);
    let after = TextureSet::read(&changed).unwrap();
    assert_eq!(shown(&after, 0).unwrap(), [[1, 2, 3, 77]]);
    assert_eq!(shown(&after, 1).unwrap(), [[0, 6, 7], [5, 0, 5]]);
    assert_eq!(shown(&after, 2).unwrap(), [[8, 8, 8, 8, 1, 8, 8, 9]]);
}

#[test]
fn copies_shared_pixels_before_editing() {
    // The first record shares the pixels of the second.
    let mut both = set(&[Some((descriptor(2, 1, 1, flag::PAGE), vec![])), Some(page())]);
    let (front, behind) = (both.records[0].entry.position, both.records[1].entry.position);
    both.records[0].descriptor.as_mut().unwrap().data_offset = (behind - front) as u32 + 28;
    assert_eq!(
        (shown(&both, 0).unwrap(), shown(&both, 1).unwrap()),
        (vec![vec![1, 2]], vec![vec![1, 2, 3, 4]])
    );
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &both.write().unwrap(), folder.path());
    paint(folder.path(), "000.png", |old| indexed(&old, 2, 1, vec![50, 60]));
    let (changed, report) = packed(&FORMAT, folder.path()).unwrap();
    single_warning(&report, &warning::MOVED);
    let after = TextureSet::read(&changed).unwrap();
    assert_eq!(
        (shown(&after, 0).unwrap(), shown(&after, 1).unwrap()),
        (vec![vec![50, 60]], vec![vec![1, 2, 3, 4]])
    );
}

#[test]
fn an_edited_record_of_another_size_is_moved_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &sample().write().unwrap(), folder.path());
    paint(folder.path(), "000.png", |old| indexed(&old, 3, 2, vec![1, 2, 3, 4, 5, 6]));
    let (changed, _) = packed(&FORMAT, folder.path()).unwrap();
    let after = TextureSet::read(&changed).unwrap();
    assert_eq!(shown(&after, 0).unwrap(), [[1, 2, 3, 4, 5, 6]]);
    let descriptor = after.records[0].descriptor.unwrap();
    assert_eq!(
        (descriptor.width, descriptor.row_gap, descriptor.size, descriptor.data_offset),
        (3, 253, 34, 28)
    );
    paint(folder.path(), "000.png", |old| indexed(&old, 300, 1, vec![0; 300]));
    let error = packed(&FORMAT, folder.path()).unwrap_err();
    assert_eq!(error.to_string(), "a record 300 pixels wide does not fit into a page of 256");
}

proptest! {
    #[test]
    fn changed_bytes_do_not_panic(at in 0_usize..1000, value: u8) {
        let mut bytes = sample().write().unwrap();
        let at = at % bytes.len();
        bytes[at] = value;
        if let Ok(set) = TextureSet::read(&bytes) {
            prop_assert_eq!(set.write().unwrap(), bytes);
            let again: TextureSet = json::from_slice(&json::to_vec(&set).unwrap()).unwrap();
            prop_assert_eq!(&again, &set);
            checked(&FORMAT, &set);
            exported(&FORMAT, &set, "png", &[]);
        }
    }

    #[test]
    fn edited_frames_round_trip_in_every_encoding(
        pixels in prop::collection::vec(prop_oneof![Just(0_u8), Just(0), 1_u8..4], 600), width in 1_u32..300, frames in 1_usize..3, record in 0_usize..3,
    ) {
        let width = if record == 0 { width.min(256) } else { width };
        let frames = if record == 1 { frames } else { 1 };
        let height = 600 / width / frames as u32;
        let size = (width * height) as usize;
        let mut set = sample();
        let painted: Vec<media::picture::Edited> = (0..frames)
            .map(|frame| media::picture::Edited { width, height, indices: pixels[frame * size..][..size].to_vec() })
            .collect();
        let mut layout = set.layout(record).unwrap().unwrap();
        if frames == 1 && record == 1 {
            set.records[1].descriptor.as_mut().unwrap().frame_count = 2;
            layout.frames = 2;
        }
        let painted = if record == 1 && frames == 1 { vec![painted[0].clone(), painted[0].clone()] } else { painted };
        set.set_frames(record, &layout, &painted).unwrap();
        let set = TextureSet::read(&set.write().unwrap()).unwrap();
        let found = shown(&set, record).unwrap();
        prop_assert_eq!(found, painted.iter().map(|frame| frame.indices.clone()).collect::<Vec<_>>());
    }
}

mod archive {
    use asset::archive::{Archive, Content};
    use asset::{Install, Options};
    use record::Source;
    use scene::product::encode;

    use super::*;

    fn context<'a>(install: &'a Install, options: &'a Options) -> Context<'a> {
        Context { install, location: None, options }
    }

    fn pixels(set: &TextureSet, index: usize) -> Option<Frames> {
        set.picture(index, None, &mut Budget::default(), &mut Report::new())
    }

    fn replaced(set: &TextureSet, index: usize, name: &str, content: &[u8]) -> Result<(TextureSet, Report)> {
        let (install, options) = (Install::empty(), Options::default());
        let (mut out, mut report) = (Vec::new(), Report::new());
        let content = Source::from(content.to_vec());
        set.replace(&context(&install, &options), index, name, &content, &mut out, &mut report)?;
        Ok((TextureSet::read(&out).unwrap(), report))
    }

    #[test]
    fn an_extracted_record_has_the_same_pixels() {
        let set = sample();
        let listed: Vec<_> = (0..set.count()).map(|index| set.entry(index).unwrap()).collect();
        let listing: Vec<_> =
            listed.iter().map(|entry| (&*entry.name, &*entry.note, entry.content)).collect();
        assert_eq!(
            listing,
            [
                ("000.tex", "2 x 2", Content::File),
                ("001.tex", "3 x 1, 2 frames", Content::File),
                ("002.tex", "4 x 2", Content::File),
                ("003.tex", "6 x 0, 0 frames", Content::File),
                ("004.tex", "solid color", Content::File)
            ]
        );
        for (index, entry) in listed.iter().enumerate().take(4) {
            let file = set.open(index).unwrap().read_all().unwrap().into_owned();
            assert_eq!(u64::try_from(file.len()).unwrap(), entry.length, "{index}");
            let extracted = TextureSet::read(&file).unwrap();
            assert_eq!(extracted.write().unwrap(), file);
            assert_eq!(pixels(&extracted, 0), pixels(&set, index), "{index}");
            let (own, was) =
                (extracted.records[0].descriptor.unwrap(), set.records[index].descriptor.unwrap());
            assert_eq!((own.frame_delay, own.is_clear()), (was.frame_delay, was.is_clear()));
            // Replacing the record with its own file does not change any pixels.
            let (again, report) = replaced(&set, index, "x.tex", &file).unwrap();
            assert!(report.is_empty());
            for other in 0..set.count() {
                assert_eq!(pixels(&again, other), pixels(&set, other), "{other} after {index}");
            }
        }
        let solid = set.open(4).unwrap().read_all().unwrap().into_owned();
        assert_eq!(u64::try_from(solid.len()).unwrap(), listed[4].length);
        assert!(TextureSet::read(&solid).unwrap().records[0].descriptor.is_none());
        assert!(set.open(5).is_err() && set.entry(5).is_none());
    }

    #[test]
    fn replaces_any_record_with_any_other() {
        let set = sample();
        for from in 0..4 {
            let file = set.open(from).unwrap().read_all().unwrap().into_owned();
            for to in 0..4 {
                let (new, _) = replaced(&set, to, "x.tex", &file).unwrap();
                assert_eq!(
                    pixels(&new, to).map(|it| it.frames),
                    pixels(&set, from).map(|it| it.frames),
                    "{from} {to}"
                );
                for other in (0..set.count()).filter(|other| *other != to) {
                    assert_eq!(pixels(&new, other), pixels(&set, other), "{other} after {from} {to}");
                }
            }
        }
        let refused =
            |index, content: &[u8]| replaced(&set, index, "x", content).unwrap_err().message().to_owned();
        let one = set.open(0).unwrap().read_all().unwrap().into_owned();
        assert_eq!(refused(4, &one), "the record is a solid color, which has no pixels");
        assert!(refused(0, b"nonsense").starts_with("not a record of a texture set (.tex) or an image"));
        assert!(refused(0, &set.write().unwrap()).contains("several records"));
    }

    #[test]
    fn replaces_a_record_with_a_picture_and_reports_the_palette() {
        let set = sample();
        let gray = scene::image::Rgba8::new(3, 2, [9, 9, 9, 255].repeat(6)).unwrap();
        let png = |picture: &scene::image::Rgba8| encode(&mut picture.clone().into(), "x", "png").unwrap();
        let (new, report) = replaced(&set, 0, "x.png", &png(&gray)).unwrap();
        assert_eq!(report.count_of(&warning::MATCHED), 1);
        let shown = pixels(&new, 0).unwrap();
        assert_eq!((shown.width, shown.height, shown.frames), (3, 2, vec![vec![9; 6]]));
        assert_eq!(pixels(&new, 1), pixels(&set, 1));
        let red = scene::image::Rgba8::new(1, 1, vec![200, 0, 0, 255]).unwrap();
        let error = replaced(&set, 0, "x.png", &png(&red)).unwrap_err();
        assert!(error.message().contains("no palette was found"), "{error}");
    }
}
