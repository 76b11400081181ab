//! The input and the output of a session.

use std::collections::BTreeMap;
use std::fmt;

use json::Document;
use record::{Error, Result};
use redguard_world::engine::clock::NOMINAL_TICKS_PER_SECOND;
use serde::Serialize;

/// The parameters of a session.
#[derive(Debug, Clone, Default)]
pub struct SessionRequest {
    /// Run only this actor: its name, or `#` and its number. `None` runs all actors of the file.
    pub actor: Option<String>,
    /// The index of the actor's instance, zero-based.
    pub instance: usize,
    /// A file of recorded answers that replaces the world.
    pub host: Option<Document>,
    /// The actions of the player.
    pub player: Option<Document>,
    /// The actors that are updated while the player has inputs.
    pub reach: Reach,
    /// The number of the world, if several worlds use the same file.
    pub world: Option<i64>,
    /// The maximum number of instructions of a run; 0 for the default.
    pub limit: u64,
    /// Initial values of flags.
    pub flags: Vec<(String, String)>,
    /// The initial state, as returned by [`ScriptSession::state`](super::ScriptSession::state).
    pub state: Option<Document>,
    /// The bytes of a saved game that provides the initial state.
    pub save: Option<Vec<u8>>,
}

/// Maximum time that scripts can be run for, in seconds.
const MAX_SECONDS: f64 = 1e6;

/// Returns the number of updates in a time in seconds, if each update takes one tick.
///
/// # Errors
/// Returns an error if the time is negative, too long or not a number.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked"
)]
pub fn updates_in(seconds: f64) -> Result<u32> {
    if !(0.0..=MAX_SECONDS).contains(&seconds) {
        return Err(Error::usage(format!("seconds must be between 0 and {MAX_SECONDS}, not {seconds}")));
    }
    Ok((seconds * f64::from(NOMINAL_TICKS_PER_SECOND)).round() as u32)
}

/// Parses the initial value of a flag: `FLAG=VALUE`.
///
/// # Errors
/// Returns an error if there is no `=`.
pub fn parse_flag(text: &str) -> Result<(String, String)> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| Error::usage(format!("a flag is set with FLAG=VALUE, not \"{text}\"")))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The actors that are updated while the player has inputs. Without inputs, all actors are updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reach {
    /// The actors that the game would update: those around the player, and active ones.
    #[default]
    AroundPlayer,
    /// All actors.
    Everywhere,
}

/// The distance that a session advances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advance {
    /// To the end of the update.
    Update,
    /// One instruction, or one visit of a task.
    Instruction,
}

/// The position of a session after it advanced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Within an update.
    Inside,
    /// At the end of an update.
    Complete,
}

/// The reason why a script cannot continue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionStop {
    /// The code of the reason, in one word.
    pub code: String,
    /// The one-based number of the update.
    pub update: u32,
    /// The part of the update.
    pub stage: &'static str,
    /// The offset of the statement.
    pub at: u32,
    /// The name of the actor whose script stopped.
    pub actor: String,
    /// A description of the reason.
    pub message: String,
}

impl fmt::Display for SessionStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { actor, update, stage, at, message, .. } = self;
        write!(f, "{actor}, 0x{at:x}: {message} (update {update}, {stage})")
    }
}

/// The statement that runs next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The index of the actor.
    pub actor: usize,
    /// The one-based number of the update.
    pub update: u32,
    /// The part of the update.
    pub stage: &'static str,
    /// The offset of the statement in the script; `None` between two runs.
    pub at: Option<u32>,
    /// The one-based line of the statement in the text.
    pub line: Option<usize>,
}

/// An actor of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionActor {
    /// The name of the actor.
    pub name: String,
    /// The index of the instance.
    pub instance: usize,
    /// Whether it has a script.
    pub is_scripted: bool,
}

/// Returns unique labels for actors: the name; if several actors share it, the name with the instance index, `GUARD#1`; and if
/// that is also shared, the name with the actor index, `GUARD (#7)`.
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

/// An event of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionEvent {
    /// The one-based number of the update.
    pub update: u32,
    /// The index of the actor.
    pub actor: usize,
    /// The kind of event.
    pub kind: SessionEventKind,
    /// The name of the called function, the changed flag, or the spoken label.
    pub subject: String,
    /// A human-readable description.
    pub text: String,
}

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SessionEventKind {
    /// A function was called.
    Call,
    /// A function was called that speaks a line.
    Speech,
    /// A task was called again, a hook ran, or a call of the previous update was repeated with the same result.
    Visit,
    /// A line was spoken or shown.
    Line,
    /// A flag was changed.
    Flag,
    /// A function was called that is not simulated; reported once per function.
    Recorded,
}

impl SessionEventKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Call, Self::Speech, Self::Visit, Self::Line, Self::Flag, Self::Recorded];

    /// Returns the name of the kind.
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

/// A value that can be inspected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// The group of the value: local, task, attribute, property, flag or cursor.
    pub group: &'static str,
    /// The name of the value, which is accepted by [`ScriptSession::set`](super::ScriptSession::set).
    pub name: String,
    /// The formatted value.
    pub value: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_actors_with_the_same_name_are_unique() {
        let actor =
            |name: &str, instance| SessionActor { name: name.to_owned(), instance, is_scripted: true };
        let actors =
            [actor("LAMP", 0), actor("GUARD", 0), actor("guard", 1), actor("RAT", 0), actor("RAT", 0)];
        assert_eq!(labels(&actors), ["LAMP", "GUARD#0", "guard#1", "RAT (#3)", "RAT (#4)"]);
    }
}
