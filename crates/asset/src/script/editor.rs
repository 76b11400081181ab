//! What a program for editing texts asks of a script language: `antiquary script lsp`.
//!
//! Positions are lines and columns in characters, both from 0 on.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use record::Result;

use super::ScriptContext;
use crate::{Asset, Severity, Unpacked};

/// How a script language helps with the editing of its texts.
#[derive(Debug, Clone, Copy)]
pub struct ScriptEditing {
    /// What is known with a file of scripts, or with a game alone.
    pub open: OpenEditor,
    /// What is known with an unpacked file of scripts; `None` where it has no texts of scripts.
    pub open_unpacked: OpenUnpackedEditor,
}

/// What is known with a file of scripts, or with a game alone. The path is that of the file of definitions in the context.
pub type OpenEditor =
    fn(Option<&dyn Asset>, &ScriptContext<'_>, Option<&Path>) -> Result<Box<dyn ScriptEditor>>;

/// What is known with an unpacked file of scripts.
pub type OpenUnpackedEditor = fn(&Unpacked, &ScriptContext<'_>) -> Result<Option<Box<dyn ScriptEditor>>>;

/// Knows the names of a game and of one of its files of scripts. Takes any text.
pub trait ScriptEditor: Debug + Send + Sync {
    /// Whose script a text is: its number in the file.
    fn owner(&self, text: &EditedText<'_>) -> Option<usize>;

    /// The scripts of the file.
    fn scripts(&self) -> Vec<EditedScript>;

    /// A script of the file as text.
    fn script(&self, number: usize) -> Option<String>;

    /// What is wrong with a text, in the order of its lines.
    fn findings(&self, text: &EditedText<'_>) -> Vec<TextFinding>;

    /// What may stand at a position.
    fn complete(&self, text: &EditedText<'_>, at: TextPosition) -> Option<TextCompletions>;

    /// What is known of the name at a position.
    fn hover(&self, text: &EditedText<'_>, at: TextPosition) -> Option<TextHover>;

    /// The call around a position.
    fn signature(&self, text: &EditedText<'_>, at: TextPosition) -> Option<CallSignature>;

    /// All names in a text.
    fn names(&self, text: &str) -> Vec<NameInText>;

    /// The name at a position.
    fn name_at(&self, text: &str, at: TextPosition) -> Option<NameInText>;

    /// What would be renamed at a position, and whether it may have the new name.
    ///
    /// # Errors
    /// Why it cannot be renamed.
    fn rename(
        &self,
        text: &EditedText<'_>,
        at: TextPosition,
        new_name: Option<&str>,
    ) -> std::result::Result<NameInText, String>;

    /// Where something is declared outside of texts.
    fn declaration(&self, kind: ScriptName, name: &str) -> Option<Declaration>;

    /// The labels of a text.
    fn outline(&self, text: &str) -> Vec<OutlinePart>;

    /// What can be folded: the line that stays, and the last one that is hidden.
    fn folds(&self, text: &str) -> Vec<(usize, usize)>;
}

/// A text that is edited.
#[derive(Debug, Clone, Copy)]
pub struct EditedText<'a> {
    /// The name of its file without folders and extension, which may name what it belongs to.
    pub stem: &'a str,
    /// The text.
    pub text: &'a str,
}

/// A script of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedScript {
    /// Its number in the file.
    pub number: usize,
    /// The name of what it belongs to.
    pub name: String,
}

/// A place between two characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextPosition {
    /// The line, from 0 on.
    pub line: usize,
    /// How many characters of the line stand before it.
    pub column: usize,
}

/// A part of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextRange {
    /// The line, from 0 on.
    pub line: usize,
    /// The column of its first character.
    pub start: usize,
    /// The column behind its last character.
    pub end: usize,
}

/// What is wrong with a part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFinding {
    /// The part.
    pub range: TextRange,
    /// How bad it is.
    pub severity: Severity,
    /// What kind of defect it is, in one word.
    pub code: &'static str,
    /// What was found, and what was expected.
    pub message: String,
}

/// What a name in a text stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScriptName {
    /// A word of the language.
    Keyword,
    /// A label of the text.
    Label,
    /// A variable of what the script belongs to.
    Local,
    /// A flag of the whole game.
    Flag,
    /// A function.
    Function,
    /// A property of an object.
    Property,
    /// A text, which may be the name of another object.
    Text,
    /// A line of dialogue.
    Line,
    /// An attribute of an actor.
    Attribute,
    /// A group of animations.
    AnimationGroup,
    /// An item.
    Item,
    /// A map.
    Map,
}

impl ScriptName {
    /// Whether equal names of other texts stand for something else.
    #[must_use]
    pub const fn is_of_text(self) -> bool {
        matches!(self, Self::Label | Self::Local | Self::Keyword)
    }
}

/// What is done with what is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NameAccess {
    /// It is given its name here.
    Declared,
    /// It is used.
    Read,
    /// It is changed.
    Written,
}

/// A name in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameInText {
    /// Where it stands, without quotes.
    pub range: TextRange,
    /// What it stands for.
    pub kind: ScriptName,
    /// The name, spelled as where it is declared.
    pub name: String,
    /// What is done with it.
    pub access: NameAccess,
}

/// What may stand at a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextCompletions {
    /// What each of them takes the place of.
    pub range: TextRange,
    /// In no special order.
    pub items: Vec<TextCompletion>,
    /// Whether there are more, which begin otherwise.
    pub is_cut: bool,
}

/// Something that may stand at a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextCompletion {
    /// What is written.
    pub text: String,
    /// What it stands for.
    pub kind: ScriptName,
    /// What is known of it, in a few words.
    pub detail: String,
}

/// What is known of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextHover {
    /// Where the name stands.
    pub range: TextRange,
    /// How it is declared, in the language; empty for what needs no declaration.
    pub declaration: String,
    /// What is said of it: plain text.
    pub about: String,
}

/// How something is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallSignature {
    /// The function with its parameters.
    pub label: String,
    /// The parameters, as they stand in the label.
    pub parameters: Vec<String>,
    /// The parameter at the position.
    pub active: usize,
    /// What is said of the function.
    pub about: String,
}

/// Where something is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declaration {
    /// In a text that is no script.
    File {
        /// Where the file stands on disk, if it does.
        path: Option<PathBuf>,
        /// What it is called.
        name: String,
        /// What it holds.
        text: String,
        /// Where in it.
        range: TextRange,
    },
    /// It is what a script of the same file belongs to.
    Script(EditedScript),
}

/// A label, with the lines up to the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlinePart {
    /// The label.
    pub name: String,
    /// Where it stands.
    pub range: TextRange,
    /// The last line of what follows it.
    pub last_line: usize,
}
