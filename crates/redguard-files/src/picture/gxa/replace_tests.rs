//! Reading and replacing single frames.

use super::tests::{colors, file, lzhuf, raw, runs, sample};
use super::{FORMAT, Gxa, warning};
use proof::{held, replaced, single_warning};

fn png(width: u32, height: u32, indices: &[u8]) -> Vec<u8> {
    let palette = media::picture::Index0::Clear.apply(&colors().expanded());
    let picture = scene::image::Indexed8::new(width, height, indices.to_vec(), palette).unwrap();
    scene::image::encode_indexed_png(&picture, scene::Compression::Usual)
}

#[test]
fn replacing_each_frame_by_itself_changes_nothing() {
    let bytes = sample().write().unwrap();
    let held = held(&FORMAT, &bytes);
    let names: Vec<_> = held.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["00.GXA", "01.GXA", "02.GXA"]);
    for (index, (name, content)) in held.iter().enumerate() {
        assert_eq!(Gxa::read(content).unwrap().frames, [sample().frames[index].clone()]);
        let (again, report) = replaced(&FORMAT, &bytes, index, (name, content)).unwrap();
        assert!(again == bytes && report.is_empty(), "{name}");
    }
}

#[test]
fn a_picture_replaces_a_frame() {
    let bytes = sample().write().unwrap();
    let same = replaced(&FORMAT, &bytes, 0, ("a.png", &png(2, 2, &[0, 1, 2, 3]))).unwrap().0;
    assert!(same == bytes, "an equal picture changes nothing");
    let (new, report) = replaced(&FORMAT, &bytes, 1, ("a.png", &png(5, 1, &[9; 5]))).unwrap();
    let gxa = Gxa::read(&new).unwrap();
    assert!(report.is_empty());
    assert_eq!((gxa.frames[1].width, gxa.frames[1].height), (5, 1));
    assert_eq!(gxa.frames[1].unpack(0).unwrap().indices, [9; 5]);
    assert_eq!((&gxa.frames[0], &gxa.frames[2]), (&raw(2, 2, &[0, 1, 2, 3]), &lzhuf()));
    let (_, report) = replaced(&FORMAT, &bytes, 2, ("a.png", &png(3, 1, &[1, 2, 3]))).unwrap();
    single_warning(&report, &warning::REPACKED);
    let white = scene::image::Rgba8::new(1, 1, vec![255, 255, 254, 255]).unwrap();
    let (_, report) = replaced(&FORMAT, &bytes, 0, ("w.png", &scene::image::encode_png(&white))).unwrap();
    assert!(single_warning(&report, &warning::INEXACT).contains("in w.png, 1 of 1 pixels"));
}

#[test]
fn colors_of_other_palettes_are_matched_and_non_images_rejected() {
    let bytes = sample().write().unwrap();
    let mut other = file(vec![runs(4, 1, &[0x83, 1])]);
    other.palette.0[1] = colors().0[200];
    let (new, _) = replaced(&FORMAT, &bytes, 0, ("b.gxa", &other.write().unwrap())).unwrap();
    assert_eq!(Gxa::read(&new).unwrap().frames[0].unpack(0).unwrap().indices, [200; 4]);
    let message =
        |content: &[u8]| replaced(&FORMAT, &bytes, 0, ("x", content)).unwrap_err().message().to_owned();
    assert!(message(b"nonsense").starts_with("not a .GXA file or an image"));
    assert_eq!(message(&bytes), "it has 3 frames; replacing one frame needs a file with exactly one");
    assert!(replaced(&FORMAT, &bytes, 3, ("x", &bytes)).is_err());
}
