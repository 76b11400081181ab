//! What is known of a name, and of the call around a position.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use super::cursor::Cursor;
use super::name::{NameKind, name_at, names};
use super::{Access, Known, MapKnowledge, Occurrence, Position, Span};
use crate::Lexicon;
use crate::definitions::{FlagKind, FunctionKind};
use crate::lexicon::literal;
use crate::text::lex;

/// What is known of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// Where the name stands.
    pub span: Span,
    /// How it is declared, in one line of the language; empty for what needs no declaration.
    pub declaration: String,
    /// What is said of it: plain text, one sentence or more a line.
    pub about: String,
}

/// How a function is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The function with its parameters.
    pub label: String,
    /// The parameters, as they stand in the label.
    pub parameters: Vec<String>,
    /// The parameter at the position.
    pub active: usize,
    /// What is said of the function.
    pub about: String,
}

/// Longer lists of parameters are cut: a definition file may claim any number.
const MOST_PARAMETERS: usize = 32;

/// What the functions of the game give back, and what is known of them.
static ABOUT: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let lines = include_str!("functions.txt").lines().filter(|line| !line.starts_with(';'));
    let entry = |line: &str| {
        let mut parts = line.split('\t');
        let (name, result) = (parts.next()?, parts.next()?);
        let mut about = match result {
            "running" => "Its result is 1 until it is done, then 0.".to_owned(),
            "value" => "Its result is a value.".to_owned(),
            "undefined" => "Its result is undefined.".to_owned(),
            constant => format!("Its result is {constant}."),
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

/// How a function is declared: `task Wait(ticks)`.
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

/// The parameters of a function: what they stand for, where that is known.
fn parameters(lexicon: &Lexicon, number: u16) -> Vec<String> {
    let count = lexicon.definitions.function(number).map_or(0, |it| it.params);
    let count = usize::try_from(count).unwrap_or(MOST_PARAMETERS).min(MOST_PARAMETERS);
    let name = |index: usize| match lexicon.role(number, index) {
        Some(role) => role.noun().to_owned(),
        None => format!("parameter {}", index.saturating_add(1)),
    };
    (0..count).map(name).collect()
}

/// How a flag is declared, and what is said of it.
pub(super) fn about_flag(lexicon: &Lexicon, number: usize) -> (String, String) {
    let Some(flag) = lexicon.definitions.flags.get(number) else { return (String::new(), String::new()) };
    let (kind, about) = match flag.kind {
        FlagKind::Bool => ("BOOL", "SetGlobalFlag toggles it once."),
        FlagKind::FlipFlop => ("FLIPFLOP", "SetGlobalFlag toggles it each time."),
        FlagKind::Counter => ("COUNTER", "SetGlobalFlag counts it down."),
        FlagKind::Number => ("NUMBER", "SetGlobalFlag keeps its value."),
    };
    let mut out = format!("Global flag {number}. {about}");
    if let Some(comment) = &flag.comment {
        let _ = write!(out, "\n{comment}");
    }
    (format!("{kind} {} {}", flag.name, flag.default), out)
}

/// What is known of the name at a position.
#[must_use]
pub fn hover(text: &str, known: &Known<'_>, at: Position) -> Option<Hover> {
    let it = name_at(text, known.around.lexicon, at)?;
    let (declaration, about) = described(text, known, &it)?;
    Some(Hover { span: it.span, declaration, about })
}

fn described(text: &str, known: &Known<'_>, it: &Occurrence) -> Option<(String, String)> {
    let lexicon = known.around.lexicon;
    let name = it.name.as_str();
    let plain = |about: String| Some((String::new(), about));
    let numbered =
        |what: &str, number: Option<i32>| plain(format!("{} {}: {name}.", capitalized(what), number?));
    match it.kind {
        NameKind::Keyword => plain(keyword(name)?.to_owned()),
        NameKind::Function => {
            let number = lexicon.function_number(name)?;
            let mut about = format!("Function {number}.");
            if let Some(known) = ABOUT.get(&name.to_lowercase()) {
                let _ = write!(about, " {known}");
            }
            let runs = lexicon.definitions.function(number).map(|it| match it.kind {
                FunctionKind::Task => "It takes time; the script waits for it.",
                FunctionKind::Multitask => "It takes time; the script goes on.",
                FunctionKind::Function => "It is done at once.",
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
            let count = match known.locals {
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
        NameKind::Line => match known.lines.get(name) {
            Some(spoken) => plain(format!("\"{spoken}\"")),
            None if known.lines.is_empty() => plain(format!("The line of dialogue {name}.")),
            None => plain(format!("ENGLISH.RTX has no line {name}.")),
        },
        NameKind::Text if it.access == Access::Declared => plain(match known.map {
            MapKnowledge::Known => format!("The script of object #{} of the map.", known.around.index),
            MapKnowledge::Unknown => "The script of this object.".to_owned(),
        }),
        NameKind::Text => plain(about_text(known, name)),
        NameKind::Attribute => numbered("attribute", number_of(lexicon, it)),
        NameKind::AnimationGroup => numbered("animation group", number_of(lexicon, it)),
        NameKind::Item => numbered("item", number_of(lexicon, it)),
        NameKind::Map => numbered("map", number_of(lexicon, it)),
    }
}

/// The number of an attribute, animation group, item or map.
fn number_of(lexicon: &Lexicon, it: &Occurrence) -> Option<i32> {
    use crate::lexicon::Role;
    let role = match it.kind {
        NameKind::Attribute => Role::Attribute,
        NameKind::AnimationGroup => Role::AnimationGroup,
        NameKind::Item => Role::Item,
        NameKind::Map => Role::Map,
        _ => return None,
    };
    lexicon.of_role(role)?.number(&it.name)
}

fn about_text(known: &Known<'_>, name: &str) -> String {
    let mut out = match known.around.texts.iter().position(|it| it == name) {
        Some(number) => format!("Text {number} of the actor."),
        None if known.map == MapKnowledge::Known => {
            "A new text: assembling adds it to those of the actor.".to_owned()
        }
        None => "A text of the actor.".to_owned(),
    };
    if let Some(number) = known.objects.iter().position(|it| it.eq_ignore_ascii_case(name)) {
        let _ = write!(out, " The map has an object of this name: #{number}.");
    }
    out
}

/// What a word of the language means.
fn keyword(word: &str) -> Option<&'static str> {
    Some(match word {
        "if" => {
            "What follows is done if the comparisons hold. They are joined from left to right, without precedence."
        }
        "else" => "Where it goes on if the comparisons do not hold.",
        "and" | "or" => "Joins two comparisons, from left to right.",
        "while" => "What follows is done again and again as long as the comparisons hold.",
        "loop" => "What follows is done again and again, until something leaves it.",
        "break" => "Goes on behind the loop.",
        "continue" => "Goes back to the beginning of the loop.",
        "goto" => "Goes on at the label.",
        "gosub" => "Goes to the label and comes back with `return`. There is one return address only.",
        "return" => "Goes back behind the `gosub`.",
        "end" => "Ends the run; the next one begins at the beginning, or at the label.",
        "endint" => "Ends the run; the next one begins at the beginning.",
        "yield" => "Ends the run; the next one goes on behind it.",
        "anchor" => "Sets the anchor of the actor.",
        "scriptrv" => "The jump below is skipped unless the script-return byte has this value.",
        "stop_task" => "Ends the task that was begun at the label.",
        "pause_task" => "Pauses the task that was begun at the label.",
        "resume_task" => "Lets the task that was begun at the label go on.",
        "bytes" => "Bytes that cannot be read as a statement.",
        "task" => "The call runs as a task: it takes time, and the script waits for it.",
        "multitask" => "The call runs as a multitask: it takes time, and the script goes on.",
        "function" => "The call runs as a function: it is done at once.",
        "opcode" => "The call has the unusual one of its two opcodes.",
        "alt" => "A number with opcode 16, as calls about flags have it.",
        "pad" => "Padding that is not 0.",
        "me" => "The actor itself.",
        "player" => "The selected player.",
        "camera" => "The camera.",
        "start" => "Where the main run begins. What stands above is the entry run.",
        "actor" => "Whose script it is: its name, and its number in the map.",
        "operands" => "How the conditions are stored, where that is not as usual.",
        _ => return None,
    })
}

/// The call around a position.
#[must_use]
pub fn signature(text: &str, known: &Known<'_>, at: Position) -> Option<Signature> {
    let lexicon = known.around.lexicon;
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
