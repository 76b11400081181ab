//! The scripts in the maps of The Elder Scrolls Adventures: Redguard (1998). The crate `redguard` has everything of the game.
//!
//! - [`disassemble`] shows them as text, [`assemble`] puts texts back, [`references`] and [`find`] search them, a [`ScriptEditor`] answers editors;
//! - [`run`] runs them, alone or in a world made from the map.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

mod script;
mod simulation;

use std::path::Path;

pub use redguard_world::map::Map;
pub use redguard_world::map::script::EXTENSION;
pub use redguard_world::world::{FORMAT, ObjectPose, Pose};
pub use script::editor::{Declaration, EditedScript, EditedText, ScriptEditor};
pub use script::{
    Dialect, Disassembly, KINDS, Reference, ScriptContext, ScriptTextOptions, SourceText, SpokenLine, Target,
    assemble, disassemble, find, lines, map_of, raw, references,
};
pub use simulation::{
    Advance, Fidelity, FunctionFacts, Happening, HappeningKind, Position, Progress, Reach, ScriptSession,
    SessionActor, SessionRequest, SessionStop, Watched, film, functions, labels, run,
};

/// Whether a file is the text of a script, by its extension.
#[must_use]
pub fn is_text(file: &Path) -> bool {
    file.extension().is_some_and(|it| it.to_string_lossy().eq_ignore_ascii_case(EXTENSION))
}
