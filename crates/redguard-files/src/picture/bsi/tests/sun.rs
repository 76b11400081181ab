//! The image of a sun, whose pixels are opacities, in a game whose WORLD.INI refers to it.

use std::sync::Arc;

use asset::{Charset, FolderSink, Guard, Install, MemorySink, Overwrite, Target};
use files::layer::MemoryLayer;
use media::picture::Colors;
use record::Source;

use super::*;
use crate::picture::palette::Palette;

const SUN: &str = "fxart/SUN001.BSI";

/// Creates a game with the image, a palette and this WORLD.INI.
fn game(world_ini: &str) -> Install {
    let colors: Vec<u8> = (0..=255_u8).flat_map(|index| [index, 0, 255 - index]).collect();
    let palette = Palette::new(Colors::from_bytes(&colors).unwrap());
    let files = [
        (SUN, sky(b"").write().unwrap()),
        ("fxart/ISLAND.COL", palette.write().unwrap()),
        ("WORLD.INI", format!("[world]\r\n{world_ini}\r\n").into_bytes()),
    ];
    let files = files.map(|(path, bytes)| (path.to_owned(), Source::from(bytes)));
    let layer = MemoryLayer::new("game", files).unwrap();
    Install::new(vec![Arc::new(layer)]).with_game("redguard", Charset::Cp437)
}

/// Converts the image; returns its pixels and the warnings.
fn converted(world_ini: &str, given: &[(&str, &str)]) -> (Vec<u8>, Report) {
    let (install, options) = (game(world_ini), proof::options(&FORMAT, given));
    let location = install.find(SUN).found().map(|found| found.location);
    let context = Context { install: &install, location, options: &options };
    let (mut sink, mut report) = (MemorySink::new(), Report::new());
    FORMAT.convert(&sky(b""), "png", &context, Target::new("out", 1.0), &mut sink, &mut report).unwrap();
    let png = sink.get("out.png").unwrap();
    (scene::image::decode(png, &scene::image::Limits::default()).unwrap().into_pixels(), report)
}

#[test]
fn a_sun_in_world_ini_is_white_with_opacity() {
    for named in ["SUN001.BSI", "fxart\\sun001.bsi", "3DART\\Sun001.bsi", "SUN001"] {
        let (pixels, report) = converted(&format!("world_sunimg[7] = {named}"), &[]);
        assert_eq!(pixels, [255, 255, 255, 0, 255, 255, 255, 200], "{named}");
        // No palette is guessed for the image.
        assert!(report.is_empty(), "{report:?}");
    }
}

#[test]
fn an_image_that_is_not_a_sun_uses_its_palette() {
    for ini in ["", "world_sunimg[7] = SUN002.BSI", "world_skyfx[7] = SUN001.BSI"] {
        let (pixels, _) = converted(ini, &[]);
        assert_eq!(pixels, [0, 0, 255, 0, 200, 0, 55, 255], "{ini}");
    }
}

#[test]
fn requested_opacity_uses_the_sun_color_of_the_world() {
    let ini = "world_sunimg[7] = SUN001.BSI\r\nworld_sunimgrgb[7] = 250, 300, 20";
    assert_eq!(converted(ini, &[("pixels", "colors")]).0, [0, 0, 255, 0, 200, 0, 55, 255]);
    assert_eq!(converted(ini, &[("pixels", "opacity")]).0, [250, 255, 20, 0, 250, 255, 20, 200]);
}

#[test]
fn opacities_are_edited_as_grayscale() {
    let (install, options) = (game("world_sunimg[7] = SUN001.BSI"), proof::options(&FORMAT, &[]));
    let location = install.find(SUN).found().map(|found| found.location);
    let context = Context { install: &install, location, options: &options };
    let (bytes, folder) = (sky(b"").write().unwrap(), tempfile::tempdir().unwrap());
    let mut sink = FolderSink::new(folder.path(), Arc::new(Guard::new(Overwrite::Allow)));
    let mut parts = Parts::new(&mut sink, FORMAT.id, &Source::from(bytes.clone()), "file").unwrap();
    let mut report = Report::new();
    sky(b"").unpack(&context, &mut parts, &mut report).unwrap();
    parts.finish(&mut report).unwrap();
    sink.finish().unwrap();
    assert!(report.is_empty(), "{report:?}");
    assert!(packed(&FORMAT, folder.path()).unwrap().0 == bytes);
    paint(folder.path(), "image.png", |old| {
        assert_eq!(old.palette()[200], [200, 200, 200, 255]);
        let (width, height) = (old.width(), old.height());
        let gray = Rgba8::new(width, height, [7, 7, 7, 255, 90, 90, 90, 255].to_vec()).unwrap();
        scene::image::encode_png(&gray)
    });
    let edited = Bsi::read(&packed(&FORMAT, folder.path()).unwrap().0).unwrap();
    assert_eq!(edited.image.data().unwrap().1.to_vec(), [7, 90]);
}
