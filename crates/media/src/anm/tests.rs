//! Animations of a few pixels.

use std::collections::BTreeMap;

use proptest::prelude::*;
use record::Bytes;

use super::*;
use crate::picture::Colors;
use proof::{assert_round_trip, checked, exported, indexed, names, packed, paint, single_warning, unpacked};

/// Two rows of four pixels, three frames.
fn frames() -> Vec<Vec<u8>> {
    vec![vec![1, 1, 1, 1, 1, 1, 2, 3], vec![1, 1, 1, 1, 1, 1, 2, 4], vec![0, 1, 1, 1, 1, 1, 5, 6]]
}

fn colors() -> Colors {
    let mut out = Colors::grey();
    out.0[1] = [200, 100, 50];
    out
}

fn sample() -> Anm {
    let mut out = Anm::new((4, 2), colors(), &frames(), 10).unwrap();
    out.cycles[1] = Cycle { count: 0, rate: 2730, flags: 1, low: 16, high: 31 };
    out
}

fn applied(record: &[u8], pixels: &[u8]) -> Vec<u8> {
    let mut out = pixels.to_vec();
    apply(&[b"B\0\0\0", record].concat(), &mut out, 0).unwrap();
    out
}

#[test]
fn small_records_round_trip() {
    assert_round_trip(&Cycle { count: 1, rate: 2, flags: 3, low: 4, high: 5 }, b"\x01\0\x02\0\x03\0\x04\x05");
    assert_round_trip(&Descriptor { first_record: 1, records: 0x4002, bytes: 3 }, b"\x01\0\x02\x40\x03\0");
    let page = Page {
        descriptor: Descriptor { first_record: 7, records: 2, bytes: 3 },
        continued: Bytes(vec![9]),
        records: vec![Bytes(vec![1, 2]), Bytes::default()],
        rest: Bytes(vec![8]),
    };
    assert_round_trip(&page, b"\x07\0\x02\0\x03\0\x01\0\x02\0\0\0\x09\x01\x02\x08");
}

/// All fields have the documented offsets.
#[test]
fn fields_have_the_documented_offsets() {
    let bytes = sample().write().unwrap();
    let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    assert_eq!((&bytes[..4], &bytes[16..20]), (&b"LPF "[..], &b"ANIM"[..]));
    assert_eq!([4, 6, 8, 10, 12, 14].map(number), [256, 1, 4, 0, 256, 0x500]);
    assert_eq!([20, 22].map(number), [4, 2]);
    assert_eq!(bytes[24..32], [0, 0, 1, 1, 0, 1, 0, 1]);
    assert_eq!([64, 66, 68].map(number), [4, 0, 10]);
    assert_eq!(bytes[0x88..0x90], [0, 0, 0xaa, 0x0a, 1, 0, 16, 31]);
    assert_eq!(bytes[0x104..0x108], [50, 100, 200, 0]);
    // The table, and the page with the same six bytes.
    assert_eq!(bytes[0x500..0x506], bytes[0xb00..0xb06]);
    assert_eq!([0x500, 0x502].map(number), [0, 4]);
    assert_eq!(bytes[0xb10..0xb14], *b"B\0\0\0");
    assert_eq!(Anm::read(&bytes).unwrap(), sample());
}

/// The operations of the documented table.
#[test]
fn applies_every_operation_as_documented() {
    let old = [9; 8];
    assert_eq!(applied(&[3, 1, 2, 3], &old), [1, 2, 3, 9, 9, 9, 9, 9]);
    assert_eq!(applied(&[0, 3, 7], &old), [7, 7, 7, 9, 9, 9, 9, 9]);
    // An empty run also has a pixel.
    assert_eq!(applied(&[0, 0, 7, 1, 5], &old), [5, 9, 9, 9, 9, 9, 9, 9]);
    assert_eq!(applied(&[0x82, 1, 5], &old), [9, 9, 5, 9, 9, 9, 9, 9]);
    assert_eq!(applied(&[0x80, 0, 0, 1, 5], &old), old);
    assert_eq!(applied(&[0x80, 3, 0, 1, 5], &old), [9, 9, 9, 5, 9, 9, 9, 9]);
    assert_eq!(applied(&[0x80, 2, 0x80, 4, 5], &old), [4, 5, 9, 9, 9, 9, 9, 9]);
    assert_eq!(applied(&[0x80, 2, 0xc0, 4], &old), [4, 4, 9, 9, 9, 9, 9, 9]);
    assert_eq!(applied(&[0x80, 0, 0x40, 1, 5], &old), [5, 9, 9, 9, 9, 9, 9, 9]);
    assert_eq!(applied(&[0x80, 0, 0xc0, 1, 5], &old), [5, 9, 9, 9, 9, 9, 9, 9]);
    // Long skips beyond 16,383: 0x4001 is 16,385 pixels.
    let mut large = vec![9; 16_388];
    large[16_385] = 5;
    assert_eq!(applied(&[0x80, 1, 0x40, 1, 5], &vec![9; 16_388]), large);
    // Extra bytes between the header and the operations, padded to an even length.
    let mut pixels = old.to_vec();
    apply(&[b'B', 1, 3, 0, 0xff, 0xff, 0xff, 0xff, 1, 5], &mut pixels, 0).unwrap();
    assert_eq!(pixels, [5, 9, 9, 9, 9, 9, 9, 9]);
    let mut pixels = old.to_vec();
    assert_eq!(apply(&[], &mut pixels, 0).unwrap(), Applied::default());
    assert_eq!(pixels, old);
}

#[test]
fn refuses_damaged_records_with_their_offsets() {
    let refused = |record: &[u8]| apply(record, &mut [9; 8], 0x100).unwrap_err().to_string();
    assert_eq!(refused(b"C\0\0\0"), "unknown record type 0x43 (known: 0x42, bitmap), at offset 0x100");
    assert_eq!(refused(b"B\0\0"), "an operation needs 2 bytes, but only 1 are left, at offset 0x102");
    assert_eq!(
        refused(b"B\0\0\0\x03\x01"),
        "an operation needs 3 bytes, but only 1 are left, at offset 0x105"
    );
    assert_eq!(refused(b"B\0\0\0\0\x01"), "an operation needs 1 bytes, but only 0 are left, at offset 0x106");
    assert_eq!(
        refused(b"B\0\0\0\0\x09\x01"),
        "9 pixels starting at pixel 0 exceed the frame of 8 pixels, at offset 0x104"
    );
    assert_eq!(
        refused(b"B\0\0\0\x87\x02\x01\x01"),
        "2 pixels starting at pixel 7 exceed the frame of 8 pixels, at offset 0x105"
    );
    assert_eq!(refused(b"B\0\0\0\x80\0\x80"), "0x8000 is not a valid copy length, at offset 0x104");
}

#[test]
fn refuses_damaged_files_with_their_offsets() {
    let bytes = sample().write().unwrap();
    let with = |at: usize, value: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        Anm::read(&bytes).unwrap_err().to_string()
    };
    assert_eq!(with(16, b"JUNK"), "header.content: expected \"ANIM\", found \"JUNK\", at offset 0x10");
    assert_eq!(
        with(14, &[0xff, 4]),
        "header.table_at: the page table at 0x4ff overlaps the palette, at offset 0xe"
    );
    assert_eq!(with(6, &[1, 1]), "header.pages: pages is 257 (limit: 256), at offset 0x6");
    assert!(
        with(6, &[2]).starts_with("pages[1].descriptor.first_record: expected 2 bytes"),
        "{}",
        with(6, &[2])
    );
    assert!(
        with(0xb02, &[0xff, 0x3f])
            .starts_with("pages[0].record_sizes: expected 16383 items of at least 2 bytes")
    );
    assert!(with(0xb06, &[0xff]).starts_with("pages[0].continued: expected 255 bytes, but only"));
    assert!(with(0xb08, &[0xff]).starts_with("pages[0].records[0]: expected 255 bytes, but only"));
    for length in 0..bytes.len() {
        let error = Anm::read(&bytes[..length]).unwrap_err();
        assert!(error.offset().unwrap() <= length as u64, "{error}");
    }
}

#[test]
fn does_not_show_the_loop_record() {
    let animation = sample();
    assert_eq!((animation.header.records, animation.shown()), (4, 3));
    let (shown, error) = animation.frames().unwrap();
    assert_eq!((shown, error.is_none()), (frames(), true));
    assert_eq!(animation.is_seamless_loop(&frames()[0], frames()[2].clone()), Some(true));
    let mut without = animation;
    without.header.has_loop = 0;
    assert_eq!((without.shown(), without.frames().unwrap().0.len()), (4, 4));
}

/// Page 0 has the last records, page 1 the first ones; the record in between is split.
#[test]
fn decodes_pages_in_any_order_and_split_records() {
    let original = sample();
    let records: Vec<Bytes> = original.pages[0].records.clone();
    let mut animation = original;
    let (start, end) = records[1].split_at(5);
    let page = |first_record, flags: u16, continued: &[u8], records: Vec<Bytes>| {
        let count = records.len() as u16;
        let mut page = Page {
            descriptor: Descriptor { first_record, records: count | flags, bytes: 0 },
            continued: continued.into(),
            records,
            rest: Bytes::default(),
        };
        page.descriptor.bytes = frames::bytes_of(&page).unwrap();
        page
    };
    let mut last = page(2, CONTINUED, end, vec![records[2].clone(), records[3].clone()]);
    last.rest.0.resize(PAGE - last.used(), 0);
    let first = page(0, CONTINUES, &[], vec![records[0].clone(), start.into()]);
    animation.table = vec![last.descriptor, first.descriptor];
    animation.pages = vec![last, first];
    animation.header.pages = 2;
    let bytes = animation.write().unwrap();
    let animation = Anm::read(&bytes).unwrap();
    assert_eq!(animation.write().unwrap(), bytes);
    let (shown, error) = animation.frames().unwrap();
    assert_eq!((shown, error.is_none()), (frames(), true));
    assert!(checked(&FORMAT, &animation).is_empty(), "{:?}", checked(&FORMAT, &animation));
    // After an edit, the records are distributed over the pages again.
    let mut edited = animation;
    edited.set_frames(&BTreeMap::from([(1, vec![3; 8])])).unwrap();
    assert_eq!(edited.pages.len(), 1);
    assert_eq!(edited.frames().unwrap().0, [frames()[0].clone(), vec![3; 8], frames()[2].clone()]);
    assert!(checked(&FORMAT, &edited).is_empty());
}

#[test]
fn check_reports_defects() {
    let check = |change: &dyn Fn(&mut Anm)| {
        let mut animation = sample();
        change(&mut animation);
        checked(&FORMAT, &animation)
    };
    assert!(check(&|_| {}).is_empty());
    single_warning(&check(&|animation| animation.table[0].bytes = 1), &warning::TABLE);
    single_warning(&check(&|animation| animation.header.frames = 9), &warning::COUNT);
    single_warning(&check(&|animation| animation.pages[0].records[0].0.push(0)), &warning::LEFT_OVER);
    single_warning(&check(&|animation| animation.rest = Bytes(vec![0])), &warning::LEFT_OVER);
    single_warning(
        &check(&|animation| animation.pages[0].records[3] = Bytes(b"B\0\0\0\x01\x09".to_vec())),
        &warning::LOOP,
    );
    single_warning(
        &check(&|animation| animation.pages[0].records[1] = Bytes(b"B\0\0\0\x80\0\x40".to_vec())),
        &warning::AMBIGUOUS_SKIP,
    );
    single_warning(&check(&|animation| animation.header.frames_per_second = 0), &warning::SPEED);
    let damaged = single_warning(
        &check(&|animation| animation.pages[0].records[1] = Bytes(b"B\0\0\0\x03".to_vec())),
        &warning::DAMAGED,
    );
    assert!(
        damaged.starts_with("error ANM-E001: records[1]: an operation needs 3 bytes, but only 0 are left"),
        "{damaged}"
    );
    let other = single_warning(&check(&|animation| animation.header.compression = 2), &warning::DAMAGED);
    assert_eq!(other, "error ANM-E001: header.compression: unknown compression 2 (known: 1), at offset 0x1d");
    single_warning(&check(&|animation| animation.header.width = 0), &warning::DAMAGED);
    let none = single_warning(
        &check(&|animation| (animation.header.records, animation.header.frames) = (1, 1)),
        &warning::DAMAGED,
    );
    assert!(none.ends_with("header.records: there are no frames"), "{none}");
    single_warning(
        &check(&|animation| (animation.header.width, animation.header.height) = (65535, 65535)),
        &warning::DAMAGED,
    );
}

#[test]
fn converts_an_animation_to_one_image_or_to_frames() {
    let (sink, report) = exported(&FORMAT, &sample(), "png", &[]);
    assert_eq!(names(&sink), ["out.png", "out.json"]);
    assert!(report.is_empty());
    let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    assert_eq!(json["images"][0]["color_cycles"][0]["rate"], 2730);
    let picture =
        scene::image::decode(sink.get("out.png").unwrap(), &scene::image::Limits::default()).unwrap();
    assert_eq!((picture.get(0, 0), picture.get(3, 1)), (Some([200, 100, 50, 255]), Some([3, 3, 3, 255])));
    let (sink, _) = exported(&FORMAT, &sample(), "png", &[("frames", "apart")]);
    assert_eq!(names(&sink), ["out/out-00.png", "out/out-01.png", "out/out-02.png", "out.png", "out.json"]);
    let (sink, _) = exported(&FORMAT, &sample(), "gif", &[]);
    assert_eq!(names(&sink), ["out.gif", "out.json"]);
}

#[test]
fn an_edited_frame_changes_its_record_and_the_next() {
    let bytes = sample().write().unwrap();
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    let edited = vec![1, 1, 8, 1, 1, 1, 2, 4];
    paint(folder.path(), "001.png", |old| indexed(&old, 4, 2, edited.clone()));
    let after = Anm::read(&packed(&FORMAT, folder.path()).unwrap().0).unwrap();
    assert_eq!(after.frames().unwrap().0, [frames()[0].clone(), edited, frames()[2].clone()]);
    let (old, new) = (&sample().pages[0].records, &after.pages[0].records);
    assert_eq!((&old[0], &old[3]), (&new[0], &new[3]));
    assert!(checked(&FORMAT, &after).is_empty());
    paint(folder.path(), "002.png", |old| indexed(&old, 4, 1, vec![0; 4]));
    let error = packed(&FORMAT, folder.path()).unwrap_err().to_string();
    assert!(error.contains("all frames of this animation must be 4 x 2"), "{error}");
}

/// Frames of noise, which fill several pages.
#[test]
fn distributes_many_frames_over_several_pages() {
    let noise = |seed: u32| -> Vec<u8> {
        (0..20_000_u32).map(|at| ((at * 7919 + seed * 104_729) >> 3) as u8).collect()
    };
    let frames: Vec<Vec<u8>> = (0..9).map(noise).collect();
    let animation = Anm::new((200, 100), colors(), &frames, 12).unwrap();
    assert!(animation.pages.len() > 2);
    let bytes = animation.write().unwrap();
    let read = Anm::read(&bytes).unwrap();
    assert_eq!((read.frames().unwrap().0, read == animation), (frames.clone(), true));
    assert!(checked(&FORMAT, &animation).is_empty());
    let mut blank = animation;
    blank.set_frames(&BTreeMap::from([(4, vec![0; 20_000])])).unwrap();
    assert_eq!(blank.write().unwrap().len(), bytes.len());
    assert_eq!(blank.frames().unwrap().0[4..6], [vec![0; 20_000], frames[5].clone()]);
    assert!(
        Anm::new((600, 400), colors(), &vec![(0..240_000_u32).map(|at| (at >> 5) as u8).collect(); 1], 9)
            .is_ok()
    );
    let full: Vec<u8> = (0..240_000_u32).map(|at| (at * 31) as u8).collect();
    let error = Anm::new((600, 400), colors(), &[full], 9).unwrap_err().to_string();
    assert_eq!(error, "frame 0 does not fit into a page of 65536 bytes");
}

proptest! {
    #[test]
    fn encodes_the_difference_of_any_two_frames(
        pair in prop::collection::vec((0_u8..3, 0_u8..3), 1..600), grow in 1_usize..80,
    ) {
        let stretch = |pixels: Vec<u8>| -> Vec<u8> { pixels.into_iter().flat_map(|pixel| std::iter::repeat_n(pixel, grow)).collect() };
        let (before, after): (Vec<u8>, Vec<u8>) = pair.into_iter().unzip();
        let (before, after) = (stretch(before), stretch(after));
        let mut pixels = before.clone();
        let applied = apply(&encode(&before, &after), &mut pixels, 0).unwrap();
        prop_assert_eq!(applied, Applied::default());
        prop_assert_eq!(pixels, after);
    }

    #[test]
    fn arbitrary_records_do_not_panic(record in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = apply(&record, &mut [0; 1000], 0);
        let _ = apply(&[b"B\0\0\0", &record[..]].concat(), &mut [0; 1000], 0);
    }

    #[test]
    fn changed_bytes_do_not_panic(at in 0_usize..3000, value: u8) {
        let mut bytes = sample().write().unwrap();
        let at = at % bytes.len();
        bytes[at] = value;
        if let Ok(animation) = Anm::read(&bytes) {
            prop_assert_eq!(animation.write().unwrap(), bytes);
            checked(&FORMAT, &animation);
            let parsed: Anm = json::from_slice(&json::to_vec(&animation).unwrap()).unwrap();
            prop_assert_eq!(parsed, animation);
        }
    }
}
