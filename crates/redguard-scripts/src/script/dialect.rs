//! The text of Redguard Mod Manager: `--dialect mm`.

use std::collections::BTreeMap;

use asset::{Choice, Flag, Report};
use files::suggest::did_you_mean;
use json::Value;
use soup::Script;
use soup::diagnose::{Diagnostic, Severity};
use soup::mm::{self, ActorFacts, ActorText, Given};
use soup::text::{Problem, Surroundings, Text};

use super::ScriptContext;
use super::listing::Disassembly;
use super::replacement::{Parsed, Replacement, SourceText};
use redguard_files::settings::ini::world::stem_of;
use redguard_world::map::Object;
use redguard_world::map::script::{NOT_SAID, NOT_TAKEN, OTHERWISE, Scripts, map_names};

/// Whose words a text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Those that come back to the same bytes.
    Antiquary,
    /// Those of Redguard Mod Manager.
    ModManager,
}

/// `--dialect WHOSE`.
pub(super) const DIALECT: Choice<Dialect> = Choice::new(
    "dialect",
    "Whose text it is.",
    &[
        ("antiquary", "the text that comes back to the same bytes"),
        ("mm", "the text of Redguard Mod Manager, which has no words for some statements"),
    ],
    &[Dialect::Antiquary, Dialect::ModManager],
);

/// `--structured`.
pub(super) const STRUCTURED: Flag =
    Flag::new("structured", "Show gotos as loops and else where these stand for exactly the same bytes.");

/// The text of a script as it was asked for, and what it does not say.
pub(super) fn text_of(
    script: &Script,
    surroundings: &Surroundings<'_>,
    facts: &ActorFacts<'_>,
    around: &ScriptContext<'_>,
) -> (Text, Vec<Diagnostic>) {
    let options = around.context.options;
    match options.choice(&DIALECT) {
        Dialect::ModManager => script.mm_text(surroundings, facts),
        Dialect::Antiquary if options.flag(&STRUCTURED) => (script.structured_text(surroundings), Vec::new()),
        Dialect::Antiquary => (script.text(surroundings), Vec::new()),
    }
}

/// Warns of what the text of a script does not say.
pub(super) fn tell(found: &[Diagnostic], index: usize, actor: &str, report: &mut Report) {
    for it in found.iter().filter(|it| it.severity == Severity::Error) {
        let message = format!("{actor} at 0x{:x} of its script: {}", it.at, it.message);
        report.warn(NOT_SAID, message).in_field(format!("objects[{index}].script"));
    }
}

/// Puts the map and its worlds above the first actor. Its lines move down.
pub(super) fn put_header(first: &mut Disassembly, around: &ScriptContext<'_>) {
    let map = stem_of(around.file_name).to_uppercase();
    let worlds: Vec<i32> = map_names(&around.context)
        .into_iter()
        .filter(|(_, name)| *name == map)
        .map(|(world, _)| world)
        .collect();
    let header = mm::header(&map, &worlds);
    let count = u64::try_from(header.lines().count()).unwrap_or_default();
    first.text.insert_str(0, &header);
    if let Some(Value::Array(lines)) = first.facts.get_mut("lines") {
        for line in lines {
            *line = line.as_u64().unwrap_or_default().saturating_add(count).into();
        }
    }
}

/// The scripts of a text. Of objects with one name each takes the next one.
pub(super) fn of_text(
    scripts: &Scripts<'_>,
    text: &SourceText,
    report: &mut Report,
) -> Parsed<Vec<(usize, Replacement)>> {
    let objects = scripts.map.objects();
    let mut numbers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, object) in objects.iter().enumerate().rev() {
        numbers.entry(object.name.text().to_lowercase()).or_default().push(index);
    }
    let (mut out, mut problems) = (Vec::new(), Vec::new());
    for actor in mm::split(&text.text)? {
        let index = numbers.get_mut(&actor.name.to_lowercase()).and_then(Vec::pop);
        let Some((index, object)) = index.and_then(|index| Some((index, objects.get(index)?))) else {
            let name = actor.name;
            let message = if scripts.by_name(name).is_some() {
                format!("the script of {name} is given again; the map has no further object with this name")
            } else {
                let names: Vec<String> = objects.iter().map(|object| object.name.text()).collect();
                let meant = did_you_mean(name, names.iter().map(String::as_str));
                format!("the map has no object called \"{name}\"{meant}")
            };
            problems.push(Problem { line: actor.line, column: 1, message });
            continue;
        };
        compare(scripts, object, &actor, text, report);
        match scripts.with_surroundings(index, object, |around| actor.parse(around)) {
            Ok(parsed) => {
                warn(&parsed.warnings, text, report);
                let (code, start) = (parsed.script.write(), parsed.script.start);
                out.push((index, Replacement { code, start, new_texts: parsed.new_texts }));
            }
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(out) } else { Err(problems) }
}

/// Warns of what Mod Manager would make of a text otherwise.
pub(super) fn warn(warnings: &[Problem], text: &SourceText, report: &mut Report) {
    for it in warnings {
        let message = format!("{}:{}:{}: {}", text.stem, it.line, it.column, it.message);
        report.warn(OTHERWISE, message);
    }
}

/// Warns of variables and attributes that are not those of the map: only scripts are put into it.
fn compare(
    scripts: &Scripts<'_>,
    object: &Object,
    actor: &ActorText<'_>,
    text: &SourceText,
    report: &mut Report,
) {
    let variables = scripts.sections.variables(object).unwrap_or_default();
    let variables = variables.first().copied().unwrap_or_default();
    let attributes = scripts.sections.attributes(object);
    let here = |given: &Given| -> Option<i32> {
        let number = given.name.strip_prefix("var").and_then(|it| it.parse::<usize>().ok());
        if let Some(number) = number {
            return variables.get(number).copied();
        }
        let number = match given.name.strip_prefix("attribute_").and_then(|it| it.parse().ok()) {
            Some(number) => Some(number),
            None => scripts.lexicon.definitions().attribute_number(&given.name),
        };
        attributes?.get(number?).map(|it| i32::from(*it))
    };
    for given in &actor.given {
        let value = here(given);
        // It writes attributes with a sign.
        if value == Some(given.value) || value.and_then(|it| it.checked_sub(256)) == Some(given.value) {
            continue;
        }
        let value = value.map_or_else(|| "the map has none".to_owned(), |it| format!("the map has {it}"));
        let message = format!(
            "{}:{}:1: {} = {} is not put into the map; {value}",
            text.stem, given.line, given.name, given.value
        );
        report.warn(NOT_TAKEN, message);
    }
}
