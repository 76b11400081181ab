//! What scripts can reach, and through what.

use super::actor::Actor;
use super::declarations::Declarations;
use super::fault::{FaultCode, Stage};
use super::flag::Flag;
use super::random::Random;

/// An object as a statement names it.
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
    /// An object by the number in a local variable. That this is its runtime id is our reading.
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

/// How a function runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallKind {
    /// As the hook of an actor.
    Hook,
    /// Once.
    Function,
    /// As a task that the main run waits for, when it is started and whenever it is visited.
    Task,
    /// As a task that the script does not wait for.
    Multitask,
}

impl CallKind {
    /// What it is called in traces.
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

/// A call of one of the game's functions.
#[derive(Debug)]
pub struct Invocation<'a> {
    /// The actor whose script makes the call.
    pub caller: usize,
    /// The actor for which the function runs.
    pub actor: usize,
    /// How the statement names that actor.
    pub object: ObjectName<'a>,
    /// The number of the function.
    pub function: u16,
    /// How it runs.
    pub kind: CallKind,
    /// In which part of the update.
    pub stage: Stage,
    /// The offset of the statement in the script that holds it.
    pub at: u32,
    /// The arguments.
    pub parameters: &'a [i32],
    /// For tasks the ticks since they were started.
    pub elapsed: Option<i32>,
    /// Four words that a task keeps; zero for what runs once.
    pub scratch: [i32; 4],
}

/// What all actors share, and the actors.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The actors.
    pub actors: Vec<Actor>,
    /// The global flags.
    pub flags: Vec<Flag>,
    /// The random numbers.
    pub random: Random,
    /// The update, from 1 on; 0 before the first one.
    pub update: u32,
    /// The length of the update, in 256ths of a nominal one.
    pub frame_scale: i32,
    /// The actor that last entered its script in the ordinary way: texts are looked up in its table.
    pub source: usize,
}

impl State {
    /// A flag by the number that a script gives.
    ///
    /// # Errors
    /// [`FaultCode::BadFlagIndex`] when there is none.
    pub fn flag_mut(&mut self, number: i32) -> Result<&mut Flag, FaultCode> {
        let number = usize::try_from(number).ok();
        number.and_then(|number| self.flags.get_mut(number)).ok_or(FaultCode::BadFlagIndex)
    }
}

/// What scripts can reach.
///
/// A call goes first to [`answer`](Self::answer), then to what the machine runs itself, then to [`fallback`](Self::fallback).
pub trait World {
    /// Answers a call; `None` leaves it to others.
    ///
    /// # Errors
    /// What hinders the script.
    fn answer(
        &mut self,
        call: &mut Invocation<'_>,
        state: &mut State,
        declarations: &Declarations,
    ) -> Result<Option<i32>, FaultCode>;

    /// Answers a call that nobody else does.
    fn fallback(&mut self, call: &Invocation<'_>, state: &mut State) -> i32;

    /// The number of an object that a script names other than by `me`. An object that is not known may be added to the actors.
    ///
    /// # Errors
    /// What hinders the script.
    fn object(&mut self, name: ObjectName<'_>, state: &mut State) -> Result<usize, FaultCode>;

    /// A property of an object.
    fn property(&mut self, actor: usize, reference: u16, state: &mut State) -> i32;

    /// Changes a property of an object. The value is already what its width leaves of it.
    fn set_property(&mut self, actor: usize, reference: u16, value: i32, state: &mut State);

    /// The actor ended its main run with `end`.
    fn ended(&mut self, actor: usize, state: &mut State) {
        let _ = (actor, state);
    }
}
