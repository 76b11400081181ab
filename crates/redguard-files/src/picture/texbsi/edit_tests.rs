//! Adding, removing and renaming images.

use asset::archive::Change;
use proof::{edited, held, packed, put, single_warning, unpacked};
use scene::image::{Delay, Indexed8, IndexedAnimation, Rgba8, encode_gif, encode_indexed_png, encode_png};

use super::tests::sample;
use super::{Bank, FORMAT, Section, warning};

/// The grayscale palette for images of a bank without a game.
fn gray() -> Vec<[u8; 4]> {
    media::picture::Index0::Clear.apply(&media::picture::Colors::grey())
}

fn png(width: u32, height: u32, indices: &[u8]) -> Vec<u8> {
    encode_indexed_png(
        &Indexed8::new(width, height, indices.to_vec(), gray()).unwrap(),
        scene::Compression::Usual,
    )
}

fn gif(frames: &[[u8; 4]]) -> Vec<u8> {
    let frames = frames.iter().map(|frame| frame.to_vec()).collect();
    encode_gif(&IndexedAnimation::new(2, 2, frames, gray(), Delay::milliseconds(40)).unwrap()).unwrap()
}

fn bytes() -> Vec<u8> {
    sample().write().unwrap()
}

#[test]
fn adds_and_removes_an_image() {
    let (added, done, report) = edited(&FORMAT, &bytes(), &[put("D02057.png", &png(2, 1, &[7, 8]))]).unwrap();
    assert_eq!(done, ["d02057.bsi added"]);
    assert_eq!(report.iter().map(|warning| warning.code.id).collect::<Vec<_>>(), ["TEXBSI-N023"]);
    let bank = Bank::read(&added).unwrap();
    assert_eq!((bank.entries.len(), bank.image(57).unwrap().image.data().unwrap().1), (3, &[7, 8][..]));
    assert_eq!(bank.entries[2].image.sections[0], Section::Static(record::Bytes::default()));
    assert_eq!(bank.entries[..2], sample().entries);
    let (removed, done, _) = edited(&FORMAT, &added, &[Change::Remove(2)]).unwrap();
    assert!(removed == bytes() && done == ["d02057.bsi removed"]);
}

#[test]
fn a_number_without_a_bank_refers_to_the_own_bank() {
    let moving = gif(&[[1, 2, 3, 4], [4, 3, 2, 1]]);
    let own = held(&FORMAT, &bytes())[0].1.clone();
    let changes = [put("1.gif", &moving), put("32.bsi", &own), put("000.png", &png(1, 1, &[9]))];
    let (new, done, _) = edited(&FORMAT, &bytes(), &changes).unwrap();
    assert_eq!(done, ["d02001.bsi added", "d02032.bsi added", "d02000.bsi replaced"]);
    let bank = Bank::read(&new).unwrap();
    let (_, header) = bank.image(1).unwrap().image.header().unwrap();
    assert_eq!((header.frame_count, header.anim_delay, header.width), (2, 40, 2));
    assert_eq!(bank.image(32).unwrap().image, sample().entries[0].image);
    assert_eq!(bank.entries[0].image.data().unwrap().1, [9]);
    let (new, done, _) = edited(&FORMAT, &bytes(), &[Change::Rename(0, "5".to_owned())]).unwrap();
    assert_eq!(done, ["D02000.BSI renamed to D02005.BSI"]);
    assert_eq!(Bank::read(&new).unwrap().entries[0].name.text(), "D02005");
}

#[test]
fn refuses_invalid_names_and_pictures() {
    let message = |changes: &[Change]| edited(&FORMAT, &bytes(), changes).unwrap_err().to_string();
    let dot = png(1, 1, &[1]);
    let wall = message(&[put("wall.png", &dot)]);
    assert!(wall.starts_with("wall.png: \"wall\" is not the name of an image"), "{wall}");
    assert!(wall.contains("the next free one is 32 (D02032)"), "{wall}");
    assert!(message(&[put("E01005.png", &dot)]).contains("an image of TEXBSI.401, but this is TEXBSI.302"));
    for name in ["1234.png", "D0203.png", "+31.png", "", "D02031-00.png"] {
        assert!(message(&[put(name, &dot)]).contains("is not the name of an image"), "{name}");
    }
    assert!(message(&[put("7.png", b"\x89PNG\r\n\x1a\n")]).starts_with("7.png: "));
    assert!(message(&[put("7.png", b"nonsense")]).contains("not a .BSI file or an image"));
    let odd = encode_png(&Rgba8::new(1, 1, vec![10, 200, 30, 255]).unwrap());
    assert!(
        message(&[put("7.png", &odd)])
            .contains("cannot match the colors of 7.png because no palette was found")
    );
    assert!(message(&[Change::Rename(0, "31".to_owned())]).contains("already"));
    assert!(message(&[Change::Remove(7)]).contains("out of range"));
    let empty = Bank::default().write().unwrap();
    let message = edited(&FORMAT, &empty, &[put("7.png", &dot)]).unwrap_err().to_string();
    assert!(
        message.contains("the bank of image 7 is unknown; include it in the file name, as in D02031.png"),
        "{message}"
    );
}

#[test]
fn a_new_picture_in_the_views_adds_an_image() {
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes(), folder.path());
    std::fs::write(folder.path().join("views/D02032.png"), png(2, 1, &[7, 8])).unwrap();
    let (new, report) = packed(&FORMAT, folder.path()).unwrap();
    assert_eq!(
        single_warning(&report, &asset::unpack::NEW_ENTRY),
        "note PACK-N008: views/D02032.png is a new file and becomes the entry \"D02032.BSI\""
    );
    single_warning(&report, &warning::MATCHED);
    let bank = Bank::read(&new).unwrap();
    assert_eq!(bank.entries[..2], sample().entries);
    assert_eq!(bank.image(32).unwrap().image.data().unwrap().1, [7, 8]);
    std::fs::write(folder.path().join("views/wall.png"), png(2, 1, &[7, 8])).unwrap();
    let error = packed(&FORMAT, folder.path()).unwrap_err().to_string();
    assert!(error.starts_with("views/wall.png: \"wall\" is not the name of an image"), "{error}");
}
