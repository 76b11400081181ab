//! The scripts of a map shown as text, and searched.

use std::collections::BTreeSet;

use asset::{Report, Text};
use json::{Value, json};
use record::Result;
use soup::bytecode::{Operands, Script};
use soup::find::{Mention, Named, Wanted};
use soup::mm::ActorFacts;

use super::dialect::{self, DIALECT, Dialect, STRUCTURED};
use super::listing::{Disassembly, diagnostic, with_listing};
use super::{OPERANDS, ScriptContext};
use redguard_world::map::script::Scripts;
use redguard_world::map::{Map, Object};

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

/// `--actor NAME`.
const ACTOR: Text =
    Text::new("actor", "Only the script of this object: its name, or # and its number.", "NAME");

asset::format_options! {
    /// How scripts are shown as text and assembled.
    pub struct ScriptTextOptions {
        /// Only the script of this object: its name, or `#` and its number.
        actor: &str = ACTOR;
        /// Who wrote the operands of conditions.
        operands: Operands = OPERANDS;
        /// Whether gotos are shown as loops and else where these are exactly the same bytes.
        structured: bool = STRUCTURED;
        /// Whose text it is.
        dialect: Dialect = DIALECT;
    }
}

/// The script of an object as text.
fn disassembly(
    scripts: &Scripts<'_>,
    index: usize,
    object: &Object,
    around: &ScriptContext<'_>,
    report: &mut Report,
) -> Disassembly {
    let bytes = scripts.sections.script(object);
    let operands = around.context.options.choice(&OPERANDS);
    let script = Script::read(bytes.unwrap_or_default(), object.script_start, operands);
    let (text, said) = scripts.with_surroundings(index, object, |surroundings| {
        let variables = scripts.sections.variables(object).unwrap_or_default();
        let facts = ActorFacts {
            variables: variables.first().copied().unwrap_or_default(),
            attributes: scripts.sections.attributes(object).map_or(&[], |it| it),
        };
        dialect::text_of(&script, surroundings, &facts, around)
    });
    dialect::tell(&said, index, &object.name.text(), report);
    let mut diagnostics: Vec<Value> = Vec::new();
    if bytes.is_none() {
        let message = format!(
            "the script of {} bytes at 0x{:x} runs past the end of RASC",
            object.script_length, object.script_offset
        );
        diagnostics.push(json!({
            "code": "pc_out_of_range", "severity": "error", "at": 0, "message": message,
        }));
    } else {
        diagnostics.extend(scripts.diagnose(object, &script).iter().chain(&said).map(diagnostic));
    }
    let facts = json!({
        "map": around.file_name,
        "actor": object.name.text(),
        "index": index,
        "thread_start": object.script_start,
        "length": object.script_length,
    });
    let facts = with_listing(facts, &script, &text, diagnostics);
    Disassembly { name: object.name.text(), text: text.text, facts }
}

/// The scripts of a map as texts. The report says what the texts do not say.
///
/// # Errors
/// When the definitions cannot be read, the map does not have the object that is asked for, or its scripts are too long.
pub fn disassemble(map: &Map, around: &ScriptContext<'_>, report: &mut Report) -> Result<Vec<Disassembly>> {
    let scripts = Scripts::of_game(map, &around.context, around.definitions)?;
    let only = around.context.options.text(&ACTOR).map(|name| scripts.find(name)).transpose()?;
    scripts.refuse_too_much(only)?;
    let objects = map.objects().iter().enumerate();
    let objects = objects.filter(|(index, _)| only.is_none_or(|only| only == *index));
    let mut out: Vec<_> =
        objects.map(|(index, object)| disassembly(&scripts, index, object, around, report)).collect();
    if let (Dialect::ModManager, Some(first)) = (around.context.options.choice(&DIALECT), out.first_mut()) {
        dialect::put_header(first, around);
    }
    Ok(out)
}

/// Where the scripts of a map name something: an object for each place.
///
/// # Errors
/// When the definitions cannot be read, or the scripts are too long.
pub fn find(map: &Map, around: &ScriptContext<'_>, name: &str) -> Result<Vec<Value>> {
    let scripts = Scripts::of_game(map, &around.context, around.definitions)?;
    scripts.refuse_too_much(None)?;
    let part = name.to_lowercase();
    let says = |(_, text): &(&String, &String)| text.to_lowercase().contains(&part);
    let spoken = scripts.spoken.iter().flat_map(|spoken| spoken.iter()).filter(says);
    let labels: BTreeSet<String> = spoken.map(|(label, _)| label.clone()).collect();
    let mut out = Vec::new();
    for (index, object) in map.objects().iter().enumerate() {
        let wanted = Wanted::new(name, &scripts.lexicon, &scripts.texts(object), &labels);
        let hit = |kind: Mention, at: u32, line: Option<usize>, text: &str| {
            json!({
                "map": around.file_name, "actor": object.name.text(), "at": at, "kind": kind.name(), "line": line, "text": text,
            })
        };
        let hook = scripts.sections.hook(object).flatten().filter(|hook| wanted.is_function(hook.function));
        if hook.is_some() {
            out.push(hit(Mention::Hook, 0, None, "native hook"));
        }
        let Some(bytes) = scripts.sections.script(object) else { continue };
        let script = Script::read(bytes, object.script_start, around.context.options.choice(&OPERANDS));
        let mentions = script.find_mentions(&wanted, &scripts.lexicon);
        if mentions.is_empty() {
            continue;
        }
        let text = scripts.with_surroundings(index, object, |around| script.text(around));
        let lines: Vec<&str> = text.text.lines().collect();
        for (statement, kind) in mentions {
            let at = script.statements.get(statement).map_or(0, |it| it.at);
            let line = text.lines.get(statement).copied().unwrap_or(1);
            let shown = lines.get(line.saturating_sub(1)).copied().unwrap_or_default().trim();
            out.push(hit(kind, at, Some(line), shown));
        }
    }
    Ok(out)
}

/// The lines of dialogue that the scripts of a map name, in order.
///
/// # Errors
/// When the definitions cannot be read, or the scripts are too long.
pub fn lines(map: &Map, around: &ScriptContext<'_>) -> Result<Vec<SpokenLine>> {
    let scripts = Scripts::of_game(map, &around.context, around.definitions)?;
    scripts.refuse_too_much(None)?;
    let mut out = Vec::new();
    for (index, object) in map.objects().iter().enumerate() {
        let Some(bytes) = scripts.sections.script(object) else { continue };
        let script = Script::read(bytes, object.script_start, around.context.options.choice(&OPERANDS));
        let mut listing = None;
        for (statement, _, named) in script.mentions(&scripts.lexicon) {
            let Named::Label(_) = named else { continue };
            let Some(label) = named.name(&scripts.lexicon, &[]) else { continue };
            let text = listing.get_or_insert_with(|| {
                scripts.with_surroundings(index, object, |around| script.text(around))
            });
            let line = text.lines.get(statement).copied().unwrap_or(1);
            let statement = text.text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            // Behind it stands what is said, as a comment.
            let statement = statement.split_once("    ; ").map_or(statement, |(statement, _)| statement);
            let spoken = scripts.spoken.as_ref().and_then(|spoken| spoken.get(&*label));
            out.push(SpokenLine {
                actor: object.name.text(),
                line,
                statement: statement.trim().to_owned(),
                label: label.to_string(),
                text: spoken.cloned().unwrap_or_default(),
            });
        }
    }
    Ok(out)
}
