//! Converts the state of scripts to JSON and back.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use json::{Value as Json, json};
use serde::{Deserialize, Serialize};

use super::actor::{Actor, Control, SLOTS, Task};
use super::declarations::Declarations;
use super::world::State;

/// An invalid state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateError(String);

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StateError {}

/// The state of an actor.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct ActorState {
    main: u32,
    entry: Option<u32>,
    return_slot: Option<u32>,
    saved_script_rv: u8,
    script_rv: u8,
    anchor: u8,
    control: u8,
    locals: Vec<i32>,
    tasks: Vec<TaskState>,
}

/// The state of a task.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct TaskState {
    operand: u32,
    blocking: bool,
    paused: bool,
    timer: u16,
    slot: usize,
    scratch: [i32; 4],
    /// The base offset of the scripts of the actor that started it, if that is a different actor.
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<u32>,
}

/// Returns the state of an actor as JSON: cursors, variables and tasks in the order in which they were started.
#[must_use]
pub fn actor_state(actor: &Actor) -> Json {
    let order = actor.tasks();
    let slot_of = |task: &Task| {
        let same = |slot: &Option<Task>| slot.as_ref().is_some_and(|it| it.order == task.order);
        actor.slots.iter().position(same).unwrap_or_default()
    };
    let tasks = order.into_iter().map(|task| TaskState {
        operand: task.operand,
        blocking: task.is_blocking,
        paused: task.is_paused,
        timer: task.timer,
        slot: slot_of(task),
        scratch: task.scratch,
        // An actor without a script can have the same base as one with a script.
        base: (task.program.base != actor.program.base || actor.program.is_empty())
            .then_some(task.program.base),
    });
    let state = ActorState {
        main: actor.main,
        entry: actor.entry,
        return_slot: actor.return_slot,
        saved_script_rv: actor.saved_script_rv,
        script_rv: actor.script_rv,
        anchor: actor.anchor,
        control: actor.control.0,
        locals: actor.locals.clone(),
        tasks: tasks.collect(),
    };
    json::to_value(state).unwrap_or_default()
}

/// Restores the state of an actor from JSON. Tasks with operands in the code of another actor are looked up in `others`.
///
/// # Errors
/// Returns an error if the JSON is not such a state or names tasks that the scripts do not have. The actor is then unchanged.
pub fn restore_actor(
    actor: &mut Actor,
    json: &Json,
    others: &[Arc<super::Program>],
    declarations: &Declarations,
) -> Result<(), StateError> {
    let state = ActorState::deserialize(json).map_err(|error| StateError(error.to_string()))?;
    if state.locals.len() != actor.locals.len() {
        let message = format!(
            "locals: {} has {} variables, not {}",
            actor.name,
            actor.locals.len(),
            state.locals.len()
        );
        return Err(StateError(message));
    }
    let mut slots: [Option<Task>; SLOTS] = [const { None }; SLOTS];
    let mut started = 0_u32;
    for task in state.tasks {
        let program = match task.base {
            None => Some(&actor.program),
            Some(base) => others.iter().find(|it| it.base == base && !it.is_empty()),
        };
        let found = program.and_then(|it| Some((it, it.task(task.operand, declarations)?)));
        let (program, (call, _)) = found.ok_or_else(|| {
            StateError(format!("tasks: no task has its operands at 0x{:x} in the script", task.operand))
        })?;
        let slot = slots.get_mut(task.slot).filter(|slot| slot.is_none());
        let slot = slot.ok_or_else(|| StateError(format!("tasks: slot {} is not free", task.slot)))?;
        *slot = Some(Task {
            program: Arc::clone(program),
            operand: task.operand,
            at: task.operand.saturating_sub(1),
            call: Arc::new(call),
            is_blocking: task.blocking,
            is_paused: task.paused,
            timer: task.timer,
            scratch: task.scratch,
            order: started,
        });
        started = started.saturating_add(1);
    }
    actor.main = state.main;
    actor.entry = state.entry;
    actor.return_slot = state.return_slot;
    actor.saved_script_rv = state.saved_script_rv;
    actor.script_rv = state.script_rv;
    actor.anchor = state.anchor;
    actor.control = Control(state.control);
    actor.locals = state.locals;
    actor.slots = slots;
    actor.started = started;
    Ok(())
}

/// Returns the flags that differ from a new game, by name.
#[must_use]
pub fn flag_states(state: &State, declarations: &Declarations) -> BTreeMap<String, Json> {
    let flags = state.flags.iter().zip(&declarations.definitions.flags);
    let changed = flags.filter(|(flag, _)| !flag.is_at_start());
    changed
        .map(|(flag, defined)| {
            (defined.name.clone(), json!({ "value": flag.value, "latch": u8::from(flag.is_latched) }))
        })
        .collect()
}

/// Restores the flags from JSON; flags that it does not name get their state of a new game.
///
/// # Errors
/// Returns an error if the JSON names flags that the game does not have or lacks a value. The flags are then unchanged.
pub fn restore_flags(state: &mut State, json: &Json, declarations: &Declarations) -> Result<(), StateError> {
    let flags: BTreeMap<String, super::host::HostFlag> = Deserialize::deserialize(json)
        .map_err(|error: serde::de::value::Error| StateError(error.to_string()))?;
    let mut out = super::flag::initial_flags(declarations);
    for (name, flag) in flags {
        let number = declarations.flag_number(&name);
        let flag_slot = number.and_then(|it| out.get_mut(usize::from(it)));
        let flag_slot = flag_slot.ok_or_else(|| StateError(format!("flags: the game has no flag {name}")))?;
        (flag_slot.value, flag_slot.is_latched) = (flag.value, flag.latch.is_set());
    }
    state.flags = out;
    Ok(())
}
