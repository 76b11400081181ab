//! Hints for common mistakes: the cause, and what to do instead.

use crate::setup::{Sandbox, room_without_its_texture};

const ROOM: &str = "scpcb/GFX/map/hall_opt.rmesh";

#[test]
fn suggests_a_command_for_a_path() {
    let sandbox = Sandbox::with_games();
    let output = sandbox.run(&[ROOM]).exits_with(2);
    assert!(
        output.err.contains(&format!("{ROOM} is a file, not a command; try `antiquary info {ROOM}`")),
        "{output:?}"
    );
    let output = sandbox.run(&["scpcb"]).exits_with(2);
    assert!(output.err.contains("try `antiquary view scpcb` or `antiquary scan scpcb`"), "{output:?}");
    // A path that does not exist is treated as a misspelled command.
    let output = sandbox.run(&["conver"]).exits_with(2);
    assert!(output.err.contains("'convert'") && !output.err.contains("not a command"), "{output:?}");
}

#[test]
fn reports_git_lfs_pointers() {
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";
    let sandbox = Sandbox::with(&[
        ("a.rsm", pointer),
        ("a.bin", pointer),
        ("folder/b.rsm", pointer),
        ("folder/b.jpg", pointer),
    ]);
    for file in ["a.rsm", "a.bin"] {
        let output = sandbox.run(&["info", file]).exits_with(1);
        assert!(
            output.err.contains("Git LFS pointer") && output.err.contains("`git lfs pull`"),
            "{output:?}"
        );
        assert!(output.err.contains("at offset 0x0"), "{output:?}");
    }
    // In a folder, a file of a known format fails; others are known files that are not read.
    let json = sandbox.run(&["check", "folder", "--json"]).exits_with(1).json();
    assert_eq!(json["failed"], 1);
    let known = json["known"].as_array().unwrap();
    assert!(known.iter().any(|it| it["about"].as_str().unwrap().starts_with("Git LFS pointer")), "{known:?}");
}

#[test]
fn suggests_a_game_for_a_file_with_missing_textures() {
    let sandbox = Sandbox::with_games();
    sandbox.put("room.rmesh", &room_without_its_texture());
    let hint = "hint: no game was found around room.rmesh";
    for command in [&["convert", "room.rmesh", "-o", "room.glb"][..], &["check", "room.rmesh"]] {
        let output = sandbox.run(command).exits_with(0);
        assert!(output.err.contains(hint) && output.err.contains("--game"), "{output:?}");
        let output =
            sandbox.run(&[command, &["--game", "scpcb", "--force"][..command.len() / 3 + 1]].concat());
        assert!(!output.err.contains(hint), "{output:?}");
    }
    let json = sandbox.run(&["check", "room.rmesh", "--json"]).exits_with(0).json();
    assert!(json["hints"][0].as_str().unwrap().starts_with("no game was found"), "{}", json["hints"]);
    // A file without missing references, or in a game, gets no hint.
    sandbox.put("scpcb/GFX/map/other.rmesh", &room_without_its_texture());
    for file in [ROOM, "scpcb/GFX/map/other.rmesh", "redguard/fxart/WALKER01.3DC"] {
        let output = sandbox.run(&["check", file]).exits_with(0);
        assert!(!output.err.contains("hint"), "{output:?}");
    }
}

#[test]
fn warns_about_a_game_folder_without_a_game() {
    let sandbox = Sandbox::with_games();
    sandbox.put("mods/readme.txt", b"mods");
    let output = sandbox.run(&["check", ROOM, "--game", "mods"]).exits_with(0);
    assert!(output.err.contains("hint: --game mods: this folder is not a game"), "{output:?}");
    let output = sandbox.run(&["check", ROOM, "--game", "scpcb/GFX/map"]).exits_with(0);
    assert!(output.err.contains("it is part of the game in ") && output.err.contains("scpcb"), "{output:?}");
    let script = ["script", "functions", "--game", "mods"];
    assert!(sandbox.run(&script).err.contains("hint: --game mods"));
    for quiet in [&["check", ROOM, "--game", "scpcb"][..], &["check", ROOM, "--game", "mods", "-q"]] {
        assert!(!sandbox.run(quiet).exits_with(0).err.contains("hint"), "{quiet:?}");
    }
}

#[test]
fn warns_if_a_room_is_built_away_from_its_textures() {
    let sandbox = Sandbox::with_games();
    for file in sandbox.files() {
        if let Some(name) = file.strip_prefix("scpcb/GFX/map/").filter(|name| !name.contains('/')) {
            sandbox.put(&format!("new/{name}"), &sandbox.read(&file));
        }
    }
    let build = ["build", "lightmaps", "new/hall_opt.rmesh", "--game", "redguard", "--density", "2", "-o"];
    let output = sandbox.run(&[&build[..], &["lit/"]].concat()).exits_with(0);
    assert!(
        output.err.contains("hint: lit/hall_opt.rmesh is not next to the files that new/hall_opt.rmesh uses"),
        "{output:?}"
    );
    assert!(output.err.contains("texture \"concrete.png\" was not found"), "{output:?}");
    // Next to its textures, nothing is missing.
    let output = sandbox.run(&[&build[..], &["new/lit.rmesh"]].concat()).exits_with(0);
    assert!(!output.err.contains("hint"), "{output:?}");
}

#[test]
fn refuses_to_mix_games_in_one_output_folder() {
    let sandbox = Sandbox::with_games();
    sandbox.run(&["convert", "redguard", "-o", "out"]).exits_with(0);
    let before = sandbox.files();
    let output = sandbox.run(&["convert", "scpcb", "-o", "out"]).exits_with(2);
    assert!(output.err.contains("out: contains the converted files of another game"), "{output:?}");
    assert!(
        output.err.contains("Redguard") && output.err.contains("choose another output folder"),
        "{output:?}"
    );
    assert_eq!(sandbox.files(), before);
    sandbox.run(&["convert", "scpcb", "-o", "out", "--force"]).exits_with(0);
    // Several games in one run, and the same game again, are allowed.
    sandbox.run(&["convert", "scpcb", "redguard", "-o", "both"]).exits_with(0);
    sandbox.run(&["convert", "redguard/maps", "-o", "both/more", "--no-gallery"]).exits_with(0);
}
