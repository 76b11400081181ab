//! The state of an actor's script.

use std::sync::Arc;

use super::program::Program;
use crate::bytecode::Call;

/// How many tasks an actor has at most.
pub const SLOTS: usize = 6;

/// What of an actor's update is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Control(pub u8);

impl Control {
    /// No stage of the script.
    const NO_SCRIPT: u8 = 0x01;
    /// No native hook.
    const NO_HOOK: u8 = 0x02;
    /// Entry and main run without the visits of tasks and whatever these hinder.
    const NO_TASKS: u8 = 0x04;
    /// No update at all.
    const NO_UPDATE: u8 = 0x08;

    const fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    const fn with(self, bit: u8, is_set: bool) -> Self {
        Self(if is_set { self.0 | bit } else { self.0 & !bit })
    }

    /// Whether no part of the script is run.
    #[must_use]
    pub const fn is_without_script(self) -> bool {
        self.has(Self::NO_SCRIPT)
    }

    /// Whether the native hook is not run.
    #[must_use]
    pub const fn is_without_hook(self) -> bool {
        self.has(Self::NO_HOOK)
    }

    /// Whether tasks are not visited and hinder nothing.
    #[must_use]
    pub const fn is_without_tasks(self) -> bool {
        self.has(Self::NO_TASKS)
    }

    /// Whether it is not updated at all.
    #[must_use]
    pub const fn is_without_update(self) -> bool {
        self.has(Self::NO_UPDATE)
    }

    /// With or without the parts of the script.
    #[must_use]
    pub const fn without_script(self, is_set: bool) -> Self {
        self.with(Self::NO_SCRIPT, is_set)
    }

    /// With or without the native hook.
    #[must_use]
    pub const fn without_hook(self, is_set: bool) -> Self {
        self.with(Self::NO_HOOK, is_set)
    }
}

/// A call that takes time.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The code in which its operands stand: that of the actor which started it.
    pub program: Arc<Program>,
    /// The offset of its operands in that code.
    pub operand: u32,
    /// The offset of its statement in that code.
    pub at: u32,
    /// The call.
    pub call: Arc<Call>,
    /// Whether the main run waits for it.
    pub is_blocking: bool,
    /// Whether it is not visited.
    pub is_paused: bool,
    /// How often it was visited.
    pub timer: u16,
    /// Four words that its function keeps.
    pub scratch: [i32; 4],
    /// Its number among all tasks that the actor has had.
    pub(super) order: u32,
}

impl Task {
    /// The address of its operands in the scripts of the map.
    #[must_use]
    pub fn address(&self) -> u64 {
        u64::from(self.program.base).saturating_add(self.operand.into())
    }

    /// Whether its operands stand there.
    pub(super) fn is_at(&self, program: &Program, operand: u32) -> bool {
        self.operand == operand && self.program.base == program.base
    }
}

/// The native hook of an actor: a call that the game makes before its script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// The function and its arguments.
    pub call: Call,
}

/// An actor, as its script sees it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Actor {
    /// Its name.
    pub name: String,
    /// Its code.
    pub program: Arc<Program>,
    /// Where the main run goes on.
    pub main: u32,
    /// Where the entry run goes on, if it has one.
    pub entry: Option<u32>,
    /// Where `return` leads.
    pub return_slot: Option<u32>,
    /// The script-return byte that `return` restores.
    pub saved_script_rv: u8,
    /// The script-return byte.
    pub script_rv: u8,
    /// The anchor byte.
    pub anchor: u8,
    /// What of its update is left out.
    pub control: Control,
    /// Its variables.
    pub locals: Vec<i32>,
    /// Its tasks.
    pub slots: [Option<Task>; SLOTS],
    /// Its native hook.
    pub hook: Option<Arc<Hook>>,
    /// How many tasks it has had.
    pub(super) started: u32,
}

impl Actor {
    /// An actor as it is when its map is loaded.
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

    /// An actor without a script.
    #[must_use]
    pub fn without_script(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Its tasks in the order in which they were started.
    #[must_use]
    pub fn tasks(&self) -> Vec<&Task> {
        let mut out: Vec<&Task> = self.slots.iter().flatten().collect();
        out.sort_by_key(|task| task.order);
        out
    }

    /// Whether a task that is not paused has the main run wait.
    pub(super) fn is_blocked(&self) -> bool {
        self.slots.iter().flatten().any(|task| task.is_blocking && !task.is_paused)
    }

    /// Whether a task in front of the entry cursor has the entry run wait.
    pub(super) fn is_entry_blocked(&self, entry: u32) -> bool {
        let entry = u64::from(self.program.base).saturating_add(entry.into());
        let mut tasks = self.slots.iter().flatten();
        tasks.any(|task| task.is_blocking && !task.is_paused && task.address() <= entry)
    }

    /// Does something with all its tasks whose operands stand at an offset of its own code.
    pub(super) fn each_task_at(&mut self, operand: u32, run: impl Fn(&mut Option<Task>)) {
        let program = Arc::clone(&self.program);
        for slot in &mut self.slots {
            if slot.as_ref().is_some_and(|task| task.is_at(&program, operand)) {
                run(slot);
            }
        }
    }
}
