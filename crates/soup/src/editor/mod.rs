//! Editor support for source text: errors, names at a position, and completions.
//!
//! Positions are zero-based lines and columns in characters. All functions accept any text, even if it is not a valid script.

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

use crate::SpokenLines;
use crate::text::SourceContext;

pub use complete::{Completion, Completions, complete};
pub use declared::declared_in;
pub use finding::{Finding, Severity, findings};
pub use hover::{Hover, Signature, hover, signature};
pub use name::{Access, NameKind, Occurrence, name_at, names};
pub use outline::{Fold, OutlineItem, folds, outline};
pub use rename::{RenameError, rename};

/// The context of the edited script.
#[derive(Debug, Clone, Copy)]
pub struct EditContext<'a> {
    /// The names of the game and the texts of the actor.
    pub source: SourceContext<'a>,
    /// Whether the map is known, and therefore the texts of the actor and its objects.
    pub map: MapKnowledge,
    /// The number of variables of the actor; 0 if unknown.
    pub locals: usize,
    /// The names of the objects of the map.
    pub objects: &'a [String],
    /// The spoken text of each dialogue label.
    pub lines: &'a SpokenLines,
}

/// Whether the map of a script is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapKnowledge {
    /// Known: the actor has exactly these texts.
    Known,
    /// Unknown: any text may belong to the actor.
    Unknown,
}

/// A position between two characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The zero-based line.
    pub line: usize,
    /// The number of characters before it in the line.
    pub column: usize,
}

/// A range within a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The zero-based line.
    pub line: usize,
    /// The column of its first character.
    pub start: usize,
    /// The column after its last character.
    pub end: usize,
}

impl Span {
    /// Returns whether a position is in the range or at one of its ends.
    #[must_use]
    pub const fn touches(&self, at: Position) -> bool {
        self.line == at.line && self.start <= at.column && at.column <= self.end
    }
}
