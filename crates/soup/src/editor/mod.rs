//! What an editor asks of the text of a script: what is wrong with it, what stands at a place, and what may stand there.
//!
//! Positions are lines and columns in characters, both from 0 on. All functions take any text, also one that cannot be read as a script.

mod complete;
mod cursor;
mod declared;
mod finding;
mod hover;
mod name;
mod outline;
mod rename;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::text::Surroundings;

pub use complete::{Completion, Completions, complete};
pub use declared::declared_in;
pub use finding::{Finding, Severity, findings};
pub use hover::{Hover, Signature, hover, signature};
pub use name::{Access, NameKind, Occurrence, name_at, names};
pub use outline::{Fold, OutlineItem, folds, outline};
pub use rename::{NotRenamed, rename};

/// What is known of the script whose text is edited.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The names of the game, and the texts of the actor.
    pub around: Surroundings<'a>,
    /// Whether the map is known, and so the texts of the actor and its objects.
    pub map: MapKnowledge,
    /// How many variables the actor has; 0 where that is not known.
    pub locals: usize,
    /// The names of the objects of the map.
    pub objects: &'a [String],
    /// What is spoken with each dialogue label.
    pub lines: &'a BTreeMap<String, String>,
}

/// Whether the map of a script is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapKnowledge {
    /// Its actor has these texts and no others.
    Known,
    /// Any text may be one of the actor.
    Unknown,
}

/// A place between two characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 0 on.
    pub line: usize,
    /// How many characters of the line stand before it.
    pub column: usize,
}

/// A part of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The line, from 0 on.
    pub line: usize,
    /// The column of its first character.
    pub start: usize,
    /// The column behind its last character.
    pub end: usize,
}

impl Span {
    /// Whether a position lies in it or at one of its ends.
    #[must_use]
    pub const fn touches(&self, at: Position) -> bool {
        self.line == at.line && self.start <= at.column && at.column <= self.end
    }
}
