//! A debugger for scripts, apart from any front end: [`Debugger`] holds a session, breakpoints and the past.
//!
//! The past is not recorded but run again: a session is deterministic, and copies of it are kept at intervals. [`adapter`] is a front end for editors,
//! by the Debug Adapter Protocol; the program's prompt is another one. What runs is a
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
pub use debugger::{Backward, Debugger, MAIN, Motion, Observer, Place, RETURN, Reason};
pub use listing::Listing;
pub use stop_condition::{StopCondition, Times};
