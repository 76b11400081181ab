//! What a session takes, and what it says of its scripts.

use std::collections::BTreeMap;
use std::fmt;

use json::Document;

/// What is to be run, and how.
#[derive(Debug, Clone, Default)]
pub struct SessionRequest {
    /// Only this actor: its name, or `#` and its number. Without it all of the file run.
    pub actor: Option<String>,
    /// Which instance of the actor; the first is 0.
    pub instance: usize,
    /// A file of answers that takes the place of the world.
    pub host: Option<Document>,
    /// What the player does.
    pub player: Option<Document>,
    /// Which actors are updated while the player has inputs.
    pub reach: Reach,
    /// The number of the world, where several use the same file.
    pub world: Option<i64>,
    /// How many instructions a run has at most; 0 for what is usual.
    pub limit: u64,
    /// Flags at the start, with their values.
    pub flags: Vec<(String, String)>,
    /// The state at the start, as [`ScriptSession::state`](super::ScriptSession::state) gives it.
    pub state: Option<Document>,
    /// The bytes of a saved game to begin with.
    pub save: Option<Vec<u8>>,
}

/// Which actors are updated while the player has inputs. Without inputs all are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reach {
    /// Those that the game updates: around the player, and what is active.
    #[default]
    AroundPlayer,
    /// All of them.
    Everywhere,
}

/// How far a session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advance {
    /// To the end of the update.
    Update,
    /// One instruction, or one visit of a task.
    Instruction,
}

/// Where a session is after it went on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Within an update.
    Inside,
    /// Behind an update.
    Complete,
}

/// Why a script cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionStop {
    /// In one word.
    pub code: String,
    /// Whose script it is.
    pub actor: String,
    /// The update, from 1 on.
    pub update: u32,
    /// The part of the update.
    pub stage: &'static str,
    /// The offset of the statement.
    pub at: u32,
    /// What happened.
    pub message: String,
}

impl fmt::Display for SessionStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { actor, update, stage, at, message, .. } = self;
        write!(f, "{actor}, 0x{at:x}: {message} (update {update}, {stage})")
    }
}

/// A statement that runs next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The number of the actor.
    pub actor: usize,
    /// The update, from 1 on.
    pub update: u32,
    /// The part of the update.
    pub stage: &'static str,
    /// The offset of the statement in the script; none between two runs.
    pub at: Option<u32>,
    /// Its line in the text, from 1 on.
    pub line: Option<usize>,
}

/// An actor of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionActor {
    /// Its name.
    pub name: String,
    /// Which instance it is.
    pub instance: usize,
    /// Whether it has a script.
    pub is_scripted: bool,
}

/// What actors are called so that each has another name: their own, where several share it with the number of the instance behind it, `GUARD#1`,
/// and where even that is shared, with that of the actor, `GUARD (#7)`.
#[must_use]
pub fn labels(actors: &[SessionActor]) -> Vec<String> {
    let mut names = BTreeMap::<String, usize>::new();
    let mut instances = BTreeMap::<(String, usize), usize>::new();
    for actor in actors {
        let name = actor.name.to_lowercase();
        for count in
            [names.entry(name.clone()).or_default(), instances.entry((name, actor.instance)).or_default()]
        {
            *count = usize::saturating_add(*count, 1);
        }
    }
    let label = |(number, SessionActor { name, instance, .. }): (usize, &SessionActor)| {
        let lower = name.to_lowercase();
        if names.get(&lower) == Some(&1) {
            name.clone()
        } else if instances.get(&(lower, *instance)) == Some(&1) {
            format!("{name}#{instance}")
        } else {
            format!("{name} (#{number})")
        }
    };
    actors.iter().enumerate().map(label).collect()
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Happening {
    /// The update, from 1 on.
    pub update: u32,
    /// The number of the actor.
    pub actor: usize,
    /// What it is.
    pub kind: HappeningKind,
    /// The function that was called, the flag that was changed, or the label that was spoken.
    pub subject: String,
    /// The whole of it, for people.
    pub text: String,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HappeningKind {
    /// A function was called.
    Call,
    /// A function was called that says a line.
    Speech,
    /// A task was visited again, a hook ran, or a call was made as in the update before and with the same answer.
    Visit,
    /// A line was said or shown.
    Line,
    /// A flag was changed.
    Flag,
    /// A function has no effect in this world beyond being recorded; reported once for each.
    Recorded,
}

impl HappeningKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Call, Self::Speech, Self::Visit, Self::Line, Self::Flag, Self::Recorded];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Speech => "speech",
            Self::Visit => "visit",
            Self::Line => "line",
            Self::Flag => "flag",
            Self::Recorded => "recorded",
        }
    }
}

/// A value that can be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// Of which kind: local, task, attribute, property, flag or cursor.
    pub group: &'static str,
    /// Its name, by which [`ScriptSession::set`](super::ScriptSession::set) changes it.
    pub name: String,
    /// Its value.
    pub value: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actors_that_share_a_name_are_told_apart() {
        let actor =
            |name: &str, instance| SessionActor { name: name.to_owned(), instance, is_scripted: true };
        let actors =
            [actor("LAMP", 0), actor("GUARD", 0), actor("guard", 1), actor("RAT", 0), actor("RAT", 0)];
        assert_eq!(labels(&actors), ["LAMP", "GUARD#0", "guard#1", "RAT (#3)", "RAT (#4)"]);
    }
}
