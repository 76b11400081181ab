//! What is looked up in the game that is named: textures and palettes, in the folders where the game looks for them.

use crate::setup::{Place, Ran};

/// The codes of what was amiss with all files.
fn codes(ran: &Ran) -> Vec<String> {
    let json = ran.json();
    let results = json["results"].as_array().unwrap();
    let warnings = results.iter().flat_map(|result| result["warnings"].as_array().unwrap());
    warnings.map(|warning| warning["code"].as_str().unwrap().to_owned()).collect()
}

/// What a model is converted to.
fn converted(place: &Place, arguments: &[&str]) -> Vec<u8> {
    // Scenes are called after their files.
    place.run(&[arguments, &["-o", "scene.glb", "--force"]].concat()).ended(0);
    place.read("scene.glb")
}

#[test]
fn a_loose_model_finds_the_textures_of_the_game_that_is_named() {
    let place = Place::with_games();
    for (folder, model) in [("fxart", "BARREL01.3D"), ("3dart", "BARREL01.3D"), ("fxart", "WALKER01.3DC")] {
        let own = format!("redguard/{folder}/{model}");
        let loose = format!("loose/{model}");
        place.put(&loose, &place.read(&own));
        let expected = converted(&place, &["convert", &own]);
        assert!(converted(&place, &["convert", &loose, "--game", "redguard"]) == expected, "{own}");
        for command in ["check", "convert"] {
            let out = ["--to", "glb", "-o", "out", "--force"];
            let out = if command == "convert" { &out[..] } else { &[] };
            let ran = place.run(&[&[command, &loose, "--game", "redguard", "--json"], out].concat()).ended(0);
            let missing = codes(&ran).into_iter().filter(|code| code.starts_with("RGMODEL-W01"));
            assert_eq!(missing.count(), 0, "{command} {own}: {ran:?}");
        }
    }
}

#[test]
fn a_mod_with_a_folder_of_the_games_name_is_laid_over_the_game() {
    let place = Place::with_games();
    place.put("loose/BARREL01.3D", &place.read("redguard/fxart/BARREL01.3D"));
    place.put("mod/fxart/TEXBSI.210", &place.read("redguard/fxart/TEXBSI.302"));
    place.put("same/fxart/TEXBSI.210", &place.read("redguard/fxart/TEXBSI.210"));
    let with = |games: &[&str]| {
        let games: Vec<_> = games.iter().flat_map(|game| ["--game", game]).collect();
        converted(&place, &[&["convert", "loose/BARREL01.3D"], &*games].concat())
    };
    let plain = with(&["redguard"]);
    assert!(with(&["mod", "redguard"]) != plain, "the mod's bank has other images");
    assert!(with(&["same", "redguard"]) == plain);
}

#[test]
fn textures_of_the_other_renderer_are_a_warning_and_have_their_own_colors() {
    let place = Place::with_games();
    place.put("loose/BARREL01.3D", &place.read("redguard/3dart/BARREL01.3D"));
    for name in ["TEXBSI.302", "TEXBSI.210", "ISLAND.COL"] {
        place.put(&format!("half/fxart/{name}"), &place.read(&format!("redguard/fxart/{name}")));
    }
    let ran = place.run(&["check", "loose/BARREL01.3D", "--game", "half", "--json"]).ended(0);
    let codes = codes(&ran);
    assert!(codes.iter().any(|code| code == "RGMODEL-W017"), "{codes:?}");
}

/// A picture of one color.
fn picture(color: [u8; 3]) -> Vec<u8> {
    use antiquary::scene::image::{Rgba8, encode_png};
    let [red, green, blue] = color;
    let pixels = [red, green, blue, 255].repeat(64 * 64);
    encode_png(&Rgba8::new(64, 64, pixels).unwrap())
}

#[test]
fn a_colored_picture_is_matched_with_a_palette_that_is_told_or_refused() {
    let place = Place::with_games();
    place.put("loose/TEXBSI.302", &place.read("redguard/fxart/TEXBSI.302"));
    place.put("red.png", &picture([200, 40, 30]));
    place.put("grey.png", &picture([90, 90, 90]));
    let replace = |archive: &str, picture: &str, more: &[&str]| {
        let run = ["replace", archive, "1", picture, "-o", "out.302", "--force", "--json"];
        place.run(&[&run[..], more].concat())
    };
    let refused = replace("loose/TEXBSI.302", "red.png", &[]).ended(1);
    assert!(refused.text().contains("--palette") && !place.has("out.302"), "{refused:?}");
    for (archive, more, expected) in [
        ("loose/TEXBSI.302", &["--palette", "redguard/fxart/ISLAND.COL"][..], "TEXBSI-N023"),
        ("loose/TEXBSI.302", &["--game", "redguard"], "TEXBSI-W024"),
        ("loose/TEXBSI.302", &["--palette-source", "grey"], "TEXBSI-N023"),
        ("redguard/fxart/TEXBSI.302", &[], "TEXBSI-W024"),
    ] {
        let ran = replace(archive, "red.png", more).ended(0);
        assert!(codes(&ran).iter().any(|code| code == expected), "{more:?}: {ran:?}");
    }
    // What is gray can be matched with grays.
    replace("loose/TEXBSI.302", "grey.png", &[]).ended(0);
}
