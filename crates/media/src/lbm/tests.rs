//! Pictures of a few pixels.

use proptest::prelude::*;
use record::Bytes;

use super::*;
use crate::picture::Colors;
use asset::FixedText;
use proof::{assert_round_trip, checked, exported, indexed, names, packed, paint, single_warning, unpacked};

/// Three by two pixels.
const PIXELS: [u8; 6] = [7, 7, 7, 1, 2, 3];

fn sample() -> Lbm {
    let mut out = Lbm::new((3, 2), Colors::grey(), PIXELS.to_vec()).unwrap();
    let cycle = Cycle { rate: 2730, flags: 1, low: 16, high: 31, ..Cycle::default() };
    out.chunks.insert(2, Chunk::new(Content::Cycle(cycle)));
    let other = Content::Other { tag: FixedText(*b"TINY"), data: Bytes(vec![1, 2, 3]) };
    out.chunks.insert(3, Chunk { content: other, pad: Some(9) });
    out
}

fn body(bytes: &[u8]) -> Chunk {
    Chunk::new(Content::Body(bytes.into()))
}

fn with_body(bytes: &[u8]) -> Lbm {
    let mut out = sample();
    out.chunks[4] = body(bytes);
    out
}

#[test]
fn every_chunk_round_trips() {
    let header = Header {
        width: 640,
        height: 480,
        x: -1,
        y: 2,
        depth: 8,
        masking: 2,
        compression: 1,
        unknown_0x0b: 0,
        transparent: 5,
        aspect: [10, 11],
        page: [320, -200],
        rest: Bytes::default(),
    };
    let bytes = b"BMHD\0\0\0\x14\x02\x80\x01\xe0\xff\xff\0\x02\x08\x02\x01\0\0\x05\x0a\x0b\x01\x40\xff\x38";
    assert_round_trip(&Chunk::new(Content::Header(header)), bytes);
    let cycle = Cycle { unknown_0x00: 1, rate: 0x2000, flags: 3, low: 4, high: 5 };
    assert_round_trip(&Chunk::new(Content::Cycle(cycle)), b"CRNG\0\0\0\x08\0\x01\x20\0\0\x03\x04\x05");
    assert_round_trip(
        &Chunk { content: Content::Body(Bytes(vec![7])), pad: Some(4) },
        b"BODY\0\0\0\x01\x07\x04",
    );
    assert_round_trip(&Chunk { content: Content::Body(Bytes(vec![7])), pad: None }, b"BODY\0\0\0\x01\x07");
    let other = Content::Other { tag: FixedText(*b"CMAP"), data: Bytes(vec![1, 2, 3]) };
    assert_round_trip(&Chunk::new(other), b"CMAP\0\0\0\x03\x01\x02\x03\0");
    let palette = [&b"CMAP\0\0\x03\0"[..], Colors::grey().bytes()].concat();
    assert_round_trip(&Chunk::new(Content::Palette(Colors::grey())), &palette);
    // Without chunks, with a length that is too large, and with trailing bytes.
    let empty = Lbm { missing: 0, chunks: Vec::new(), tail: Bytes(vec![1]), rest: Bytes(vec![2, 3]) };
    assert_round_trip(&empty, b"FORM\0\0\0\x05PBM \x01\x02\x03");
    let cut = Lbm { missing: 7, chunks: vec![body(&[1])], tail: Bytes::default(), rest: Bytes::default() };
    assert_round_trip(&cut, b"FORM\0\0\0\x15PBM BODY\0\0\0\x01\x01\0");
}

#[test]
fn refuses_damaged_files_with_their_offsets() {
    let bytes = sample().write().unwrap();
    let with = |at: usize, value: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        Lbm::read(&bytes).unwrap_err().to_string()
    };
    assert_eq!(with(0, b"JUNK"), "form.tag: expected \"FORM\", found \"JUNK\", at offset 0x0");
    assert_eq!(with(4, &[0, 0, 0, 3]), "form.length: length is 3, too short for a picture, at offset 0x4");
    assert_eq!(with(8, b"ACBM"), "kind: unknown picture type \"ACBM\" (known: \"PBM \"), at offset 0x8");
    let planes = with(8, b"ILBM");
    assert!(planes.starts_with("kind: this is an ILBM, an Amiga picture of bit planes"), "{planes}");
    assert!(with(16, &[0xff]).starts_with("chunks[0].length: expected 4278190100 bytes, but only"));
    assert!(with(19, &[8]).starts_with("chunks[0].content"), "{}", with(19, &[8]));
    for length in 0..bytes.len() {
        match Lbm::read(&bytes[..length]) {
            Ok(lbm) => assert!(lbm.missing > 0),
            Err(error) => assert!(error.offset().unwrap() <= length as u64, "{error}"),
        }
    }
}

#[test]
fn decodes_byte_runs_to_rows() {
    let shown = |bytes: &[u8]| with_body(bytes).picture();
    // Rows are padded to four bytes.
    assert_eq!(shown(&[0xfe, 7, 0, 0, 0x80, 3, 1, 2, 3, 0]).unwrap(), PIXELS);
    assert_eq!(shown(&[0xf9, 5]).unwrap(), [5; 6]);
    let refused = |bytes: &[u8]| shown(bytes).unwrap_err().to_string();
    let at = sample().body().unwrap().1;
    assert_eq!(
        refused(&[0xfe, 7, 0]),
        format!("chunks[4]: the run-length data ends after 3 of 8 bytes, at offset {:#x}", at + 2)
    );
    assert_eq!(
        refused(&[0xf8, 7]),
        format!("chunks[4]: a run of 9 bytes extends 1 past the end of 8, at offset {at:#x}")
    );
    let mut raw = with_body(&[7, 7, 7, 0, 1, 2, 3, 0]);
    let Content::Header(header) = &mut raw.chunks[0].content else { unreachable!() };
    header.compression = 0;
    assert_eq!(raw.picture().unwrap(), PIXELS);
}

#[test]
fn refuses_a_size_that_compressed_bytes_cannot_fill() {
    let mut lbm = sample();
    let Content::Header(header) = &mut lbm.chunks[0].content else { unreachable!() };
    (header.width, header.height) = (8000, 8000);
    let error = lbm.picture().unwrap_err().to_string();
    assert!(error.contains("8000 rows of 8000 bytes are too many for"), "{error}");
}

#[test]
fn check_reports_defects() {
    let check = |change: &dyn Fn(&mut Lbm)| {
        let mut lbm = sample();
        change(&mut lbm);
        checked(&FORMAT, &lbm)
    };
    let header = |change: fn(&mut Header)| {
        move |lbm: &mut Lbm| {
            let Content::Header(header) = &mut lbm.chunks[0].content else { unreachable!() };
            change(header);
        }
    };
    assert!(check(&|_| {}).is_empty());
    single_warning(&check(&|lbm| lbm.missing = 3), &warning::LENGTH);
    single_warning(&check(&|lbm| lbm.tail = Bytes(vec![0])), &warning::LEFT_OVER);
    single_warning(&check(&|lbm| lbm.rest = Bytes(vec![0])), &warning::LEFT_OVER);
    single_warning(&check(&|lbm| lbm.chunks[4] = body(&[0xf9, 5, 9])), &warning::LEFT_OVER);
    single_warning(&check(&|lbm| lbm.chunks[4] = body(&[0xf9, 5])), &warning::CROSSING);
    single_warning(&check(&|lbm| lbm.chunks[4] = body(&[1])), &warning::DAMAGED);
    single_warning(&check(&|lbm| drop(lbm.chunks.pop())), &warning::DAMAGED);
    single_warning(&check(&|lbm| drop(lbm.chunks.remove(1))), &warning::PALETTE);
    single_warning(&check(&header(|header| header.masking = 1)), &warning::MASKING);
    // Unsupported color features are also reported by conversions.
    let mut lbm = sample();
    header(|header| header.masking = 1)(&mut lbm);
    lbm.chunks.remove(1);
    let (_, report) = exported(&FORMAT, &lbm, "png", &[]);
    single_warning(&report, &warning::MASKING);
    single_warning(&report, &warning::PALETTE);
    single_warning(&check(&header(|header| header.compression = 2)), &warning::DAMAGED);
    single_warning(&check(&header(|header| header.depth = 4)), &warning::DAMAGED);
    single_warning(&check(&header(|header| header.width = 0)), &warning::DAMAGED);
}

#[test]
fn converts_transparency_and_color_cycles() {
    let mut lbm = sample();
    let (sink, report) = exported(&FORMAT, &lbm, "png", &[]);
    assert_eq!(names(&sink), ["out.png", "out.json"]);
    assert!(report.is_empty());
    let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    assert_eq!(json["images"][0]["color_cycles"][0]["low"], 16);
    assert_eq!(json["images"][0]["other_chunks"], json!([{ "tag": "TINY", "bytes": 3 }]));
    let Content::Header(header) = &mut lbm.chunks[0].content else { unreachable!() };
    (header.masking, header.transparent) = (2, 7);
    let (sink, _) = exported(&FORMAT, &lbm, "png", &[]);
    let picture =
        scene::image::decode(sink.get("out.png").unwrap(), &scene::image::Limits::default()).unwrap();
    assert_eq!((picture.get(0, 0), picture.get(0, 1)), (Some([7, 7, 7, 0]), Some([1, 1, 1, 255])));
}

#[test]
fn an_edited_picture_changes_only_its_body() {
    let bytes = sample().write().unwrap();
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    paint(folder.path(), "picture.png", |old| indexed(&old, 3, 2, vec![7, 7, 7, 1, 9, 3]));
    let after = Lbm::read(&packed(&FORMAT, folder.path()).unwrap().0).unwrap();
    assert_eq!(after.picture().unwrap(), [7, 7, 7, 1, 9, 3]);
    assert_eq!(after.chunks[..4], sample().chunks[..4]);
    paint(folder.path(), "picture.png", |old| indexed(&old, 1, 3, vec![4, 5, 6]));
    let after = Lbm::read(&packed(&FORMAT, folder.path()).unwrap().0).unwrap();
    assert_eq!((after.picture().unwrap(), after.header().unwrap().height), (vec![4, 5, 6], 3));
    assert!(checked(&FORMAT, &after).is_empty());
}

/// The form ends before the pad byte of its last chunk.
#[test]
fn round_trips_a_form_that_ends_before_a_pad_byte() {
    let mut bytes = sample().write().unwrap();
    for length in 0..bytes.len() {
        bytes[4..8].copy_from_slice(&u32::try_from(length).unwrap().to_be_bytes());
        if let Ok(lbm) = Lbm::read(&bytes) {
            assert_eq!(lbm.write().unwrap(), bytes, "{length}");
        }
    }
}

proptest! {
    #[test]
    fn round_trips_any_picture(width in 1_u16..40, pixels in prop::collection::vec(0_u8..3, 1..600)) {
        let height = pixels.len() / usize::from(width);
        prop_assume!(height > 0);
        let pixels = pixels[..height * usize::from(width)].to_vec();
        let lbm = Lbm::new((width, height as u16), Colors::grey(), pixels.clone()).unwrap();
        let parsed = Lbm::read(&lbm.write().unwrap()).unwrap();
        prop_assert_eq!(&parsed, &lbm);
        prop_assert_eq!(parsed.picture().unwrap(), pixels);
        prop_assert!(checked(&FORMAT, &lbm).is_empty());
        let parsed: Lbm = json::from_slice(&json::to_vec(&lbm).unwrap()).unwrap();
        prop_assert_eq!(parsed, lbm);
    }

    #[test]
    fn changed_bytes_do_not_panic(at in 0_usize..900, value: u8) {
        let mut bytes = sample().write().unwrap();
        let at = at % bytes.len();
        bytes[at] = value;
        if let Ok(lbm) = Lbm::read(&bytes) {
            prop_assert_eq!(lbm.write().unwrap(), bytes);
            checked(&FORMAT, &lbm);
        }
    }

    #[test]
    fn arbitrary_compressed_bytes_do_not_panic(data in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = with_body(&data).picture();
    }
}
