//! `script test`, and saved games in `script run`.

use antiquary::asset::{FolderSink, Guard};

use crate::setup::Sandbox;

const MAP: &str = "redguard/maps/ISLAND.RGM";
const SAVE: &str = "redguard/SAVEGAME/SAVEGAME.000/SAVEGAME.SAV";

/// The sample games with tests for their scripts.
fn with_tests() -> Sandbox {
    let sandbox = Sandbox::with_games();
    let mut sink = FolderSink::new(sandbox.path(""), Guard::default().into());
    antiquary::sample::script_tests(&mut sink).unwrap();
    sink.finish().unwrap();
    sandbox
}

#[test]
fn passes_the_tests_of_the_sample() {
    let sandbox = with_tests();
    let output = sandbox.run(&["script", "test", "tests"]).exits_with(0);
    let out = String::from_utf8(output.out.clone()).unwrap();
    assert_eq!(out.lines().filter(|line| line.starts_with("ok      ")).count(), 8, "{output:?}");
    assert!(output.err.contains("8 tests: 8 passed, 0 failed"), "{output:?}");
    let output = sandbox
        .run(&["script", "test", "tests", "--filter", "GREETS", "--json", "-j", "1"])
        .exits_with(0)
        .json();
    assert_eq!(
        (&output["ok"], &output["failed"], &output["left_out"]),
        (&true.into(), &0.into(), &7.into()),
        "{output}"
    );
    assert_eq!(output["results"][0]["name"], "the keeper greets who comes near", "{output}");
    let output = sandbox.run(&["script", "test", "tests", "--filter", "barrel"]).exits_with(2);
    assert!(output.err.contains("no test has \"barrel\" in its name (8 tests)"), "{output:?}");
    let output = sandbox.run(&["script", "test", "redguard/maps"]).exits_with(2);
    assert!(
        output.err.contains("no files with tests were found in this folder (*.souptest.toml)"),
        "{output:?}"
    );
}

#[test]
fn a_failing_test_reports_the_actual_events() {
    let sandbox = Sandbox::with_games();
    let test = format!(
        "map = \"{MAP}\"\n[[test]]\nname = \"a\"\nactor = \"KEEPER\"\nupdates = 9\n\
         host.results.PlayerDistance = [9000]\n[[test.expect]]\nsaid = \"tide\"\nby = 2\n\
         [[test.expect]]\nflag = \"Asked_Once\"\nis = 0\n[[test.expect]]\ncalled = \"RotateToAxis(1, 128, 9)\"\n\
         [[test]]\nname = \"b\"\nactor = \"UNKNOWN\"\n[[test.expect]]\nsaid = \"tide\"\n"
    );
    sandbox.put("a.souptest.toml", test.as_bytes());
    let output = sandbox.run(&["script", "test", "a.souptest.toml"]).exits_with(1);
    let out = String::from_utf8(output.out.clone()).unwrap();
    let is_reported = |what: &str| assert!(out.contains(what), "{what}\n{out}");
    is_reported("FAILED  a.souptest.toml: a\n");
    is_reported(
        "  a.souptest.toml:7:1: expected \"tide\" to be said by update 2\n      update 2: KEEPER 'well' \"Well? Did",
    );
    is_reported("  a.souptest.toml:10:1: expected Asked_Once to be 0 at the end\n      it was 1\n");
    is_reported(
        "expected RotateToAxis(1, 128, 9) to be called\n      update 1: KEEPER task RotateToAxis(1, 128, 8) after 0",
    );
    is_reported("FAILED  a.souptest.toml: b\n  a.souptest.toml:16:8: ");
    assert!(output.err.contains("2 tests: 0 passed, 2 failed"), "{output:?}");
}

#[test]
fn runs_the_other_test_files_despite_an_error() {
    let sandbox = with_tests();
    sandbox.put("tests/bad.souptest.toml", b"[[test]]\nname = \"a\"\nupdate = 3\n");
    let output = sandbox.run(&["script", "test", "tests"]).exits_with(1);
    assert!(
        output.err.contains("bad.souptest.toml:3:1: unknown field `update`, expected one of `name`"),
        "{output:?}"
    );
    assert!(output.err.contains("8 tests: 8 passed, 0 failed; 1 error in test files"), "{output:?}");
}

#[test]
fn loads_and_saves_saved_games() {
    let sandbox = Sandbox::with_games();
    let run = ["script", "run", MAP, "--actor", "KEEPER", "--updates", "3", "--save", SAVE];
    sandbox.put("near.json", br#"{"results":{"PlayerDistance":[100]}}"#);
    let near = ["--host", "near.json", "--json", "--save-to", "NEW.SAV"];
    sandbox.run(&[&run[..], &near[..]].concat()).exits_with(0);
    let (old, new) = (sandbox.read(SAVE), sandbox.read("NEW.SAV"));
    assert_eq!(old.len(), new.len());
    // The value of Asked_Once, and the latch in its state.
    let changed: Vec<_> = old.iter().zip(&new).filter(|(old, new)| old != new).collect();
    assert_eq!(changed, [(&0, &1), (&0, &0x10)]);
    let output = sandbox.run(&[&run[..], &near[..]].concat());
    assert!(output.code != 0, "existing files are kept: {output:?}");
    assert_eq!(sandbox.read("NEW.SAV"), new);
    sandbox.run(&[&run[..], &near[..], &["--force"]].concat()).exits_with(0);
    // The player is not greeted twice.
    let test = format!(
        "map = \"{MAP}\"\n[[test]]\nname = \"a\"\nactor = \"KEEPER\"\nsave = \"NEW.SAV\"\nhost.default = 0\n\
         [[test.expect]]\nsaid = \"well\"\nnever = true\n[[test.expect]]\nflag = \"Asked_Once\"\nlatched = true\n"
    );
    sandbox.put("a.souptest.toml", test.as_bytes());
    sandbox.run(&["script", "test", "a.souptest.toml"]).exits_with(0);
    for input in [SAVE, MAP] {
        let before = sandbox.read(input);
        let output =
            sandbox.run(&[&run[..], &["--host", "near.json", "--save-to", input, "--force"]].concat());
        assert!(output.code != 0 && sandbox.read(input) == before, "{input}: {output:?}");
    }
    sandbox.run(&[&run[..7], &["--save-to", "NEW.SAV"]].concat()).exits_with(2);
}

#[test]
fn checks_items() {
    let sandbox = Sandbox::with_games();
    let test = |item: &str| {
        format!(
            "map = \"{MAP}\"\n[[test]]\nname = \"a\"\nsave = \"{SAVE}\"\nupdates = 2\n[[test.expect]]\n{item}\n"
        )
    };
    let run = |item: &str| {
        sandbox.put("a.souptest.toml", test(item).as_bytes());
        sandbox.run(&["script", "test", "a.souptest.toml"])
    };
    run("item = \"compass\"\nat_least = 1").exits_with(0);
    let output = run("item = \"compass\"\nis = 0").exits_with(1);
    assert!(output.text().contains("expected HaveItem(#compass) to be 0 at the end"), "{output:?}");
    let output = run("item = \"compas\"\nis = 0").exits_with(1);
    assert!(output.text().contains("unknown item compas"), "{output:?}");
    let output = run("item = \"compass\"").exits_with(1);
    assert!(
        output.err.contains("missing item count") || output.text().contains("missing item count"),
        "{output:?}"
    );
    let output = run("item = \"compass\"\nflag = \"Asked_Once\"\nis = 1").exits_with(1);
    assert!(
        format!("{output:?}").contains("exactly one of said, called, flag, value and item"),
        "{output:?}"
    );
}
