//! A debugger for scripts, independent of any front end: [`Debugger`] holds a session, breakpoints and the history.
//!
//! The history is not recorded but replayed: a session is deterministic, and snapshots of it are kept at intervals. [`adapter`] is a front
//! end for editors that uses the Debug Adapter Protocol; the prompt of the program is another one. The debuggee is a
//! [`ScriptSession`](antiquary::script::ScriptSession).
//!
//! | here | in debuggers |
//! | --- | --- |
//! | actor | thread |
//! | tick | one executed instruction, or one visit of a task |
//! | update | one frame of the game, in which each actor runs once |
//! | [`Trigger::Flag`] | data breakpoint |

pub mod adapter;
mod breakpoint;
mod debugger;
mod history;
mod listing;
mod stop_condition;
#[cfg(test)]
mod tests;

pub use breakpoint::{Breakpoint, Breakpoints, Hit, Trigger};
pub use debugger::{Backward, Debugger, MAIN, Motion, Observer, Position, RETURN, Reason};
pub use listing::Listing;
pub use stop_condition::{HitCount, StopCondition};
