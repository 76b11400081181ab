//! Trace of the calls that scripts make.

use json::{Value as Json, json};

use super::declarations::Declarations;
use super::fault::Stage;
use super::world::{CallKind, Invocation};

/// A recorded call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The update, starting from 1.
    pub update: u32,
    /// The actor whose script made the call.
    pub caller: usize,
    /// The actor on which the function ran.
    pub actor: usize,
    /// The name of that actor in the statement.
    pub object: String,
    /// The stage of the update.
    pub stage: Stage,
    /// The kind of call.
    pub kind: CallKind,
    /// The offset of the statement in the script that contains it.
    pub at: u32,
    /// The number of the function.
    pub function: u16,
    /// The arguments.
    pub parameters: Vec<i32>,
    /// The ticks since the task was started, for tasks.
    pub elapsed: Option<i32>,
    /// The result.
    pub result: i32,
}

impl Event {
    /// Returns the call as JSON.
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

/// Records calls up to a maximum number.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trace {
    /// The calls since the last removal.
    pub events: Vec<Event>,
    /// The number of calls that can still be recorded.
    pub remaining: usize,
    /// The number of calls that were not recorded.
    pub left_out: u64,
}

impl Trace {
    /// Creates a trace that records up to `capacity` calls.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self { remaining: capacity, ..Self::default() }
    }

    #[inline]
    pub(super) fn record(&mut self, update: u32, call: &Invocation<'_>, result: i32) {
        let Some(remaining) = self.remaining.checked_sub(1) else {
            self.left_out = self.left_out.saturating_add(1);
            return;
        };
        self.remaining = remaining;
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
