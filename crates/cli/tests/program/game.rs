//! References to the given game: textures and palettes, in the folders where the game looks for them.

use crate::setup::{RunOutput, Sandbox};

/// The codes of all warnings.
fn codes(output: &RunOutput) -> Vec<String> {
    let json = output.json();
    let results = json["results"].as_array().unwrap();
    let warnings = results.iter().flat_map(|result| result["warnings"].as_array().unwrap());
    warnings.map(|warning| warning["code"].as_str().unwrap().to_owned()).collect()
}

/// The scene that a model is converted to.
fn converted(sandbox: &Sandbox, arguments: &[&str]) -> Vec<u8> {
    // Scenes are named after their files.
    sandbox.run(&[arguments, &["-o", "scene.glb", "--force"]].concat()).exits_with(0);
    sandbox.read("scene.glb")
}

#[test]
fn a_model_outside_of_a_game_uses_textures_of_the_given_game() {
    let sandbox = Sandbox::with_games();
    for (folder, model) in [("fxart", "BARREL01.3D"), ("3dart", "BARREL01.3D"), ("fxart", "WALKER01.3DC")] {
        let own = format!("redguard/{folder}/{model}");
        let copy = format!("copies/{model}");
        sandbox.put(&copy, &sandbox.read(&own));
        let expected = converted(&sandbox, &["convert", &own]);
        assert!(converted(&sandbox, &["convert", &copy, "--game", "redguard"]) == expected, "{own}");
        for command in ["check", "convert"] {
            let out = ["--to", "glb", "-o", "out", "--force"];
            let out = if command == "convert" { &out[..] } else { &[] };
            let output =
                sandbox.run(&[&[command, &copy, "--game", "redguard", "--json"], out].concat()).exits_with(0);
            let missing = codes(&output).into_iter().filter(|code| code.starts_with("RGMODEL-W01"));
            assert_eq!(missing.count(), 0, "{command} {own}: {output:?}");
        }
    }
}

#[test]
fn a_mod_with_a_folder_of_the_game_takes_precedence_over_the_game() {
    let sandbox = Sandbox::with_games();
    sandbox.put("copies/BARREL01.3D", &sandbox.read("redguard/fxart/BARREL01.3D"));
    sandbox.put("mod/fxart/TEXBSI.210", &sandbox.read("redguard/fxart/TEXBSI.302"));
    sandbox.put("same/fxart/TEXBSI.210", &sandbox.read("redguard/fxart/TEXBSI.210"));
    let with = |games: &[&str]| {
        let games: Vec<_> = games.iter().flat_map(|game| ["--game", game]).collect();
        converted(&sandbox, &[&["convert", "copies/BARREL01.3D"], &*games].concat())
    };
    let plain = with(&["redguard"]);
    assert!(with(&["mod", "redguard"]) != plain, "the mod's bank has other images");
    assert!(with(&["same", "redguard"]) == plain);
}

#[test]
fn warns_about_textures_of_the_other_renderer() {
    let sandbox = Sandbox::with_games();
    sandbox.put("copies/BARREL01.3D", &sandbox.read("redguard/3dart/BARREL01.3D"));
    for name in ["TEXBSI.302", "TEXBSI.210", "ISLAND.COL"] {
        sandbox.put(&format!("half/fxart/{name}"), &sandbox.read(&format!("redguard/fxart/{name}")));
    }
    let output = sandbox.run(&["check", "copies/BARREL01.3D", "--game", "half", "--json"]).exits_with(0);
    let codes = codes(&output);
    assert!(codes.iter().any(|code| code == "RGMODEL-W017"), "{codes:?}");
}

/// An image of one color.
fn picture(color: [u8; 3]) -> Vec<u8> {
    use antiquary::scene::image::{Rgba8, encode_png};
    let [red, green, blue] = color;
    let pixels = [red, green, blue, 255].repeat(64 * 64);
    encode_png(&Rgba8::new(64, 64, pixels).unwrap())
}

#[test]
fn matches_colors_with_a_given_palette_or_refuses_the_image() {
    let sandbox = Sandbox::with_games();
    sandbox.put("copies/TEXBSI.302", &sandbox.read("redguard/fxart/TEXBSI.302"));
    sandbox.put("red.png", &picture([200, 40, 30]));
    sandbox.put("grey.png", &picture([90, 90, 90]));
    let replace = |archive: &str, picture: &str, more: &[&str]| {
        let run = ["replace", archive, "1", picture, "-o", "out.302", "--force", "--json"];
        sandbox.run(&[&run[..], more].concat())
    };
    let refused = replace("copies/TEXBSI.302", "red.png", &[]).exits_with(1);
    assert!(refused.text().contains("--palette") && !sandbox.has("out.302"), "{refused:?}");
    for (archive, more, expected) in [
        ("copies/TEXBSI.302", &["--palette", "redguard/fxart/ISLAND.COL"][..], "TEXBSI-N023"),
        ("copies/TEXBSI.302", &["--game", "redguard"], "TEXBSI-W024"),
        ("copies/TEXBSI.302", &["--palette-source", "grey"], "TEXBSI-N023"),
        ("redguard/fxart/TEXBSI.302", &[], "TEXBSI-W024"),
    ] {
        let output = replace(archive, "red.png", more).exits_with(0);
        assert!(codes(&output).iter().any(|code| code == expected), "{more:?}: {output:?}");
    }
    // A gray image can be matched without a palette.
    replace("copies/TEXBSI.302", "grey.png", &[]).exits_with(0);
}
