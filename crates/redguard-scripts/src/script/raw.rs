//! Bare bytecode, without the tables of a map: `--raw`.

use std::sync::Arc;

use asset::Report;
use json::{Value, json};
use record::{Error, Result};
use soup::bytecode::Script;
use soup::diagnose::Bounds;
use soup::mm::{self, ActorFacts};
use soup::text::{Problem, SourceContext};
use soup::{Lexicon, SpokenLines};

use super::assemble::single_of_json;
use super::dialect::{self, DIALECT, Dialect};
use super::listing::{Disassembly, diagnostic, with_listing};
use super::replacement::{Parsed, SourceText, problem};
use super::{OPERANDS, ScriptContext};
use redguard_files::settings::ini::world::stem_of;
use redguard_files::sound::rtx;
use redguard_world::map::script::{MAX_CODE, lexicon_of};

/// The names used by texts of bare bytecode.
struct Names {
    lexicon: Lexicon,
    spoken: Option<Arc<SpokenLines>>,
}

impl Names {
    fn new(script_context: &ScriptContext<'_>) -> Result<Self> {
        let lexicon = lexicon_of(&script_context.context, script_context.definitions)?;
        Ok(Self { lexicon, spoken: rtx::texts(&script_context.context) })
    }

    fn with_surroundings<T>(&self, actor: &str, run: impl FnOnce(&SourceContext<'_>) -> T) -> T {
        let spoken = |label: &str| self.spoken.as_ref()?.get(label).map(str::to_owned);
        run(&SourceContext { lexicon: &self.lexicon, actor, index: 0, texts: &[], spoken: &spoken })
    }
}

/// Disassembles a block of bytecode without surrounding tables. Its strings only have numbers, and execution starts at its
/// beginning.
///
/// # Errors
/// Returns an error if the definitions cannot be read, or the block is too long.
pub fn disassemble(
    bytes: &[u8],
    script_context: &ScriptContext<'_>,
    report: &mut Report,
) -> Result<Disassembly> {
    if u64::try_from(bytes.len()).map_or(true, |length| length > MAX_CODE) {
        let message = format!("{} bytes; scripts of more than {MAX_CODE} are not shown", bytes.len());
        return Err(Error::limit(message));
    }
    let names = Names::new(script_context)?;
    let actor = stem_of(script_context.file_name);
    let script = Script::read(bytes, 0, script_context.context.options.choice(&OPERANDS));
    let (text, lost) = names.with_surroundings(actor, |surroundings| {
        dialect::text_of(&script, surroundings, &ActorFacts::default(), script_context)
    });
    dialect::report_lost(&lost, 0, actor, report);
    // The number of texts and variables is unknown.
    let mut found = script.diagnose(&Bounds::new(&names.lexicon));
    found.extend(script.diagnose_flow());
    found.sort_by_key(|it| it.at);
    let diagnostics: Vec<Value> = found.iter().chain(&lost).map(diagnostic).collect();
    let facts = json!({
        "map": script_context.file_name, "actor": actor, "index": 0, "thread_start": 0, "length": bytes.len(),
    });
    let facts = with_listing(facts, &script, &text, diagnostics);
    Ok(Disassembly { name: actor.to_owned(), text: text.text, facts })
}

/// Assembles a text to bare bytecode, or returns all problems of the text.
///
/// # Errors
/// Returns an error if the definitions cannot be read.
pub fn assemble(
    script_context: &ScriptContext<'_>,
    text: &SourceText,
    report: &mut Report,
) -> Result<std::result::Result<Vec<u8>, Vec<Problem>>> {
    let names = Names::new(script_context)?;
    let parsed = names
        .with_surroundings(&text.stem, |surroundings| parsed(surroundings, script_context, text, report));
    Ok(parsed.map(|script| script.write()))
}

fn parsed(
    surroundings: &SourceContext<'_>,
    script_context: &ScriptContext<'_>,
    text: &SourceText,
    report: &mut Report,
) -> Parsed<Script> {
    let is_json = text.text.trim_start().starts_with('{');
    let (script, new_texts, places) = match script_context.context.options.choice(&DIALECT) {
        _ if is_json => (single_of_json(&text.text)?, Vec::new(), Vec::new()),
        Dialect::Antiquary => {
            let parsed = Script::parse(&text.text, surroundings)?;
            (parsed.script, parsed.new_texts, parsed.places)
        }
        Dialect::ModManager => {
            let actors = mm::split(&text.text)?;
            let [actor] = actors.as_slice() else {
                return problem(1, 1, format!("expected one actor, found {}", actors.len()));
            };
            let parsed = actor.parse(surroundings)?;
            dialect::warn(&parsed.warnings, text, report);
            (parsed.script, parsed.new_texts, parsed.places)
        }
    };
    let mut problems: Vec<Problem> = Vec::new();
    for (number, (new, (line, column))) in new_texts.iter().zip(places).enumerate() {
        if number == MAX_LISTED_TEXTS {
            let message =
                format!("too many texts; {} more are not listed", new_texts.len().saturating_sub(number));
            problems.push(Problem { line, column, message });
            break;
        }
        let message = format!(
            "bare bytecode has no texts, so \"{new}\" has no number; write string_ followed by a number"
        );
        problems.push(Problem { line, column, message });
    }
    if script.start != 0 {
        let (line, column) = place_of(&text.text, "start");
        let message = "bare bytecode has no start; it runs from its beginning".to_owned();
        problems.push(Problem { line, column, message });
    }
    if problems.is_empty() { Ok(script) } else { Err(problems) }
}

/// The maximum number of reported texts without a number.
const MAX_LISTED_TEXTS: usize = 1000;

/// Returns the one-based line and column of the first occurrence of `what` in a text.
fn place_of(text: &str, what: &str) -> (usize, usize) {
    let found = text.lines().enumerate().find_map(|(index, line)| {
        let column = line.get(..line.find(what)?)?.chars().count();
        Some((index.saturating_add(1), column.saturating_add(1)))
    });
    found.unwrap_or((1, 1))
}
