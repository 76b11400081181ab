//! Hints where people stumble: what was expected of the program, and what to do instead.

use crate::setup::{Place, room_without_its_texture};

const ROOM: &str = "scpcb/GFX/map/hall_opt.rmesh";

#[test]
fn a_path_in_place_of_a_command_names_the_command_for_it() {
    let place = Place::with_games();
    let ran = place.run(&[ROOM]).ended(2);
    assert!(
        ran.err.contains(&format!("{ROOM} is a file, not a command; try `antiquary info {ROOM}`")),
        "{ran:?}"
    );
    let ran = place.run(&["scpcb"]).ended(2);
    assert!(ran.err.contains("try `antiquary view scpcb` or `antiquary scan scpcb`"), "{ran:?}");
    // What does not exist is a misspelled command.
    let ran = place.run(&["conver"]).ended(2);
    assert!(ran.err.contains("'convert'") && !ran.err.contains("not a command"), "{ran:?}");
}

#[test]
fn a_git_lfs_pointer_is_called_one() {
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";
    let place = Place::with(&[
        ("a.rsm", pointer),
        ("a.bin", pointer),
        ("folder/b.rsm", pointer),
        ("folder/b.jpg", pointer),
    ]);
    for file in ["a.rsm", "a.bin"] {
        let ran = place.run(&["info", file]).ended(1);
        assert!(ran.err.contains("Git LFS pointer") && ran.err.contains("`git lfs pull`"), "{ran:?}");
        assert!(ran.err.contains("at offset 0x0"), "{ran:?}");
    }
    // In a folder, a file of a known format fails; others are known and not read.
    let json = place.run(&["check", "folder", "--json"]).ended(1).json();
    assert_eq!(json["failed"], 1);
    let known = json["known"].as_array().unwrap();
    assert!(known.iter().any(|it| it["about"].as_str().unwrap().starts_with("Git LFS pointer")), "{known:?}");
}

#[test]
fn a_file_outside_of_a_game_whose_textures_are_missing_needs_a_game() {
    let place = Place::with_games();
    place.put("room.rmesh", &room_without_its_texture());
    let hint = "hint: no game was found around room.rmesh";
    for command in [&["convert", "room.rmesh", "-o", "room.glb"][..], &["check", "room.rmesh"]] {
        let ran = place.run(command).ended(0);
        assert!(ran.err.contains(hint) && ran.err.contains("--game"), "{ran:?}");
        let ran = place.run(&[command, &["--game", "scpcb", "--force"][..command.len() / 3 + 1]].concat());
        assert!(!ran.err.contains(hint), "{ran:?}");
    }
    let json = place.run(&["check", "room.rmesh", "--json"]).ended(0).json();
    assert!(json["hints"][0].as_str().unwrap().starts_with("no game was found"), "{}", json["hints"]);
    // A file that lacks nothing, and one in a game, need none.
    place.put("scpcb/GFX/map/other.rmesh", &room_without_its_texture());
    for file in [ROOM, "scpcb/GFX/map/other.rmesh", "redguard/fxart/WALKER01.3DC"] {
        let ran = place.run(&["check", file]).ended(0);
        assert!(!ran.err.contains("hint"), "{ran:?}");
    }
}

#[test]
fn a_game_folder_without_a_game_is_pointed_out() {
    let place = Place::with_games();
    place.put("mods/readme.txt", b"mods");
    let ran = place.run(&["check", ROOM, "--game", "mods"]).ended(0);
    assert!(ran.err.contains("hint: --game mods: this folder is not a game"), "{ran:?}");
    let ran = place.run(&["check", ROOM, "--game", "scpcb/GFX/map"]).ended(0);
    assert!(ran.err.contains("it is part of the game in ") && ran.err.contains("scpcb"), "{ran:?}");
    let script = ["script", "functions", "--game", "mods"];
    assert!(place.run(&script).err.contains("hint: --game mods"));
    for quiet in [&["check", ROOM, "--game", "scpcb"][..], &["check", ROOM, "--game", "mods", "-q"]] {
        assert!(!place.run(quiet).ended(0).err.contains("hint"), "{quiet:?}");
    }
}

#[test]
fn a_room_that_is_built_away_from_its_textures_leaves_them_behind() {
    let place = Place::with_games();
    for file in place.files() {
        if let Some(name) = file.strip_prefix("scpcb/GFX/map/").filter(|name| !name.contains('/')) {
            place.put(&format!("new/{name}"), &place.read(&file));
        }
    }
    let build = ["build", "lightmaps", "new/hall_opt.rmesh", "--game", "redguard", "--density", "2", "-o"];
    let ran = place.run(&[&build[..], &["lit/"]].concat()).ended(0);
    assert!(
        ran.err.contains("hint: lit/hall_opt.rmesh is not next to the files that new/hall_opt.rmesh uses"),
        "{ran:?}"
    );
    assert!(ran.err.contains("texture \"concrete.png\" was not found"), "{ran:?}");
    // Next to its textures it lacks nothing.
    let ran = place.run(&[&build[..], &["new/lit.rmesh"]].concat()).ended(0);
    assert!(!ran.err.contains("hint"), "{ran:?}");
}

#[test]
fn games_are_not_mixed_in_one_output_folder() {
    let place = Place::with_games();
    place.run(&["convert", "redguard", "-o", "out"]).ended(0);
    let before = place.files();
    let ran = place.run(&["convert", "scpcb", "-o", "out"]).ended(2);
    assert!(ran.err.contains("out: contains the converted files of another game"), "{ran:?}");
    assert!(ran.err.contains("Redguard") && ran.err.contains("choose another output folder"), "{ran:?}");
    assert_eq!(place.files(), before);
    place.run(&["convert", "scpcb", "-o", "out", "--force"]).ended(0);
    // All of them at once, and the same one again.
    place.run(&["convert", "scpcb", "redguard", "-o", "both"]).ended(0);
    place.run(&["convert", "redguard/maps", "-o", "both/more", "--no-gallery"]).ended(0);
}
