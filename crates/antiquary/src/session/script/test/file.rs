//! Test files: TOML, with the position of each part.

use std::collections::BTreeMap;
use std::ops::Range;

use json::Value;
use serde::Deserialize;
use toml::Spanned;

use super::expectation::{Expectation, Number};
use super::position::TextPosition;
use crate::script::Reach;

/// Default number of updates that a test runs.
const UPDATES: u32 = 100;

/// Maximum number of updates: a day of the game.
const MAX_UPDATES: u32 = 1 << 20;

/// Tests of a file.
#[derive(Debug)]
pub(super) struct TestFile {
    pub(super) tests: Vec<Test>,
}

/// A test.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) name: String,
    pub(super) position: TextPosition,
    /// Map, relative to the test file, as are all other paths.
    pub(super) map: String,
    pub(super) games: Vec<String>,
    pub(super) definitions: Option<String>,
    pub(super) actor: Option<String>,
    pub(super) instance: usize,
    pub(super) world: Option<i64>,
    pub(super) updates: u32,
    pub(super) limit: u64,
    pub(super) flags: Vec<(String, String)>,
    /// Values set before the first update, with their positions.
    pub(super) set: Vec<(String, String, TextPosition)>,
    pub(super) host: Option<Input>,
    pub(super) player: Option<Input>,
    pub(super) reach: Reach,
    pub(super) state: Option<Input>,
    /// A saved game.
    pub(super) save: Option<String>,
    /// Expected fault at the end of the test, with its position.
    pub(super) fault: Option<(String, TextPosition)>,
    pub(super) expectations: Vec<Expectation>,
}

/// A value in a separate file, or in the test.
#[derive(Debug)]
pub(super) enum Input {
    File(String),
    Given(Value),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTable {
    map: Option<String>,
    game: Option<Games>,
    def: Option<String>,
    #[serde(default)]
    test: Vec<Spanned<TestTable>>,
}

#[derive(Clone, Deserialize)]
#[serde(untagged, expecting = "expected a folder or a list of folders")]
enum Games {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestTable {
    name: Spanned<String>,
    map: Option<String>,
    game: Option<Games>,
    def: Option<String>,
    actor: Option<Spanned<String>>,
    #[serde(default)]
    instance: usize,
    world: Option<i64>,
    updates: Option<Spanned<u32>>,
    #[serde(default)]
    limit: u64,
    #[serde(default)]
    flags: BTreeMap<String, Number>,
    #[serde(default)]
    set: BTreeMap<String, Spanned<Number>>,
    host: Option<Spanned<Value>>,
    player: Option<Spanned<Value>>,
    #[serde(default)]
    everywhere: bool,
    state: Option<Spanned<Value>>,
    save: Option<String>,
    fault: Option<Spanned<String>>,
    #[serde(default)]
    expect: Vec<Spanned<super::expectation::Table>>,
}

/// Problems in a file, with their positions.
pub(super) type Problems = Vec<(TextPosition, String)>;

impl TestFile {
    /// Parses a file.
    pub(super) fn parse(text: &str) -> Result<Self, Problems> {
        let table: FileTable = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            vec![(TextPosition::of(text, at), error.message().to_owned())]
        })?;
        let mut problems = Vec::new();
        if table.test.is_empty() {
            problems.push((
                TextPosition::of(text, 0),
                "the file has no tests; each one begins with [[test]]".to_owned(),
            ));
        }
        let mut reader = Reader { text, problems };
        let FileTable { map, game, def, test } = table;
        let around = Around { map, game, def };
        let tests = test.into_iter().filter_map(|test| reader.test(test, &around)).collect();
        if reader.problems.is_empty() { Ok(Self { tests }) } else { Err(reader.problems) }
    }
}

/// Values that a file specifies for all its tests.
struct Around {
    map: Option<String>,
    game: Option<Games>,
    def: Option<String>,
}

/// Parser that collects problems.
struct Reader<'a> {
    text: &'a str,
    problems: Problems,
}

impl Reader<'_> {
    fn position(&self, span: &Range<usize>) -> TextPosition {
        TextPosition::of(self.text, span.start)
    }

    fn problem(&mut self, span: &Range<usize>, message: impl Into<String>) {
        self.problems.push((self.position(span), message.into()));
    }

    fn test(&mut self, test: Spanned<TestTable>, around: &Around) -> Option<Test> {
        let span = test.span();
        let test = test.into_inner();
        let position = self.position(&test.name.span());
        let map = test.map.or_else(|| around.map.clone());
        if map.is_none() {
            self.problem(
                &test.name.span(),
                "the test has no map; write map = \"FILE\" in it or at the top of the file",
            );
        }
        if test.expect.is_empty() && test.fault.is_none() {
            self.problem(&span, "the test expects nothing; add [[test.expect]]");
        }
        let updates = test.updates.as_ref().map_or(UPDATES, |it| *it.get_ref());
        if let Some(it) = test.updates.as_ref().filter(|it| !(1..=MAX_UPDATES).contains(it.get_ref())) {
            self.problem(&it.span(), format!("updates must be from 1 to {MAX_UPDATES}"));
        }
        if let Some(it) = test.host.as_ref().filter(|_| test.actor.is_none()) {
            self.problem(&it.span(), "host answers apply to one actor; add actor = \"NAME\"");
        }
        let mut expectations = Vec::new();
        for table in test.expect {
            let span = table.span();
            let position = self.position(&span);
            match table.into_inner().expectation(position, updates) {
                Ok(it) => expectations.push(it),
                Err(message) => self.problem(&span, message),
            }
        }
        let set = test.set.into_iter();
        let set = set.map(|(name, it)| (name, it.get_ref().to_string(), self.position(&it.span()))).collect();
        let fault = test.fault.map(|it| (it.get_ref().clone(), self.position(&it.span())));
        Some(Test {
            name: test.name.into_inner(),
            position,
            map: map?,
            games: match test.game.or_else(|| around.game.clone()) {
                None => Vec::new(),
                Some(Games::One(it)) => vec![it],
                Some(Games::Many(them)) => them,
            },
            definitions: test.def.or_else(|| around.def.clone()),
            actor: test.actor.map(Spanned::into_inner),
            instance: test.instance,
            world: test.world,
            updates,
            limit: test.limit,
            flags: test.flags.into_iter().map(|(name, it)| (name, it.to_string())).collect(),
            set,
            host: test.host.map(input),
            player: test.player.map(input),
            reach: if test.everywhere { Reach::Everywhere } else { Reach::AroundPlayer },
            state: test.state.map(input),
            save: test.save,
            fault,
            expectations,
        })
    }
}

/// Interprets a string as a file name.
fn input(value: Spanned<Value>) -> Input {
    match value.into_inner() {
        Value::String(file) => Input::File(file),
        given => Input::Given(given),
    }
}
