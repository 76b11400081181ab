//! Reads `SOUP386.DEF`, which names what scripts refer to by number.
//!
//! A text file with sections in brackets and comments that start with `;`. Numbers follow from the order of the lines:
//!
//! - `[functions]`: one function per line, such as `task sRotate parms 4`, from number 1; function 0 does nothing;
//! - `[refs]`: one object property per line;
//! - `[equates]`: names of numbers. Within `auto` and `endauto`, each name has the next number, unless the line has a number or an earlier
//!   name. The first such block names attributes, the second animation groups;
//! - `[flags]`: one global flag per line, such as `BOOL After_Jail 0 ;comment`.
//!
//! Sources: RGUnity/redguard-unity; redguard-preservation and its authors' analysis of the Glide program.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use serde::Serialize;

/// The declared names of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Definitions {
    /// Functions by number; 0 is [`Function::null`].
    pub functions: Vec<Function>,
    /// Object properties by number.
    pub references: Vec<String>,
    /// Attribute names by number; `None` for unnamed numbers.
    pub attributes: Vec<Option<String>>,
    /// Additional names of attributes.
    pub attribute_aliases: Vec<(String, i64)>,
    /// Animation group names by number; `None` for unnamed numbers.
    pub animation_groups: Vec<Option<String>>,
    /// All names of numbers, in file order.
    pub equates: Vec<(String, i64)>,
    /// Global flags by number.
    pub flags: Vec<Flag>,
    /// Lines that cannot be understood.
    pub problems: Vec<Problem>,
}

/// A function that scripts can call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Function {
    /// The name, compared without regard to letter case.
    pub name: String,
    /// The declared kind. The game ignores it: the call specifies how a function runs.
    #[serde(rename = "type")]
    pub kind: FunctionKind,
    /// The number of parameters.
    pub params: u32,
}

impl Function {
    /// Returns function 0, which does nothing.
    #[must_use]
    pub fn null() -> Self {
        Self { name: "NullFunction".to_owned(), kind: FunctionKind::Function, params: 0 }
    }
}

/// The declared kind of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FunctionKind {
    /// Takes time; the script waits for it.
    Task,
    /// Takes time; the script continues.
    Multitask,
    /// Finishes immediately.
    Function,
}

impl FunctionKind {
    fn from_word(word: &str) -> Option<Self> {
        [("task", Self::Task), ("multitask", Self::Multitask), ("function", Self::Function)]
            .into_iter()
            .find_map(|(name, kind)| word.eq_ignore_ascii_case(name).then_some(kind))
    }
}

/// A global flag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Flag {
    /// The name.
    pub name: String,
    /// The effect of setting it.
    #[serde(rename = "type")]
    pub kind: FlagKind,
    /// The value in a new game.
    pub default: i64,
    /// The comment of its line.
    pub comment: Option<String>,
}

/// The effect of setting a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum FlagKind {
    /// Toggles it once.
    Bool,
    /// Toggles it every time.
    FlipFlop,
    /// Counts it down.
    Counter,
    /// Keeps its value.
    Number,
}

impl FlagKind {
    fn from_word(word: &str) -> Option<Self> {
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

/// A line that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The zero-based line number.
    pub line: usize,
    /// The kind of problem.
    pub kind: ProblemKind,
}

/// The kind of problem of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    /// The words do not match what the section requires.
    Malformed(&'static str),
    /// An unknown section.
    Section(String),
    /// A name that is already declared.
    Duplicate(String),
    /// A name that is not declared before its use.
    UnknownName(String),
    /// An unclosed block.
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

/// The names of the original game as a file, without the properties: no public source lists them in order.
pub const SHIPPED_FILE: &str = include_str!("shipped.def");

impl Definitions {
    /// Returns the names of the original game, without property numbers, which no public source lists.
    #[must_use]
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Definitions> = LazyLock::new(|| Definitions::read(SHIPPED_FILE.lines()));
        &SHIPPED
    }

    /// Reads the lines of a file. [`Definitions::problems`] lists invalid lines.
    #[must_use]
    pub fn read<T: AsRef<str>>(lines: impl IntoIterator<Item = T>) -> Self {
        let mut reader = Reader::default();
        for (line, text) in lines.into_iter().enumerate() {
            reader.line = line;
            reader.read(text.as_ref());
        }
        reader.finish()
    }

    /// Returns the function with a number.
    #[must_use]
    pub fn function(&self, number: u16) -> Option<&Function> {
        self.functions.get(usize::from(number))
    }

    /// Returns the name of an attribute.
    #[must_use]
    pub fn attribute(&self, number: usize) -> Option<&str> {
        self.attributes.get(number)?.as_deref()
    }

    /// Returns the number of an attribute, ignoring letter case.
    #[must_use]
    pub fn attribute_number(&self, name: &str) -> Option<usize> {
        let known =
            |known: &Option<String>| known.as_ref().is_some_and(|known| known.eq_ignore_ascii_case(name));
        self.attributes.iter().position(known)
    }

    /// Returns the name of an animation group.
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

/// A block of names with consecutive numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Auto {
    /// The number of such blocks before this one.
    index: usize,
    next: i64,
    /// The line number of its start.
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
    /// Names of functions and flags, to detect duplicates.
    names: HashMap<(bool, String), ()>,
}

/// The maximum number of a name in a list.
const MAX_NAMES: usize = 1 << 12;

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
                FunctionKind::from_word(kind)
                    .zip(count.parse().ok())
                    .map(|(kind, params)| (kind, *name, params))
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
                FlagKind::from_word(kind).zip(value).map(|(kind, value)| (kind, *name, value))
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
        let explicit = match value.filter(|value| !value.is_empty()) {
            None => None,
            Some(value) => {
                let earlier = || self.values.get(&value.to_lowercase()).copied();
                let Some(number) = value.parse().ok().or_else(earlier) else {
                    return self.problem(ProblemKind::UnknownName(value.to_owned()));
                };
                Some(number)
            }
        };
        let number = explicit.or(self.auto.map(|auto| auto.next)).unwrap_or(0);
        if self.values.insert(name.to_lowercase(), number).is_some() {
            self.problem(ProblemKind::Duplicate(name.to_owned()));
        }
        self.out.equates.push((name.to_owned(), number));
        let Some(auto) = &mut self.auto else { return };
        auto.next = number.saturating_add(1);
        match auto.index {
            0 => assign_name(&mut self.out.attributes, &mut self.out.attribute_aliases, name, number),
            1 => assign_name(&mut self.out.animation_groups, &mut Vec::new(), name, number),
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

/// Assigns a name to a number; each additional name becomes an alias.
fn assign_name(names: &mut Vec<Option<String>>, aliases: &mut Vec<(String, i64)>, name: &str, number: i64) {
    let Some(at) = usize::try_from(number).ok().filter(|at| *at < MAX_NAMES) else { return };
    if names.len() <= at {
        names.resize(at.saturating_add(1), None);
    }
    match names.get_mut(at) {
        Some(free @ None) => *free = Some(name.to_owned()),
        _ => aliases.push((name.to_owned(), number)),
    }
}
