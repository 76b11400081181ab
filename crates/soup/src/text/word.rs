//! The words that reader and writer of a text share.

use crate::bytecode::{Dispatch, Jump};
use crate::definitions::FunctionKind;

/// Jumps by their words.
pub(super) const JUMPS: [(&str, Jump); 6] = [
    ("goto", Jump::Goto),
    ("end", Jump::End),
    ("gosub", Jump::Gosub),
    ("stop_task", Jump::StopTask),
    ("pause_task", Jump::PauseTask),
    ("resume_task", Jump::ResumeTask),
];

/// How dispatch is written.
pub(super) const DISPATCHES: [(&str, Dispatch); 3] =
    [("task", Dispatch::Task), ("multitask", Dispatch::Multitask), ("function", Dispatch::Function)];

/// How a jump is written.
pub(super) fn word_of(jump: Jump) -> &'static str {
    JUMPS.iter().find(|(_, it)| *it == jump).map_or("goto", |(word, _)| word)
}

/// How a function runs that is declared so; without declaration as a function.
pub(super) const fn dispatch_of(declared: Option<FunctionKind>) -> Dispatch {
    match declared {
        Some(FunctionKind::Task) => Dispatch::Task,
        Some(FunctionKind::Multitask) => Dispatch::Multitask,
        Some(FunctionKind::Function) | None => Dispatch::Function,
    }
}
