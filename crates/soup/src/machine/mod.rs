//! A virtual machine that runs scripts as the game does.
//!
//! Each actor has two cursors, one return slot, and six slots for tasks. In each update of an actor, its native hook runs, then its
//! entry run, then all tasks are visited, then its main run continues until a statement ends it. Effects on the game go through [`World`].
//! The machine is deterministic: the same state and world give the same result, and no clock is read.
//!
//! An update can be paused between any two instructions: see [`ActorUpdate`].
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
pub use run::{ActorUpdate, Pace};
pub use state::{StateError, actor_state, flag_states, restore_actor, restore_flags};
pub use trace::{Event, Trace};
pub use world::{CallKind, Invocation, ObjectName, State, World};

/// The default limit of instructions per run.
pub const DEFAULT_LIMIT: u64 = 1_000_000;

/// Runs scripts.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The declarations of the game.
    pub declarations: Arc<Declarations>,
    /// The state that scripts can change.
    pub state: State,
    /// The maximum number of instructions per run: a limit of this machine. The game has none.
    pub limit: u64,
    /// The recorded calls.
    pub trace: Trace,
    /// The number of instructions that have run.
    pub instructions: u64,
    /// The arguments of the current call.
    arguments: Vec<i32>,
}

impl Machine {
    /// Creates a machine for a new game.
    #[must_use]
    pub fn new(declarations: Arc<Declarations>, actors: Vec<Actor>) -> Self {
        let flags = flag::initial_flags(&declarations);
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
