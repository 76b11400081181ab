//! A language server, a debugger and a debug adapter for the scripts of old games.
//!
//! The facts about the language come from [`antiquary::script`] and [`antiquary::soup::editor`]. The language server also supports
//! settings files, from the declarations of their keys in the [formats](antiquary::Format::settings).
//!
//! # Glossary
//!
//! | here | elsewhere |
//! | --- | --- |
//! | session | a run of the scripts of a map, the debuggee |
//! | actor | an object of the map with a script; a thread for debuggers |
//! | text | the source code of a script |
//! | origin | the map, unpacked folder or game that a text belongs to |
//! | library | generated source files, shown for scripts that have no file |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod debug;
mod framing;
pub mod lsp;

pub use framing::Shutdown;
