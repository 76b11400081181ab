//! Replacing images of a bank.

use record::Bytes;
use scene::image::{Delay, Indexed8, IndexedAnimation, Rgba8, encode_gif, encode_indexed_png, encode_png};

use super::tests::sample;
use super::{Bank, FORMAT, Section};
use proof::{held, replaced};

/// The grayscale palette for images of a bank without a game.
fn gray() -> Vec<[u8; 4]> {
    media::picture::Index0::Clear.apply(&media::picture::Colors::grey())
}

#[test]
fn replacing_an_image_by_itself_changes_nothing() {
    let bytes = sample().write().unwrap();
    for (index, (name, content)) in held(&FORMAT, &bytes).iter().enumerate() {
        let (again, report) = replaced(&FORMAT, &bytes, index, (name, content)).unwrap();
        assert!(again == bytes && report.is_empty(), "{name}");
    }
}

#[test]
fn an_image_is_replaced_and_keeps_its_name() {
    let bytes = sample().write().unwrap();
    let moving = &held(&FORMAT, &bytes)[1].1;
    let new = Bank::read(&replaced(&FORMAT, &bytes, 0, ("m.bsi", moving)).unwrap().0).unwrap();
    assert_eq!(
        (new.entries[0].name, &new.entries[0].image),
        (sample().entries[0].name, &sample().entries[1].image)
    );
    assert_eq!(new.entries[1], sample().entries[1]);
    let long = [&moving[..], b"more"].concat();
    assert!(
        replaced(&FORMAT, &bytes, 0, ("m.bsi", &long))
            .unwrap_err()
            .message()
            .contains("4 unexpected bytes after")
    );
    let error = replaced(&FORMAT, &bytes, 0, ("x", b"nonsense")).unwrap_err();
    assert!(error.message().starts_with("not a .BSI file or an image"));
}

#[test]
fn a_single_picture_only_replaces_a_static_image() {
    let bytes = sample().write().unwrap();
    let picture = |width, height, indices: &[u8]| {
        encode_indexed_png(
            &Indexed8::new(width, height, indices.to_vec(), gray()).unwrap(),
            scene::Compression::Usual,
        )
    };
    let same = replaced(&FORMAT, &bytes, 0, ("a.png", &picture(3, 2, &[0, 1, 2, 3, 4, 5]))).unwrap().0;
    assert!(same == bytes);
    let (new, report) = replaced(&FORMAT, &bytes, 0, ("a.png", &picture(2, 1, &[7, 8]))).unwrap();
    assert_eq!(report.iter().map(|warning| warning.code.id).collect::<Vec<_>>(), ["TEXBSI-N023"]);
    let image = &Bank::read(&new).unwrap().entries[0].image;
    assert_eq!(image.data().unwrap().1, [7, 8]);
    let error = replaced(&FORMAT, &bytes, 1, ("a.png", &picture(2, 2, &[7; 4]))).unwrap_err();
    assert!(error.message().contains("has 2 frames, but a.png is a single picture"), "{error}");
    let odd = encode_png(&Rgba8::new(1, 1, vec![10, 200, 30, 255]).unwrap());
    let error = replaced(&FORMAT, &bytes, 0, ("odd.png", &odd)).unwrap_err();
    assert!(
        error.message().contains("cannot match the colors of odd.png because no palette was found"),
        "{error}"
    );
}

#[test]
fn a_gif_replaces_any_image() {
    let bytes = sample().write().unwrap();
    let gif = |frames: &[&[u8]]| {
        let frames = frames.iter().map(|frame| frame.to_vec()).collect();
        encode_gif(&IndexedAnimation::new(2, 2, frames, gray(), Delay::milliseconds(40)).unwrap()).unwrap()
    };
    let frames = |bytes: &[u8], index: usize| {
        let image = Bank::read(bytes).unwrap().entries[index].image.clone();
        let header = *image.header().unwrap().1;
        let animated = matches!(image.sections[0], Section::Animated(_));
        (image.frames(&image.layout(0).unwrap()).unwrap().frames, header.anim_delay, animated)
    };
    let (a, b): (&[u8], &[u8]) = (&[1, 2, 3, 4], &[4, 3, 2, 1]);
    let moved = replaced(&FORMAT, &bytes, 0, ("a.gif", &gif(&[a, b, a]))).unwrap().0;
    assert_eq!(frames(&moved, 0), (vec![a.to_vec(), b.to_vec(), a.to_vec()], 40, true));
    let still = replaced(&FORMAT, &moved, 0, ("a.gif", &gif(&[b]))).unwrap().0;
    assert_eq!(frames(&still, 0), (vec![b.to_vec()], 40, false));
    let image = &Bank::read(&still).unwrap().entries[0].image;
    assert_eq!(image.sections[0], Section::Static(Bytes::default()));
    assert!(replaced(&FORMAT, &bytes, 0, ("a.gif", b"GIF89a")).is_err());
}
