//! The description of a command of the console.

use serde::Serialize;

/// The source of the facts about commands and cheats.
pub const SOURCE: &str = "redguard-preservation 0.10.4";

/// A word that the console accepts at the start of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Command {
    /// Whether it is a command or a cheat.
    pub kind: Kind,
    /// The name.
    pub name: &'static str,
    /// The short name; `None` for cheats. Only the prompt accepts it: lines that the program itself runs need the name.
    pub alias: Option<&'static str>,
    /// The arguments: `[]` encloses optional ones, `|` separates alternatives, `...` repeats the last one. Empty if there are none.
    pub arguments: &'static str,
    /// The effect.
    pub effect: &'static str,
    /// The certainty of the effect.
    pub mark: Mark,
    /// The first arguments with an effect of their own.
    pub operations: &'static [Operation],
    /// The source of the facts.
    pub source: &'static str,
}

/// The kind of a word of the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A command.
    Command,
    /// A cheat, which can also be typed in the game.
    Cheat,
}

/// The certainty of a fact, with the marks of the book's page about the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[non_exhaustive]
pub enum Mark {
    /// Stated about the game's program.
    #[serde(rename = "E")]
    Stated,
    /// Our reading of the name.
    #[serde(rename = "?")]
    Open,
}

/// A first argument with an effect of its own: `object die`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Operation {
    /// The argument.
    pub name: &'static str,
    /// The arguments after it, in the notation of [`Command::arguments`].
    pub arguments: &'static str,
    /// The effect.
    pub effect: &'static str,
    /// The certainty of the effect.
    pub mark: Mark,
}

/// A command whose effect is stated.
pub(super) const fn command(
    name: &'static str,
    alias: &'static str,
    arguments: &'static str,
    effect: &'static str,
) -> Command {
    Command {
        kind: Kind::Command,
        name,
        alias: Some(alias),
        arguments,
        effect,
        mark: Mark::Stated,
        operations: &[],
        source: SOURCE,
    }
}

/// An operation whose effect is stated.
pub(super) const fn operation(
    name: &'static str,
    arguments: &'static str,
    effect: &'static str,
) -> Operation {
    Operation { name, arguments, effect, mark: Mark::Stated }
}

/// A report that is known only by its name.
pub(super) const fn report(name: &'static str, arguments: &'static str, effect: &'static str) -> Operation {
    Operation { mark: Mark::Open, ..operation(name, arguments, effect) }
}

impl Command {
    /// The same command with operations.
    pub(super) const fn with(self, operations: &'static [Operation]) -> Self {
        Self { operations, ..self }
    }

    /// The same command with an effect that is our reading of its name.
    pub(super) const fn open(self) -> Self {
        Self { mark: Mark::Open, ..self }
    }
}
