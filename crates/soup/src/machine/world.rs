//! The interface between scripts and the game.

use super::actor::Actor;
use super::declarations::Declarations;
use super::fault::{FaultCode, Stage};
use super::flag::Flag;
use super::random::Random;

/// The name of an object in a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectName<'a> {
    /// The actor itself.
    Me,
    /// The selected player.
    Player,
    /// The camera.
    Camera,
    /// An object by its name.
    Named(&'a str),
    /// An object by the number in a local variable. That this is its runtime ID is our interpretation.
    Id(i32),
}

impl std::fmt::Display for ObjectName<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Me => f.write_str("me"),
            Self::Player => f.write_str("player"),
            Self::Camera => f.write_str("camera"),
            Self::Named(name) => f.write_str(name),
            Self::Id(id) => write!(f, "#{id}"),
        }
    }
}

/// The kind of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallKind {
    /// A call as the hook of an actor.
    Hook,
    /// A single call.
    Function,
    /// A call as a task that the main run waits for, when it is started and at each visit.
    Task,
    /// A call as a task that the script does not wait for.
    Multitask,
}

impl CallKind {
    /// Returns its name in traces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hook => "hook",
            Self::Function => "function",
            Self::Task => "task",
            Self::Multitask => "multitask",
        }
    }
}

/// A call to a function of the game.
#[derive(Debug)]
pub struct Invocation<'a> {
    /// The actor whose script makes the call.
    pub caller: usize,
    /// The actor on which the function runs.
    pub actor: usize,
    /// The name of that actor in the statement.
    pub object: ObjectName<'a>,
    /// The number of the function.
    pub function: u16,
    /// The kind of call.
    pub kind: CallKind,
    /// The stage of the update.
    pub stage: Stage,
    /// The offset of the statement in the script that contains it.
    pub at: u32,
    /// The arguments.
    pub parameters: &'a [i32],
    /// The ticks since the task was started, for tasks.
    pub elapsed: Option<i32>,
    /// Four words of storage of a task; zero for other calls.
    pub scratch: [i32; 4],
}

/// The state of all actors and their shared state.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The actors.
    pub actors: Vec<Actor>,
    /// The global flags.
    pub flags: Vec<Flag>,
    /// The random number generator.
    pub random: Random,
    /// The update, starting from 1; 0 before the first one.
    pub update: u32,
    /// The length of the update in 1/256 of a nominal update.
    pub frame_scale: i32,
    /// The actor that last entered its script normally: texts are looked up in its table.
    pub source: usize,
}

impl State {
    /// Returns the flag with a number from a script.
    ///
    /// # Errors
    /// Returns [`FaultCode::BadFlagIndex`] if it does not exist.
    pub fn flag_mut(&mut self, number: i32) -> Result<&mut Flag, FaultCode> {
        let number = usize::try_from(number).ok();
        number.and_then(|number| self.flags.get_mut(number)).ok_or(FaultCode::BadFlagIndex)
    }
}

/// The game that scripts access.
///
/// A call goes first to [`call`](Self::call), then to the functions that the machine runs itself, and then to [`fallback`](Self::fallback).
pub trait World {
    /// Handles a call and returns its result, or `None` if it does not handle this function.
    ///
    /// # Errors
    /// Returns the reason why the script must stop.
    fn call(
        &mut self,
        call: &mut Invocation<'_>,
        state: &mut State,
        declarations: &Declarations,
    ) -> Result<Option<i32>, FaultCode>;

    /// Handles a call that has no other handler.
    fn fallback(&mut self, call: &Invocation<'_>, state: &mut State) -> i32;

    /// Returns the number of an object that a script names other than by `me`. An unknown object may be added to the actors.
    ///
    /// # Errors
    /// Returns the reason why the script must stop.
    fn object(&mut self, name: ObjectName<'_>, state: &mut State) -> Result<usize, FaultCode>;

    /// Returns a property of an object.
    fn property(&mut self, actor: usize, reference: u16, state: &mut State) -> i32;

    /// Sets a property of an object. The value is already truncated to the width of the property.
    fn set_property(&mut self, actor: usize, reference: u16, value: i32, state: &mut State);

    /// Called when the actor ends its main run with `end`.
    fn on_end(&mut self, actor: usize, state: &mut State) {
        let _ = (actor, state);
    }
}
