//! What scripts did: the calls that they made.

use json::{Value as Json, json};

use super::declarations::Declarations;
use super::fault::Stage;
use super::world::{CallKind, Invocation};

/// A call that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The update, from 1 on.
    pub update: u32,
    /// The actor whose script made it.
    pub caller: usize,
    /// The actor for which the function ran.
    pub actor: usize,
    /// How the statement named that actor.
    pub object: String,
    /// The part of the update.
    pub stage: Stage,
    /// How it ran.
    pub kind: CallKind,
    /// The offset of the statement in the script that holds it.
    pub at: u32,
    /// The number of the function.
    pub function: u16,
    /// The arguments.
    pub parameters: Vec<i32>,
    /// For tasks the ticks since they were started.
    pub elapsed: Option<i32>,
    /// What it gave back.
    pub result: i32,
}

impl Event {
    /// The call as JSON.
    #[must_use]
    pub fn json(&self, declarations: &Declarations) -> Json {
        json!({
            "update": self.update,
            "stage": self.stage.name(),
            "kind": self.kind.name(),
            "object": self.object,
            "function": self.function,
            "name": declarations.function(self.function),
            "parameters": self.parameters,
            "elapsed": self.elapsed,
            "at": self.at,
            "result": self.result,
        })
    }
}

/// Keeps the calls that are made, up to a number.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trace {
    /// The calls since they were last taken away.
    pub events: Vec<Event>,
    /// How many more are kept.
    pub room: usize,
    /// How many were not kept.
    pub left_out: u64,
}

impl Trace {
    /// Keeps so many calls.
    #[must_use]
    pub fn of(room: usize) -> Self {
        Self { room, ..Self::default() }
    }

    #[inline]
    pub(super) fn record(&mut self, update: u32, call: &Invocation<'_>, result: i32) {
        let Some(room) = self.room.checked_sub(1) else {
            self.left_out = self.left_out.saturating_add(1);
            return;
        };
        self.room = room;
        self.events.push(Event {
            update,
            caller: call.caller,
            actor: call.actor,
            object: call.object.to_string(),
            stage: call.stage,
            kind: call.kind,
            at: call.at,
            function: call.function,
            parameters: call.parameters.to_vec(),
            elapsed: call.elapsed,
            result,
        });
    }
}
