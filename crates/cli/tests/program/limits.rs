//! What the system limits: open files, threads, links that lead to links.

use std::process::Command;

use crate::setup::{Place, ROOM, Ran, ran};

/// Runs the program with few files open at once.
#[cfg(unix)]
fn with_few_files(place: &Place, arguments: &str) -> Ran {
    let mut command = Command::new("sh");
    let script = format!("ulimit -n 48 && exec {} {arguments}", env!("CARGO_BIN_EXE_antiquary"));
    command.args(["-c", &script]).current_dir(place.path(""));
    ran(command)
}

#[test]
#[cfg(unix)]
fn files_are_opened_when_their_turn_comes() {
    let place = Place::with_games();
    for number in 0..100 {
        place.put(&format!("rooms/{number}.rmesh"), ROOM);
        place.put(&format!("archives/{number}.grf"), &place.read("ragnarok/data.grf"));
    }
    for arguments in [
        "scan .",
        "check rooms archives",
        "info rooms",
        "convert rooms --to json -o out",
        "convert archives --to json -o contents",
        "pack rooms -o rooms.grf",
        "extract ragnarok/data.grf -o extracted",
    ] {
        let ran = with_few_files(&place, arguments);
        assert!(!ran.err.contains("Too many open files"), "{arguments}: {ran:?}");
        assert_eq!(ran.code, 0, "{arguments}: {ran:?}");
    }
    place.run(&["list", "rooms.grf"]).ended(0);
    assert!(place.has("contents/99.grf/index.html") || place.has("contents/index.html"));
}

#[test]
fn a_number_of_threads_is_only_a_wish() {
    let place = Place::with(&[("rooms/a.rmesh", ROOM), ("rooms/b.rmesh", ROOM)]);
    place.run(&["check", "rooms", "--jobs", "1000000000"]).ended(0);
}

#[test]
#[cfg(unix)]
fn links_that_lead_to_links_do_not_multiply() {
    use std::os::unix::fs::symlink;
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
    let ran = place.run(&["scan", "game", "--json"]).ended(0);
    let report = ran.json();
    assert_eq!(report["results"][0]["files"], 52, "{report}");
    place.run(&["check", "game"]).ended(0);
}
