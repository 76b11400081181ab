//! Keywords that the parser and the writer share.

use crate::bytecode::{Dispatch, Jump};
use crate::definitions::FunctionKind;

/// Jumps by keyword.
pub(super) const JUMPS: [(&str, Jump); 6] = [
    ("goto", Jump::Goto),
    ("end", Jump::End),
    ("gosub", Jump::Gosub),
    ("stop_task", Jump::StopTask),
    ("pause_task", Jump::PauseTask),
    ("resume_task", Jump::ResumeTask),
];

/// Dispatches by keyword.
pub(super) const DISPATCHES: [(&str, Dispatch); 3] =
    [("task", Dispatch::Task), ("multitask", Dispatch::Multitask), ("function", Dispatch::Function)];

/// Returns the keyword of a jump.
pub(super) fn word_of(jump: Jump) -> &'static str {
    JUMPS.iter().find(|(_, it)| *it == jump).map_or("goto", |(word, _)| word)
}

/// Returns the dispatch of a declared kind; of undeclared functions, the dispatch is `Function`.
pub(super) const fn dispatch_of(declared: Option<FunctionKind>) -> Dispatch {
    match declared {
        Some(FunctionKind::Task) => Dispatch::Task,
        Some(FunctionKind::Multitask) => Dispatch::Multitask,
        Some(FunctionKind::Function) | None => Dispatch::Function,
    }
}
