//! Interrupted and killed runs: no unfinished file has its final name, and leftovers are reported.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::setup::Sandbox;

/// Many rooms.
fn rooms() -> Sandbox {
    let sandbox = Sandbox::with_games();
    let room = sandbox.read("scpcb/GFX/map/hall_opt.rmesh");
    for number in 0..6 {
        sandbox.put(&format!("scpcb/GFX/map/{number}.rmesh"), &room);
    }
    sandbox
}

/// The output of an uninterrupted run.
fn complete(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    sandbox.run(&["convert", "scpcb", "--to", "gltf", "-o", "complete", "-q"]).exits_with(0);
    let files =
        sandbox.files().into_iter().filter_map(|name| Some(name.strip_prefix("complete/")?.to_owned()));
    files.map(|name| (name.clone(), sandbox.read(&format!("complete/{name}")))).collect()
}

/// Starts a run and sends it a signal after some time. Returns whether the run was still active.
fn interrupted(sandbox: &Sandbox, signal: &str, after: Duration) -> bool {
    let mut command = sandbox.command(&["convert", "scpcb", "--to", "gltf", "-o", "out", "-q", "--force"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    sleep(after);
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
    assert!(sent.is_ok(), "there is no `kill`");
    let status = child.wait().unwrap();
    status.code().is_none_or(|code| code == 130)
}

/// The files in `out`: those with final names, and unfinished ones.
fn outputs(sandbox: &Sandbox) -> (Vec<String>, Vec<String>) {
    let all = sandbox.files().into_iter().filter(|name| name.starts_with("out/"));
    all.partition(|name| !name.contains("/.antiquary-"))
}

/// Checks that every file with a final name is complete, and that the files it refers to exist.
fn check(sandbox: &Sandbox, complete: &BTreeMap<String, Vec<u8>>) {
    let (named, _) = outputs(sandbox);
    for name in &named {
        let short = name.strip_prefix("out/").unwrap();
        assert!(complete[short] == sandbox.read(name), "{name} is not complete");
        if name.ends_with(".gltf") {
            let scene: antiquary::json::Value = antiquary::json::from_slice(&sandbox.read(name)).unwrap();
            let folder = name.rsplit_once('/').unwrap().0;
            for kind in ["buffers", "images"] {
                for uri in
                    scene[kind].as_array().into_iter().flatten().filter_map(|item| item["uri"].as_str())
                {
                    assert!(
                        sandbox.has(&format!("{folder}/{uri}")),
                        "{name} names {uri}, which is not there"
                    );
                }
            }
        }
    }
}

/// Delays from before the first output to after the end of the run.
fn delays() -> impl Iterator<Item = Duration> {
    (0..6).map(|step| Duration::from_millis(8_u64.saturating_mul(4_u64.saturating_pow(step))))
}

#[test]
fn an_interrupted_run_leaves_no_unfinished_files() {
    let sandbox = rooms();
    let complete = complete(&sandbox);
    for signal in ["-INT", "-TERM", "-HUP"] {
        for delay in delays() {
            let was_running = interrupted(&sandbox, signal, delay);
            check(&sandbox, &complete);
            let (_, unfinished) = outputs(&sandbox);
            assert!(unfinished.is_empty(), "{signal} after {delay:?}: {unfinished:?}");
            let _ = std::fs::remove_dir_all(sandbox.path("out"));
            if !was_running {
                break;
            }
        }
    }
}

#[test]
fn the_next_run_reports_unfinished_files_of_a_killed_run() {
    let sandbox = rooms();
    let complete = complete(&sandbox);
    for delay in delays() {
        let was_running = interrupted(&sandbox, "-KILL", delay);
        check(&sandbox, &complete);
        let (_, unfinished) = outputs(&sandbox);
        let output = sandbox.run(&["convert", "scpcb", "--to", "gltf", "-o", "out", "--force"]).exits_with(0);
        for name in &unfinished {
            assert!(output.err.contains(&format!("{name} is unfinished")), "{name}: {output:?}");
        }
        check(&sandbox, &complete);
        let _ = std::fs::remove_dir_all(sandbox.path("out"));
        if !was_running {
            break;
        }
    }
}
