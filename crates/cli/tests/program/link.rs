//! Symbolic links in folders: those that lead out of the game are followed only if requested, and no folder is visited twice.

#![cfg(unix)]

use std::os::unix::fs::symlink;

use crate::setup::{ROOM, Sandbox};

/// A game whose folder has a link to its parent folder, like a Wine prefix with a link to the disk.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with_games();
    sandbox.put("outside/far.rmesh", ROOM);
    symlink(sandbox.path(""), sandbox.path("scpcb/z:")).unwrap();
    sandbox
}

const WARNING: &str = "FOLDER-W001: 1 symbolic link that leads out of the folder is not followed (like z:)";

#[test]
fn no_command_follows_a_link_out_of_the_folder() {
    let sandbox = sandbox();
    sandbox.put("changed/a.txt", b"a");
    std::fs::rename(sandbox.path("redguard"), sandbox.path("linked")).unwrap();
    symlink(sandbox.path(""), sandbox.path("linked/z:")).unwrap();
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
        let output = sandbox.run(&arguments).exits_with(code);
        assert!(!output.text().contains("far.rmesh"), "{arguments:?}: {output:?}");
        assert!(output.err.contains(WARNING) || output.text().contains(WARNING), "{arguments:?}: {output:?}");
    }
    for archive in ["packed.grf", "added.grf"] {
        assert!(!sandbox.run(&["list", archive]).exits_with(0).text().contains("far.rmesh"), "{archive}");
    }
    assert!(sandbox.has("out/index.html") && !sandbox.has("out/z:"));
}

#[test]
fn the_warning_is_in_json_too() {
    let sandbox = sandbox();
    for arguments in ["scan scpcb", "check scpcb", "info scpcb", "find scpcb far.rmesh", "diff scpcb outside"]
    {
        let arguments: Vec<_> = arguments.split(' ').chain(["--json"]).collect();
        let output = sandbox.run(&arguments);
        assert!(output.json().to_string().contains("FOLDER-W001"), "{arguments:?}: {output:?}");
    }
}

#[test]
fn follows_links_if_requested() {
    let sandbox = sandbox();
    for arguments in ["find scpcb far.rmesh --follow-links", "find --follow-links scpcb far.rmesh"] {
        let arguments: Vec<_> = arguments.split(' ').collect();
        let output = sandbox.run(&arguments).exits_with(0);
        // Visited once, although the link leads back to the folder of the game.
        assert_eq!(output.text().matches("far.rmesh").count(), 2, "{output:?}");
        assert!(!output.err.contains("FOLDER-W001"), "{output:?}");
    }
    // A link given on the command line is followed.
    symlink(sandbox.path("outside"), sandbox.path("named")).unwrap();
    let output = sandbox.run(&["check", "named", "--json"]).exits_with(0);
    assert_eq!((output.json()["files"].as_u64(), output.err.as_str()), (Some(1), ""));
}

#[test]
fn finds_references_behind_links_only_if_they_are_followed() {
    let sandbox = Sandbox::with_games();
    let folder = "redguard/fxart";
    std::fs::rename(sandbox.path(&format!("{folder}/TEXBSI.210")), sandbox.path("TEXBSI.210")).unwrap();
    symlink(sandbox.path("TEXBSI.210"), sandbox.path(&format!("{folder}/TEXBSI.210"))).unwrap();
    let file = format!("{folder}/WALKER01.3DC");
    let warnings = |more: &[&str]| {
        let arguments = [&["check", file.as_str(), "--json"], more].concat();
        sandbox.run(&arguments).json()["results"][0]["warnings"].to_string()
    };
    assert!(warnings(&[]).contains("RGMODEL-W017"), "{}", warnings(&[]));
    assert!(!warnings(&["--follow-links"]).contains("RGMODEL-W017"), "{}", warnings(&["--follow-links"]));
}

#[test]
fn visits_each_folder_once_despite_links_to_links() {
    let sandbox = Sandbox::new();
    // Outside and inside of the scanned folder.
    for folder in ["elsewhere", "game"] {
        for number in 0..26 {
            sandbox.put(&format!("{folder}/{number}/a.rmesh"), ROOM);
            for link in ["x", "y"] {
                let next = sandbox.path(&format!("{folder}/{}", number + 1));
                symlink(next, sandbox.path(&format!("{folder}/{number}/{link}"))).unwrap();
            }
        }
    }
    symlink(sandbox.path("elsewhere/0"), sandbox.path("game/linked")).unwrap();
    symlink(sandbox.path("elsewhere/0"), sandbox.path("game/again")).unwrap();
    for (more, files) in [(&[][..], 26), (&["--follow-links"], 52)] {
        let report = sandbox.run(&[&["scan", "game", "--json"], more].concat()).exits_with(0).json();
        assert_eq!(report["results"][0]["files"], files, "{report}");
    }
    sandbox.run(&["check", "game", "--follow-links"]).exits_with(0);
}
