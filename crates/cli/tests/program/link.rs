//! Symbolic links in folders: those that lead out of the game are not followed unless that is asked for, and no folder is visited twice.

#![cfg(unix)]

use std::os::unix::fs::symlink;

use crate::setup::{Place, ROOM};

/// A game whose folder has a link to everything beside it, as the folder of a Wine prefix has one to the disk.
fn place() -> Place {
    let place = Place::with_games();
    place.put("outside/far.rmesh", ROOM);
    symlink(place.path(""), place.path("scpcb/z:")).unwrap();
    place
}

const WARNING: &str = "FOLDER-W001: 1 symbolic link that leads out of the folder is not followed (like z:)";

#[test]
fn no_command_follows_a_link_out_of_the_folder() {
    let place = place();
    place.put("changed/a.txt", b"a");
    std::fs::rename(place.path("redguard"), place.path("linked")).unwrap();
    symlink(place.path(""), place.path("linked/z:")).unwrap();
    for (arguments, code) in [
        ("scan scpcb", 0),
        ("check scpcb", 0),
        ("info scpcb", 0),
        ("find scpcb far.rmesh", 1),
        ("convert scpcb -o out", 0),
        ("diff scpcb changed", 1),
        ("pack scpcb -o packed.grf", 0),
        ("archive add ragnarok/data.grf scpcb -o added.grf", 0),
        ("set scpcb entities[*].range=2 -o set", 0),
        ("script find Asked_Once linked", 0),
        ("script graph linked", 0),
        ("convert linked --everything -o all", 0),
    ] {
        let arguments: Vec<_> = arguments.split(' ').collect();
        let ran = place.run(&arguments).ended(code);
        assert!(!ran.text().contains("far.rmesh"), "{arguments:?}: {ran:?}");
        assert!(ran.err.contains(WARNING) || ran.text().contains(WARNING), "{arguments:?}: {ran:?}");
    }
    for archive in ["packed.grf", "added.grf"] {
        assert!(!place.run(&["list", archive]).ended(0).text().contains("far.rmesh"), "{archive}");
    }
    assert!(place.has("out/index.html") && !place.has("out/z:"));
}

#[test]
fn the_warning_stands_in_json_too() {
    let place = place();
    for arguments in ["scan scpcb", "check scpcb", "info scpcb", "find scpcb far.rmesh", "diff scpcb outside"]
    {
        let arguments: Vec<_> = arguments.split(' ').chain(["--json"]).collect();
        let ran = place.run(&arguments);
        assert!(ran.json().to_string().contains("FOLDER-W001"), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn links_are_followed_when_that_is_asked_for() {
    let place = place();
    for arguments in ["find scpcb far.rmesh --follow-links", "find --follow-links scpcb far.rmesh"] {
        let arguments: Vec<_> = arguments.split(' ').collect();
        let ran = place.run(&arguments).ended(0);
        // Once, though the link leads to the folder of the game again.
        assert_eq!(ran.text().matches("far.rmesh").count(), 2, "{ran:?}");
        assert!(!ran.err.contains("FOLDER-W001"), "{ran:?}");
    }
    // A link that is named is followed.
    symlink(place.path("outside"), place.path("named")).unwrap();
    let ran = place.run(&["check", "named", "--json"]).ended(0);
    assert_eq!((ran.json()["files"].as_u64(), ran.err.as_str()), (Some(1), ""));
}

#[test]
fn what_a_file_names_is_found_behind_links_only_when_they_are_followed() {
    let place = Place::with_games();
    let folder = "redguard/fxart";
    std::fs::rename(place.path(&format!("{folder}/TEXBSI.210")), place.path("TEXBSI.210")).unwrap();
    symlink(place.path("TEXBSI.210"), place.path(&format!("{folder}/TEXBSI.210"))).unwrap();
    let file = format!("{folder}/WALKER01.3DC");
    let told = |more: &[&str]| {
        let arguments = [&["check", file.as_str(), "--json"], more].concat();
        place.run(&arguments).json()["results"][0]["warnings"].to_string()
    };
    assert!(told(&[]).contains("RGMODEL-W017"), "{}", told(&[]));
    assert!(!told(&["--follow-links"]).contains("RGMODEL-W017"), "{}", told(&["--follow-links"]));
}

#[test]
fn links_that_lead_to_links_do_not_multiply() {
    let place = Place::new();
    // Outside of the folder that is scanned, and in it.
    for folder in ["elsewhere", "game"] {
        for number in 0..26 {
            place.put(&format!("{folder}/{number}/a.rmesh"), ROOM);
            for link in ["x", "y"] {
                let next = place.path(&format!("{folder}/{}", number + 1));
                symlink(next, place.path(&format!("{folder}/{number}/{link}"))).unwrap();
            }
        }
    }
    symlink(place.path("elsewhere/0"), place.path("game/linked")).unwrap();
    symlink(place.path("elsewhere/0"), place.path("game/again")).unwrap();
    for (more, files) in [(&[][..], 26), (&["--follow-links"], 52)] {
        let report = place.run(&[&["scan", "game", "--json"], more].concat()).ended(0).json();
        assert_eq!(report["results"][0]["files"], files, "{report}");
    }
    place.run(&["check", "game", "--follow-links"]).ended(0);
}
