//! `SOUP386.DEF`: the names that scripts know by number.
//!
//! A text with sections in brackets and comments behind `;`. The order of the lines gives the numbers:
//!
//! - `[functions]`: `task sRotate parms 4`, from number 1 on; 0 does nothing;
//! - `[refs]`: a property of an object in each line;
//! - `[equates]`: names of numbers. Within `auto` and `endauto` each name is one more than the one before, unless a number or an earlier name
//!   follows it. The first such block names attributes, the second animation groups;
//! - `[flags]`: `BOOL After_Jail 0 ;comment`.
//!
//! Sources: RGUnity/redguard-unity; redguard-preservation and what its authors found in the Glide program.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use serde::Serialize;

/// The names of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Definitions {
    /// The functions by number; 0 is [`Function::null`].
    pub functions: Vec<Function>,
    /// The properties of objects by number.
    pub references: Vec<String>,
    /// The names of attributes by number; `None` for numbers without one.
    pub attributes: Vec<Option<String>>,
    /// Other names of attributes.
    pub attribute_aliases: Vec<(String, i64)>,
    /// The names of animation groups by number; `None` for numbers without one.
    pub animation_groups: Vec<Option<String>>,
    /// All names of numbers, in the order in which they are given.
    pub equates: Vec<(String, i64)>,
    /// The global flags by number.
    pub flags: Vec<Flag>,
    /// Lines that say nothing the game understands.
    pub problems: Vec<Problem>,
}

/// A function that scripts call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Function {
    /// Its name; letter case does not count.
    pub name: String,
    /// How it is declared. The game drops the word: how a function runs is said by the call.
    #[serde(rename = "type")]
    pub kind: FunctionKind,
    /// How many parameters it takes.
    pub params: u32,
}

impl Function {
    /// The function 0.
    #[must_use]
    pub fn null() -> Self {
        Self { name: "NullFunction".to_owned(), kind: FunctionKind::Function, params: 0 }
    }
}

/// How a function is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FunctionKind {
    /// It takes time; the script waits for it.
    Task,
    /// It takes time; the script goes on.
    Multitask,
    /// It is done at once.
    Function,
}

impl FunctionKind {
    fn of(word: &str) -> Option<Self> {
        [("task", Self::Task), ("multitask", Self::Multitask), ("function", Self::Function)]
            .into_iter()
            .find_map(|(name, kind)| word.eq_ignore_ascii_case(name).then_some(kind))
    }
}

/// A global flag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Flag {
    /// Its name.
    pub name: String,
    /// What setting it does.
    #[serde(rename = "type")]
    pub kind: FlagKind,
    /// Its value in a new game.
    pub default: i64,
    /// What is said of it.
    pub comment: Option<String>,
}

/// What setting a flag does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum FlagKind {
    /// Toggles it once.
    Bool,
    /// Toggles it each time.
    FlipFlop,
    /// Counts it down.
    Counter,
    /// Keeps its value.
    Number,
}

impl FlagKind {
    fn of(word: &str) -> Option<Self> {
        [
            ("bool", Self::Bool),
            ("flipflop", Self::FlipFlop),
            ("counter", Self::Counter),
            ("number", Self::Number),
        ]
        .into_iter()
        .find_map(|(name, kind)| word.eq_ignore_ascii_case(name).then_some(kind))
    }
}

/// A line that says nothing the game understands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 0.
    pub line: usize,
    /// What is wrong with it.
    pub kind: ProblemKind,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    /// It does not have the words that its section wants.
    Malformed(&'static str),
    /// A section that there is not.
    Section(String),
    /// A name that was given before.
    Duplicate(String),
    /// A name that stands for no number yet.
    UnknownName(String),
    /// A block that is not closed.
    NoEndAuto,
    /// Text before the first section.
    NoSection,
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(expected) => write!(f, "expected {expected}"),
            Self::Section(name) => write!(f, "unknown section [{name}]"),
            Self::Duplicate(name) => write!(f, "\"{name}\" is already defined"),
            Self::UnknownName(name) => write!(f, "\"{name}\" is not a number or an earlier name"),
            Self::NoEndAuto => f.write_str("auto without endauto"),
            Self::NoSection => f.write_str("text before the first section"),
        }
    }
}

/// The names of the shipped game as a file, without the properties, the order of which is in no public source.
pub const SHIPPED_FILE: &str = include_str!("shipped.def");

impl Definitions {
    /// Those of the shipped game, without the numbers of its properties, which no public source has.
    #[must_use]
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Definitions> = LazyLock::new(|| Definitions::read(SHIPPED_FILE.lines()));
        &SHIPPED
    }

    /// Reads the lines of a file. What is wrong with them is in [`Definitions::problems`].
    #[must_use]
    pub fn read<T: AsRef<str>>(lines: impl IntoIterator<Item = T>) -> Self {
        let mut reader = Reader::default();
        for (line, text) in lines.into_iter().enumerate() {
            reader.line = line;
            reader.read(text.as_ref());
        }
        reader.finish()
    }

    /// A function by its number.
    #[must_use]
    pub fn function(&self, number: u16) -> Option<&Function> {
        self.functions.get(usize::from(number))
    }

    /// The name of an attribute.
    #[must_use]
    pub fn attribute(&self, number: usize) -> Option<&str> {
        self.attributes.get(number)?.as_deref()
    }

    /// The number of an attribute; letter case does not count.
    #[must_use]
    pub fn attribute_number(&self, name: &str) -> Option<usize> {
        let known =
            |known: &Option<String>| known.as_ref().is_some_and(|known| known.eq_ignore_ascii_case(name));
        self.attributes.iter().position(known)
    }

    /// The name of an animation group.
    #[must_use]
    pub fn animation_group(&self, number: u16) -> Option<&str> {
        self.animation_groups.get(usize::from(number))?.as_deref()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Functions,
    References,
    Equates,
    Flags,
    Unknown,
}

/// A block of names that count up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Auto {
    /// How many such blocks there were before.
    index: usize,
    next: i64,
    /// The line where it begins.
    line: usize,
}

#[derive(Default)]
struct Reader {
    out: Definitions,
    line: usize,
    section: Option<Section>,
    auto: Option<Auto>,
    blocks: usize,
    values: HashMap<String, i64>,
    /// Names of functions and flags, to find those that repeat.
    names: HashMap<(bool, String), ()>,
}

/// No name of a list has a greater number.
const MOST_NAMES: usize = 1 << 12;

impl Reader {
    fn problem(&mut self, kind: ProblemKind) {
        self.out.problems.push(Problem { line: self.line, kind });
    }

    fn read(&mut self, text: &str) {
        let (text, comment) = match text.split_once(';') {
            Some((text, comment)) => (text.trim(), Some(comment.trim()).filter(|it| !it.is_empty())),
            None => (text.trim(), None),
        };
        if text.is_empty() {
            return;
        }
        if let Some(name) = text.strip_prefix('[') {
            return self.enter(name.trim_end_matches(']').trim());
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        match self.section {
            None => self.problem(ProblemKind::NoSection),
            Some(Section::Functions) => self.function(&words),
            Some(Section::References) => self.out.references.push(text.to_owned()),
            Some(Section::Equates) => self.equate(text, &words),
            Some(Section::Flags) => self.flag(&words, comment),
            Some(Section::Unknown) => {}
        }
    }

    fn enter(&mut self, name: &str) {
        self.close();
        let known = [
            ("functions", Section::Functions),
            ("refs", Section::References),
            ("equates", Section::Equates),
            ("flags", Section::Flags),
        ];
        let found = known.into_iter().find(|(known, _)| name.eq_ignore_ascii_case(known));
        if found.is_none() {
            self.problem(ProblemKind::Section(name.to_owned()));
        }
        self.section = Some(found.map_or(Section::Unknown, |(_, section)| section));
    }

    fn function(&mut self, words: &[&str]) {
        let declared = match words {
            [kind, name, word, count]
                if word.eq_ignore_ascii_case("parms") || word.eq_ignore_ascii_case("params") =>
            {
                FunctionKind::of(kind).zip(count.parse().ok()).map(|(kind, params)| (kind, *name, params))
            }
            _ => None,
        };
        let Some((kind, name, params)) = declared else {
            return self.problem(ProblemKind::Malformed("\"function NAME parms COUNT\""));
        };
        self.name_once(true, name);
        if self.out.functions.is_empty() {
            self.out.functions.push(Function::null());
        }
        self.out.functions.push(Function { name: name.to_owned(), kind, params });
    }

    fn name_once(&mut self, is_function: bool, name: &str) {
        if self.names.insert((is_function, name.to_lowercase()), ()).is_some() {
            self.problem(ProblemKind::Duplicate(name.to_owned()));
        }
    }

    fn flag(&mut self, words: &[&str], comment: Option<&str>) {
        let declared = match words {
            [kind, name, value] => {
                let value = match value.to_lowercase().as_str() {
                    "true" => Some(1),
                    "false" => Some(0),
                    number => number.parse::<i64>().ok(),
                };
                FlagKind::of(kind).zip(value).map(|(kind, value)| (kind, *name, value))
            }
            _ => None,
        };
        let Some((kind, name, default)) = declared else {
            return self.problem(ProblemKind::Malformed("\"BOOL NAME VALUE\""));
        };
        self.name_once(false, name);
        let comment = comment.map(str::to_owned);
        self.out.flags.push(Flag { name: name.to_owned(), kind, default, comment });
    }

    fn equate(&mut self, text: &str, words: &[&str]) {
        match words {
            [word] if word.eq_ignore_ascii_case("auto") => {
                self.close();
                self.auto = Some(Auto { index: self.blocks, next: 0, line: self.line });
                self.blocks = self.blocks.saturating_add(1);
                return;
            }
            [word] if word.eq_ignore_ascii_case("endauto") => {
                if self.auto.take().is_none() {
                    self.problem(ProblemKind::Malformed("\"auto\" before \"endauto\""));
                }
                return;
            }
            _ => {}
        }
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => match text.split_once(char::is_whitespace) {
                Some((name, value)) => (name, Some(value.trim())),
                None => (text, None),
            },
        };
        let given = match value.filter(|value| !value.is_empty()) {
            None => None,
            Some(value) => {
                let earlier = || self.values.get(&value.to_lowercase()).copied();
                let Some(number) = value.parse().ok().or_else(earlier) else {
                    return self.problem(ProblemKind::UnknownName(value.to_owned()));
                };
                Some(number)
            }
        };
        let number = given.or(self.auto.map(|auto| auto.next)).unwrap_or(0);
        if self.values.insert(name.to_lowercase(), number).is_some() {
            self.problem(ProblemKind::Duplicate(name.to_owned()));
        }
        self.out.equates.push((name.to_owned(), number));
        let Some(auto) = &mut self.auto else { return };
        auto.next = number.saturating_add(1);
        match auto.index {
            0 => place(&mut self.out.attributes, &mut self.out.attribute_aliases, name, number),
            1 => place(&mut self.out.animation_groups, &mut Vec::new(), name, number),
            _ => {}
        }
    }

    fn close(&mut self) {
        if let Some(auto) = self.auto.take() {
            self.out.problems.push(Problem { line: auto.line, kind: ProblemKind::NoEndAuto });
        }
    }

    fn finish(mut self) -> Definitions {
        self.close();
        self.out
    }
}

/// Gives a number its name; a further one is another name.
fn place(names: &mut Vec<Option<String>>, aliases: &mut Vec<(String, i64)>, name: &str, number: i64) {
    let Some(at) = usize::try_from(number).ok().filter(|at| *at < MOST_NAMES) else { return };
    if names.len() <= at {
        names.resize(at.saturating_add(1), None);
    }
    match names.get_mut(at) {
        Some(free @ None) => *free = Some(name.to_owned()),
        _ => aliases.push((name.to_owned(), number)),
    }
}
