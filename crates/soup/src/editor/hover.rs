//! Documentation of names and call signatures.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use super::cursor::Cursor;
use super::name::{NameKind, name_at, names};
use super::{Access, EditContext, MapKnowledge, Occurrence, Position, Span};
use crate::Lexicon;
use crate::definitions::{FlagKind, FunctionKind};
use crate::lexicon::literal;
use crate::text::lex;

/// The documentation of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The range of the name.
    pub span: Span,
    /// The declaration in one line of source text; empty if the name is not declared.
    pub declaration: String,
    /// The description as plain text, with one or more sentences per line.
    pub about: String,
}

/// The signature of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The function with its parameters.
    pub label: String,
    /// The parameters as written in the label.
    pub parameters: Vec<String>,
    /// The index of the parameter at the position.
    pub active: usize,
    /// The description of the function.
    pub about: String,
}

/// The maximum number of parameters to list, because a definition file may declare any number.
const MAX_PARAMETERS: usize = 32;

/// The results and descriptions of the game's functions.
static ABOUT: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let lines = include_str!("functions.txt").lines().filter(|line| !line.starts_with(';'));
    let entry = |line: &str| {
        let mut parts = line.split('\t');
        let (name, result) = (parts.next()?, parts.next()?);
        let mut about = match result {
            "running" => "Returns 1 until it is finished, then 0.".to_owned(),
            "value" => "Returns a value.".to_owned(),
            "undefined" => "The result is undefined.".to_owned(),
            constant => format!("Returns {constant}."),
        };
        if let Some(note) = parts.next() {
            let _ = write!(about, " {}.", capitalized(note));
        }
        Some((name.to_lowercase(), about))
    };
    lines.filter_map(entry).collect()
});

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns the declaration of a function: `task Wait(ticks)`.
pub(super) fn about_function(lexicon: &Lexicon, number: u16) -> Option<String> {
    let it = lexicon.definitions.function(number)?;
    Some(format!("{} {}({})", kind_of(it.kind), it.name, parameters(lexicon, number).join(", ")))
}

const fn kind_of(kind: FunctionKind) -> &'static str {
    match kind {
        FunctionKind::Task => "task",
        FunctionKind::Multitask => "multitask",
        FunctionKind::Function => "function",
    }
}

/// Returns the names of a function's parameters: their roles if known.
fn parameters(lexicon: &Lexicon, number: u16) -> Vec<String> {
    let count = lexicon.definitions.function(number).map_or(0, |it| it.params);
    let count = usize::try_from(count).unwrap_or(MAX_PARAMETERS).min(MAX_PARAMETERS);
    let name = |index: usize| match lexicon.role(number, index) {
        Some(role) => role.noun().to_owned(),
        None => format!("parameter {}", index.saturating_add(1)),
    };
    (0..count).map(name).collect()
}

/// Returns the declaration and the description of a flag.
pub(super) fn about_flag(lexicon: &Lexicon, number: usize) -> (String, String) {
    let Some(flag) = lexicon.definitions.flags.get(number) else { return (String::new(), String::new()) };
    let (kind, about) = match flag.kind {
        FlagKind::Bool => ("BOOL", "SetGlobalFlag toggles it once."),
        FlagKind::FlipFlop => ("FLIPFLOP", "SetGlobalFlag toggles it every time."),
        FlagKind::Counter => ("COUNTER", "SetGlobalFlag counts it down."),
        FlagKind::Number => ("NUMBER", "SetGlobalFlag keeps its value."),
    };
    let mut out = format!("Global flag {number}. {about}");
    if let Some(comment) = &flag.comment {
        let _ = write!(out, "\n{comment}");
    }
    (format!("{kind} {} {}", flag.name, flag.default), out)
}

/// Returns the documentation of the name at a position.
#[must_use]
pub fn hover(text: &str, context: &EditContext<'_>, at: Position) -> Option<Hover> {
    let it = name_at(text, context.source.lexicon, at)?;
    let (declaration, about) = described(text, context, &it)?;
    Some(Hover { span: it.span, declaration, about })
}

fn described(text: &str, context: &EditContext<'_>, it: &Occurrence) -> Option<(String, String)> {
    let lexicon = context.source.lexicon;
    let name = it.name.as_str();
    let plain = |about: String| Some((String::new(), about));
    let numbered =
        |what: &str, number: Option<i32>| plain(format!("{} {}: {name}.", capitalized(what), number?));
    match it.kind {
        NameKind::Keyword => plain(keyword(name)?.to_owned()),
        NameKind::Function => {
            let number = lexicon.function_number(name)?;
            let mut about = format!("Function {number}.");
            if let Some(notes) = ABOUT.get(&name.to_lowercase()) {
                let _ = write!(about, " {notes}");
            }
            let runs = lexicon.definitions.function(number).map(|it| match it.kind {
                FunctionKind::Task => "Takes time; the script waits for it.",
                FunctionKind::Multitask => "Takes time; the script continues.",
                FunctionKind::Function => "Finishes immediately.",
            });
            let _ = write!(about, "\n{}", runs.unwrap_or("The game does not declare it."));
            Some((about_function(lexicon, number).unwrap_or_default(), about))
        }
        NameKind::Flag => {
            let number = lexicon.flags.number(name);
            let number = number.or_else(|| i32::try_from(literal(name, "flag_")?).ok())?;
            let (declaration, about) = about_flag(lexicon, usize::try_from(number).ok()?);
            if declaration.is_empty() {
                return plain(format!("Global flag {number}, which has no name."));
            }
            Some((declaration, about))
        }
        NameKind::Property => match lexicon.references.number(name) {
            Some(number) => plain(format!("Property {number} of objects: {name}.")),
            None => plain(format!("Property {} of objects, which has no name.", literal(name, "ref_")?)),
        },
        NameKind::Local => {
            let count = match context.locals {
                0 => String::new(),
                count => format!(" The actor has {count}."),
            };
            plain(format!("A variable of the actor.{count}"))
        }
        NameKind::Label => {
            let is_it = |other: &&Occurrence| {
                other.kind == NameKind::Label && other.access == Access::Declared && other.name == name
            };
            let all = names(text, lexicon);
            let label = all.iter().find(is_it)?.span.line;
            let below = text.lines().skip(label.saturating_add(1)).map(str::trim);
            let below = below.filter(|line| !line.is_empty()).take(3).collect::<Vec<_>>().join("\n");
            let line = label.saturating_add(1);
            Some((format!("{name}:\n{below}"), format!("A label on line {line}.")))
        }
        NameKind::Line => match context.lines.get(name) {
            Some(spoken) => plain(format!("\"{spoken}\"")),
            None if context.lines.is_empty() => plain(format!("The line of dialogue {name}.")),
            None => plain(format!("ENGLISH.RTX has no line {name}.")),
        },
        NameKind::Text if it.access == Access::Declared => plain(match context.map {
            MapKnowledge::Known => format!("The script of object #{} of the map.", context.source.index),
            MapKnowledge::Unknown => "The script of this object.".to_owned(),
        }),
        NameKind::Text => plain(about_text(context, name)),
        NameKind::Attribute => numbered("attribute", number_of(lexicon, it)),
        NameKind::AnimationGroup => numbered("animation group", number_of(lexicon, it)),
        NameKind::Item => numbered("item", number_of(lexicon, it)),
        NameKind::Map => numbered("map", number_of(lexicon, it)),
    }
}

/// Returns the number of an attribute, animation group, item or map.
fn number_of(lexicon: &Lexicon, it: &Occurrence) -> Option<i32> {
    use crate::lexicon::Role;
    let role = match it.kind {
        NameKind::Attribute => Role::Attribute,
        NameKind::AnimationGroup => Role::AnimationGroup,
        NameKind::Item => Role::Item,
        NameKind::Map => Role::Map,
        _ => return None,
    };
    lexicon.names_of(role)?.number(&it.name)
}

fn about_text(context: &EditContext<'_>, name: &str) -> String {
    let mut out = match context.source.texts.iter().position(|it| it == name) {
        Some(number) => format!("Text {number} of the actor."),
        None if context.map == MapKnowledge::Known => {
            "A new text; assembling adds it to the actor.".to_owned()
        }
        None => "A text of the actor.".to_owned(),
    };
    if let Some(number) = context.objects.iter().position(|it| it.eq_ignore_ascii_case(name)) {
        let _ = write!(out, " The map has an object with this name: #{number}.");
    }
    out
}

/// Returns the description of a keyword.
fn keyword(word: &str) -> Option<&'static str> {
    Some(match word {
        "if" => {
            "Runs the block if the comparisons hold. They are evaluated from left to right, without precedence."
        }
        "else" => "Runs if the comparisons do not hold.",
        "and" | "or" => "Joins two comparisons, from left to right.",
        "while" => "Repeats the block while the comparisons hold.",
        "loop" => "Repeats the block until a statement leaves it.",
        "break" => "Continues after the loop.",
        "continue" => "Jumps to the beginning of the loop.",
        "goto" => "Jumps to the label.",
        "gosub" => "Jumps to the label until `return`. Only one return address is stored.",
        "return" => "Returns to the statement after the `gosub`.",
        "end" => "Ends the run; the next one starts at the beginning, or at the label.",
        "endint" => "Ends the run; the next one starts at the beginning.",
        "yield" => "Ends the run; the next one continues after it.",
        "anchor" => "Sets the anchor of the actor.",
        "scriptrv" => "Skips the next jump unless the script-return byte has this value.",
        "stop_task" => "Ends the task that was started at the label.",
        "pause_task" => "Pauses the task that was started at the label.",
        "resume_task" => "Resumes the task that was started at the label.",
        "bytes" => "Bytes that are not a valid statement.",
        "task" => "Runs the call as a task: it takes time, and the script waits for it.",
        "multitask" => "Runs the call as a multitask: it takes time, and the script continues.",
        "function" => "Runs the call as a function: it finishes immediately.",
        "opcode" => "Selects the less common of the call's two opcodes.",
        "alt" => "A number with opcode 16, which calls about flags use.",
        "pad" => "Padding other than 0.",
        "me" => "The actor itself.",
        "player" => "The selected player.",
        "camera" => "The camera.",
        "start" => "The start of the main run. The statements before it are the entry run.",
        "actor" => "The actor of the script: its name, and its number in the map.",
        "operands" => "The encoding of conditions, if it is not the usual one.",
        _ => return None,
    })
}

/// Returns the signature of the call at a position.
#[must_use]
pub fn signature(text: &str, context: &EditContext<'_>, at: Position) -> Option<Signature> {
    let lexicon = context.source.lexicon;
    let line = text.lines().nth(at.line)?;
    let before: String = line.chars().take(at.column).collect();
    let (tokens, _) = lex::line(&before);
    let mut cursor = Cursor::default();
    for index in 0..tokens.len() {
        cursor.pass(&tokens, index, lexicon);
    }
    let (number, active) = cursor.call()?;
    let parameters = parameters(lexicon, number);
    let name = &lexicon.definitions.function(number)?.name;
    let about = ABOUT.get(&name.to_lowercase()).cloned().unwrap_or_default();
    Some(Signature { label: about_function(lexicon, number)?, parameters, active, about })
}
