//! A run that is interrupted or killed: nothing half-done has a name, and what is left over is named.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::setup::Place;

/// Many rooms.
fn rooms() -> Place {
    let place = Place::with_games();
    let room = place.read("scpcb/GFX/map/hall_opt.rmesh");
    for number in 0..6 {
        place.put(&format!("scpcb/GFX/map/{number}.rmesh"), &room);
    }
    place
}

/// What a run writes that is left alone.
fn complete(place: &Place) -> BTreeMap<String, Vec<u8>> {
    place.run(&["convert", "scpcb", "--to", "gltf", "-o", "whole", "-q"]).ended(0);
    let files = place.files().into_iter().filter_map(|name| Some(name.strip_prefix("whole/")?.to_owned()));
    files.map(|name| (name.clone(), place.read(&format!("whole/{name}")))).collect()
}

/// Begins a run and sends it a signal after some time; tells whether the run was still going on.
fn interrupted(place: &Place, signal: &str, after: Duration) -> bool {
    let mut command = place.command(&["convert", "scpcb", "--to", "gltf", "-o", "out", "-q", "--force"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    sleep(after);
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
    assert!(sent.is_ok(), "there is no `kill`");
    let status = child.wait().unwrap();
    status.code().is_none_or(|code| code == 130)
}

/// The files in `out`: those with names of their own, and those without.
fn outputs(place: &Place) -> (Vec<String>, Vec<String>) {
    let all = place.files().into_iter().filter(|name| name.starts_with("out/"));
    all.partition(|name| !name.contains("/.antiquary-"))
}

/// Whether everything with a name is whole, and every scene has what it names.
fn check(place: &Place, complete: &BTreeMap<String, Vec<u8>>) {
    let (named, _) = outputs(place);
    for name in &named {
        let short = name.strip_prefix("out/").unwrap();
        assert!(complete[short] == place.read(name), "{name} is not whole");
        if name.ends_with(".gltf") {
            let scene: antiquary::json::Value = antiquary::json::from_slice(&place.read(name)).unwrap();
            let folder = name.rsplit_once('/').unwrap().0;
            for kind in ["buffers", "images"] {
                for uri in
                    scene[kind].as_array().into_iter().flatten().filter_map(|item| item["uri"].as_str())
                {
                    assert!(place.has(&format!("{folder}/{uri}")), "{name} names {uri}, which is not there");
                }
            }
        }
    }
}

/// From a moment that is too early for anything to one when all is done.
fn delays() -> impl Iterator<Item = Duration> {
    (0..6).map(|step| Duration::from_millis(8_u64.saturating_mul(4_u64.saturating_pow(step))))
}

#[test]
fn an_interrupted_run_leaves_nothing_unfinished() {
    let place = rooms();
    let complete = complete(&place);
    for signal in ["-INT", "-TERM", "-HUP"] {
        for delay in delays() {
            let was_running = interrupted(&place, signal, delay);
            check(&place, &complete);
            let (_, unfinished) = outputs(&place);
            assert!(unfinished.is_empty(), "{signal} after {delay:?}: {unfinished:?}");
            let _ = std::fs::remove_dir_all(place.path("out"));
            if !was_running {
                break;
            }
        }
    }
}

#[test]
fn a_killed_run_leaves_only_whole_files_and_the_next_one_names_the_rest() {
    let place = rooms();
    let complete = complete(&place);
    for delay in delays() {
        let was_running = interrupted(&place, "-KILL", delay);
        check(&place, &complete);
        let (_, unfinished) = outputs(&place);
        let ran = place.run(&["convert", "scpcb", "--to", "gltf", "-o", "out", "--force"]).ended(0);
        for name in &unfinished {
            assert!(ran.err.contains(&format!("{name} is unfinished")), "{name}: {ran:?}");
        }
        check(&place, &complete);
        let _ = std::fs::remove_dir_all(place.path("out"));
        if !was_running {
            break;
        }
    }
}
