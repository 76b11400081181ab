//! Surfaces of a few pixels.

use super::*;
use asset::Probe;
use proof::{exported, names, single_warning};

/// A surface of one red block, with the given number of mipmaps and extra bytes.
fn surface(mipmaps: u32, extra: usize) -> Vec<u8> {
    let mut bytes = crate::specimen::picture::surface();
    bytes[28..32].copy_from_slice(&mipmaps.to_le_bytes());
    bytes.resize(bytes.len() + extra, 0);
    bytes
}

fn read(bytes: &[u8]) -> Surface {
    Surface::read(&Source::from(bytes.to_vec())).unwrap()
}

fn checked(bytes: &[u8]) -> Report {
    let (install, options) = (asset::Install::empty(), asset::Options::defaults(&[]));
    let context = Context { install: &install, location: None, options: &options };
    let mut report = Report::new();
    read(bytes).check(&context, &mut report);
    report
}

#[test]
fn describes_size_encoding_and_mipmaps() {
    let described = read(&surface(3, 16)).describe(Detail::Brief);
    assert_eq!(described.summary, "picture, 4 x 3, BC1 (DXT1), 3 mipmaps");
    let fields = json::to_value(described.fields).unwrap();
    assert_eq!((&fields["mipmaps"], &fields["surfaces"]), (&json!(3), &json!(1)));
}

#[test]
fn recognizes_files_by_their_signature() {
    let probe = |bytes: &[u8]| (FORMAT.probe)(&Probe::new(bytes, bytes.len() as u64, None));
    assert_eq!(probe(&surface(1, 0)), Some(Score::CERTAIN));
    assert_eq!(probe(b"DDT "), None);
}

#[test]
fn check_compares_the_file_length_with_that_of_all_mipmaps() {
    assert!(checked(&surface(1, 0)).is_empty());
    assert!(checked(&surface(3, 16)).is_empty());
    single_warning(&checked(&surface(3, 0)), &warning::CUT);
    single_warning(&checked(&surface(1, 3)), &warning::LEFT_OVER);
    let mut cube = surface(1, 40);
    cube[112..116].copy_from_slice(&0xfe00_u32.to_le_bytes());
    single_warning(&checked(&cube), &warning::SURFACES);
}

#[test]
fn refuses_a_file_too_short_for_its_picture() {
    let bytes = surface(1, 0);
    for length in 0..bytes.len() {
        let error = Surface::read(&Source::from(bytes[..length].to_vec())).unwrap_err();
        assert!(error.offset().unwrap() <= length as u64, "{error}");
    }
}

#[test]
fn converts_the_largest_level_to_png() {
    let surface = read(&surface(3, 16));
    let (sink, report) = exported(&FORMAT, &surface, "png", &[]);
    assert_eq!(names(&sink), ["out.png", "out.json"]);
    assert!(report.is_empty());
    let picture = scene::image::decode(sink.get("out.png").unwrap(), &Limits::default()).unwrap();
    assert_eq!((picture.width(), picture.height()), (4, 3));
    assert_eq!([picture.get(0, 0), picture.get(3, 2)], [[0, 0, 255, 255], [255, 0, 0, 255]].map(Some));
}
