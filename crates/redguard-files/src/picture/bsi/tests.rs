//! Synthetic single images of a few pixels.

mod sun;

use super::*;
use crate::picture::texbsi::{End, Header, Section};
use proof::{
    assert_round_trip, checked, checked_in, exported, names, packed, paint, single_warning, unpacked,
};

fn image(end: End) -> Image {
    let header = Header { width: 2, height: 1, frame_count: 1, tex_scale: 256, ..Header::default() };
    let sections =
        vec![Section::Static(Bytes::default()), Section::Header(header), Section::Data(Bytes(vec![0, 200]))];
    Image { sections, end }
}

fn sky(rest: &[u8]) -> Bsi {
    Bsi { image: image(End::WithLength), rest: rest.into() }
}

const BYTES: &[u8] =
    b"BSIF\0\0\0\0BHDR\0\0\0\x1a\0\0\0\0\x02\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\x01\0\0DATA\0\0\0\x02\0\xc8END ";

#[test]
fn round_trips_with_and_without_a_length_after_the_end() {
    assert_round_trip(&Bsi { image: image(End::TagOnly), rest: Bytes::default() }, BYTES);
    assert_round_trip(&sky(b""), &[BYTES, &[0; 4]].concat());
    assert_round_trip(&sky(b"!"), &[BYTES, &[0, 0, 0, 0, b'!']].concat());
    assert_round_trip(
        &Bsi { image: image(End::TagOnly), rest: Bytes(b"\0\0\x01".to_vec()) },
        &[BYTES, &[0, 0, 1]].concat(),
    );
}

#[test]
fn recognizes_images_by_their_marker_and_refuses_missing_pixels() {
    let score = |bytes: &[u8]| probe(&Probe::new(bytes, bytes.len() as u64, Some("x")));
    assert_eq!(
        (score(BYTES), score(b"IFHD"), score(b"BHDR")),
        (Some(Score::CERTAIN), Some(Score::CERTAIN), None)
    );
    let error = Bsi::read(b"BSIF\0\0\0\0END ").unwrap_err();
    assert_eq!(error.to_string(), "image.sections: the BHDR section is missing, at offset 0x0");
    for length in 0..BYTES.len() {
        assert!(Bsi::read(&BYTES[..length]).unwrap_err().offset().unwrap() <= length as u64);
    }
}

#[test]
fn check_reports_defects() {
    assert!(checked(&FORMAT, &sky(b"")).is_empty());
    assert_eq!(
        single_warning(&checked_in(&FORMAT, &sky(b"!"), &sky(b"!").write().unwrap()), &warning::REST),
        "warning BSI-W013: rest: 1 unexpected bytes after the end of the image, at offset 0x3c"
    );
    let mut broken = sky(b"");
    broken.image.sections[2] = Section::Data(Bytes(vec![1]));
    assert!(
        single_warning(&checked(&FORMAT, &broken), &warning::DAMAGED)
            .starts_with("error BSI-E001: image.sections[2]: pixels of")
    );
}

#[test]
fn converts_to_one_picture() {
    let (sink, _) = exported(&FORMAT, &sky(b""), "png", &[]);
    assert_eq!(names(&sink), ["out.png", "out.json"]);
    let pixels = |given: &[(&str, &str)]| {
        let (sink, _) = exported(&FORMAT, &sky(b""), "png", given);
        scene::image::decode(sink.get("out.png").unwrap(), &scene::image::Limits::default())
            .unwrap()
            .into_pixels()
    };
    assert_eq!(pixels(&[]), [0, 0, 0, 0, 200, 200, 200, 255]);
    assert_eq!(pixels(&[("key-color", "opaque")]), [0, 0, 0, 255, 200, 200, 200, 255]);
    // The pixels of a sun: opacity, in the sun's color.
    assert_eq!(
        pixels(&[("pixels", "opacity"), ("key-color", "opaque")]),
        [255, 255, 200, 0, 255, 255, 200, 200]
    );
}

#[test]
fn packs_an_edited_pixel() {
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, BYTES, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, BYTES);
    paint(folder.path(), "image.png", |old| proof::indexed(&old, 2, 1, vec![0, 7]));
    let mut expected = BYTES.to_vec();
    let at = expected.len() - 5;
    expected[at] = 7;
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, expected);
}
