//! Script state of an actor.

use std::sync::Arc;

use super::program::Program;
use crate::bytecode::Call;

/// The number of task slots of an actor.
pub const SLOTS: usize = 6;

/// Flags that disable parts of an actor's update.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Control(pub u8);

impl Control {
    /// Skips all stages of the script.
    const NO_SCRIPT: u8 = 0x01;
    /// Skips the native hook.
    const NO_HOOK: u8 = 0x02;
    /// Skips task visits; entry and main runs ignore tasks.
    const NO_TASKS: u8 = 0x04;
    /// Skips the update.
    const NO_UPDATE: u8 = 0x08;

    const fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    const fn with(self, bit: u8, is_set: bool) -> Self {
        Self(if is_set { self.0 | bit } else { self.0 & !bit })
    }

    /// Returns whether no part of the script runs.
    #[must_use]
    pub const fn is_without_script(self) -> bool {
        self.has(Self::NO_SCRIPT)
    }

    /// Returns whether the native hook does not run.
    #[must_use]
    pub const fn is_without_hook(self) -> bool {
        self.has(Self::NO_HOOK)
    }

    /// Returns whether tasks are not visited and block nothing.
    #[must_use]
    pub const fn is_without_tasks(self) -> bool {
        self.has(Self::NO_TASKS)
    }

    /// Returns whether the actor is not updated.
    #[must_use]
    pub const fn is_without_update(self) -> bool {
        self.has(Self::NO_UPDATE)
    }

    /// Returns the flags with the script disabled or enabled.
    #[must_use]
    pub const fn without_script(self, is_set: bool) -> Self {
        self.with(Self::NO_SCRIPT, is_set)
    }

    /// Returns the flags with the native hook disabled or enabled.
    #[must_use]
    pub const fn without_hook(self, is_set: bool) -> Self {
        self.with(Self::NO_HOOK, is_set)
    }
}

/// A call that takes more than one update.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The code that contains its operands: that of the actor that started the task.
    pub program: Arc<Program>,
    /// The offset of the operands in that code.
    pub operand: u32,
    /// The offset of the statement in that code.
    pub at: u32,
    /// The call.
    pub call: Arc<Call>,
    /// Whether the main run waits for the task.
    pub is_blocking: bool,
    /// Whether the task is paused; paused tasks are not visited.
    pub is_paused: bool,
    /// The number of visits.
    pub timer: u16,
    /// Four words of storage for the function.
    pub scratch: [i32; 4],
    /// The number of tasks that the actor started before this one.
    pub(super) order: u32,
}

impl Task {
    /// Returns the address of its operands in the scripts of the map.
    #[must_use]
    pub fn address(&self) -> u64 {
        u64::from(self.program.base).saturating_add(self.operand.into())
    }

    /// Returns whether its operands are at this offset of a program.
    pub(super) fn is_at(&self, program: &Program, operand: u32) -> bool {
        self.operand == operand && self.program.base == program.base
    }
}

/// The native hook of an actor: a call that the game makes before the script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// The function and its arguments.
    pub call: Call,
}

/// An actor, as its script can access it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Actor {
    /// The name.
    pub name: String,
    /// The code.
    pub program: Arc<Program>,
    /// The offset where the main run continues.
    pub main: u32,
    /// The offset where the entry run continues, if the actor has an entry run.
    pub entry: Option<u32>,
    /// The offset that `return` jumps to.
    pub return_slot: Option<u32>,
    /// The script-return byte that `return` restores.
    pub saved_script_rv: u8,
    /// The script-return byte.
    pub script_rv: u8,
    /// The anchor byte.
    pub anchor: u8,
    /// The disabled parts of its update.
    pub control: Control,
    /// The local variables.
    pub locals: Vec<i32>,
    /// The task slots.
    pub slots: [Option<Task>; SLOTS],
    /// The native hook.
    pub hook: Option<Arc<Hook>>,
    /// The number of tasks started so far.
    pub(super) started: u32,
}

impl Actor {
    /// Creates an actor in its state when the map is loaded.
    #[must_use]
    pub fn new(name: impl Into<String>, program: Arc<Program>, locals: Vec<i32>) -> Self {
        let start = program.start;
        Self {
            name: name.into(),
            program,
            main: start,
            entry: (start != 0).then_some(0),
            locals,
            ..Self::default()
        }
    }

    /// Creates an actor without a script.
    #[must_use]
    pub fn without_script(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Returns its tasks in the order in which they were started.
    #[must_use]
    pub fn tasks(&self) -> Vec<&Task> {
        let mut out: Vec<&Task> = self.slots.iter().flatten().collect();
        out.sort_by_key(|task| task.order);
        out
    }

    /// Returns whether an unpaused task blocks the main run.
    pub(super) fn is_blocked(&self) -> bool {
        self.slots.iter().flatten().any(|task| task.is_blocking && !task.is_paused)
    }

    /// Returns whether a task before the entry cursor blocks the entry run.
    pub(super) fn is_entry_blocked(&self, entry: u32) -> bool {
        let entry = u64::from(self.program.base).saturating_add(entry.into());
        let mut tasks = self.slots.iter().flatten();
        tasks.any(|task| task.is_blocking && !task.is_paused && task.address() <= entry)
    }

    /// Applies a function to all its tasks whose operands are at an offset of its own code.
    pub(super) fn each_task_at(&mut self, operand: u32, run: impl Fn(&mut Option<Task>)) {
        let program = Arc::clone(&self.program);
        for slot in &mut self.slots {
            if slot.as_ref().is_some_and(|task| task.is_at(&program, operand)) {
                run(slot);
            }
        }
    }
}
