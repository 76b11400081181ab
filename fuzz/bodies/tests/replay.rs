//! Runs every target with its seeds and all inputs on which it once failed.

#![allow(clippy::expect_used, clippy::print_stdout, clippy::panic, reason = "a test may panic")]

use std::fs;
use std::path::Path;

use bodies::{TARGETS, Target};

/// The files of a target in `fuzz/regressions`, sorted by path.
fn regressions(target: &Target) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../regressions").join(target.name);
    let Ok(files) = fs::read_dir(folder) else { return Vec::new() };
    let paths = files.map(|file| file.expect("the folder can be listed").path());
    let mut out: Vec<_> = paths
        .map(|path| (path.display().to_string(), fs::read(&path).expect("a file that can be read")))
        .collect();
    out.sort();
    out
}

/// Runs a target with all of its inputs. If it fails, the last printed name is the input.
fn replay(name: &str) {
    let target = bodies::target(name).expect("targets are listed");
    let seeds = (target.seeds)();
    assert!(seeds.len() > 3, "{name} has too few seeds");
    for seed in seeds {
        println!("{name}: {}", seed.name);
        (target.run)(&seed.bytes);
        // Truncated in the middle, and with an inverted byte.
        let middle = seed.bytes.len() / 2;
        (target.run)(&seed.bytes[..middle]);
        let mut inverted = seed.bytes;
        if let Some(byte) = inverted.get_mut(middle) {
            *byte = !*byte;
        }
        (target.run)(&inverted);
    }
    for (path, bytes) in regressions(target) {
        println!("{path}");
        (target.run)(&bytes);
    }
}

macro_rules! replays {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                replay(stringify!($name));
            }
        )*

        /// Targets that are replayed.
        const REPLAYED: &[&str] = &[$(stringify!($name)),*];
    };
}

replays! { any roundtrip edit folder replace gltf import image script explorer machine }

#[test]
fn every_target_is_replayed_and_has_a_program() {
    let listed: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(listed, REPLAYED);
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in &listed {
        assert!(fuzz.join(format!("fuzz_targets/{name}.rs")).is_file(), "{name} has no program");
    }
    for folder in fs::read_dir(fuzz.join("regressions")).expect("the folder can be listed") {
        let name = folder.expect("the folder can be listed").file_name();
        assert!(
            listed.iter().any(|known| name == *known) || name == "README.md",
            "unknown target {name:?} in fuzz/regressions"
        );
    }
}

#[test]
fn every_format_has_a_dictionary() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dictionaries");
    for format in antiquary::formats() {
        let text = fs::read_to_string(folder.join(format!("{}.dict", format.id)))
            .unwrap_or_else(|error| panic!("fuzz/dictionaries/{}.dict: {error}", format.id));
        let (words, others): (Vec<_>, Vec<_>) =
            text.lines().filter(|line| !line.starts_with('#')).partition(|line| line.starts_with('"'));
        assert!(!words.is_empty() && others.is_empty(), "{}: {others:?}", format.id);
    }
}
