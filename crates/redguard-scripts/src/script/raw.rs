//! Bytecode that stands on its own, without the tables of a map: `--raw`.

use std::collections::BTreeMap;

use asset::Report;
use json::{Value, json};
use record::{Error, Result};
use soup::Lexicon;
use soup::bytecode::Script;
use soup::diagnose::Bounds;
use soup::mm::{self, ActorFacts};
use soup::text::{Problem, Surroundings};

use super::assemble::single_of_json;
use super::dialect::{self, DIALECT, Dialect};
use super::listing::{Disassembly, diagnostic, with_listing};
use super::replacement::{Parsed, SourceText, problem};
use super::{OPERANDS, ScriptContext};
use redguard_files::settings::ini::world::stem_of;
use redguard_files::sound::rtx;
use redguard_world::map::script::{MOST_CODE, lexicon_of};

/// What texts of bare bytecode are written and read with.
struct Names {
    lexicon: Lexicon,
    spoken: Option<std::sync::Arc<BTreeMap<String, String>>>,
}

impl Names {
    fn new(around: &ScriptContext<'_>) -> Result<Self> {
        let lexicon = lexicon_of(&around.context, around.definitions)?;
        Ok(Self { lexicon, spoken: rtx::texts(&around.context) })
    }

    fn with_surroundings<T>(&self, actor: &str, run: impl FnOnce(&Surroundings<'_>) -> T) -> T {
        let spoken = |label: &str| self.spoken.as_ref()?.get(label).cloned();
        run(&Surroundings { lexicon: &self.lexicon, actor, index: 0, texts: &[], spoken: &spoken })
    }
}

/// A block of bytecode without tables around it as text. Its strings are known by their numbers only, and it runs from its beginning.
///
/// # Errors
/// When the definitions cannot be read, or the block is too long.
pub fn disassemble(bytes: &[u8], around: &ScriptContext<'_>, report: &mut Report) -> Result<Disassembly> {
    if u64::try_from(bytes.len()).map_or(true, |length| length > MOST_CODE) {
        let message = format!("{} bytes; scripts of more than {MOST_CODE} are not shown", bytes.len());
        return Err(Error::limit(message));
    }
    let names = Names::new(around)?;
    let actor = stem_of(around.file_name);
    let script = Script::read(bytes, 0, around.context.options.choice(&OPERANDS));
    let (text, said) = names.with_surroundings(actor, |surroundings| {
        dialect::text_of(&script, surroundings, &ActorFacts::default(), around)
    });
    dialect::tell(&said, 0, actor, report);
    // How many texts and variables there are is not known.
    let mut found = script.diagnose(&Bounds::new(&names.lexicon));
    found.extend(script.diagnose_ways());
    found.sort_by_key(|it| it.at);
    let diagnostics: Vec<Value> = found.iter().chain(&said).map(diagnostic).collect();
    let facts = json!({
        "map": around.file_name, "actor": actor, "index": 0, "thread_start": 0, "length": bytes.len(),
    });
    let facts = with_listing(facts, &script, &text, diagnostics);
    Ok(Disassembly { name: actor.to_owned(), text: text.text, facts })
}

/// The bytes of a text, without anything around them, or all that is wrong with it.
///
/// # Errors
/// When the definitions cannot be read.
pub fn assemble(
    around: &ScriptContext<'_>,
    text: &SourceText,
    report: &mut Report,
) -> Result<std::result::Result<Vec<u8>, Vec<Problem>>> {
    let names = Names::new(around)?;
    let parsed =
        names.with_surroundings(&text.stem, |surroundings| parsed(surroundings, around, text, report));
    Ok(parsed.map(|script| script.write()))
}

fn parsed(
    surroundings: &Surroundings<'_>,
    around: &ScriptContext<'_>,
    text: &SourceText,
    report: &mut Report,
) -> Parsed<Script> {
    let is_json = text.text.trim_start().starts_with('{');
    let (script, new_texts, places) = match around.context.options.choice(&DIALECT) {
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
        if number == MOST_TEXTS {
            let message =
                format!("too many texts; {} more are not listed", new_texts.len().saturating_sub(number));
            problems.push(Problem { line, column, message });
            break;
        }
        let message =
            format!("bare bytecode has no texts, so \"{new}\" has no number; write string_ and the number");
        problems.push(Problem { line, column, message });
    }
    if script.start != 0 {
        let (line, column) = place_of(&text.text, "start");
        let message = "bare bytecode has no start; it runs from its beginning".to_owned();
        problems.push(Problem { line, column, message });
    }
    if problems.is_empty() { Ok(script) } else { Err(problems) }
}

/// So many texts that have no number are listed.
const MOST_TEXTS: usize = 1000;

/// Where something stands first in a text.
fn place_of(text: &str, what: &str) -> (usize, usize) {
    let found = text.lines().enumerate().find_map(|(index, line)| {
        let column = line.get(..line.find(what)?)?.chars().count();
        Some((index.saturating_add(1), column.saturating_add(1)))
    });
    found.unwrap_or((1, 1))
}
