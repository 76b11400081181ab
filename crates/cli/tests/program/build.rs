//! `build`: files that are computed from others.

use crate::setup::Place;

const MAP: &str = "redguard/maps/ISLAND.RGM";

#[test]
fn a_tree_is_built_and_told_of() {
    let place = Place::with_games();
    let ran = place.run(&["build", "pvo", MAP, "-o", "new.PVO", "--points", "20"]).ended(0);
    assert!(ran.err.contains("pvo -> new.PVO") && ran.err.contains("missing share: 0.000 %"), "{ran:?}");
    // What the sample has was built so.
    assert_eq!(place.read("new.PVO"), place.read("redguard/maps/ISLAND.PVO"));
    place.run(&["check", "new.PVO", "--strict"]).ended(0);
    // One thread makes the same, and a folder takes the name of the map.
    let ran = place.run(&["build", "pvo", MAP, "-o", "out/", "--jobs", "1", "--json"]).ended(0).json();
    let result = &ran["results"][0];
    assert_eq!((&ran["ok"], &result["figures"]["statics"]), (&true.into(), &14.into()), "{ran}");
    assert!(result["figures"]["check"]["missing_share"].is_number(), "{ran}");
    assert_eq!(place.read("out/ISLAND.PVO"), place.read("new.PVO"));
}

#[test]
fn nothing_is_overwritten_that_was_not_named() {
    let place = Place::with_games();
    place.put("new.PVO", b"mine");
    let ran = place.run(&["build", "pvo", MAP, "-o", "new.PVO"]).ended(1);
    assert!(ran.err.contains("already exists"), "{ran:?}");
    place.run(&["build", "pvo", MAP, "-o", "new.PVO", "--force", "--dry-run"]).ended(0);
    assert_eq!(place.read("new.PVO"), b"mine");
    // The tree that the game has is read for its patches.
    let ran = place.run(&["build", "pvo", MAP, "-o", "redguard/maps/ISLAND.PVO", "--force"]).ended(1);
    assert!(ran.err.contains("ISLAND.PVO: is an input, and inputs are never overwritten"), "{ran:?}");
    let ran = place.run(&["build", "pvo", MAP, "-o", MAP, "--force"]).ended(1);
    assert!(ran.err.contains("ISLAND.RGM"), "{ran:?}");
}

#[test]
fn what_cannot_be_built_is_refused() {
    let place = Place::with_games();
    place.run(&["build", "nothing", MAP, "-o", "x"]).ended(2);
    place.run(&["build", "pvo", MAP]).ended(2);
    let ran = place.run(&["build", "pvo", "redguard/maps/ISLAND.WLD", "-o", "x.PVO"]).ended(1);
    assert!(ran.err.contains("built from redguard.rgm, this is redguard.wld"), "{ran:?}");
    let ran = place.run(&["build", "pvo", MAP, "-o", "x.PVO", "--cell", "100"]).ended(1);
    assert!(ran.err.contains("halves its cells"), "{ran:?}");
    place.run(&["build", "pvo", "redguard/maps", "-o", "x.PVO"]).ended(1);
}

const ROOM: &str = "scpcb/GFX/map/hall_opt.rmesh";

#[test]
fn lightmaps_are_built_and_written_next_to_the_room() {
    let place = Place::with_games();
    let ran =
        place.run(&["build", "lightmaps", ROOM, "-o", "out/", "--density", "4", "--samples", "8"]).ended(0);
    assert!(ran.err.contains("lightmaps -> out/hall_opt.rmesh and 1 file next to it"), "{ran:?}");
    assert!(ran.err.contains("lights: 4") && ran.err.contains("covered share: "), "{ran:?}");
    // What was written is a room with the lightmap that it refers to.
    let ran = place.run(&["check", "out/hall_opt.rmesh", "--game", "scpcb", "--strict"]).ended(0);
    assert!(!ran.err.contains("lightmap"), "{ran:?}");
    // One thread makes the same, called as the room is.
    let options = ["--density", "4", "--samples", "8", "--jobs", "1", "--json"];
    let arguments = ["build", "lightmaps", ROOM, "-o", "lit.rmesh"];
    let ran = place.run(&[&arguments[..], &options[..]].concat()).ended(0).json();
    let result = &ran["results"][0];
    assert_eq!((&ran["ok"], &result["figures"]["lightmaps"]), (&true.into(), &1.into()), "{ran}");
    assert_eq!(result["outputs"], antiquary::json::json!(["lit.rmesh", "lit_lm1.png"]));
    assert_eq!(place.read("lit_lm1.png"), place.read("out/hall_opt_lm1.png"));
}

#[test]
fn lightmaps_that_are_kept_are_written_elsewhere_or_not_at_all() {
    let place = Place::with_games();
    let fast = ["--relight", "--samples", "4", "--bounces", "0"];
    let build = |out: &str, more: &[&str]| {
        place.run(&[&["build", "lightmaps", ROOM, "-o", out][..], &fast[..], more].concat())
    };
    let before = place.read("scpcb/GFX/map/hall_lm1.png");
    build("out/", &[]).ended(0);
    assert_ne!(place.read("out/hall_lm1.png"), before);
    // Not over what is there, and never over what it was made of.
    let ran = build("out/", &[]).ended(1);
    assert!(ran.err.contains("already exists"), "{ran:?}");
    build("out/", &["--force"]).ended(0);
    let ran = build("scpcb/GFX/map/", &["--force"]).ended(1);
    assert!(ran.err.contains("hall_opt.rmesh"), "{ran:?}");
    let ran = build("scpcb/GFX/map/new.rmesh", &["--force"]).ended(1);
    assert!(ran.err.contains("hall_lm1.png"), "{ran:?}");
    assert_eq!(place.read("scpcb/GFX/map/hall_lm1.png"), before);
    let ran = build("dry/", &["--dry-run"]).ended(0);
    assert!(ran.err.contains("would be written to dry/hall_opt.rmesh and 1 file next to it"), "{ran:?}");
    build("dry/", &["--dry-run"]).ended(0);
}
