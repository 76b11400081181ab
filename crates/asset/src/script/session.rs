//! Scripts that run: a session can be stopped anywhere, looked into, changed, and gone on with.

use std::collections::BTreeMap;
use std::fmt;

use json::{Document, Value};
use record::{Error, Result};
use scene::Scene;
use serde::Serialize;

use super::ScriptContext;
use crate::{Asset, Report};

/// Opens a session.
pub type OpenSession = fn(&dyn Asset, &ScriptContext<'_>, &SessionRequest) -> Result<Box<dyn ScriptSession>>;

/// Makes a scene in which everything moves as poses say, one after another.
pub type Film = fn(&dyn Asset, &ScriptContext<'_>, &[Pose], &mut Report) -> Result<Scene>;

/// The functions that scripts call.
pub type Functions = fn(&ScriptContext<'_>) -> Result<Vec<FunctionFacts>>;

/// A function that scripts call, and what it does when they are run here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FunctionFacts {
    /// Its number.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// How it is declared.
    pub kind: &'static str,
    /// How many parameters it takes.
    pub parameters: u32,
    /// How well it is run here.
    pub run: Fidelity,
    /// What it does here.
    pub about: &'static str,
}

/// How well a function is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Fidelity {
    /// As the facts say that are known of the game.
    Exact,
    /// By a reading of its name and parameters, or without all that hangs on it.
    Simplified,
    /// Its calls are recorded, and nothing else happens.
    Recorded,
}

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
    /// The state at the start, as [`ScriptSession::state`] gives it.
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
    /// Its name, by which [`ScriptSession::set`] changes it.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// Scripts that run.
pub trait ScriptSession: fmt::Debug + Send {
    /// Goes on.
    ///
    /// # Errors
    /// What stopped a script. What happened until then can be asked for. When it is gone on with, that script is not run any more.
    fn advance(&mut self, advance: Advance) -> std::result::Result<Progress, Box<SessionStop>>;

    /// How many updates are complete.
    fn updates(&self) -> u32;

    /// How many instructions were run.
    fn instructions(&self) -> u64;

    /// The actors.
    fn actors(&self) -> Vec<SessionActor>;

    /// How many actors there are. Scripts may add some; none goes away.
    fn actor_count(&self) -> usize {
        self.actors().len()
    }

    /// The number of the actor that was asked for; none where all run.
    fn focus(&self) -> Option<usize> {
        None
    }

    /// What the session waits for that only the player can do, such as choosing an answer of a menu; `None` if nothing, or if the player's inputs
    /// are going to do it.
    fn waits_for(&self) -> Option<String> {
        None
    }

    /// What runs next; none where no update is open.
    fn position(&self) -> Option<Position>;

    /// What happened since this was last asked.
    fn happened(&mut self) -> Vec<Happening>;

    /// Passes the calls made since the last call of this method or of [`happened`](Self::happened) to `take`, one object each, and returns how
    /// many more there were than are kept. `happened` does not return them again.
    fn take_calls(&mut self, take: &mut dyn FnMut(Value)) -> u64;

    /// The whole state, from which a session can go on.
    fn state(&self) -> Document;

    /// The text of an actor's script, and for each statement its offset and its line, from 1 on.
    fn source(&self, actor: usize) -> Option<(String, Vec<(u32, usize)>)>;

    /// What can be looked at from an actor.
    fn watch(&self, actor: usize) -> Vec<Watched>;

    /// The value of something by its name, or of what a condition can compare: a call of a function, a property of another actor. Nothing is changed
    /// by it.
    ///
    /// # Errors
    /// When there is nothing with this name.
    fn get(&self, actor: usize, name: &str) -> Result<String>;

    /// Whether a condition in the language of the scripts holds for an actor. Nothing is changed by it, whatever it calls.
    ///
    /// # Errors
    /// When it cannot be read, or the language has no conditions.
    fn holds(&self, actor: usize, condition: &str) -> Result<bool> {
        let _ = (actor, condition);
        Err(Error::unsupported("these scripts have no conditions"))
    }

    /// Changes something by its name.
    ///
    /// # Errors
    /// When there is nothing with this name, or it does not take the value.
    fn set(&mut self, actor: usize, name: &str, value: &str) -> Result<()>;

    /// Positions and shown frames of everything that moves, for a picture of what happened; none where the world has none.
    fn pose(&self) -> Option<Pose> {
        None
    }

    /// The bytes of a saved game with what is known of the state in it; all else in it stays.
    ///
    /// # Errors
    /// When the bytes are no saved game of this game, or there are none.
    fn save_into(&self, save: &[u8]) -> Result<Vec<u8>> {
        let _ = save;
        Err(Error::unsupported("these scripts have no saved games"))
    }

    /// The same session, to go on with later.
    fn fork(&self) -> Box<dyn ScriptSession>;
}

/// Where everything is at one time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pose {
    /// The time in seconds since the start.
    pub seconds: f32,
    /// One for each placed object, in the order of the file.
    pub objects: Vec<ObjectPose>,
}

/// Where an object is, and what it shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObjectPose {
    /// Its number in the file.
    pub object: usize,
    /// Its place as the file stores places.
    pub position: [i32; 3],
    /// Its rotation: a matrix, row by row, from directions of the object to those of the file.
    pub orientation: [[f32; 3]; 3],
    /// The entry of its table of frames that is shown.
    pub frame: Option<u32>,
    /// Whether it is shown.
    pub is_visible: bool,
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
