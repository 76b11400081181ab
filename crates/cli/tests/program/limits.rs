//! Limits of the system: open files, threads, disk space.

use std::process::Command;

use crate::setup::{ROOM, RunOutput, Sandbox, run_command};

/// Runs the program with few files open at once.
#[cfg(unix)]
fn with_few_files(sandbox: &Sandbox, arguments: &str) -> RunOutput {
    let mut command = Command::new("sh");
    let script = format!("ulimit -n 48 && exec {} {arguments}", env!("CARGO_BIN_EXE_antiquary"));
    command.args(["-c", &script]).current_dir(sandbox.path(""));
    run_command(command)
}

#[test]
#[cfg(unix)]
fn opens_files_only_when_needed() {
    let sandbox = Sandbox::with_games();
    for number in 0..100 {
        sandbox.put(&format!("rooms/{number}.rmesh"), ROOM);
        sandbox.put(&format!("archives/{number}.grf"), &sandbox.read("ragnarok/data.grf"));
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
        let output = with_few_files(&sandbox, arguments);
        assert!(!output.err.contains("Too many open files"), "{arguments}: {output:?}");
        assert_eq!(output.code, 0, "{arguments}: {output:?}");
    }
    sandbox.run(&["list", "rooms.grf"]).exits_with(0);
    assert!(sandbox.has("contents/99.grf/index.html") || sandbox.has("contents/index.html"));
}

#[test]
fn clamps_the_number_of_threads() {
    let sandbox = Sandbox::with(&[("rooms/a.rmesh", ROOM), ("rooms/b.rmesh", ROOM)]);
    sandbox.run(&["check", "rooms", "--jobs", "1000000000"]).exits_with(0);
}

#[test]
#[cfg(target_os = "linux")]
fn errors_of_a_full_disk_name_the_output() {
    let sandbox = Sandbox::with_games();
    std::fs::create_dir(sandbox.path("small")).unwrap();
    let small = sandbox.path("small");
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=16k", "tmpfs"]).arg(&small).output();
    if !mount.is_ok_and(|done| done.status.success()) {
        corpus::skip("a small disk cannot be mounted");
        return;
    }
    let one = sandbox.run(&["convert", "scpcb/GFX/map/hall_opt.rmesh", "-o", "small/a.glb"]);
    let many = sandbox.run(&["convert", "scpcb", "--to", "gltf", "-o", "small/out"]);
    let extracted = sandbox.run(&["extract", "ragnarok/data.grf", "-o", "small/files"]);
    let left = std::fs::read_dir(&small).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let gone = Command::new("umount").arg(&small).status();
    assert!(gone.is_ok_and(|status| status.success()));
    for (output, name) in [(one, "small/a.glb"), (many, "small/out/"), (extracted, "small/files/")] {
        assert_eq!(output.code, 1, "{output:?}");
        assert!(output.err.contains(name) && output.err.contains("No space left on device"), "{output:?}");
        assert!(!output.err.contains(".antiquary-"), "{output:?}");
    }
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".antiquary-")), "{left:?}");
}

#[test]
#[cfg(unix)]
fn does_not_open_an_archive_through_a_link_out_of_the_game() {
    let sandbox = Sandbox::with_games();
    let windmill = "data/model/antiquary/windmill.rsm";
    sandbox.run(&["extract", "ragnarok/data.grf", windmill, "-o", "game"]).exits_with(0);
    std::os::unix::fs::symlink(sandbox.path("ragnarok/data.grf"), sandbox.path("game/data.grf")).unwrap();
    let output =
        sandbox.run(&["convert", &format!("game/{windmill}"), "--game", "game", "-o", "a.glb"]).exits_with(0);
    assert!(output.err.contains("leads outside the game folder"), "{output:?}");
}

/// Rewrites a file in two steps, like another program that saves it repeatedly.
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
fn a_changing_input_gives_a_result_or_an_error() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let sandbox = Sandbox::with_games();
    let inputs = ["ragnarok/data.grf", "redguard/ENGLISH.RTX", "scpcb/GFX/map/hall_opt.rmesh"];
    let originals = inputs.map(|input| sandbox.read(input));
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0.. {
                if is_done.load(Ordering::Relaxed) {
                    break;
                }
                for (input, bytes) in inputs.iter().zip(&originals) {
                    change(&sandbox.path(input), bytes, round);
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
                    let output = sandbox.run(&arguments);
                    assert!(matches!(output.code, 0..=2), "{arguments:?}: {output:?}");
                    let has_failed = output.err.contains("panicked") || output.err.contains("internal error");
                    assert!(!has_failed, "{arguments:?}: {output:?}");
                }
            }
        }
        is_done.store(true, Ordering::Relaxed);
    });
    assert!(!sandbox.files().iter().any(|name| name.ends_with(".part")), "{:?}", sandbox.files());
}
