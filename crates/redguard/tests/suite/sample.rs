//! Tests with the sample game on disk: the palette of each image, and round trips of all files.

use crate::forge;
use std::path::Path;

use antiquary_redguard::picture::{bsi, gxa, palette, shade, texbsi, texture};
use antiquary_redguard::save;
use antiquary_redguard::settings::{cht, cpf};
use antiquary_redguard::sound::{rtx, sfx, timbre};
use antiquary_redguard::text::fnt;
use asset::{MemorySink, Probe, Report, Score, Severity};
use json::Value;
use media::{anm, lbm, pcx};
use proof::{checked, exported};
use record::Source;

/// Palettes with which the images of a file are converted.
fn palettes(format: &'static asset::Format, path: &Path, given: &[(&str, &str)]) -> Vec<String> {
    let (sink, _) = forge::convert(format, path, "png", given);
    let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    let palette = |image: &Value| image["palette"].as_str().map(ToOwned::to_owned);
    json["images"].as_array().unwrap().iter().filter_map(palette).collect()
}

#[test]
fn detects_and_round_trips_every_file() {
    let folder = forge::sample();
    for (name, format) in [
        ("fxart/ISLAND.COL", &palette::FORMAT),
        ("fxart/TEXBSI.302", &texbsi::FORMAT),
        ("fxart/TEXBSI.352", &texbsi::FORMAT),
        ("fxart/SKY001.BSI", &bsi::FORMAT),
        ("3dart/TEXTURE.302", &texture::FORMAT),
        ("fonts/SAMPLE.FNT", &fnt::FORMAT),
        ("system/COMPASS.GXA", &gxa::FORMAT),
        ("sound/MAIN.SFX", &sfx::FORMAT),
        ("sound/SAMPLE.OPL", &timbre::FORMAT),
        ("sound/SAMPLE.AD", &timbre::FORMAT),
        ("ENGLISH.RTX", &rtx::FORMAT),
        ("REDGUARD.CHT", &cht::FORMAT),
        ("system/gui.anm", &anm::FORMAT),
        ("system/gui.lbm", &lbm::FORMAT),
        ("system/SKY_61.PCX", &pcx::FORMAT),
        ("3dart/SHADE.001", &shade::FORMAT),
        ("3dart/HAZE.001", &shade::FORMAT),
        ("REDGUARD.CPF", &cpf::FORMAT),
        ("SAVEGAME/SAVEGAME.000/SAVEGAME.SAV", &save::FORMAT),
        ("SAVEGAME/SAVEGAME.000/ISLAND.TSG", &save::FORMAT),
    ] {
        let path = folder.path().join(name);
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(forge::detect(&bytes, name).unwrap().id, format.id);
        forge::assert_round_trip(format, &path);
        forge::assert_covers_all_bytes(format, &path);
        forge::assert_survives_truncation(format, &path);
        assert!(!forge::fails(format, &path, &bytes).unwrap(), "{name}");
    }
}

#[test]
fn finds_the_palettes_of_images() {
    let folder = forge::sample();
    let bank = folder.path().join("fxart/TEXBSI.302");
    let palettes_of = |given: &[(&str, &str)]| palettes(&texbsi::FORMAT, &bank, given);
    assert_eq!(palettes_of(&[]), ["embedded", "ISLAND.COL", "ISLAND.COL", "ISLAND.COL", "embedded"]);
    assert_eq!(palettes_of(&[("palette-source", "grey")]), ["grey"; 5]);
    // A palette can be given by its name in the game, with or without folder and extension, in any letter case, and by its path on disk.
    let on_disk = folder.path().join("3dart/ART_PAL.COL");
    for name in ["art_pal", "ART_PAL.COL", "3dart\\art_pal.col", on_disk.to_str().unwrap()] {
        let shown = palettes_of(&[("palette", name)]);
        assert!(
            shown.iter().all(|shown| shown.eq_ignore_ascii_case("art_pal.col") || shown == name),
            "{shown:?}"
        );
    }
    let set = folder.path().join("3dart/TEXTURE.302");
    assert_eq!(palettes(&texture::FORMAT, &set, &[]), ["ART_PAL.COL"; 5]);
    let sky = folder.path().join("fxart/SKY001.BSI");
    assert_eq!(palettes(&bsi::FORMAT, &sky, &[]), ["SKY001.COL"]);
}

#[test]
fn reads_palettes_of_paint_programs() {
    let folder = forge::sample();
    let colors = media::picture::Colors::grey();
    let gpl = folder.path().join("mine.gpl");
    std::fs::write(&gpl, scene::image::to_gpl(&media::picture::Index0::Opaque.apply(&colors), "mine"))
        .unwrap();
    let (sink, _) = forge::convert(
        &texbsi::FORMAT,
        &folder.path().join("fxart/TEXBSI.302"),
        "png",
        &[("palette", gpl.to_str().unwrap())],
    );
    let picture = forge::png(sink.get("out/D02001.png").unwrap());
    assert!(picture.frames[0].chunks(4).all(|pixel| pixel[0] == pixel[1] && pixel[1] == pixel[2]));
}

#[test]
fn refuses_missing_and_invalid_palettes() {
    let folder = forge::sample();
    let path = folder.path().join("fxart/TEXBSI.302");
    let install = asset::game::install_around(&path, forge::GAMES).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    for (name, message) in [
        ("nothing.col", "palette \"nothing.col\" was not found on disk or in the game's folders"),
        ("TEXBSI.352", "fxart/TEXBSI.352: "),
    ] {
        let options = forge::options(&texbsi::FORMAT, &[("palette", name)]);
        let context =
            asset::Context { install: &install, location: install.location_of(&path), options: &options };
        let (asset, mut report) = forge::open(&texbsi::FORMAT, &bytes).unwrap();
        let (target, mut sink) = (asset::Target::new("out", 1.0), MemorySink::new());
        let converted = texbsi::FORMAT.convert(&*asset, "png", &context, target, &mut sink, &mut report);
        let error = converted.unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
    }
}

/// Skies show color 0, in other images it is transparent; an option overrides both.
#[test]
fn makes_color_0_transparent_as_in_the_game() {
    let folder = forge::sample();
    let alpha = |name: &str, format: &'static asset::Format, file: &str, given: &[(&str, &str)]| {
        let (sink, _) = forge::convert(format, &folder.path().join(name), "png", given);
        let picture = forge::png(sink.get(file).unwrap());
        picture.frames[0].chunks(4).any(|pixel| pixel[3] == 0)
    };
    assert!(alpha("fxart/TEXBSI.352", &texbsi::FORMAT, "out.png", &[]));
    assert!(!alpha("fxart/TEXBSI.352", &texbsi::FORMAT, "out.png", &[("key-color", "opaque")]));
    // Of the software renderer's records, only the flame is marked as transparent.
    let set = "3dart/TEXTURE.302";
    assert!(
        alpha(set, &texture::FORMAT, "out/004.png", &[]) && !alpha(set, &texture::FORMAT, "out/001.png", &[])
    );
    assert!(!alpha(set, &texture::FORMAT, "out/004.png", &[("key-color", "opaque")]));
}

#[test]
fn checks_and_converts_every_file_of_the_sample() {
    let mut sink = MemorySink::new();
    antiquary_redguard::sample::write(&mut sink).unwrap();
    let mut repeated = MemorySink::new();
    antiquary_redguard::sample::write(&mut repeated).unwrap();
    assert_eq!(sink, repeated);
    assert_eq!(sink.files().len(), 54);
    for (name, bytes) in sink.files() {
        let probe = Probe::new(bytes, bytes.len() as u64, Some(name));
        let format = antiquary_redguard::FORMATS
            .iter()
            .chain(media::FORMATS)
            .find(|format| (format.probe)(&probe) >= Some(Score::LIKELY))
            .unwrap();
        let asset = (format.open)(&Source::from_bytes(&bytes[..]), &mut Report::new()).unwrap();
        // Scenes without a location have no textures; see the tests of the folder on disk.
        if format.output("png").is_none() || format.default_output() == Some("glb") {
            continue;
        }
        let report = checked(format, &*asset);
        assert!(report.worst() <= Some(Severity::Note), "{name}: {report:?}");
        let Some(extension) = format.default_output() else { continue };
        let (converted_files, report) = exported(format, &*asset, extension, &[]);
        assert!(report.worst() <= Some(Severity::Note), "{name}: {report:?}");
        assert!(!converted_files.files().is_empty(), "{name}");
    }
}
