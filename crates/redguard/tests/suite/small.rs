//! Tests with the small files of the sample on disk, converted together with the files around them.

use crate::forge;
use antiquary_redguard::picture::shade;
use antiquary_redguard::save;
use asset::Detail;
use json::Value;
use media::anm;

#[test]
fn converts_shade_tables_with_the_palette_of_their_renderer() {
    let folder = forge::sample();
    let (sink, report) = forge::convert(&shade::FORMAT, &folder.path().join("3dart/SHADE.001"), "png", &[]);
    assert!(report.is_empty(), "{report:?}");
    let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    assert_eq!(json["images"][0]["palette"], "ART_PAL.COL");
    let picture = forge::png(sink.get("out.png").unwrap());
    assert_eq!((picture.width, picture.height), (256, 64));
    assert!(picture.frames[0].chunks(4).all(|pixel| pixel[3] == 255));
}

#[test]
fn omits_the_loop_frame_of_an_animation() {
    let folder = forge::sample();
    let (sink, _) = forge::convert(&anm::FORMAT, &folder.path().join("system/gui.anm"), "png", &[]);
    assert_eq!(forge::png(sink.get("out.png").unwrap()).frames.len(), 8);
}

/// Items are named by the comments above them in ITEM.INI, and counts are checked against it.
#[test]
fn names_the_items_of_saved_games() {
    let folder = forge::sample();
    let list = "[items]\r\n; compass\r\nname[0]=?i00\r\n; sabre\r\nname[1]=?i01\r\nname[2]=?i02\r\nname[3]=?i03\r\nname[4]=?i04\r\n";
    let path = folder.path().join("SAVEGAME/SAVEGAME.000/SAVEGAME.SAV");
    let bytes = std::fs::read(&path).unwrap();
    for (list, count) in [(list.to_owned(), 0), (format!("{list}name[5]=?i05\r\n"), 1)] {
        std::fs::write(folder.path().join("ITEM.INI"), list).unwrap();
        let report = forge::check(&save::FORMAT, &path);
        assert_eq!(
            report.iter().filter(|warning| warning.code.id == "SAVE-W007").count(),
            count,
            "{report:?}"
        );
    }
    let (sink, _) = forge::convert(&save::FORMAT, &path, "json", &[]);
    let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    let names: Vec<_> =
        json["items"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["compass", "sabre", "?i02", "?i03"]);
    let (asset, _) = forge::open(&save::FORMAT, &bytes).unwrap();
    let (install, options) =
        (asset::game::install_around(&path, forge::GAMES).unwrap(), forge::options(&save::FORMAT, &[]));
    let context =
        asset::Context { install: &install, location: install.location_of(&path), options: &options };
    let mut description = asset.describe(Detail::Brief);
    asset.describe_in_game(&context, &mut description);
    assert_eq!(description.fields.root().to_value()["items"][1]["name"], "sabre");
    let unpacked = tempfile::tempdir().unwrap();
    forge::unpack(&save::FORMAT, &path, &bytes, unpacked.path(), &[]);
    let record = std::fs::read_to_string(unpacked.path().join("record.json")).unwrap();
    assert!(record.contains("\"name\": \"sabre\""), "{record}");
    assert_eq!(forge::pack(&save::FORMAT, unpacked.path()).unwrap().0, bytes);
}
