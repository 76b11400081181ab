//! The scripts of maps, which are in SOUP: shown as text and put back, searched, edited, and run.

use std::path::Path;

pub use crate::map::Map;
pub use crate::map::script::editor::{Declaration, EditedScript, EditedText, ScriptEditor};
pub use crate::map::script::{
    Dialect, Disassembly, KINDS, Reference, ScriptContext, ScriptTextOptions, SourceText, SpokenLine, Target,
    assemble, disassemble, find, lines, map_of, raw, references,
};
pub use crate::simulation::{
    Advance, Fidelity, FunctionFacts, Happening, HappeningKind, Position, Progress, Reach, ScriptSession,
    SessionActor, SessionRequest, SessionStop, Watched, film, functions, labels, run,
};
pub use crate::world::{FORMAT, ObjectPose, Pose};

/// The extension of texts of scripts.
pub const EXTENSION: &str = crate::map::script::EXTENSION;

/// Whether a file is the text of a script, by its extension.
#[must_use]
pub fn is_text(file: &Path) -> bool {
    file.extension().is_some_and(|it| it.to_string_lossy().eq_ignore_ascii_case(EXTENSION))
}
