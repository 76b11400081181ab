//! Converts the scripts of a map to text, and searches them.

use std::collections::BTreeSet;

use asset::{Report, Text};
use json::{Value, json};
use record::Result;
use soup::bytecode::{Operands, Script};
use soup::find::{Mention, Named, Query};
use soup::mm::ActorFacts;

use super::dialect::{self, DIALECT, Dialect, STRUCTURED};
use super::listing::{Disassembly, diagnostic, with_listing};
use super::{OPERANDS, ScriptContext};
use redguard_world::map::script::Scripts;
use redguard_world::map::{Map, Object};

/// A reference to a line of dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenLine {
    /// The name of the actor whose script refers to the line.
    pub actor: String,
    /// The one-based line number in the text of the script.
    pub line: usize,
    /// The statement.
    pub statement: String,
    /// The label of the line of dialogue.
    pub label: String,
    /// The spoken text; empty if the game has none.
    pub text: String,
}

/// The option `--actor`.
const ACTOR: Text =
    Text::new("actor", "Process only the script of this object: its name, or # and its number.", "NAME");

asset::format_options! {
    /// Options for disassembling and assembling scripts.
    pub struct ScriptTextOptions {
        /// Process only the script of this object: its name, or `#` and its number.
        actor: &str = ACTOR;
        /// The operand encoding of conditions.
        operands: Operands = OPERANDS;
        /// Whether gotos are shown as loops and else branches if these assemble to exactly the same bytes.
        structured: bool = STRUCTURED;
        /// The dialect of the text.
        dialect: Dialect = DIALECT;
    }
}

/// Disassembles the script of an object.
fn disassembly(
    scripts: &Scripts<'_>,
    index: usize,
    object: &Object,
    script_context: &ScriptContext<'_>,
    report: &mut Report,
) -> Disassembly {
    let bytes = scripts.sections.script(object);
    let operands = script_context.context.options.choice(&OPERANDS);
    let script = Script::read(bytes.unwrap_or_default(), object.script_start, operands);
    let (text, lost) = scripts.with_surroundings(index, object, |surroundings| {
        let variables = scripts.sections.variables(object).unwrap_or_default();
        let facts = ActorFacts {
            variables: variables.first().copied().unwrap_or_default(),
            attributes: scripts.sections.attributes(object).map_or(&[], |it| it),
        };
        dialect::text_of(&script, surroundings, &facts, script_context)
    });
    dialect::report_lost(&lost, index, &object.name.text(), report);
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
        diagnostics.extend(scripts.diagnose(object, &script).iter().chain(&lost).map(diagnostic));
    }
    let facts = json!({
        "map": script_context.file_name,
        "actor": object.name.text(),
        "index": index,
        "thread_start": object.script_start,
        "length": object.script_length,
    });
    let facts = with_listing(facts, &script, &text, diagnostics);
    Disassembly { name: object.name.text(), text: text.text, facts }
}

/// Disassembles the scripts of a map. Parts that the text cannot express are reported.
///
/// # Errors
/// Returns an error if the definitions cannot be read, the map does not have the requested object, or its scripts are too long.
pub fn disassemble(
    map: &Map,
    script_context: &ScriptContext<'_>,
    report: &mut Report,
) -> Result<Vec<Disassembly>> {
    let scripts = Scripts::of_game(map, &script_context.context, script_context.definitions)?;
    let only = script_context.context.options.text(&ACTOR).map(|name| scripts.find(name)).transpose()?;
    scripts.check_limits(only)?;
    let objects = map.objects().iter().enumerate();
    let objects = objects.filter(|(index, _)| only.is_none_or(|only| only == *index));
    let mut out: Vec<_> =
        objects.map(|(index, object)| disassembly(&scripts, index, object, script_context, report)).collect();
    if let (Dialect::ModManager, Some(first)) =
        (script_context.context.options.choice(&DIALECT), out.first_mut())
    {
        dialect::insert_header(first, script_context);
    }
    Ok(out)
}

/// Finds the statements of a map's scripts that refer to something, and returns a JSON object for each.
///
/// # Errors
/// Returns an error if the definitions cannot be read, or the scripts are too long.
pub fn find(map: &Map, script_context: &ScriptContext<'_>, name: &str) -> Result<Vec<Value>> {
    let scripts = Scripts::of_game(map, &script_context.context, script_context.definitions)?;
    scripts.check_limits(None)?;
    let part = name.to_lowercase();
    let says = |(_, text): &(&str, &str)| text.to_lowercase().contains(&part);
    let spoken = scripts.spoken.iter().flat_map(|spoken| spoken.iter()).filter(says);
    let labels: BTreeSet<String> = spoken.map(|(label, _)| label.to_owned()).collect();
    let mut out = Vec::new();
    for (index, object) in map.objects().iter().enumerate() {
        let query = Query::new(name, &scripts.lexicon, &scripts.texts(object), &labels);
        let hit = |kind: Mention, at: u32, line: Option<usize>, text: &str| {
            json!({
                "map": script_context.file_name, "actor": object.name.text(), "at": at, "kind": kind.name(), "line": line, "text": text,
            })
        };
        let hook = scripts.sections.hook(object).flatten().filter(|hook| query.is_function(hook.function));
        if hook.is_some() {
            out.push(hit(Mention::Hook, 0, None, "native hook"));
        }
        let Some(bytes) = scripts.sections.script(object) else { continue };
        let script =
            Script::read(bytes, object.script_start, script_context.context.options.choice(&OPERANDS));
        let mentions = script.find_mentions(&query, &scripts.lexicon);
        if mentions.is_empty() {
            continue;
        }
        let text = scripts.with_surroundings(index, object, |surroundings| script.text(surroundings));
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

/// Returns the lines of dialogue that the scripts of a map refer to, in order.
///
/// # Errors
/// Returns an error if the definitions cannot be read, or the scripts are too long.
pub fn lines(map: &Map, script_context: &ScriptContext<'_>) -> Result<Vec<SpokenLine>> {
    let scripts = Scripts::of_game(map, &script_context.context, script_context.definitions)?;
    scripts.check_limits(None)?;
    let mut out = Vec::new();
    for (index, object) in map.objects().iter().enumerate() {
        let Some(bytes) = scripts.sections.script(object) else { continue };
        let script =
            Script::read(bytes, object.script_start, script_context.context.options.choice(&OPERANDS));
        let mut listing = None;
        for (statement, _, named) in script.mentions(&scripts.lexicon) {
            let Named::Label(_) = named else { continue };
            let Some(label) = named.name(&scripts.lexicon, &[]) else { continue };
            let text = listing.get_or_insert_with(|| {
                scripts.with_surroundings(index, object, |surroundings| script.text(surroundings))
            });
            let line = text.lines.get(statement).copied().unwrap_or(1);
            let statement = text.text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            // The spoken text follows the statement as a comment.
            let statement = statement.split_once("    ; ").map_or(statement, |(statement, _)| statement);
            let spoken = scripts.spoken.as_ref().and_then(|spoken| spoken.get(&label));
            out.push(SpokenLine {
                actor: object.name.text(),
                line,
                statement: statement.trim().to_owned(),
                label: label.to_string(),
                text: spoken.unwrap_or_default().to_owned(),
            });
        }
    }
    Ok(out)
}
