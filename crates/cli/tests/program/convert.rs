//! `convert`: outputs, protected files, and messages.

use std::collections::BTreeMap;

use antiquary::scene::image::{Limits, decode};

use crate::setup::{ROOM, Sandbox, room_without_its_texture};

#[test]
fn the_extension_of_the_output_selects_the_format() {
    let (sandbox, file) = Sandbox::with_sample();
    sandbox.run(&["convert", &file, "-o", "new/room.glb"]).exits_with(0);
    assert_eq!(&sandbox.read("new/room.glb")[..4], b"glTF");
    sandbox.run(&["convert", &file, "-o", "new/room.json"]).exits_with(0);
    assert_eq!(sandbox.read("new/room.json")[0], b'{');
    let refused = sandbox.run(&["convert", &file, "-o", "room.png"]).exits_with(2);
    assert!(refused.err.starts_with("error: room.png: "), "{refused:?}");
    assert!(refused.err.contains("(available: glb, gltf, json"), "{refused:?}");
}

#[test]
fn converts_a_game_to_a_folder_with_the_same_structure() {
    let (sandbox, file) = Sandbox::with_sample();
    sandbox.put("game/empty.rmesh", b"");
    sandbox.put("game/notes.txt", b"to do");
    let output = sandbox.run(&["convert", "game", "-o", "out"]).exits_with(1);
    let converted = file.replacen("game/", "out/", 1) + ".glb";
    assert!(sandbox.has(&converted), "{:?}", sandbox.files());
    assert!(output.err.contains("empty.rmesh: error: the file is empty, at offset 0x0"), "{output:?}");
    let summary = output.err.lines().last().unwrap();
    assert!(summary.contains(" converted, 1 failed, ") && summary.ends_with(" s"), "{summary}");
    assert!(output.out.is_empty(), "{output:?}");
}

/// Whether a file contains these bytes.
fn has(sandbox: &Sandbox, file: &str, bytes: &[u8]) -> bool {
    sandbox.read(file).windows(bytes.len()).any(|found| found == bytes)
}

/// Names of the files in an output folder that several scenes refer to.
fn shared_files(sandbox: &Sandbox, out: &str) -> Vec<String> {
    let folder = format!("{out}/shared/");
    sandbox.files().iter().filter_map(|name| name.strip_prefix(&folder)).map(ToOwned::to_owned).collect()
}

#[test]
fn glb_files_are_self_contained_and_gltf_files_share_files() {
    let sandbox = Sandbox::with_games();
    sandbox.run(&["convert", "scpcb", "redguard", "ragnarok", "-o", "glb", "--no-gallery"]).exits_with(0);
    let glbs: Vec<String> = sandbox.files().into_iter().filter(|name| name.ends_with(".glb")).collect();
    assert!(glbs.len() > 10, "{glbs:?}");
    for glb in &glbs {
        assert!(!has(&sandbox, glb, b"\"uri\""), "{glb} refers to another file");
    }
    assert!(shared_files(&sandbox, "glb").is_empty());

    let run =
        ["convert", "scpcb", "redguard", "ragnarok", "-o", "gltf", "--to", "gltf", "--no-gallery", "--json"];
    let json = sandbox.run(&run).exits_with(0).json();
    let shared = shared_files(&sandbox, "gltf");
    assert_eq!(json["shared"]["folder"], "gltf/shared");
    assert!(!shared.is_empty() && json["shared"]["files"] == shared.len(), "{}", json["shared"]);
    let terrain: Vec<_> = shared.iter().filter(|name| name.starts_with("terrain_")).collect();
    assert!(!terrain.is_empty(), "{shared:?}");
    for scene in ["gltf/redguard/maps/ISLAND.RGM.gltf", "gltf/redguard/maps/ISLAND.WLD.gltf"] {
        for part in &terrain {
            assert!(has(&sandbox, scene, part.as_bytes()), "{scene}, {part}");
        }
    }
}

#[test]
fn a_gltf_file_shares_files_only_in_a_folder() {
    let (sandbox, file) = Sandbox::with_sample();
    let extension = file.rsplit('.').next().unwrap();
    let name = file.rsplit('/').next().unwrap();
    sandbox.run(&["convert", "game", "-o", "game-out", "--to", "gltf"]).exits_with(0);
    sandbox.run(&["convert", &file, "-o", "folder/", "--to", "gltf"]).exits_with(0);
    sandbox.run(&["convert", &file, "-o", "one/a.gltf"]).exits_with(0);
    sandbox.run(&["convert", &file, "-o", "one/a.glb"]).exits_with(0);
    assert!(!shared_files(&sandbox, "folder").is_empty() && shared_files(&sandbox, "one").is_empty());
    assert!(sandbox.has("one/a.bin"));

    // Packing finds the shared files, above the scene or next to it.
    let scenes = [
        format!("{}.gltf", file.replacen("game", "game-out", 1)),
        format!("folder/{name}.gltf"),
        "one/a.gltf".to_owned(),
        "one/a.glb".to_owned(),
    ];
    for (number, scene) in scenes.iter().enumerate() {
        let packed = format!("{number}.{extension}");
        sandbox.run(&["pack", scene, "-o", &packed]).exits_with(0);
        assert!(sandbox.read(&packed) == sandbox.read(&format!("0.{extension}")), "{scene}");
    }

    // Files shared by an earlier run are reused.
    sandbox.run(&["convert", &file, "-o", "folder/again/", "--to", "gltf"]).exits_with(0);
    sandbox.run(&["convert", &file, "-o", "folder/", "--to", "gltf", "--force"]).exits_with(0);
}

#[test]
fn the_removed_options_for_sharing_name_their_replacements() {
    let (sandbox, file) = Sandbox::with_sample();
    let output = sandbox.run(&["convert", &file, "-o", "a.glb", "--share"]).exits_with(2);
    assert!(output.err.contains("--share was removed") && output.err.contains("--to gltf"), "{output:?}");
    let output = sandbox.run(&["convert", &file, "-o", "a.glb", "--self-contained"]).exits_with(2);
    assert!(output.err.contains("a .glb file is always self-contained"), "{output:?}");
    assert!(!sandbox.has("a.glb"));
}

#[test]
fn a_rob_shows_the_first_frame_of_models_that_are_converted_separately() {
    let sandbox = Sandbox::with_games();
    let rob = "fxart/ISLAND.ROB";
    let (moving, animations): (&[u8], &[u8]) = (br#"WALKER01.3DC"#, b"\"animations\":");
    for extension in ["glb", "gltf"] {
        sandbox.run(&["convert", "redguard", "-o", extension, "--to", extension]).exits_with(0);
        let scene = format!("{extension}/{rob}.{extension}");
        assert!(has(&sandbox, &scene, moving) && !has(&sandbox, &scene, animations), "{scene}");
        assert!(has(&sandbox, &format!("{extension}/fxart/WALKER01.3DC.{extension}"), animations));
        let packed = format!("{extension}.ROB");
        sandbox.run(&["pack", &scene, "-o", &packed]).exits_with(0);
        assert!(sandbox.read(&packed) == sandbox.read(&format!("redguard/{rob}")), "{scene}");
    }
    // Converted alone, it contains everything, and also if its models are in another folder, which this run does not convert.
    sandbox.run(&["convert", &format!("redguard/{rob}"), "-o", "alone.glb"]).exits_with(0);
    sandbox.put(&format!("mod/{rob}"), &sandbox.read(&format!("redguard/{rob}")));
    sandbox.run(&["convert", "mod", "-o", "modded", "--game", "redguard"]).exits_with(0);
    for glb in ["alone.glb", "modded/fxart/ISLAND.ROB.glb"] {
        assert!(has(&sandbox, glb, moving) && has(&sandbox, glb, animations), "{glb}");
    }
}

#[test]
fn compression_levels_change_only_the_size_of_images() {
    let sandbox = Sandbox::with_games();
    let images = |level: &str| -> BTreeMap<String, Vec<u8>> {
        let output = ["-o", level, "--to", "png", "--compress", level, "--no-gallery"];
        sandbox.run(&[&["convert", "redguard"], &output[..]].concat()).exits_with(0);
        let files = sandbox.files().into_iter().filter(|file| file.ends_with(".png"));
        files.filter_map(|file| Some((file.strip_prefix(level)?.to_owned(), sandbox.read(&file)))).collect()
    };
    let size = |images: &BTreeMap<String, Vec<u8>>| images.values().map(Vec::len).sum::<usize>();
    let pixels = |image: &Vec<u8>| decode(image, &Limits::default()).unwrap();
    let [fast, usual, best] = ["fast", "usual", "best"].map(images);
    assert!(usual.len() > 5 && size(&best) < size(&usual), "{:?}", usual.keys());
    for (file, image) in &usual {
        assert_eq!([&fast[file], &best[file]].map(pixels), [pixels(image), pixels(image)], "{file}");
    }
}

#[test]
fn quantized_models_are_smaller_and_can_be_packed_again() {
    let sandbox = Sandbox::with(&[]);
    sandbox.run(&["demo", "-o", "games"]).exits_with(0);
    let has = |glb: &str, text: &str| {
        let bytes = sandbox.read(glb);
        bytes.windows(text.len()).any(|found| found == text.as_bytes())
    };
    for (more, name) in [(&[][..], "floats"), (&["--quantize"], "integers")] {
        sandbox
            .run(&[&["convert", "games/redguard", "-o", name, "--no-gallery"], more].concat())
            .exits_with(0);
    }
    for file in ["fxart/WALKER01.3DC", "fxart/BARREL01.3D", "fxart/ISLAND.ROB"] {
        let glbs = ["floats", "integers"].map(|folder| format!("{folder}/{file}.glb"));
        let requires =
            glbs.each_ref().map(|glb| has(glb, "\"extensionsRequired\":[\"KHR_mesh_quantization\"]"));
        assert_eq!(requires, [false, true], "{file}");
        for glb in glbs {
            sandbox.run(&["pack", &glb, "-o", &format!("back/{file}"), "--force"]).exits_with(0);
            assert!(
                sandbox.read(&format!("back/{file}")) == sandbox.read(&format!("games/redguard/{file}")),
                "{glb}"
            );
        }
    }
    let length = |folder: &str| sandbox.read(&format!("{folder}/maps/ISLAND.RGM.glb")).len();
    assert!(length("integers") < length("floats"));
}

#[test]
fn refuses_quantized_vertices_for_godot() {
    let (sandbox, file) = Sandbox::with_sample();
    let line = ["convert", &file, "-o", "a.glb", "--quantize", "--preset"];
    let refused = sandbox.run(&[&line[..], &["Godot"]].concat()).exits_with(2);
    assert!(refused.err.contains("integer vertices cannot be combined with the preset godot"), "{refused:?}");
    sandbox.run(&[&line[..], &["unity"]].concat()).exits_with(0);
}

#[test]
fn the_format_for_a_folder_can_be_selected() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM), ("b.rmesh", ROOM)]);
    sandbox.run(&["convert", "a.rmesh", "b.rmesh", "-o", "out", "--to", "json"]).exits_with(0);
    assert!(sandbox.has("out/a.rmesh.json") && sandbox.has("out/b.rmesh.json"));
    let refused = sandbox.run(&["convert", "a.rmesh", "-o", "out/", "--to", "jsn"]).exits_with(2);
    assert!(refused.err.contains("a similar value exists: 'json'"), "{refused:?}");
}

#[test]
fn one_bad_file_does_not_stop_the_run_by_default() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM), ("b.rmesh", b""), ("c.rmesh", ROOM)]);
    let output =
        sandbox.run(&["convert", "a.rmesh", "b.rmesh", "c.rmesh", "-o", "out", "--to", "json"]).exits_with(1);
    assert!(
        sandbox.has("out/a.rmesh.json")
            && sandbox.has("out/c.rmesh.json")
            && !sandbox.has("out/b.rmesh.json")
    );
    assert!(output.err.contains("3 files: 2 converted, 1 failed"), "{output:?}");

    let arguments = ["convert", "a.rmesh", "b.rmesh", "c.rmesh", "-o", "new", "--to", "json"];
    let output = sandbox.run(&[&arguments[..], &["--fail-fast", "--jobs", "1"]].concat()).exits_with(1);
    assert!(sandbox.has("new/a.rmesh.json") && !sandbox.has("new/c.rmesh.json"));
    assert!(output.err.contains("stopped at the first failure"), "{output:?}");
}

#[test]
fn keeps_existing_files_by_default_and_inputs_always() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM), ("a.json", b"mine")]);
    let output = sandbox.run(&["convert", "a.rmesh", "-o", "a.json"]).exits_with(1);
    assert!(output.err.contains("a.rmesh: error: a.json: already exists"), "{output:?}");
    assert!(output.err.contains("hint: use --force to overwrite"), "{output:?}");
    assert_eq!(sandbox.read("a.json"), b"mine");
    sandbox.run(&["convert", "a.rmesh", "-o", "a.json", "--force"]).exits_with(0);
    assert_ne!(sandbox.read("a.json"), b"mine");

    let output =
        sandbox.run(&["convert", "a.rmesh", "-o", "a.rmesh", "--to", "json", "--force"]).exits_with(1);
    assert!(output.err.contains("inputs are never overwritten"), "{output:?}");
    assert_eq!(sandbox.read("a.rmesh"), ROOM);
}

#[test]
fn the_output_folder_may_be_inside_the_input_folder() {
    let sandbox = Sandbox::with(&[("game/a.rmesh", ROOM)]);
    for _ in 0..2 {
        sandbox.run(&["convert", "game", "-o", "game/out", "--to", "json", "--force"]).exits_with(0);
        assert_eq!(sandbox.files(), ["game/a.rmesh", "game/out/a.rmesh.json", "game/out/index.html"]);
    }
}

#[test]
fn several_inputs_need_a_folder() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM), ("b.rmesh", ROOM), ("out", b"a file")]);
    let output = sandbox.run(&["convert", "a.rmesh", "b.rmesh", "-o", "out"]).exits_with(2);
    assert_eq!(output.err, "error: out: is a file, but several inputs need an output folder\n");
}

#[test]
fn reports_lost_data_below_the_file() {
    let sandbox = Sandbox::with(&[("a.rmesh", &room_without_its_texture())]);
    let output = sandbox.run(&["convert", "a.rmesh", "-o", "a.glb"]).exits_with(0);
    let lines: Vec<_> = output.err.lines().collect();
    assert_eq!(lines[0], "a.rmesh -> a.glb");
    assert_eq!(
        lines[1],
        "  warning FILE-W001: surfaces[0].texture: texture \"gone.jpg\" was not found, at offset 0x11"
    );
    assert!(lines[2].starts_with("1 file: 1 converted, 1 warning, "), "{output:?}");
    assert_eq!(sandbox.run(&["convert", "a.rmesh", "-o", "b.glb", "-q"]).exits_with(0).err, "");
}

#[test]
fn warnings_are_failures_with_strict() {
    let sandbox = Sandbox::with(&[("a.rmesh", &room_without_its_texture())]);
    let output = sandbox.run(&["convert", "a.rmesh", "-o", "a.glb", "--strict"]).exits_with(1);
    assert!(output.err.contains("failed because of the warnings above (--strict)"), "{output:?}");
    assert!(!sandbox.has("a.glb"));
}

#[test]
fn passes_format_options_and_checks_their_values() {
    let (sandbox, file) = Sandbox::with_sample();
    let size = |name: &str| sandbox.read(name).len();
    sandbox.run(&["convert", &file, "-o", "plain/a.glb"]).exits_with(0);
    sandbox.run(&["convert", &file, "-o", "more/a.glb", "--with", "collision,triggers"]).exits_with(0);
    sandbox
        .run(&["convert", &file, "-o", "same/a.glb", "--with=Collision", "--with", "triggers"])
        .exits_with(0);
    assert!(size("more/a.glb") > size("plain/a.glb"));
    assert!(sandbox.read("same/a.glb") == sandbox.read("more/a.glb"));
    let output = sandbox.run(&["convert", &file, "-o", "x.glb", "--with", "colision"]).exits_with(2);
    assert!(output.err.contains("a similar value exists: 'collision'"), "{output:?}");
    let output = sandbox.run(&["convert", &file, "-o", "x.glb", "--wiht", "collision"]).exits_with(2);
    assert!(output.err.contains("'--with'"), "{output:?}");
}

#[test]
fn bakes_lightmaps_unless_layers_or_none_is_requested() {
    let (sandbox, file) = Sandbox::with_sample();
    sandbox.run(&["convert", &file, "-o", "default.glb"]).exits_with(0);
    for word in ["bake", "layers", "split", "none"] {
        sandbox.run(&["convert", &file, "-o", &format!("{word}.glb"), "--lightmaps", word]).exits_with(0);
    }
    assert!(sandbox.read("default.glb") == sandbox.read("bake.glb"));
    assert!(sandbox.read("layers.glb") == sandbox.read("split.glb"), "the former value is accepted");
    for (word, lightmaps, unlit) in [("bake", false, true), ("layers", true, false), ("none", false, false)] {
        let glb = format!("{word}.glb");
        assert_eq!(has(&sandbox, &glb, b"MOZ_lightmap"), lightmaps, "{word}");
        assert_eq!(has(&sandbox, &glb, b"(baked)"), unlit, "{word}");
        // Each can be packed to the same room.
        sandbox.run(&["pack", &glb, "-o", &format!("{word}.rmesh")]).exits_with(0);
        assert!(sandbox.read(&format!("{word}.rmesh")) == sandbox.read("bake.rmesh"), "{word}");
    }
    let help = sandbox.run(&["convert", "--help", &file]).exits_with(0).out;
    let help = String::from_utf8(help).unwrap();
    assert!(help.contains("layers") && !help.contains("split:"), "{help}");
}

#[test]
fn the_scale_must_be_positive() {
    let sandbox = Sandbox::with(&[("a.rmesh", &room_without_its_texture())]);
    sandbox.run(&["convert", "a.rmesh", "-o", "a.glb", "--scale", "100"]).exits_with(0);
    for wrong in ["0", "-1", "nan", "inf", "big"] {
        sandbox.run(&["convert", "a.rmesh", "-o", "b.glb", &format!("--scale={wrong}")]).exits_with(2);
    }
    assert!(!sandbox.has("b.glb"));
}

#[test]
fn the_number_of_threads_does_not_change_the_output() {
    let (sandbox, _) = Sandbox::with_sample();
    for name in ["x", "y", "z"] {
        sandbox.put(&format!("game/GFX/map/{name}.rmesh"), &room_without_its_texture());
    }
    let one = sandbox.run(&["convert", "game", "-o", "one", "--jobs", "1", "-v"]).exits_with(0);
    let many = sandbox.run(&["convert", "game", "-o", "two", "--jobs", "4", "-v"]).exits_with(0);
    let lines =
        |text: &str, out: &str| text.replace(out, "OUT").lines().map(str::to_owned).collect::<Vec<_>>();
    let (one, many) = (lines(&one.err, "one/"), lines(&many.err, "two/"));
    assert_eq!(one[..one.len() - 1], many[..many.len() - 1]);
    for file in sandbox.files().iter().filter(|file| file.starts_with("one/")) {
        assert!(sandbox.read(file) == sandbox.read(&file.replacen("one/", "two/", 1)), "{file}");
    }
}

#[test]
fn a_game_folder_must_exist() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    let output = sandbox.run(&["convert", "a.rmesh", "-o", "a.json", "--game", "nowhere"]).exits_with(2);
    assert!(output.err.contains("no such folder"), "{output:?}");
}

#[test]
fn finds_textures_in_the_given_game() {
    let (sandbox, file) = Sandbox::with_sample();
    sandbox.put("mod/room.rmesh", &sandbox.read(&file));
    let alone = sandbox.run(&["check", "mod/room.rmesh", "--json"]).exits_with(0).json();
    let maps = file.rsplit_once('/').unwrap().0.to_owned();
    let with_game = sandbox.run(&["check", "mod/room.rmesh", "--json", "--game", &maps]).exits_with(0).json();
    assert!(alone["warnings"].as_u64() > with_game["warnings"].as_u64(), "{alone} {with_game}");
}

#[test]
fn a_game_gets_a_gallery_and_a_summary_by_format() {
    let (sandbox, file) = Sandbox::with_sample();
    sandbox.put("game/notes.txt", b"to do");
    sandbox.put("game/a.xyz", b"?");
    let output = sandbox.run(&["convert", "game", "-o", "out"]).exits_with(0);
    let page = String::from_utf8(sandbox.read("out/index.html")).unwrap();
    let glb = file.replacen("game/", "", 1) + ".glb";
    assert!(page.contains(&format!("href=\"{glb}\"")), "{glb}");
    assert!(page.contains("class=\"shot drawn\"") && page.contains("src=\"data:image/jpeg;base64,"));
    let row = output.err.lines().find(|line| line.starts_with("scpcb.rmesh ")).unwrap();
    assert_eq!(row.split_whitespace().nth(3), Some("0"), "{row}");
    assert!(output.err.contains("known, not read, ") && output.err.contains("*.txt"), "{output:?}");
    assert!(output.err.contains("gallery: out/index.html"), "{output:?}");

    let json = sandbox.run(&["convert", "game", "-o", "out", "--force", "--json"]).exits_with(0).json();
    assert_eq!(json["gallery"]["path"], "out/index.html");
    assert_eq!((&json["formats"][0]["format"], &json["unknown"]["xyz"]), (&"scpcb.rmesh".into(), &1.into()));
    let known = json["known"].as_array().unwrap();
    assert!(known.iter().any(|known| known["pattern"] == "*.txt"), "{known:?}");

    let output = sandbox.run(&["convert", "game", "-o", "plain", "--no-gallery"]).exits_with(0);
    assert!(!sandbox.has("plain/index.html") && !output.err.contains("gallery: "), "{output:?}");
    sandbox.run(&["convert", &file, "-o", "one/"]).exits_with(0);
    assert!(!sandbox.has("one/index.html"));
}

#[test]
fn keeps_an_existing_gallery_page() {
    let sandbox = Sandbox::with(&[("game/a.rmesh", ROOM), ("out/index.html", b"mine")]);
    let output = sandbox.run(&["convert", "game", "-o", "out", "--to", "json"]).exits_with(1);
    assert!(output.err.contains("error: out/index.html: already exists"), "{output:?}");
    assert!(output.err.contains("hint: use --force") && sandbox.has("out/a.rmesh.json"), "{output:?}");
    assert_eq!(sandbox.read("out/index.html"), b"mine");
    sandbox.run(&["convert", "game", "-o", "out", "--to", "json", "--force"]).exits_with(0);
    assert_ne!(sandbox.read("out/index.html"), b"mine");
}

#[test]
fn reports_a_folder_with_nothing_to_convert_without_failing() {
    let sandbox = Sandbox::with(&[("game/notes.txt", b"to do")]);
    let output = sandbox.run(&["convert", "game", "-o", "out"]).exits_with(0);
    assert!(output.err.contains("0 files: 0 converted, 1 unknown file"), "{output:?}");
    assert!(output.err.contains("none of the files can be converted"), "{output:?}");
    assert!(!sandbox.has("out"));
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
fn presets_are_accepted_for_every_game() {
    let sandbox = Sandbox::with_games();
    let room = "scpcb/GFX/map/hall_opt.rmesh";
    sandbox.run(&["convert", room, "-o", "room.glb", "--preset", "godot"]).exits_with(0);
    let names = node_names(&sandbox.read("room.glb"));
    assert!(names.iter().any(|name| name == "hall_opt_solid-col"), "{names:?}");
    assert!(names.iter().any(|name| name == "trigger_0"), "{names:?}");
    // The scene can be packed to a room, as without a preset.
    sandbox.run(&["convert", room, "-o", "plain.glb", "--with", "collision,triggers"]).exits_with(0);
    for scene in ["room", "plain"] {
        let (glb, rmesh) = (format!("{scene}.glb"), format!("{scene}.rmesh"));
        sandbox.run(&["pack", &glb, "-o", &rmesh]).exits_with(0);
    }
    assert_eq!(sandbox.read("room.rmesh"), sandbox.read("plain.rmesh"));
    assert_eq!(sandbox.read("room.rmesh"), sandbox.read(room));

    // All files of all games at once: formats without scenes have no presets, which is no error.
    for preset in ["godot", "unity", "unreal", "blender"] {
        sandbox
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
            .exits_with(0);
    }
    let refused = sandbox.run(&["convert", room, "-o", "x.glb", "--preset", "doom"]).exits_with(2);
    assert!(refused.err.contains("[possible values: none, godot, unity, unreal, blender]"), "{refused:?}");
}

#[test]
fn converts_all_content_of_a_game_in_one_run() {
    let sandbox = Sandbox::with_games();
    let output =
        sandbox.run(&["convert", "redguard", "-o", "out", "--everything", "--json"]).exits_with(0).json();
    assert_eq!(output["gallery"]["error"], antiquary::json::Value::Null, "{output}");
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
        assert!(sandbox.has(&format!("out/{file}")), "{file}: {:#?}", sandbox.files());
    }
    let lines = String::from_utf8(sandbox.read("out/lines.csv")).unwrap();
    assert!(lines.starts_with("map,actor,line,statement,label,text\r\n"), "{lines}");
    let said = lines.lines().find(|line| line.contains("RTX('well')")).unwrap();
    assert!(said.contains("\"KEEPER\"") && said.contains("Did you see the lamp"), "{said}");
    // Each file is reported once.
    let map = |it: &&antiquary::json::Value| {
        it["input"].as_str().is_some_and(|input| input.ends_with("ISLAND.RGM"))
    };
    let outcomes: Vec<_> = output["results"].as_array().unwrap().iter().filter(map).collect();
    assert_eq!(outcomes.len(), 1, "{outcomes:#?}");
    assert!(outcomes[0]["outputs"].as_array().unwrap().len() > 6, "{outcomes:#?}");
    // Nothing is overwritten without --force.
    sandbox.run(&["convert", "redguard", "-o", "out", "--everything"]).exits_with(1);
    sandbox.run(&["convert", "redguard", "-o", "out", "--everything", "--force"]).exits_with(0);
    sandbox.run(&["convert", "redguard", "-o", "out", "--everything", "--to", "json"]).exits_with(2);
    for file in
        ["maps/ISLAND.RGM.json", "ENGLISH.RTX.csv", "maps/ISLAND.RGM.scripts/KEEPER.soup", "lines.csv"]
    {
        let other = format!("other/{file}");
        sandbox.put(&other, b"mine");
        let output = sandbox.run(&["convert", "redguard", "-o", "other", "--everything"]).exits_with(1);
        assert!(output.err.contains(&other) && output.err.contains("already exists"), "{file}: {output:?}");
        assert_eq!(sandbox.read(&other), b"mine");
        std::fs::remove_dir_all(sandbox.path("other")).unwrap();
    }
    sandbox.run(&["convert", "-", "-o", "out", "--everything"]).exits_with(2);
}

#[test]
fn a_folder_also_gets_the_data_of_maps_and_the_subtitles_of_movies() {
    let sandbox = Sandbox::with_games();
    sandbox.run(&["convert", "redguard", "-o", "out", "--no-gallery"]).exits_with(0);
    for file in [
        "maps/ISLAND.RGM.glb",
        "maps/ISLAND.RGM.json",
        "maps/ISLAND.WLD.json",
        "MENU.INI.json",
        "MENU.INI/INTRO.srt",
        "MENU.INI/INTRO.vtt",
    ] {
        assert!(sandbox.has(&format!("out/{file}")), "{file}: {:#?}", sandbox.files());
    }
    let srt = String::from_utf8(sandbox.read("out/MENU.INI/INTRO.srt")).unwrap();
    assert!(
        srt.starts_with(
            "1\n00:00:00,000 --> 00:00:03,000\nThe ship left the harbor at dawn,\nwith a lamp in the bow.\n\n"
        ),
        "{srt}"
    );
    sandbox.run(&["convert", "redguard/maps/ISLAND.RGM", "-o", "data.json"]).exits_with(0);
    assert_eq!(sandbox.read("data.json"), sandbox.read("out/maps/ISLAND.RGM.json"));
    // A chosen output is the only one.
    sandbox.run(&["convert", "redguard/maps", "-o", "chosen", "--to", "glb", "--no-gallery"]).exits_with(0);
    assert!(sandbox.has("chosen/ISLAND.RGM.glb") && !sandbox.has("chosen/ISLAND.RGM.json"));
    sandbox.run(&["convert", "redguard/maps/ISLAND.RGM", "-o", "one/island.glb"]).exits_with(0);
    assert!(!sandbox.has("one/island.json"));
    sandbox.run(&["convert", "redguard/MENU.INI", "-o", "menu.vtt"]).exits_with(0);
    assert!(sandbox.has("menu/INTRO.vtt") && !sandbox.has("menu/INTRO.srt"));
}

#[test]
fn a_terrain_becomes_an_image_of_each_value() {
    let sandbox = Sandbox::with_games();
    sandbox.run(&["convert", "redguard/maps/ISLAND.WLD", "-o", "out/", "--to", "png"]).exits_with(0);
    for name in ["height", "split", "texture", "turn", "surface", "scatter"] {
        assert!(sandbox.has(&format!("out/ISLAND.WLD/{name}.png")), "{name}: {:#?}", sandbox.files());
    }
    sandbox.run(&["convert", "redguard/maps/ISLAND.WLD", "-o", "gif/", "--to", "gif"]).exits_with(0);
    assert_eq!(&sandbox.read("gif/ISLAND.WLD/height.gif")[..3], b"GIF");
}

#[test]
fn verbose_conversions_list_the_other_worlds_of_a_map() {
    let sandbox = Sandbox::with_games();
    let text = String::from_utf8(sandbox.read("redguard/WORLD.INI")).unwrap();
    sandbox.put(
        "redguard/WORLD.INI",
        format!("{text}world_map[27]=maps\\ISLAND.rgm\r\nworld_map[28]=MAPS\\island.RGM\r\n").as_bytes(),
    );
    let convert = |arguments: &[&str]| {
        let arguments =
            [&["convert", "redguard/maps/ISLAND.RGM", "-o", "a.glb", "--force"], arguments].concat();
        sandbox.run(&arguments).exits_with(0).err
    };
    let note = |shown: u32, others: &str| {
        format!("RGM-N060: the scene shows world {shown}; other worlds of the map: {others} (--world)")
    };
    assert!(convert(&["-v"]).contains(&note(1, "27, 28")));
    assert!(convert(&["-v", "--world", "27"]).contains(&note(27, "1, 28")));
    assert!(!convert(&[]).contains("RGM-N060"));
}
