//! `build`: generated files.

use crate::setup::Sandbox;

const MAP: &str = "redguard/maps/ISLAND.RGM";

#[test]
fn builds_and_reports_a_visibility_tree() {
    let sandbox = Sandbox::with_games();
    let output = sandbox.run(&["build", "pvo", MAP, "-o", "new.PVO", "--points", "20"]).exits_with(0);
    assert!(
        output.err.contains("pvo -> new.PVO") && output.err.contains("missing share: 0.000 %"),
        "{output:?}"
    );
    // The tree of the sample was built in the same way.
    assert_eq!(sandbox.read("new.PVO"), sandbox.read("redguard/maps/ISLAND.PVO"));
    sandbox.run(&["check", "new.PVO", "--strict"]).exits_with(0);
    // A single thread gives the same result, and in a folder the output has the name of the map.
    let output =
        sandbox.run(&["build", "pvo", MAP, "-o", "out/", "--jobs", "1", "--json"]).exits_with(0).json();
    let result = &output["results"][0];
    assert_eq!((&output["ok"], &result["figures"]["statics"]), (&true.into(), &14.into()), "{output}");
    assert!(result["figures"]["check"]["missing_share"].is_number(), "{output}");
    assert_eq!(sandbox.read("out/ISLAND.PVO"), sandbox.read("new.PVO"));
}

#[test]
fn overwrites_only_the_named_output() {
    let sandbox = Sandbox::with_games();
    sandbox.put("new.PVO", b"mine");
    let output = sandbox.run(&["build", "pvo", MAP, "-o", "new.PVO"]).exits_with(1);
    assert!(output.err.contains("already exists"), "{output:?}");
    sandbox.run(&["build", "pvo", MAP, "-o", "new.PVO", "--force", "--dry-run"]).exits_with(0);
    assert_eq!(sandbox.read("new.PVO"), b"mine");
    // The game's own tree is read for its patches.
    let output =
        sandbox.run(&["build", "pvo", MAP, "-o", "redguard/maps/ISLAND.PVO", "--force"]).exits_with(1);
    assert!(output.err.contains("ISLAND.PVO: is an input, and inputs are never overwritten"), "{output:?}");
    let output = sandbox.run(&["build", "pvo", MAP, "-o", MAP, "--force"]).exits_with(1);
    assert!(output.err.contains("ISLAND.RGM"), "{output:?}");
}

#[test]
fn refuses_unsupported_builds() {
    let sandbox = Sandbox::with_games();
    sandbox.run(&["build", "nothing", MAP, "-o", "x"]).exits_with(2);
    sandbox.run(&["build", "pvo", MAP]).exits_with(2);
    let output = sandbox.run(&["build", "pvo", "redguard/maps/ISLAND.WLD", "-o", "x.PVO"]).exits_with(1);
    assert!(output.err.contains("built from redguard.rgm, but this file is redguard.wld"), "{output:?}");
    let output = sandbox.run(&["build", "pvo", MAP, "-o", "x.PVO", "--cell", "100"]).exits_with(1);
    assert!(output.err.contains("expected a power of two"), "{output:?}");
    sandbox.run(&["build", "pvo", "redguard/maps", "-o", "x.PVO"]).exits_with(1);
}

const ROOM: &str = "scpcb/GFX/map/hall_opt.rmesh";

#[test]
fn writes_lightmaps_next_to_the_room() {
    let sandbox = Sandbox::with_games();
    let output = sandbox
        .run(&["build", "lightmaps", ROOM, "-o", "out/", "--density", "4", "--samples", "8"])
        .exits_with(0);
    assert!(output.err.contains("lightmaps -> out/hall_opt.rmesh and 1 file next to it"), "{output:?}");
    assert!(output.err.contains("lights: 4") && output.err.contains("covered share: "), "{output:?}");
    // The output is a room with the lightmap it refers to.
    let output = sandbox.run(&["check", "out/hall_opt.rmesh", "--game", "scpcb", "--strict"]).exits_with(0);
    assert!(!output.err.contains("lightmap"), "{output:?}");
    // A single thread gives the same result, named after the room.
    let options = ["--density", "4", "--samples", "8", "--jobs", "1", "--json"];
    let arguments = ["build", "lightmaps", ROOM, "-o", "lit.rmesh"];
    let output = sandbox.run(&[&arguments[..], &options[..]].concat()).exits_with(0).json();
    let result = &output["results"][0];
    assert_eq!((&output["ok"], &result["figures"]["lightmaps"]), (&true.into(), &1.into()), "{output}");
    assert_eq!(result["outputs"], antiquary::json::json!(["lit.rmesh", "lit_lm1.png"]));
    assert_eq!(sandbox.read("lit_lm1.png"), sandbox.read("out/hall_opt_lm1.png"));
}

#[test]
fn writes_relit_lightmaps_elsewhere_or_not_at_all() {
    let sandbox = Sandbox::with_games();
    let fast = ["--relight", "--samples", "4", "--bounces", "0"];
    let build = |out: &str, more: &[&str]| {
        sandbox.run(&[&["build", "lightmaps", ROOM, "-o", out][..], &fast[..], more].concat())
    };
    let before = sandbox.read("scpcb/GFX/map/hall_lm1.png");
    build("out/", &[]).exits_with(0);
    assert_ne!(sandbox.read("out/hall_lm1.png"), before);
    // Existing files are not overwritten, and inputs never.
    let output = build("out/", &[]).exits_with(1);
    assert!(output.err.contains("already exists"), "{output:?}");
    build("out/", &["--force"]).exits_with(0);
    let output = build("scpcb/GFX/map/", &["--force"]).exits_with(1);
    assert!(output.err.contains("hall_opt.rmesh"), "{output:?}");
    let output = build("scpcb/GFX/map/new.rmesh", &["--force"]).exits_with(1);
    assert!(output.err.contains("hall_lm1.png"), "{output:?}");
    assert_eq!(sandbox.read("scpcb/GFX/map/hall_lm1.png"), before);
    let output = build("dry/", &["--dry-run"]).exits_with(0);
    assert!(
        output.err.contains("would be written to dry/hall_opt.rmesh and 1 file next to it"),
        "{output:?}"
    );
    build("dry/", &["--dry-run"]).exits_with(0);
}
