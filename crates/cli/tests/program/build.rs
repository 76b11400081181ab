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
    // The tree of the game itself may be named.
    place.run(&["build", "pvo", MAP, "-o", "redguard/maps/ISLAND.PVO", "--force"]).ended(0);
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
