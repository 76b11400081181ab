//! `script test`, and saved games in `script run`.

use antiquary::asset::{FolderSink, Guard};

use crate::setup::Place;

const MAP: &str = "redguard/maps/ISLAND.RGM";
const SAVE: &str = "redguard/SAVEGAME/SAVEGAME.000/SAVEGAME.SAV";

/// The sample games with tests of their scripts.
fn with_tests() -> Place {
    let place = Place::with_games();
    let mut sink = FolderSink::new(place.path(""), Guard::default().into());
    antiquary::sample::script_tests(&mut sink).unwrap();
    sink.finish().unwrap();
    place
}

#[test]
fn the_tests_of_the_sample_pass() {
    let place = with_tests();
    let ran = place.run(&["script", "test", "tests"]).ended(0);
    let out = String::from_utf8(ran.out.clone()).unwrap();
    assert_eq!(out.lines().filter(|line| line.starts_with("ok      ")).count(), 8, "{ran:?}");
    assert!(ran.err.contains("8 tests: 8 passed, 0 failed"), "{ran:?}");
    let ran =
        place.run(&["script", "test", "tests", "--filter", "GREETS", "--json", "-j", "1"]).ended(0).json();
    assert_eq!((&ran["ok"], &ran["failed"], &ran["left_out"]), (&true.into(), &0.into(), &7.into()), "{ran}");
    assert_eq!(ran["results"][0]["name"], "the keeper greets who comes near", "{ran}");
    let ran = place.run(&["script", "test", "tests", "--filter", "barrel"]).ended(2);
    assert!(ran.err.contains("no test has \"barrel\" in its name (8 tests)"), "{ran:?}");
    let ran = place.run(&["script", "test", "redguard/maps"]).ended(2);
    assert!(ran.err.contains("no files with tests were found in this folder (*.souptest.toml)"), "{ran:?}");
}

#[test]
fn a_failing_test_says_what_happened_instead() {
    let place = Place::with_games();
    let test = format!(
        "map = \"{MAP}\"\n[[test]]\nname = \"a\"\nactor = \"KEEPER\"\nupdates = 9\n\
         host.results.PlayerDistance = [9000]\n[[test.expect]]\nsaid = \"tide\"\nby = 2\n\
         [[test.expect]]\nflag = \"Asked_Once\"\nis = 0\n[[test.expect]]\ncalled = \"RotateToAxis(1, 128, 9)\"\n\
         [[test]]\nname = \"b\"\nactor = \"NOBODY\"\n[[test.expect]]\nsaid = \"tide\"\n"
    );
    place.put("a.souptest.toml", test.as_bytes());
    let ran = place.run(&["script", "test", "a.souptest.toml"]).ended(1);
    let out = String::from_utf8(ran.out.clone()).unwrap();
    let is_told = |what: &str| assert!(out.contains(what), "{what}\n{out}");
    is_told("FAILED  a.souptest.toml: a\n");
    is_told(
        "  a.souptest.toml:7:1: expected \"tide\" to be said by update 2\n      update 2: KEEPER 'well' \"Well? Did",
    );
    is_told("  a.souptest.toml:10:1: expected Asked_Once to be 0 at the end\n      it was 1\n");
    is_told(
        "expected RotateToAxis(1, 128, 9) to be called\n      update 1: KEEPER task RotateToAxis(1, 128, 8) after 0",
    );
    is_told("FAILED  a.souptest.toml: b\n  a.souptest.toml:16:8: ");
    assert!(ran.err.contains("2 tests: 0 passed, 2 failed"), "{ran:?}");
}

#[test]
fn one_bad_file_of_tests_does_not_hinder_the_others() {
    let place = with_tests();
    place.put("tests/bad.souptest.toml", b"[[test]]\nname = \"a\"\nupdate = 3\n");
    let ran = place.run(&["script", "test", "tests"]).ended(1);
    assert!(
        ran.err.contains("bad.souptest.toml:3:1: unknown field `update`, expected one of `name`"),
        "{ran:?}"
    );
    assert!(ran.err.contains("8 tests: 8 passed, 0 failed; 1 error in files of tests"), "{ran:?}");
}

#[test]
fn a_session_begins_with_a_saved_game_and_is_saved() {
    let place = Place::with_games();
    let run = ["script", "run", MAP, "--actor", "KEEPER", "--updates", "3", "--save", SAVE];
    place.put("near.json", br#"{"results":{"PlayerDistance":[100]}}"#);
    let near = ["--host", "near.json", "--json", "--save-to", "NEW.SAV"];
    place.run(&[&run[..], &near[..]].concat()).ended(0);
    let (old, new) = (place.read(SAVE), place.read("NEW.SAV"));
    assert_eq!(old.len(), new.len());
    // The value of Asked_Once, and the latch in its state.
    let changed: Vec<_> = old.iter().zip(&new).filter(|(old, new)| old != new).collect();
    assert_eq!(changed, [(&0, &1), (&0, &0x10)]);
    let ran = place.run(&[&run[..], &near[..]].concat());
    assert!(ran.code != 0, "it overwrites nothing: {ran:?}");
    assert_eq!(place.read("NEW.SAV"), new);
    place.run(&[&run[..], &near[..], &["--force"]].concat()).ended(0);
    // Nobody is greeted twice.
    let test = format!(
        "map = \"{MAP}\"\n[[test]]\nname = \"a\"\nactor = \"KEEPER\"\nsave = \"NEW.SAV\"\nhost.default = 0\n\
         [[test.expect]]\nsaid = \"well\"\nnever = true\n[[test.expect]]\nflag = \"Asked_Once\"\nlatched = true\n"
    );
    place.put("a.souptest.toml", test.as_bytes());
    place.run(&["script", "test", "a.souptest.toml"]).ended(0);
    for input in [SAVE, MAP] {
        let before = place.read(input);
        let ran = place.run(&[&run[..], &["--host", "near.json", "--save-to", input, "--force"]].concat());
        assert!(ran.code != 0 && place.read(input) == before, "{input}: {ran:?}");
    }
    place.run(&[&run[..7], &["--save-to", "NEW.SAV"]].concat()).ended(2);
}

#[test]
fn items_are_expected() {
    let place = Place::with_games();
    let test = |item: &str| {
        format!(
            "map = \"{MAP}\"\n[[test]]\nname = \"a\"\nsave = \"{SAVE}\"\nupdates = 2\n[[test.expect]]\n{item}\n"
        )
    };
    let run = |item: &str| {
        place.put("a.souptest.toml", test(item).as_bytes());
        place.run(&["script", "test", "a.souptest.toml"])
    };
    run("item = \"compass\"\nat_least = 1").ended(0);
    let ran = run("item = \"compass\"\nis = 0").ended(1);
    assert!(ran.text().contains("expected HaveItem(#compass) to be 0 at the end"), "{ran:?}");
    let ran = run("item = \"compas\"\nis = 0").ended(1);
    assert!(ran.text().contains("unknown item compas"), "{ran:?}");
    let ran = run("item = \"compass\"").ended(1);
    assert!(
        ran.err.contains("say how many of the item are owned") || ran.text().contains("say how many"),
        "{ran:?}"
    );
    let ran = run("item = \"compass\"\nflag = \"Asked_Once\"\nis = 1").ended(1);
    assert!(format!("{ran:?}").contains("exactly one of said, called, flag, value and item"), "{ran:?}");
}
