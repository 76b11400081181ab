//! The machine: runs scripts as the game does.
//!
//! Each actor has two cursors, one place to return to, and six slots for calls that take time. In one update of an actor its native hook runs, then its
//! entry run, then all tasks are visited, then its main run goes on until something ends it. What scripts do to the game goes through [`World`].
//! The same state and the same world give the same result; nothing here reads a clock.
//!
//! A machine can be stopped between any two instructions: see [`Turn`].
//!
//! Source: redguard-preservation 0.10.4, which describes the Glide program of 1998.

mod actor;
mod declarations;
mod effect;
mod evaluate;
mod fault;
mod flag;
mod host;
mod native;
mod program;
mod random;
mod run;
mod state;
#[cfg(test)]
mod tests;
mod trace;
mod world;

use std::sync::Arc;

pub use actor::{Actor, Control, Hook, SLOTS, Task};
pub use declarations::{Declarations, Property, Width};
pub use fault::{FaultCode, Stage, Stop};
pub use flag::Flag;
pub use host::{HostError, HostFile, RecordedWorld};
pub use native::MACHINE_FUNCTIONS;
pub use program::Program;
pub use random::Random;
pub use run::{Pace, Turn};
pub use state::{StateError, actor_state, flag_states, restore_actor, restore_flags};
pub use trace::{Event, Trace};
pub use world::{CallKind, Invocation, ObjectName, State, World};

/// So many instructions a run has at most, unless another limit is given.
pub const DEFAULT_LIMIT: u64 = 1_000_000;

/// Runs scripts.
#[derive(Debug, Clone)]
pub struct Machine {
    /// What the definitions of the game mean.
    pub declarations: Arc<Declarations>,
    /// All that scripts change.
    pub state: State,
    /// How many instructions a run has at most: a protection of this machine. The game has none.
    pub limit: u64,
    /// The calls that were made, as far as they are kept.
    pub trace: Trace,
    /// How many instructions were run.
    pub instructions: u64,
    /// Arguments of the call that is made.
    arguments: Vec<i32>,
}

impl Machine {
    /// A machine for a new game.
    #[must_use]
    pub fn new(declarations: Arc<Declarations>, actors: Vec<Actor>) -> Self {
        let flags = flag::of_new_game(&declarations);
        let random = Random::default();
        let state = State { actors, flags, random, update: 0, frame_scale: 256, source: 0 };
        Self {
            declarations,
            state,
            limit: DEFAULT_LIMIT,
            trace: Trace::default(),
            instructions: 0,
            arguments: Vec::new(),
        }
    }
}
