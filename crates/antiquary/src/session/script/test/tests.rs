//! Tests of the tests of scripts: what files are taken, and what is said of a session.

use asset::Error;
use asset::script::session::{
    Advance, Happening, HappeningKind, Position, Progress, ScriptSession, SessionActor, SessionStop, Watched,
};
use json::{Document, Value, json};

use super::TestFailure;
use super::file::TestFile;
use super::run::watch;

/// Two actors: A counts its updates in `count`, says something in update 3 and calls `Wait` in each; B does nothing. It stops in update 8.
#[derive(Debug, Clone, Default)]
struct Counting {
    updates: u32,
    happened: Vec<Happening>,
}

impl ScriptSession for Counting {
    fn advance(&mut self, _: Advance) -> Result<Progress, Box<SessionStop>> {
        if self.updates == 7 {
            return Err(Box::new(SessionStop {
                code: "div_by_zero".to_owned(),
                actor: "A".to_owned(),
                update: 8,
                stage: "main",
                at: 2,
                message: "division by zero".to_owned(),
            }));
        }
        self.updates = self.updates.saturating_add(1);
        let update = self.updates;
        let mut happen = |kind, subject: &str, text: &str| {
            let (subject, text) = (subject.to_owned(), text.to_owned());
            self.happened.push(Happening { update, actor: 0, kind, subject, text });
        };
        happen(HappeningKind::Call, "Wait", &format!("task Wait({update}) after 0 ticks = 1"));
        happen(HappeningKind::Visit, "Wait", "task Wait(9) after 1 ticks = 0");
        if update == 3 {
            happen(HappeningKind::Call, "RTX", "task RTX('well') after 0 ticks = 1");
            happen(HappeningKind::Line, "well", "Well met, stranger.");
        }
        Ok(Progress::Complete)
    }

    fn updates(&self) -> u32 {
        self.updates
    }

    fn instructions(&self) -> u64 {
        0
    }

    fn actors(&self) -> Vec<SessionActor> {
        let actor = |name: &str| SessionActor { name: name.to_owned(), instance: 0, is_scripted: true };
        vec![actor("A"), actor("B")]
    }

    fn position(&self) -> Option<Position> {
        None
    }

    fn happened(&mut self) -> Vec<Happening> {
        std::mem::take(&mut self.happened)
    }

    fn take_calls(&mut self, _: &mut dyn FnMut(Value)) -> u64 {
        0
    }

    fn state(&self) -> Document {
        Document::from(&json!({ "flags": { "Met": { "value": 1, "latch": u8::from(self.updates >= 3) } } }))
    }

    fn source(&self, _: usize) -> Option<(String, Vec<(u32, usize)>)> {
        None
    }

    fn watch(&self, _: usize) -> Vec<Watched> {
        Vec::new()
    }

    fn get(&self, actor: usize, name: &str) -> Result<String, Error> {
        match (actor, name) {
            (0, "count") => Ok(self.updates.to_string()),
            (1, "count") => Ok("0".to_owned()),
            (0, "Met") => Ok("1".to_owned()),
            (0, "main") => Ok("0x10".to_owned()),
            _ => Err(Error::usage(format!("there is no value called \"{name}\""))),
        }
    }

    fn set(&mut self, _: usize, _: &str, _: &str) -> Result<(), Error> {
        Ok(())
    }

    fn fork(&self) -> Box<dyn ScriptSession> {
        Box::new(self.clone())
    }
}

const HEAD: &str = "map = \"A.RGM\"\n[[test]]\nname = \"it counts\"\nupdates = 5\n";

/// What is wrong when a test expects this.
fn failures(expect: &str) -> Vec<TestFailure> {
    let text = format!("{HEAD}[[test.expect]]\n{expect}");
    let file = TestFile::parse(&text).unwrap();
    watch(&mut Counting::default(), &file.tests[0]).1
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
fn lines_are_expected_by_label_or_by_a_part_of_their_text() {
    passes("said = \"well\"");
    passes("said = \"met, STRANGER\"\nactor = \"a\"\nat = 3\ntimes = 1");
    passes("said = \"well\"\nnever = true\nby = 2");
    fails(
        "said = \"well\"\nby = 2",
        "expected \"well\" to be said by update 2",
        &["update 3: A 'well' Well met, stranger."],
    );
    fails("said = \"well\"\nactor = \"B\"", "expected \"well\" to be said by B", &["nothing was said"]);
    fails(
        "said = \"met\"\nnever = true",
        "did not expect \"met\" to be said by update 5",
        &["once in update 3"],
    );
}

#[test]
fn calls_are_expected_by_name_or_as_a_whole() {
    passes("called = \"wait\"\ntimes = 5");
    passes("called = \"Wait( 4 )\"\nat = 4\nresult = 1");
    passes("called = \"Me.Wait(4)\"\nafter = 3\nby = 4");
    fails(
        "called = \"Wait(9)\"\nat = 2",
        "expected Wait(9) to be called in update 2",
        &[
            "update 1: A task Wait(1) after 0 ticks = 1",
            "update 2: A task Wait(2) after 0 ticks = 1",
            "update 3: A task Wait(3) after 0 ticks = 1",
            "update 4: A task Wait(4) after 0 ticks = 1",
            "update 5: A task Wait(5) after 0 ticks = 1",
        ],
    );
    fails("called = \"Fly\"", "expected Fly to be called", &["called were: RTX, Wait"]);
    fails(
        "called = \"Wait\"\ntimes = 2",
        "expected Wait to be called 2 times",
        &["5 times in updates 1, 2, 3, 4, 5"],
    );
}

#[test]
fn values_are_expected_at_the_end_unless_the_test_says_when() {
    passes("value = \"count\"\nis = 5");
    passes("value = \"A.count\"\nis = 2\nat = 2");
    passes("value = \"count\"\nis = 2\nby = 4");
    passes("value = \"B.count\"\nis = 0");
    passes("value = \"main\"\nis = 16");
    passes("value = \"count\"\nat_least = 3\nat_most = 3\nby = 3");
    passes("flag = \"Met\"\nis = true");
    passes("flag = \"Met\"\nlatched = false\nat = 2");
    passes("flag = \"Met\"\nlatched = true");
    fails(
        "value = \"count\"\nis = 2",
        "expected count to be 2 at the end",
        &[
            "it was 1, then 2 after update 2, then 3 after update 3, then 4 after update 4, then 5 after update 5",
        ],
    );
    fails(
        "value = \"count\"\nis_not = 9\nnever = true\nat = 4",
        "did not expect count to be not 9 in update 4",
        &["once in update 4"],
    );
    fails("value = \"B.coun\"\nis = 2", "there is no value called \"coun\"", &[]);
}

#[test]
fn a_fault_fails_a_test_unless_it_is_expected() {
    let run = |fault: &str| {
        let expect = "[[test.expect]]\nvalue = \"count\"\nis = 7\n";
        let text = format!("map = \"A.RGM\"\n[[test]]\nname = \"it stops\"\nupdates = 20\n{fault}{expect}");
        let (updates, failures) = watch(&mut Counting::default(), &TestFile::parse(&text).unwrap().tests[0]);
        assert_eq!(updates, 7);
        failures.into_iter().map(|it| (it.message, it.instead)).collect::<Vec<_>>()
    };
    let stop = "the script stopped: A, 0x2: division by zero (update 8, main) [div_by_zero]";
    assert_eq!(run(""), [(stop.to_owned(), Vec::new())]);
    assert_eq!(run("fault = \"div_by_zero\"\n"), []);
    assert_eq!(run("fault = \"limit\"\n"), [("expected the fault limit".to_owned(), vec![stop.to_owned()])]);
}

#[test]
fn what_is_wrong_with_a_file_is_told_with_its_place() {
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
            "4:11: updates goes from 1 to 1048576",
            "3:8: answers are for one actor; write actor = \"NAME\"",
        ]
    );
}

#[test]
fn what_is_wrong_with_an_expectation_is_told_with_its_line() {
    let problem = |expect: &str| problems(&format!("{HEAD}[[test.expect]]\n{expect}")).join("|");
    assert_eq!(problem(""), "5:1: say what is expected: said, called, flag, value or item");
    assert_eq!(
        problem("flag = \"Met\""),
        "5:1: say what the flag is to be: is, is_not, at_least, at_most or latched"
    );
    assert_eq!(problem("said = \"a\"\nat = 9"), "5:1: at = 9 is behind the last update, 5");
    assert_eq!(problem("said = \"a\"\nat = 2\nby = 3"), "5:1: at stands alone, without by and after");
    assert_eq!(problem("said = \"a\"\nnever = true\ntimes = 1"), "5:1: never and times exclude each other");
    assert_eq!(
        problem("said = \"a\"\nflag = \"Met\""),
        "5:1: each [[test.expect]] takes exactly one of said, called, flag, value and item"
    );
    assert_eq!(problem("value = \"a\"\nis = 1\ntimes = 2"), "5:1: times goes with said and called");
}
