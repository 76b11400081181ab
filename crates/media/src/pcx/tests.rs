//! Pictures of a few pixels.

use proptest::prelude::*;
use record::Bytes;

use super::*;
use proof::{assert_round_trip, checked, exported, indexed, names, packed, paint, single_warning, unpacked};

/// Three by two pixels.
const PIXELS: [u8; 6] = [7, 7, 7, 1, 0xc5, 3];

fn sample() -> Pcx {
    Pcx::new((3, 2), Colors::grey(), PIXELS.to_vec()).unwrap()
}

fn with_body(bytes: &[u8]) -> Pcx {
    Pcx { body: bytes.into(), ..sample() }
}

#[test]
fn round_trips_as_documented() {
    let mut head = vec![10, 5, 1, 8, 0, 0, 0, 0, 2, 0, 1, 0, 72, 0, 72, 0];
    head.resize(65, 0);
    head.extend([1, 4, 0, 1, 0]);
    head.resize(128, 0);
    // Rows are padded to four bytes; 0xc5 would be read as a run marker.
    let body = [0xc3, 7, 0, 1, 0xc1, 0xc5, 3, 0];
    assert_round_trip(&sample(), &[&head[..], &body, &[12], Colors::grey().bytes()].concat());
    assert_round_trip(&Pcx { palette: None, ..sample() }, &[&head[..], &body].concat());
}

#[test]
fn refuses_pictures_of_other_kinds() {
    let bytes = sample().write().unwrap();
    let with = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        Pcx::read(&bytes).unwrap_err().to_string()
    };
    let tail = "is not supported, only 1 (a picture of 8 bits in one plane), at offset 0x41";
    assert_eq!(with(65, 3), format!("header.planes: 3 {tail}"));
    assert_eq!(
        with(3, 1),
        "header.bits: 1 is not supported, only 8 (a picture of 8 bits in one plane), at offset 0x3"
    );
    assert!(with(0, 11).starts_with("header.manufacturer: 11 is not supported"));
    for length in 0..bytes.len() {
        match Pcx::read(&bytes[..length]) {
            Ok(pcx) => assert!(pcx.palette.is_none()),
            Err(error) => assert!(error.offset().unwrap() <= length as u64, "{error}"),
        }
    }
}

#[test]
fn decodes_runs_within_and_across_rows() {
    assert_eq!(with_body(&[0xc0, 9, 7, 7, 0xc1, 7, 0, 1, 0xc1, 0xc5, 3, 0]).picture().unwrap(), PIXELS);
    assert_eq!(with_body(&[0xc8, 5]).picture().unwrap(), [5; 6]);
    let refused = |bytes: &[u8]| with_body(bytes).picture().unwrap_err().to_string();
    assert_eq!(
        refused(&[0xc4, 7, 0xc1]),
        "body: the run-length data ends after 4 of 8 bytes, at offset 0x82"
    );
    assert_eq!(refused(&[0xc9, 7]), "body: a run of 9 bytes extends 1 past the end of 8, at offset 0x80");
    let mut raw = with_body(&[7, 7, 7, 0, 1, 0xc5, 3, 0]);
    raw.header.encoding = 0;
    assert_eq!(raw.picture().unwrap(), PIXELS);
}

#[test]
fn check_reports_defects() {
    let check = |change: &dyn Fn(&mut Pcx)| {
        let mut pcx = sample();
        change(&mut pcx);
        checked(&FORMAT, &pcx)
    };
    assert!(check(&|_| {}).is_empty());
    single_warning(&check(&|pcx| pcx.palette = None), &warning::NO_PALETTE);
    single_warning(&check(&|pcx| pcx.body.0.push(1)), &warning::LEFT_OVER);
    single_warning(&check(&|pcx| pcx.body = Bytes(vec![0xc8, 5])), &warning::CROSSING);
    single_warning(&check(&|pcx| pcx.body = Bytes(vec![0xc7, 5])), &warning::DAMAGED);
    single_warning(&check(&|pcx| pcx.header.encoding = 2), &warning::DAMAGED);
    single_warning(&check(&|pcx| pcx.header.bytes_per_line = 2), &warning::DAMAGED);
    single_warning(&check(&|pcx| pcx.header.x_min = 3), &warning::DAMAGED);
    single_warning(
        &check(&|pcx| (pcx.header.x_max, pcx.header.bytes_per_line) = (65534, 65535)),
        &warning::DAMAGED,
    );
    let large = |pcx: &mut Pcx| (pcx.header.y_max, pcx.header.bytes_per_line) = (65534, 65535);
    single_warning(&check(&large), &warning::DAMAGED);
}

#[test]
fn recognizes_files_by_their_header() {
    let probe = |bytes: &[u8]| (FORMAT.probe)(&Probe::new(bytes, bytes.len() as u64, None));
    let bytes = sample().write().unwrap();
    assert_eq!(probe(&bytes), Some(Score::LIKELY));
    assert_eq!(probe(&[10, 5, 1, 8]), None);
    assert_eq!(probe(&[&[10, 5, 1, 7], &bytes[4..]].concat()), None);
}

#[test]
fn converts_a_picture_to_png() {
    let (sink, report) = exported(&FORMAT, &sample(), "png", &[]);
    assert_eq!(names(&sink), ["out.png", "out.json"]);
    assert!(report.is_empty());
    let picture =
        scene::image::decode(sink.get("out.png").unwrap(), &scene::image::Limits::default()).unwrap();
    assert_eq!((picture.width(), picture.get(1, 1)), (3, Some([0xc5, 0xc5, 0xc5, 255])));
    let (_, report) = exported(&FORMAT, &Pcx { palette: None, ..sample() }, "png", &[]);
    single_warning(&report, &warning::NO_PALETTE);
}

#[test]
fn an_edited_picture_changes_only_its_rows() {
    let mut odd = sample();
    odd.body = Bytes(vec![0xc3, 7, 9, 1, 0xc1, 0xc5, 3, 8]);
    let bytes = odd.write().unwrap();
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    paint(folder.path(), "picture.png", |old| indexed(&old, 3, 2, vec![7, 7, 7, 1, 2, 3]));
    let after = Pcx::read(&packed(&FORMAT, folder.path()).unwrap().0).unwrap();
    // The row padding is preserved.
    assert_eq!(after, Pcx { body: Bytes(vec![0xc3, 7, 9, 1, 2, 3, 8]), ..odd });
    paint(folder.path(), "picture.png", |old| indexed(&old, 1, 3, vec![4, 5, 6]));
    let after = Pcx::read(&packed(&FORMAT, folder.path()).unwrap().0).unwrap();
    assert_eq!((after.picture().unwrap(), after.header.size()), (vec![4, 5, 6], Some((1, 3))));
    assert!(checked(&FORMAT, &after).is_empty());
}

proptest! {
    #[test]
    fn round_trips_any_picture(width in 1_u16..40, pixels in prop::collection::vec(prop_oneof![0_u8..3, 0xbf_u8..0xc2], 1..600)) {
        let height = pixels.len() / usize::from(width);
        prop_assume!(height > 0);
        let pixels = pixels[..height * usize::from(width)].to_vec();
        let pcx = Pcx::new((width, height as u16), Colors::grey(), pixels.clone()).unwrap();
        let read = Pcx::read(&pcx.write().unwrap()).unwrap();
        prop_assert_eq!(&read, &pcx);
        prop_assert_eq!(read.picture().unwrap(), pixels);
        prop_assert!(checked(&FORMAT, &pcx).is_empty());
        let read: Pcx = json::from_slice(&json::to_vec(&pcx).unwrap()).unwrap();
        prop_assert_eq!(read, pcx);
    }

    #[test]
    fn changed_bytes_do_not_panic(at in 0_usize..910, value: u8) {
        let mut bytes = sample().write().unwrap();
        let at = at % bytes.len();
        bytes[at] = value;
        if let Ok(pcx) = Pcx::read(&bytes) {
            prop_assert_eq!(pcx.write().unwrap(), bytes);
            checked(&FORMAT, &pcx);
        }
    }

    #[test]
    fn arbitrary_compressed_bytes_do_not_panic(data in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = with_body(&data).picture();
    }
}
