//! Scripts in the maps of The Elder Scrolls Adventures: Redguard (1998). The crate `redguard` covers the entire game.
//!
//! - [`disassemble`] converts scripts to text, [`assemble`] inserts edited text, [`references`] and [`find`] search scripts, and
//!   [`ScriptEditor`] provides the features of a language server.
//! - [`console_commands`] describes the commands and cheats of the game's console.
//! - [`run`] executes scripts: one script with recorded answers, or all scripts in a world built from the map.
//!
//! # Glossary
//!
//! The language's own words, and the common terms for them:
//!
//! | game's word | term |
//! | --- | --- |
//! | SOUP | the scripting language and its bytecode |
//! | actor | scripted object: an instance of an object with a script, its state and its body |
//! | shell | script without an object |
//! | task, multitask | latent function: called in every update until it returns 0; blocking or in parallel |
//! | hook | native callback of an object, called in every update |
//! | label, RTX label | string ID of a dialogue line |
//! | text | entry of an object's string table |
//! | flag | global variable |
//! | attribute | one of 256 byte variables of an object that the engine uses |
//! | property, reference | field of an engine object that scripts can read and write |
//! | marker | numbered spawn or waypoint position of a map |
//! | location | waypoint of an object, relative to its home position |
//! | walk map, node | navigation graph and its nodes |
//! | group (animation) | animation clip |
//! | group, user (sync) | barrier that actors of one channel wait at |
//! | master, slave | parent and child of an attachment |
//! | tick | time step of the game clock: 1/12.14 second |
//! | update | one iteration of the game loop |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

mod console;
mod script;
mod simulation;

use std::path::Path;

pub use console::console_commands;
pub use redguard_world::engine::console::{
    Command as ConsoleCommand, Kind as ConsoleKind, Mark, Operation as ConsoleOperation,
};
pub use redguard_world::map::Map;
pub use redguard_world::map::script::EXTENSION;
pub use redguard_world::world::{FORMAT, ObjectPose, Pose};
pub use script::editor::{Declaration, EditedScript, EditedText, ScriptEditor};
pub use script::{
    Dialect, Disassembly, KINDS, Reference, ScriptContext, ScriptTextOptions, SourceText, SpokenLine, Target,
    assemble, disassemble, find, lines, map_of, raw, references,
};
pub use simulation::{
    Advance, Fidelity, FunctionFacts, Position, Progress, Reach, ScriptSession, SessionActor, SessionEvent,
    SessionEventKind, SessionRequest, SessionStop, Watched, animation, functions, labels, parse_flag, run,
    updates_in,
};

/// Whether a file is the text of a script, judged by its extension.
#[must_use]
pub fn is_text(file: &Path) -> bool {
    file.extension().is_some_and(|it| it.to_string_lossy().eq_ignore_ascii_case(EXTENSION))
}
