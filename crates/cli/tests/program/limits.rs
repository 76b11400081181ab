//! What the system limits: open files, threads, space.

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
#[cfg(target_os = "linux")]
fn a_full_disk_names_the_output() {
    let place = Place::with_games();
    std::fs::create_dir(place.path("small")).unwrap();
    let small = place.path("small");
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=16k", "tmpfs"]).arg(&small).output();
    if !mount.is_ok_and(|done| done.status.success()) {
        corpus::skip("a small disk cannot be mounted");
        return;
    }
    let one = place.run(&["convert", "scpcb/GFX/map/hall_opt.rmesh", "-o", "small/a.glb"]);
    let many = place.run(&["convert", "scpcb", "--to", "gltf", "-o", "small/out"]);
    let extracted = place.run(&["extract", "ragnarok/data.grf", "-o", "small/files"]);
    let left = std::fs::read_dir(&small).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let gone = Command::new("umount").arg(&small).status();
    assert!(gone.is_ok_and(|status| status.success()));
    for (ran, name) in [(one, "small/a.glb"), (many, "small/out/"), (extracted, "small/files/")] {
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.err.contains(name) && ran.err.contains("No space left on device"), "{ran:?}");
        assert!(!ran.err.contains(".antiquary-"), "{ran:?}");
    }
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".antiquary-")), "{left:?}");
}

#[test]
#[cfg(unix)]
fn an_archive_that_a_link_leads_out_to_is_not_opened() {
    let place = Place::with_games();
    let windmill = "data/model/antiquary/windmill.rsm";
    place.run(&["extract", "ragnarok/data.grf", windmill, "-o", "game"]).ended(0);
    std::os::unix::fs::symlink(place.path("ragnarok/data.grf"), place.path("game/data.grf")).unwrap();
    let ran = place.run(&["convert", &format!("game/{windmill}"), "--game", "game", "-o", "a.glb"]).ended(0);
    assert!(ran.err.contains("leads outside the game folder"), "{ran:?}");
}

/// Reads and writes as another program does that saves the same file again and again.
#[cfg(unix)]
fn change(path: &std::path::Path, whole: &[u8], round: usize) {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().write(true).truncate(true).open(path).unwrap();
    let (first, second) = whole.split_at(whole.len().min(round.wrapping_mul(977) % 4096));
    file.write_all(first).unwrap();
    std::thread::yield_now();
    file.write_all(second).unwrap();
}

#[test]
#[cfg(unix)]
fn an_input_that_changes_gives_a_result_or_an_error() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let place = Place::with_games();
    let inputs = ["ragnarok/data.grf", "redguard/ENGLISH.RTX", "scpcb/GFX/map/hall_opt.rmesh"];
    let originals = inputs.map(|input| place.read(input));
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0.. {
                if is_done.load(Ordering::Relaxed) {
                    break;
                }
                for (input, bytes) in inputs.iter().zip(&originals) {
                    change(&place.path(input), bytes, round);
                }
            }
        });
        for round in 0..6 {
            for input in inputs {
                let out = format!("out-{round}");
                for arguments in [
                    vec!["check", input],
                    vec!["info", "--full", input],
                    vec!["convert", input, "-o", &out, "--force"],
                    vec!["unpack", input, "-o", &out, "--force"],
                ] {
                    let ran = place.run(&arguments);
                    assert!(matches!(ran.code, 0..=2), "{arguments:?}: {ran:?}");
                    let has_failed = ran.err.contains("panicked") || ran.err.contains("internal error");
                    assert!(!has_failed, "{arguments:?}: {ran:?}");
                }
            }
        }
        is_done.store(true, Ordering::Relaxed);
    });
    assert!(!place.files().iter().any(|name| name.ends_with(".part")), "{:?}", place.files());
}
