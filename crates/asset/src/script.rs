//! Scripts in files of a game as text, and back: `antiquary script`.

pub mod editor;
pub mod session;

use json::Value;
use record::{Result, Source};

use crate::{Asset, Context, FormatOption, Report};

/// A script language of a game.
#[derive(Debug, Clone, Copy)]
pub struct ScriptLanguage {
    /// What it is called.
    pub name: &'static str,
    /// The format of the files that hold scripts.
    pub input: &'static str,
    /// The extension of its texts.
    pub extension: &'static str,
    /// What can be chosen.
    pub options: &'static [FormatOption],
    /// Shows the scripts of a file.
    pub disassemble: Disassemble,
    /// Puts scripts into a file.
    pub assemble: Assemble,
    /// Shows bytecode that stands on its own.
    pub disassemble_raw: DisassembleRaw,
    /// Makes bytecode that stands on its own.
    pub assemble_raw: AssembleRaw,
    /// Where the scripts of a file name something.
    pub find: FindInScripts,
    /// Who says which line where.
    pub lines: SpokenLines,
    /// All that the scripts of a file name.
    pub references: References,
    /// The kinds of [`Target::Shared`].
    pub kinds: &'static [&'static str],
    /// Lays a text out anew; it means the same.
    pub format: fn(&str) -> String,
    /// A line without what changes where other lines are added or removed: offsets in the names of labels.
    pub line_key: fn(&str) -> String,
    /// Helps with the editing of its texts.
    pub editing: editor::ScriptEditing,
    /// Runs scripts of a file.
    pub run: session::OpenSession,
    /// Shows what happened as a scene.
    pub film: session::Film,
    /// The functions that scripts call.
    pub functions: session::Functions,
}

/// The lines of dialogue that the scripts of a file name, in order.
pub type SpokenLines = fn(&dyn Asset, &ScriptContext<'_>) -> Result<Vec<SpokenLine>>;

/// A place in a script that names a line of dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenLine {
    /// Whose script it is.
    pub actor: String,
    /// The line of the script's text, from 1 on.
    pub line: usize,
    /// The statement.
    pub statement: String,
    /// What the line of dialogue is called by.
    pub label: String,
    /// Its text; empty where the game has none.
    pub text: String,
}

/// Shows the scripts of a file. The report tells what the texts do not say.
pub type Disassemble = fn(&dyn Asset, &ScriptContext<'_>, &mut Report) -> Result<Vec<Disassembly>>;

/// Shows the bytes of a script that stand on their own, without tables.
pub type DisassembleRaw = fn(&[u8], &ScriptContext<'_>, &mut Report) -> Result<Disassembly>;

/// The bytes of a script that stand on their own, or all that is wrong with the text.
pub type AssembleRaw = fn(
    &ScriptContext<'_>,
    &SourceText,
    &mut Report,
) -> Result<std::result::Result<Vec<u8>, Vec<TextProblem>>>;

/// Puts scripts into a file: its new bytes, or all that is wrong with the texts.
pub type Assemble = fn(
    &dyn Asset,
    &ScriptContext<'_>,
    &[SourceText],
    &mut Report,
) -> Result<std::result::Result<Vec<u8>, Vec<TextProblem>>>;

/// Where the scripts of a file name something: an object for each place.
pub type FindInScripts = fn(&dyn Asset, &ScriptContext<'_>, &str) -> Result<Vec<Value>>;

/// All that the scripts of a file name.
pub type References = fn(&dyn Asset, &ScriptContext<'_>) -> Result<Vec<Reference>>;

/// A statement that names something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Whose script it stands in.
    pub actor: String,
    /// The label of the routine it stands in; none in the one that the script begins with.
    pub routine: Option<String>,
    /// Its offset in the script.
    pub at: u32,
    /// Its line in the text, from 1 on.
    pub line: Option<usize>,
    /// How it names it, in one word: it reads, sets, calls or says it.
    pub how: &'static str,
    /// What is named.
    pub target: Target,
}

/// What a script names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A routine of an actor of the same file; none for the one that its script begins with.
    Routine(String, Option<String>),
    /// Something of the whole game: its kind in one word, its name, and what is spoken with it.
    Shared(&'static str, String, Option<String>),
    /// A text of the actor.
    Text(String),
}

/// What is around a file with scripts.
#[derive(Debug, Clone)]
pub struct ScriptContext<'a> {
    /// The game.
    pub context: Context<'a>,
    /// The name of the file, without folders.
    pub file_name: &'a str,
    /// A file of definitions that takes the place of the game's own.
    pub definitions: Option<&'a Source>,
}

/// A script that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Disassembly {
    /// The name of what it belongs to.
    pub name: String,
    /// The script as text.
    pub text: String,
    /// The script as JSON, with all there is to say of it.
    pub facts: Value,
}

/// A text that is to be assembled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// The name of its file without folders and extension, which may name what it belongs to.
    pub stem: String,
    /// The text.
    pub text: String,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextProblem {
    /// The index of the text.
    pub text: usize,
    /// The line, from 1 on.
    pub line: usize,
    /// The column in characters, from 1 on.
    pub column: usize,
    /// What was found, and what was expected.
    pub message: String,
}
