//! Tests of script tests: parsing files and observing sessions.

use std::sync::Mutex;

use asset::{FolderSink, Guard, Sink as _};

use super::TestFailure;
use super::file::TestFile;
use super::run::watch;
use crate::script::{ScriptSession, SessionRequest};
use crate::session::{ScriptOptions, Session};

/// Script that counts its updates in `var1`, speaks a line in update 3, and stops with a fault in update 8.
const COUNTING: &str = "
actor \"KEEPER\"

var2 = 0
counts:
var1 = var1 + 1
SpeedScale(var1)
if var1 = 3 {
    AmbientRtx('well', 0, 0)
    SetGlobalFlag(#FixBell)
}
var2 = 8 - var1
var2 = 1 / var2
end counts
";

/// Opens a session with only the keeper of the sample's island, running the counting script.
fn counting() -> ScriptSession {
    static SESSION: Mutex<Option<ScriptSession>> = Mutex::new(None);
    let mut session = SESSION.lock().unwrap();
    let open = || {
        let folder = tempfile::tempdir().unwrap();
        let mut sink = FolderSink::new(folder.path().to_path_buf(), Guard::default().into());
        crate::sample::write(crate::CATALOG, &mut sink).unwrap();
        sink.put("KEEPER.soup", COUNTING.as_bytes()).unwrap();
        sink.finish().unwrap();
        let (antiquary, options) = (Session::default(), ScriptOptions::default());
        let maps = folder.path().join("redguard/maps");
        let (island, map) = (maps.join("ISLAND.RGM"), maps.join("TEST.RGM"));
        let texts = [folder.path().join("KEEPER.soup")];
        assert_eq!(antiquary.assemble_scripts(&texts, &island, &map, &options).unwrap().problems, []);
        let request = SessionRequest { actor: Some("KEEPER".to_owned()), ..SessionRequest::default() };
        antiquary.run_scripts(&map, &options, &request).unwrap().1
    };
    session.get_or_insert_with(open).clone()
}

const HEAD: &str = "map = \"A.RGM\"\n[[test]]\nname = \"it counts\"\nupdates = 5\n";

/// Returns the failures of a test with this expectation.
fn failures(expect: &str) -> Vec<TestFailure> {
    let text = format!("{HEAD}[[test.expect]]\n{expect}");
    let file = TestFile::parse(&text).unwrap();
    watch(&mut counting(), &file.tests[0]).1
}

fn problems(text: &str) -> Vec<String> {
    let problems = TestFile::parse(text).unwrap_err();
    problems.into_iter().map(|(at, message)| format!("{}:{}: {message}", at.line, at.column)).collect()
}

#[track_caller]
fn passes(expect: &str) {
    assert_eq!(failures(expect), []);
}

#[track_caller]
fn fails(expect: &str, message: &str, instead: &[&str]) {
    let failures = failures(expect);
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!((failures[0].message.as_str(), failures[0].position.line), (message, 5));
    assert_eq!(failures[0].instead, instead);
}

#[test]
fn matches_lines_by_label_or_by_a_part_of_their_text() {
    passes("said = \"well\"");
    passes("said = \"see THE lamp\"\nactor = \"keeper\"\nat = 3\ntimes = 1");
    passes("said = \"well\"\nnever = true\nby = 2");
    fails(
        "said = \"well\"\nby = 2",
        "expected \"well\" to be said by update 2",
        &["update 3: KEEPER 'well' \"Well? Did you see the lamp or not?\""],
    );
    fails("said = \"well\"\nactor = \"LAMP\"", "expected \"well\" to be said by LAMP", &["nothing was said"]);
    fails(
        "said = \"lamp\"\nnever = true",
        "did not expect \"lamp\" to be said by update 5",
        &["once in update 3"],
    );
}

#[test]
fn matches_calls_by_name_or_completely() {
    passes("called = \"speedscale\"\ntimes = 5");
    passes("called = \"SpeedScale( 4 )\"\nat = 4\nresult = 4");
    passes("called = \"Me.SpeedScale(4)\"\nafter = 3\nby = 4");
    fails(
        "called = \"SpeedScale(9)\"\nat = 2",
        "expected SpeedScale(9) to be called in update 2",
        &[
            "update 1: KEEPER SpeedScale(1) = 1",
            "update 2: KEEPER SpeedScale(2) = 2",
            "update 3: KEEPER SpeedScale(3) = 3",
            "update 4: KEEPER SpeedScale(4) = 4",
            "update 5: KEEPER SpeedScale(5) = 5",
        ],
    );
    fails(
        "called = \"Fly\"",
        "expected Fly to be called",
        &["functions called: AmbientRtx, SetGlobalFlag, SpeedScale"],
    );
    fails(
        "called = \"SpeedScale\"\ntimes = 2",
        "expected SpeedScale to be called 2 times",
        &["5 times in updates 1, 2, 3, 4, 5"],
    );
}

#[test]
fn checks_values_at_the_end_unless_the_test_specifies_updates() {
    passes("value = \"var1\"\nis = 5");
    passes("value = \"KEEPER.var1\"\nis = 2\nat = 2");
    passes("value = \"var1\"\nis = 2\nby = 4");
    passes("value = \"LAMP.var0\"\nis = 1");
    passes("value = \"main\"\nis = 8");
    passes("value = \"var1\"\nat_least = 3\nat_most = 3\nby = 3");
    passes("flag = \"FixBell\"\nis = true");
    passes("flag = \"FixBell\"\nlatched = false\nat = 2");
    passes("flag = \"FixBell\"\nlatched = true");
    fails(
        "value = \"var1\"\nis = 2",
        "expected var1 to be 2 at the end",
        &[
            "it was 1, then 2 after update 2, then 3 after update 3, then 4 after update 4, then 5 after update 5",
        ],
    );
    fails(
        "value = \"var1\"\nis_not = 9\nnever = true\nat = 4",
        "did not expect var1 to be not 9 in update 4",
        &["once in update 4"],
    );
    fails(
        "value = \"LAMP.coun\"\nis = 2",
        "there is no variable, flag, attribute or property called \"coun\"; did you mean \"CTCount\"?",
        &[],
    );
}

#[test]
fn a_fault_fails_a_test_unless_it_is_expected() {
    let run = |fault: &str| {
        let expect = "[[test.expect]]\nvalue = \"var1\"\nis = 8\n";
        let text = format!("map = \"A.RGM\"\n[[test]]\nname = \"it stops\"\nupdates = 20\n{fault}{expect}");
        let (updates, failures) = watch(&mut counting(), &TestFile::parse(&text).unwrap().tests[0]);
        assert_eq!(updates, 7);
        failures.into_iter().map(|it| (it.message, it.instead)).collect::<Vec<_>>()
    };
    let stop = "the script stopped: KEEPER, 0x52: division by zero (update 8, main) [div_by_zero]";
    assert_eq!(run(""), [(stop.to_owned(), Vec::new())]);
    assert_eq!(run("fault = \"div_by_zero\"\n"), []);
    assert_eq!(run("fault = \"limit\"\n"), [("expected the fault limit".to_owned(), vec![stop.to_owned()])]);
}

#[test]
fn reports_problems_in_a_file_with_their_positions() {
    assert_eq!(problems(""), ["1:1: the file has no tests; each one begins with [[test]]"]);
    assert_eq!(problems("[[test]\n").len(), 1);
    let unknown = problems("[[test]]\nname = \"a\"\nupdate = 3\n");
    assert!(
        unknown[0].starts_with("3:1: unknown field `update`, expected one of `name`, `map`"),
        "{unknown:?}"
    );
    let number = problems("[[test]]\nname = \"a\"\nupdates = -3\n");
    assert!(number[0].starts_with("3:11: "), "{number:?}");
    assert_eq!(
        problems("[[test]]\nname = \"a\"\nhost = \"h.json\"\nupdates = 0\n"),
        [
            "2:8: the test has no map; write map = \"FILE\" in it or at the top of the file",
            "1:1: the test expects nothing; add [[test.expect]]",
            "4:11: updates must be from 1 to 1048576",
            "3:8: host answers apply to one actor; add actor = \"NAME\"",
        ]
    );
}

#[test]
fn reports_problems_in_an_expectation_with_its_line() {
    let problem = |expect: &str| problems(&format!("{HEAD}[[test.expect]]\n{expect}")).join("|");
    assert_eq!(problem(""), "5:1: missing subject: specify said, called, flag, value or item");
    assert_eq!(
        problem("flag = \"Met\""),
        "5:1: missing condition of the flag: specify is, is_not, at_least, at_most or latched"
    );
    assert_eq!(problem("said = \"a\"\nat = 9"), "5:1: at = 9 is after the last update, 5");
    assert_eq!(problem("said = \"a\"\nat = 2\nby = 3"), "5:1: at cannot be combined with by or after");
    assert_eq!(problem("said = \"a\"\nnever = true\ntimes = 1"), "5:1: never and times exclude each other");
    assert_eq!(
        problem("said = \"a\"\nflag = \"Met\""),
        "5:1: each [[test.expect]] takes exactly one of said, called, flag, value and item"
    );
    assert_eq!(problem("value = \"a\"\nis = 1\ntimes = 2"), "5:1: times is only valid with said and called");
}
