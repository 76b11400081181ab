//! `convert`: what is written where, what is never written, and what is told.

use crate::setup::{Place, ROOM, room_without_its_texture};

#[test]
fn the_extension_of_the_output_chooses_what_is_written() {
    let (place, file) = Place::with_sample();
    place.run(&["convert", &file, "-o", "new/room.glb"]).ended(0);
    assert_eq!(&place.read("new/room.glb")[..4], b"glTF");
    place.run(&["convert", &file, "-o", "new/room.json"]).ended(0);
    assert_eq!(place.read("new/room.json")[0], b'{');
    let refused = place.run(&["convert", &file, "-o", "room.png"]).ended(2);
    assert!(refused.err.starts_with("error: room.png: "), "{refused:?}");
    assert!(refused.err.contains("(available: glb, gltf, json"), "{refused:?}");
}

#[test]
fn a_whole_game_becomes_a_folder_of_the_same_shape() {
    let (place, file) = Place::with_sample();
    place.put("game/empty.rmesh", b"");
    place.put("game/notes.txt", b"to do");
    let ran = place.run(&["convert", "game", "-o", "out"]).ended(1);
    let converted = file.replacen("game/", "out/", 1) + ".glb";
    assert!(place.has(&converted), "{:?}", place.files());
    assert!(ran.err.contains("empty.rmesh: error: the file is empty, at offset 0x0"), "{ran:?}");
    let summary = ran.err.lines().last().unwrap();
    assert!(summary.contains(" converted, 1 failed, ") && summary.ends_with(" s"), "{summary}");
    assert!(ran.out.is_empty(), "{ran:?}");
}

/// Whether a file contains these bytes.
fn has(place: &Place, file: &str, bytes: &[u8]) -> bool {
    place.read(file).windows(bytes.len()).any(|found| found == bytes)
}

/// The names of the files in a folder of outputs that several scenes refer to.
fn shared_files(place: &Place, out: &str) -> Vec<String> {
    let folder = format!("{out}/shared/");
    place.files().iter().filter_map(|name| name.strip_prefix(&folder)).map(ToOwned::to_owned).collect()
}

#[test]
fn glb_files_are_complete_and_gltf_files_of_a_folder_share() {
    let place = Place::with_games();
    place.run(&["convert", "scpcb", "redguard", "ragnarok", "-o", "glb", "--no-gallery"]).ended(0);
    let glbs: Vec<String> = place.files().into_iter().filter(|name| name.ends_with(".glb")).collect();
    assert!(glbs.len() > 10, "{glbs:?}");
    for glb in &glbs {
        assert!(!has(&place, glb, b"\"uri\""), "{glb} refers to another file");
    }
    assert!(shared_files(&place, "glb").is_empty());

    let run =
        ["convert", "scpcb", "redguard", "ragnarok", "-o", "gltf", "--to", "gltf", "--no-gallery", "--json"];
    let json = place.run(&run).ended(0).json();
    let shared = shared_files(&place, "gltf");
    assert_eq!(json["shared"]["folder"], "gltf/shared");
    assert!(!shared.is_empty() && json["shared"]["files"] == shared.len(), "{}", json["shared"]);
    let terrain: Vec<_> = shared.iter().filter(|name| name.starts_with("terrain_")).collect();
    assert!(!terrain.is_empty(), "{shared:?}");
    for scene in ["gltf/redguard/maps/ISLAND.RGM.gltf", "gltf/redguard/maps/ISLAND.WLD.gltf"] {
        for part in &terrain {
            assert!(has(&place, scene, part.as_bytes()), "{scene}, {part}");
        }
    }
}

#[test]
fn a_gltf_file_shares_in_a_folder_and_not_under_a_name_of_its_own() {
    let (place, file) = Place::with_sample();
    let extension = file.rsplit('.').next().unwrap();
    let name = file.rsplit('/').next().unwrap();
    place.run(&["convert", "game", "-o", "game-out", "--to", "gltf"]).ended(0);
    place.run(&["convert", &file, "-o", "folder/", "--to", "gltf"]).ended(0);
    place.run(&["convert", &file, "-o", "one/a.gltf"]).ended(0);
    place.run(&["convert", &file, "-o", "one/a.glb"]).ended(0);
    assert!(!shared_files(&place, "folder").is_empty() && shared_files(&place, "one").is_empty());
    assert!(place.has("one/a.bin"));

    // Packing finds the shared files, above the scene or next to it.
    let scenes = [
        format!("{}.gltf", file.replacen("game", "game-out", 1)),
        format!("folder/{name}.gltf"),
        "one/a.gltf".to_owned(),
        "one/a.glb".to_owned(),
    ];
    for (number, scene) in scenes.iter().enumerate() {
        let packed = format!("{number}.{extension}");
        place.run(&["pack", scene, "-o", &packed]).ended(0);
        assert!(place.read(&packed) == place.read(&format!("0.{extension}")), "{scene}");
    }

    // Files that an earlier run shared are used again.
    place.run(&["convert", &file, "-o", "folder/again/", "--to", "gltf"]).ended(0);
    place.run(&["convert", &file, "-o", "folder/", "--to", "gltf", "--force"]).ended(0);
}

#[test]
fn the_removed_options_for_sharing_say_what_to_use() {
    let (place, file) = Place::with_sample();
    let ran = place.run(&["convert", &file, "-o", "a.glb", "--share"]).ended(2);
    assert!(ran.err.contains("--share was removed") && ran.err.contains("--to gltf"), "{ran:?}");
    let ran = place.run(&["convert", &file, "-o", "a.glb", "--self-contained"]).ended(2);
    assert!(ran.err.contains("a .glb file is always complete"), "{ran:?}");
    assert!(!place.has("a.glb"));
}

#[test]
fn a_rob_shows_the_first_frame_of_models_that_the_run_converts_and_names_them() {
    let place = Place::with_games();
    let rob = "fxart/ISLAND.ROB";
    let (moving, animations): (&[u8], &[u8]) = (br#"WALKER01.3DC"#, b"\"animations\":");
    for extension in ["glb", "gltf"] {
        place.run(&["convert", "redguard", "-o", extension, "--to", extension]).ended(0);
        let scene = format!("{extension}/{rob}.{extension}");
        assert!(has(&place, &scene, moving) && !has(&place, &scene, animations), "{scene}");
        assert!(has(&place, &format!("{extension}/fxart/WALKER01.3DC.{extension}"), animations));
        let packed = format!("{extension}.ROB");
        place.run(&["pack", &scene, "-o", &packed]).ended(0);
        assert!(place.read(&packed) == place.read(&format!("redguard/{rob}")), "{scene}");
    }
    // On its own it shows everything, and so it does when its models are in another folder, which this run does not convert.
    place.run(&["convert", &format!("redguard/{rob}"), "-o", "alone.glb"]).ended(0);
    place.put(&format!("mod/{rob}"), &place.read(&format!("redguard/{rob}")));
    place.run(&["convert", "mod", "-o", "modded", "--game", "redguard"]).ended(0);
    for glb in ["alone.glb", "modded/fxart/ISLAND.ROB.glb"] {
        assert!(has(&place, glb, moving) && has(&place, glb, animations), "{glb}");
    }
}

#[test]
fn models_of_integers_are_smaller_and_come_back() {
    let place = Place::with(&[]);
    place.run(&["demo", "-o", "games"]).ended(0);
    let has = |glb: &str, text: &str| {
        let bytes = place.read(glb);
        bytes.windows(text.len()).any(|found| found == text.as_bytes())
    };
    for (more, name) in [(&[][..], "floats"), (&["--quantize"], "integers")] {
        place.run(&[&["convert", "games/redguard", "-o", name, "--no-gallery"], more].concat()).ended(0);
    }
    for file in ["fxart/WALKER01.3DC", "fxart/BARREL01.3D", "fxart/ISLAND.ROB"] {
        let glbs = ["floats", "integers"].map(|folder| format!("{folder}/{file}.glb"));
        let requires =
            glbs.each_ref().map(|glb| has(glb, "\"extensionsRequired\":[\"KHR_mesh_quantization\"]"));
        assert_eq!(requires, [false, true], "{file}");
        for glb in glbs {
            place.run(&["pack", &glb, "-o", &format!("back/{file}"), "--force"]).ended(0);
            assert!(
                place.read(&format!("back/{file}")) == place.read(&format!("games/redguard/{file}")),
                "{glb}"
            );
        }
    }
    let length = |folder: &str| place.read(&format!("{folder}/maps/ISLAND.RGM.glb")).len();
    assert!(length("integers") < length("floats"));
}

#[test]
fn integers_are_not_for_godot() {
    let (place, file) = Place::with_sample();
    let line = ["convert", &file, "-o", "a.glb", "--quantize", "--preset"];
    let refused = place.run(&[&line[..], &["Godot"]].concat()).ended(2);
    assert!(refused.err.contains("--quantize cannot be combined with --preset godot"), "{refused:?}");
    place.run(&[&line[..], &["unity"]].concat()).ended(0);
}

#[test]
fn what_a_folder_gets_can_be_chosen() {
    let place = Place::with(&[("a.rmesh", ROOM), ("b.rmesh", ROOM)]);
    place.run(&["convert", "a.rmesh", "b.rmesh", "-o", "out", "--to", "json"]).ended(0);
    assert!(place.has("out/a.rmesh.json") && place.has("out/b.rmesh.json"));
    let refused = place.run(&["convert", "a.rmesh", "-o", "out/", "--to", "jsn"]).ended(2);
    assert!(refused.err.contains("a similar value exists: 'json'"), "{refused:?}");
}

#[test]
fn one_bad_file_does_not_stop_the_run_by_default() {
    let place = Place::with(&[("a.rmesh", ROOM), ("b.rmesh", b""), ("c.rmesh", ROOM)]);
    let ran = place.run(&["convert", "a.rmesh", "b.rmesh", "c.rmesh", "-o", "out", "--to", "json"]).ended(1);
    assert!(place.has("out/a.rmesh.json") && place.has("out/c.rmesh.json") && !place.has("out/b.rmesh.json"));
    assert!(ran.err.contains("3 files: 2 converted, 1 failed"), "{ran:?}");

    let arguments = ["convert", "a.rmesh", "b.rmesh", "c.rmesh", "-o", "new", "--to", "json"];
    let ran = place.run(&[&arguments[..], &["--fail-fast", "--jobs", "1"]].concat()).ended(1);
    assert!(place.has("new/a.rmesh.json") && !place.has("new/c.rmesh.json"));
    assert!(ran.err.contains("stopped at the first failure"), "{ran:?}");
}

#[test]
fn existing_files_are_kept_by_default_and_inputs_always() {
    let place = Place::with(&[("a.rmesh", ROOM), ("a.json", b"mine")]);
    let ran = place.run(&["convert", "a.rmesh", "-o", "a.json"]).ended(1);
    assert!(ran.err.contains("a.rmesh: error: a.json: already exists"), "{ran:?}");
    assert!(ran.err.contains("hint: use --force to overwrite"), "{ran:?}");
    assert_eq!(place.read("a.json"), b"mine");
    place.run(&["convert", "a.rmesh", "-o", "a.json", "--force"]).ended(0);
    assert_ne!(place.read("a.json"), b"mine");

    let ran = place.run(&["convert", "a.rmesh", "-o", "a.rmesh", "--to", "json", "--force"]).ended(1);
    assert!(ran.err.contains("inputs are never overwritten"), "{ran:?}");
    assert_eq!(place.read("a.rmesh"), ROOM);
}

#[test]
fn the_output_folder_may_lie_in_the_folder_that_is_converted() {
    let place = Place::with(&[("game/a.rmesh", ROOM)]);
    for _ in 0..2 {
        place.run(&["convert", "game", "-o", "game/out", "--to", "json", "--force"]).ended(0);
        assert_eq!(place.files(), ["game/a.rmesh", "game/out/a.rmesh.json", "game/out/index.html"]);
    }
}

#[test]
fn several_inputs_need_a_folder() {
    let place = Place::with(&[("a.rmesh", ROOM), ("b.rmesh", ROOM), ("out", b"a file")]);
    let ran = place.run(&["convert", "a.rmesh", "b.rmesh", "-o", "out"]).ended(2);
    assert_eq!(ran.err, "error: out: is a file, but several inputs need an output folder\n");
}

#[test]
fn what_is_lost_is_told_below_its_file() {
    let place = Place::with(&[("a.rmesh", &room_without_its_texture())]);
    let ran = place.run(&["convert", "a.rmesh", "-o", "a.glb"]).ended(0);
    let lines: Vec<_> = ran.err.lines().collect();
    assert_eq!(lines[0], "a.rmesh -> a.glb");
    assert_eq!(
        lines[1],
        "  warning FILE-W001: surfaces[0].texture: texture \"gone.jpg\" was not found, at offset 0x11"
    );
    assert!(lines[2].starts_with("1 file: 1 converted, 1 warning, "), "{ran:?}");
    assert_eq!(place.run(&["convert", "a.rmesh", "-o", "b.glb", "-q"]).ended(0).err, "");
}

#[test]
fn warnings_are_failures_when_that_is_asked_for() {
    let place = Place::with(&[("a.rmesh", &room_without_its_texture())]);
    let ran = place.run(&["convert", "a.rmesh", "-o", "a.glb", "--strict"]).ended(1);
    assert!(ran.err.contains("failed because of the warnings above (--strict)"), "{ran:?}");
    assert!(!place.has("a.glb"));
}

#[test]
fn options_of_formats_are_passed_on_and_their_words_are_checked() {
    let (place, file) = Place::with_sample();
    let size = |name: &str| place.read(name).len();
    place.run(&["convert", &file, "-o", "plain/a.glb"]).ended(0);
    place.run(&["convert", &file, "-o", "more/a.glb", "--with", "collision,triggers"]).ended(0);
    place.run(&["convert", &file, "-o", "same/a.glb", "--with=Collision", "--with", "triggers"]).ended(0);
    assert!(size("more/a.glb") > size("plain/a.glb"));
    assert!(place.read("same/a.glb") == place.read("more/a.glb"));
    let ran = place.run(&["convert", &file, "-o", "x.glb", "--with", "colision"]).ended(2);
    assert!(ran.err.contains("a similar value exists: 'collision'"), "{ran:?}");
    let ran = place.run(&["convert", &file, "-o", "x.glb", "--wiht", "collision"]).ended(2);
    assert!(ran.err.contains("'--with'"), "{ran:?}");
}

#[test]
fn rooms_are_baked_unless_layers_or_none_are_asked_for() {
    let (place, file) = Place::with_sample();
    place.run(&["convert", &file, "-o", "default.glb"]).ended(0);
    for word in ["bake", "layers", "split", "none"] {
        place.run(&["convert", &file, "-o", &format!("{word}.glb"), "--lightmaps", word]).ended(0);
    }
    assert!(place.read("default.glb") == place.read("bake.glb"));
    assert!(place.read("layers.glb") == place.read("split.glb"), "the former word is accepted");
    for (word, lightmaps, unlit) in [("bake", false, true), ("layers", true, false), ("none", false, false)] {
        let glb = format!("{word}.glb");
        assert_eq!(has(&place, &glb, b"MOZ_lightmap"), lightmaps, "{word}");
        assert_eq!(has(&place, &glb, b"(baked)"), unlit, "{word}");
        // Each comes back as the same room.
        place.run(&["pack", &glb, "-o", &format!("{word}.rmesh")]).ended(0);
        assert!(place.read(&format!("{word}.rmesh")) == place.read("bake.rmesh"), "{word}");
    }
    let help = place.run(&["convert", "--help", &file]).ended(0).out;
    let help = String::from_utf8(help).unwrap();
    assert!(help.contains("layers") && !help.contains("split:"), "{help}");
}

#[test]
fn the_scale_is_a_number_above_nothing() {
    let place = Place::with(&[("a.rmesh", &room_without_its_texture())]);
    place.run(&["convert", "a.rmesh", "-o", "a.glb", "--scale", "100"]).ended(0);
    for wrong in ["0", "-1", "nan", "inf", "big"] {
        place.run(&["convert", "a.rmesh", "-o", "b.glb", &format!("--scale={wrong}")]).ended(2);
    }
    assert!(!place.has("b.glb"));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let (place, _) = Place::with_sample();
    for name in ["x", "y", "z"] {
        place.put(&format!("game/GFX/map/{name}.rmesh"), &room_without_its_texture());
    }
    let one = place.run(&["convert", "game", "-o", "one", "--jobs", "1", "-v"]).ended(0);
    let many = place.run(&["convert", "game", "-o", "two", "--jobs", "4", "-v"]).ended(0);
    let told =
        |text: &str, out: &str| text.replace(out, "OUT").lines().map(str::to_owned).collect::<Vec<_>>();
    let (one, many) = (told(&one.err, "one/"), told(&many.err, "two/"));
    assert_eq!(one[..one.len() - 1], many[..many.len() - 1]);
    for file in place.files().iter().filter(|file| file.starts_with("one/")) {
        assert!(place.read(file) == place.read(&file.replacen("one/", "two/", 1)), "{file}");
    }
}

#[test]
fn a_game_folder_must_exist() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    let ran = place.run(&["convert", "a.rmesh", "-o", "a.json", "--game", "nowhere"]).ended(2);
    assert!(ran.err.contains("no such folder"), "{ran:?}");
}

#[test]
fn textures_are_found_in_the_game_that_is_named() {
    let (place, file) = Place::with_sample();
    place.put("mod/room.rmesh", &place.read(&file));
    let alone = place.run(&["check", "mod/room.rmesh", "--json"]).ended(0).json();
    let maps = file.rsplit_once('/').unwrap().0.to_owned();
    let with_game = place.run(&["check", "mod/room.rmesh", "--json", "--game", &maps]).ended(0).json();
    assert!(alone["warnings"].as_u64() > with_game["warnings"].as_u64(), "{alone} {with_game}");
}

#[test]
fn a_whole_game_gets_a_gallery_and_a_summary_by_format() {
    let (place, file) = Place::with_sample();
    place.put("game/notes.txt", b"to do");
    place.put("game/a.stranger", b"?");
    let ran = place.run(&["convert", "game", "-o", "out"]).ended(0);
    let page = String::from_utf8(place.read("out/index.html")).unwrap();
    let glb = file.replacen("game/", "", 1) + ".glb";
    assert!(page.contains(&format!("href=\"{glb}\"")), "{glb}");
    assert!(page.contains("class=\"shot drawn\"") && page.contains("src=\"data:image/jpeg;base64,"));
    let row = ran.err.lines().find(|line| line.starts_with("scpcb.rmesh ")).unwrap();
    assert_eq!(row.split_whitespace().nth(3), Some("0"), "{row}");
    assert!(ran.err.contains("known, not read, ") && ran.err.contains("*.txt"), "{ran:?}");
    assert!(ran.err.contains("gallery: out/index.html"), "{ran:?}");

    let json = place.run(&["convert", "game", "-o", "out", "--force", "--json"]).ended(0).json();
    assert_eq!(json["gallery"]["path"], "out/index.html");
    assert_eq!(
        (&json["formats"][0]["format"], &json["unknown"]["stranger"]),
        (&"scpcb.rmesh".into(), &1.into())
    );
    let known = json["known"].as_array().unwrap();
    assert!(known.iter().any(|known| known["pattern"] == "*.txt"), "{known:?}");

    let ran = place.run(&["convert", "game", "-o", "plain", "--no-gallery"]).ended(0);
    assert!(!place.has("plain/index.html") && !ran.err.contains("gallery: "), "{ran:?}");
    place.run(&["convert", &file, "-o", "one/"]).ended(0);
    assert!(!place.has("one/index.html"));
}

#[test]
fn an_existing_page_is_kept() {
    let place = Place::with(&[("game/a.rmesh", ROOM), ("out/index.html", b"mine")]);
    let ran = place.run(&["convert", "game", "-o", "out", "--to", "json"]).ended(1);
    assert!(ran.err.contains("error: out/index.html: already exists"), "{ran:?}");
    assert!(ran.err.contains("hint: use --force") && place.has("out/a.rmesh.json"), "{ran:?}");
    assert_eq!(place.read("out/index.html"), b"mine");
    place.run(&["convert", "game", "-o", "out", "--to", "json", "--force"]).ended(0);
    assert_ne!(place.read("out/index.html"), b"mine");
}

#[test]
fn a_folder_with_nothing_to_convert_is_no_failure_but_told() {
    let place = Place::with(&[("game/notes.txt", b"to do")]);
    let ran = place.run(&["convert", "game", "-o", "out"]).ended(0);
    assert!(ran.err.contains("0 files: 0 converted, 1 unknown file"), "{ran:?}");
    assert!(ran.err.contains("none of the files can be converted"), "{ran:?}");
    assert!(!place.has("out"));
}

/// The nodes of a GLB, by name.
#[expect(clippy::unwrap_used, reason = "a test may panic")]
fn node_names(glb: &[u8]) -> Vec<String> {
    let (length, rest) = glb[12..].split_first_chunk::<4>().unwrap();
    let length = usize::try_from(u32::from_le_bytes(*length)).unwrap();
    let json: antiquary::json::Value = antiquary::json::from_slice(&rest[4..][..length]).unwrap();
    json["nodes"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_preset_makes_scenes_for_an_engine_and_is_known_to_every_game() {
    let place = Place::with_games();
    let room = "scpcb/GFX/map/hall_opt.rmesh";
    place.run(&["convert", room, "-o", "room.glb", "--preset", "godot"]).ended(0);
    let names = node_names(&place.read("room.glb"));
    assert!(names.iter().any(|name| name == "hall_opt_solid-col"), "{names:?}");
    assert!(names.iter().any(|name| name == "trigger_0"), "{names:?}");
    // Back into a room, as without a preset.
    place.run(&["convert", room, "-o", "plain.glb", "--with", "collision,triggers"]).ended(0);
    for scene in ["room", "plain"] {
        let (glb, rmesh) = (format!("{scene}.glb"), format!("{scene}.rmesh"));
        place.run(&["pack", &glb, "-o", &rmesh]).ended(0);
    }
    assert_eq!(place.read("room.rmesh"), place.read("plain.rmesh"));
    assert_eq!(place.read("room.rmesh"), place.read(room));

    // All files of all games at once: those that are no scenes have no presets, and nobody minds.
    for preset in ["godot", "unity", "unreal", "blender"] {
        place
            .run(&[
                "convert",
                "scpcb",
                "redguard",
                "ragnarok",
                "-o",
                &format!("{preset}/"),
                "--preset",
                preset,
            ])
            .ended(0);
    }
    let refused = place.run(&["convert", room, "-o", "x.glb", "--preset", "doom"]).ended(2);
    assert!(refused.err.contains("[possible values: none, godot, unity, unreal, blender]"), "{refused:?}");
}

#[test]
fn everything_in_a_game_is_preserved_in_one_run() {
    let place = Place::with_games();
    let ran = place.run(&["convert", "redguard", "-o", "out", "--everything", "--json"]).ended(0).json();
    assert_eq!(ran["gallery"]["error"], antiquary::json::Value::Null, "{ran}");
    for file in [
        "maps/ISLAND.RGM.glb",
        "maps/ISLAND.RGM.json",
        "maps/ISLAND.RGM.scripts/KEEPER.soup",
        "fxart/WALKER01.3DC.glb",
        "fxart/WALKER01.3DC.json",
        "WORLD.INI.json",
        "ENGLISH.RTX.csv",
        "index.html",
        "lines.csv",
    ] {
        assert!(place.has(&format!("out/{file}")), "{file}: {:#?}", place.files());
    }
    let lines = String::from_utf8(place.read("out/lines.csv")).unwrap();
    assert!(lines.starts_with("map,actor,line,statement,label,text\r\n"), "{lines}");
    let said = lines.lines().find(|line| line.contains("RTX('well')")).unwrap();
    assert!(said.contains("\"KEEPER\"") && said.contains("Did you see the lamp"), "{said}");
    // Each file is told of once.
    let map = |it: &&antiquary::json::Value| {
        it["input"].as_str().is_some_and(|input| input.ends_with("ISLAND.RGM"))
    };
    let outcomes: Vec<_> = ran["results"].as_array().unwrap().iter().filter(map).collect();
    assert_eq!(outcomes.len(), 1, "{outcomes:#?}");
    assert!(outcomes[0]["outputs"].as_array().unwrap().len() > 6, "{outcomes:#?}");
    // Nothing is overwritten unless that is asked for.
    place.run(&["convert", "redguard", "-o", "out", "--everything"]).ended(1);
    place.run(&["convert", "redguard", "-o", "out", "--everything", "--force"]).ended(0);
    place.run(&["convert", "redguard", "-o", "out", "--everything", "--to", "json"]).ended(2);
    for file in
        ["maps/ISLAND.RGM.json", "ENGLISH.RTX.csv", "maps/ISLAND.RGM.scripts/KEEPER.soup", "lines.csv"]
    {
        let other = format!("other/{file}");
        place.put(&other, b"mine");
        let ran = place.run(&["convert", "redguard", "-o", "other", "--everything"]).ended(1);
        assert!(ran.err.contains(&other) && ran.err.contains("already exists"), "{file}: {ran:?}");
        assert_eq!(place.read(&other), b"mine");
        std::fs::remove_dir_all(place.path("other")).unwrap();
    }
    place.run(&["convert", "-", "-o", "out", "--everything"]).ended(2);
}
