//! Synthetic bitmaps of a few pixels.

use proptest::prelude::*;
use record::Bytes;

use super::*;
use asset::FixedText;
use media::picture::Colors;
use proof::{assert_round_trip, checked, exported, indexed, names, packed, paint, single_warning, unpacked};

fn frame(width: u16, height: u16, pixels: Pixels) -> Frame {
    Frame { unknown_0x00: 1, width, height, x_offset: 0, y_offset: 0, unknown_0x0c: [0; 6], pixels }
}

pub(super) fn raw(width: u16, height: u16, pixels: &[u8]) -> Frame {
    frame(width, height, Pixels::Raw(pixels.into()))
}

pub(super) fn runs(width: u16, height: u16, data: &[u8]) -> Frame {
    frame(width, height, Pixels::Rle(data.into()))
}

/// Three characters, then 60 spaces from the window: the output of an encoder.
pub(super) fn lzhuf() -> Frame {
    frame(3, 1, Pixels::Lzhuf { raw_size: 3, data: Bytes(vec![0xff; 12]) })
}

pub(super) fn colors() -> Colors {
    let mut out = Colors::default();
    for (index, color) in out.0.iter_mut().enumerate() {
        *color = [index as u8 / 4, 63 - index as u8 / 4, (index % 64) as u8];
    }
    out
}

pub(super) fn file(frames: Vec<Frame>) -> Gxa {
    Gxa {
        banner: FixedText::new("GXlib image conversion").unwrap(),
        palette: colors(),
        length: FramesLength::Bytes,
        frames,
        frames_rest: Bytes::default(),
        end: true,
        rest: Bytes::default(),
    }
}

pub(super) fn sample() -> Gxa {
    file(vec![raw(2, 2, &[0, 1, 2, 3]), runs(3, 2, &[0x83, 7, 1, 8, 9]), lzhuf()])
}

#[test]
fn every_record_round_trips() {
    assert_round_trip(
        &Frame { x_offset: -1, y_offset: 2, unknown_0x0c: *b"abcdef", ..raw(2, 1, &[5, 6]) },
        b"\x01\0\x02\0\x01\0\xff\xff\x02\0\0\0abcdef\x05\x06",
    );
    assert_round_trip(
        &runs(4, 1, &[0x83, 9]),
        b"\x01\0\x04\0\x01\0\0\0\0\0\x01\0\0\0\0\0\0\0\x02\0\0\0\x83\x09",
    );
    let packed = frame(1, 1, Pixels::Lzhuf { raw_size: 1, data: Bytes(vec![0xaa]) });
    assert_round_trip(&packed, b"\x01\0\x01\0\x01\0\0\0\0\0\x02\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\xaa");
    let head = [
        &b"BMHD\0\0\0\x22GXlib image conversion\0\0\0\0\0\0\0\0\0\0\x01\0BPAL\0\0\x03\0"[..],
        colors().bytes(),
    ]
    .concat();
    let one = file(vec![raw(1, 1, &[4])]);
    let pixels = b"\x01\0\x01\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\x04";
    assert_round_trip(&one, &[&head[..], b"BBMP\0\0\0\x13", pixels, b"END "].concat());
    assert_round_trip(&Gxa { end: false, ..one.clone() }, &[&head[..], b"BBMP\0\0\0\x13", pixels].concat());
    // The length of the file without `END `: 845.
    let quirk = Gxa { length: FramesLength::FileWithoutEnd, ..one.clone() };
    assert_round_trip(&quirk, &[&head[..], b"BBMP\0\0\x03\x4d", pixels, b"END "].concat());
    let trailing = Gxa { frames_rest: Bytes(vec![1, 2]), rest: Bytes(vec![3]), ..one };
    assert_round_trip(&trailing, &[&head[..], b"BBMP\0\0\0\x15", pixels, &[1, 2], b"END ", &[3]].concat());
}

#[test]
fn errors_contain_the_offset_of_the_damage() {
    let bytes = sample().write().unwrap();
    let with = |at: usize, value: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        Gxa::read(&bytes).unwrap_err().to_string()
    };
    assert_eq!(with(0, b"JUNK"), "header.tag: expected the chunk \"BMHD\", found \"JUNK\", at offset 0x0");
    assert_eq!(
        with(7, &[10]),
        "header.length: length is 10, but this chunk always has 34 bytes, at offset 0x4"
    );
    assert_eq!(with(40, &[0, 0]), "frame_count: there are no frames, at offset 0x28");
    assert!(with(40, &[4]).starts_with("frames[3]"), "{}", with(40, &[4]));
    assert_eq!(
        with(40, &[0xff, 0xff]),
        "frames: expected 65535 items of at least 18 bytes each, but only 87 bytes are left, at offset 0x28"
    );
    assert_eq!(with(42, b"XPAL"), "palette.tag: expected the chunk \"BPAL\", found \"XPAL\", at offset 0x2a");
    assert_eq!(
        with(822, &[0xff; 4]),
        "frames.length: length is 4294967295, but only 91 bytes are left, at offset 0x336"
    );
    assert_eq!(with(828, &[0, 0]), "frames[0].width: 0 is not a valid size, at offset 0x33c");
    assert_eq!(
        with(828, &[0xff, 0x7f, 0xff, 0x7f]),
        "frames[0].pixels: 32767 x 32767 pixels need 1073676289 bytes, but only 69 are left, at offset 0x34c"
    );
    assert_eq!(
        with(836, &[3]),
        "frames[0].compression: unknown compression 3 (known: 0, 1, 2), at offset 0x344"
    );
    for length in 0..bytes.len() {
        match Gxa::read(&bytes[..length]) {
            Ok(gxa) => assert!(!gxa.end && length >= bytes.len() - 4),
            Err(error) => assert!(error.offset().unwrap() <= length as u64, "{error}"),
        }
    }
}

#[test]
fn decodes_runs_to_the_exact_size_or_returns_an_offset() {
    let unpack = |data: &[u8], count| unpack_runs(data, count, 0x100);
    assert_eq!(
        unpack(&[0x83, 7, 1, 8, 9], 6).unwrap(),
        Unpacked { indices: vec![7, 7, 7, 7, 8, 9], trailing: 0 }
    );
    assert_eq!(unpack(&[0xff, 7, 5], 128).unwrap(), Unpacked { indices: vec![7; 128], trailing: 1 });
    let refused = |data: &[u8], count| unpack(data, count).unwrap_err().to_string();
    assert_eq!(refused(&[0x83, 7], 6), "the run lengths end after 4 of 6 pixels, at offset 0x102");
    assert_eq!(refused(&[0x83], 6), "the run lengths end after 0 of 6 pixels, at offset 0x100");
    assert_eq!(refused(&[5, 1, 2], 6), "the run lengths end after 0 of 6 pixels, at offset 0x100");
    assert_eq!(
        refused(&[0x86, 7], 6),
        "a run of 7 pixels exceeds the image by 1 pixels (6 expected), at offset 0x100"
    );
}

#[test]
fn refuses_a_size_that_the_packed_bytes_cannot_fill() {
    for frame in [
        runs(32767, 32767, &[0xff, 0]),
        frame(32767, 32767, Pixels::Lzhuf { raw_size: u32::MAX, data: Bytes(vec![0; 100]) }),
    ] {
        let error = frame.unpack(5).unwrap_err();
        assert!(error.to_string().starts_with("32767 x 32767 pixels cannot be encoded in"), "{error}");
    }
}

#[test]
fn check_reports_defects() {
    let check = |change: &dyn Fn(&mut Gxa)| {
        let mut gxa = sample();
        change(&mut gxa);
        checked(&FORMAT, &gxa)
    };
    let report = check(&|gxa| drop(gxa.frames.pop()));
    assert!(report.is_empty(), "{report:?}");
    // The offset after the header, the palette, the first frame and the header of the second.
    assert_eq!(
        single_warning(&check(&|gxa| gxa.frames[1] = runs(3, 2, &[0x83, 7])), &warning::DAMAGED),
        "error GXA-E001: frames[1].pixels: the run lengths end after 4 of 6 pixels, at offset 0x368"
    );
    single_warning(&check(&|gxa| gxa.frames[1] = runs(3, 2, &[0x85, 7, 1])), &warning::LEFT_OVER);
    let wrong =
        |gxa: &mut Gxa| gxa.frames[2].pixels = Pixels::Lzhuf { raw_size: 1, data: Bytes(vec![0xff; 12]) };
    assert!(
        single_warning(&check(&wrong), &warning::RAW_SIZE)
            .ends_with("raw_size is 1, but 3 x 1 pixels need 3 bytes")
    );
    let short = |gxa: &mut Gxa| gxa.frames[2].pixels = Pixels::Lzhuf { raw_size: 3, data: Bytes(vec![0xff]) };
    single_warning(&check(&short), &warning::DAMAGED);
    single_warning(&check(&|gxa| gxa.frames_rest = Bytes(vec![0])), &warning::LEFT_OVER);
    single_warning(&check(&|gxa| gxa.rest = Bytes(vec![0])), &warning::LEFT_OVER);
    single_warning(&check(&|gxa| gxa.end = false), &warning::NO_END);
    single_warning(&check(&|gxa| gxa.palette.0[9] = [64, 0, 0]), &warning::EIGHT_BIT);
}

#[test]
fn converts_frames_to_separate_pictures_or_an_animation() {
    let (sink, report) = exported(&FORMAT, &sample(), "png", &[]);
    assert_eq!(names(&sink), ["out/00.png", "out/01.png", "out/02.png", "out.png", "out.json"]);
    assert!(report.is_empty());
    let first = sink.get("out/00.png").unwrap();
    let pixels = scene::image::decode(first, &scene::image::Limits::default()).unwrap();
    // 6 bits per channel, times four; color 0 is transparent, but keeps its value.
    assert_eq!((pixels.get(0, 0), pixels.get(1, 0)), (Some([0, 252, 0, 0]), Some([0, 252, 4, 255])));
    let (sink, report) = exported(&FORMAT, &sample(), "gif", &[]);
    assert_eq!(names(&sink), ["out.gif", "out.json"]);
    assert!(
        single_warning(&report, &warning::SIZES)
            .ends_with("3 frames of different sizes were placed on a canvas of 3 x 2 pixels")
    );
    let mut broken = sample();
    broken.frames[1] = runs(3, 2, &[]);
    let (sink, report) = exported(&FORMAT, &broken, "png", &[]);
    assert_eq!(names(&sink), ["out/00.png", "out/02.png", "out.png", "out.json"]);
    single_warning(&report, &warning::DAMAGED);
}

#[test]
fn an_edited_frame_is_stored_raw_or_as_runs() {
    let bytes = sample().write().unwrap();
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    paint(folder.path(), "00.png", |old| indexed(&old, 2, 2, vec![0, 1, 2, 9]));
    paint(folder.path(), "01.png", |old| indexed(&old, 5, 2, vec![6; 10]));
    paint(folder.path(), "02.png", |old| indexed(&old, 3, 1, vec![1, 2, 3]));
    let (changed, report) = packed(&FORMAT, folder.path()).unwrap();
    let expected = file(vec![raw(2, 2, &[0, 1, 2, 9]), runs(5, 2, &[0x89, 6]), raw(3, 1, &[1, 2, 3])]);
    assert_eq!(Gxa::read(&changed).unwrap(), expected);
    assert!(
        single_warning(&report, &warning::REPACKED)
            .ends_with("frame 2 was compressed with LZHUF; it is now stored raw")
    );
}

proptest! {
    #[test]
    fn runs_round_trip(pixels in prop::collection::vec(0_u8..3, 1..600)) {
        let packed = pack_runs(&pixels);
        prop_assert!(packed.len() <= pixels.len() + pixels.len() / 100 + 1 + pixels.len().div_ceil(128));
        prop_assert_eq!(unpack_runs(&packed, pixels.len(), 0).unwrap(), Unpacked { indices: pixels, trailing: 0 });
    }

    #[test]
    fn any_file_round_trips(
        frames in prop::collection::vec((1_u16..9, 1_u16..9, prop::collection::vec(any::<u8>(), 0..40), 0_u8..3), 1..5),
        quirk: bool, rest in prop::collection::vec(any::<u8>(), 0..5),
    ) {
        let frames = frames.into_iter().map(|(width, height, data, kind)| frame(width, height, match kind {
            0 => Pixels::Raw(Bytes(vec![5; usize::from(width * height)])),
            1 => Pixels::Rle(Bytes(data)),
            _ => Pixels::Lzhuf { raw_size: 7, data: Bytes(data) },
        })).collect();
        let mut gxa = file(frames);
        gxa.frames_rest = Bytes(rest);
        if quirk {
            gxa.length = FramesLength::FileWithoutEnd;
        }
        let bytes = gxa.write().unwrap();
        prop_assert_eq!(&Gxa::read(&bytes).unwrap(), &gxa);
        let again: Gxa = json::from_slice(&json::to_vec(&gxa).unwrap()).unwrap();
        prop_assert_eq!(&again, &gxa);
        checked(&FORMAT, &gxa);
        exported(&FORMAT, &gxa, "png", &[]);
    }

    #[test]
    fn changed_bytes_do_not_panic(at in 0_usize..1000, value: u8) {
        let mut bytes = sample().write().unwrap();
        let at = at % bytes.len();
        bytes[at] = value;
        if let Ok(gxa) = Gxa::read(&bytes) {
            prop_assert_eq!(gxa.write().unwrap(), bytes);
            checked(&FORMAT, &gxa);
        }
    }

    #[test]
    fn arbitrary_compressed_bytes_do_not_panic(data in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = frame(40, 40, Pixels::Lzhuf { raw_size: 1600, data: Bytes(data.clone()) }).unpack(0);
        let _ = runs(40, 40, &data).unpack(0);
    }
}
