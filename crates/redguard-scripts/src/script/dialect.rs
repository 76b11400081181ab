//! The text dialect of Redguard Mod Manager: `--dialect mm`.

use std::collections::BTreeMap;

use asset::{Choice, Flag, Report};
use files::suggest::did_you_mean;
use json::Value;
use soup::Script;
use soup::diagnose::{Diagnostic, Severity};
use soup::mm::{self, ActorFacts, ActorText, Assignment};
use soup::text::{Problem, SourceContext, Text};

use super::ScriptContext;
use super::listing::Disassembly;
use super::replacement::{Parsed, Replacement, SourceText};
use redguard_files::settings::ini::world::stem_of;
use redguard_world::map::Object;
use redguard_world::map::script::{NOT_APPLIED, NOT_EXPRESSIBLE, READ_DIFFERENTLY, Scripts, map_names};

/// The dialect of a script text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// The dialect of this project, which assembles to the same bytes.
    Antiquary,
    /// The dialect of Redguard Mod Manager.
    ModManager,
}

/// The option `--dialect`.
pub(super) const DIALECT: Choice<Dialect> = Choice::new(
    "dialect",
    "Dialect of the text.",
    &[
        ("antiquary", "complete; assembles to the same bytes"),
        ("mm", "the text of Redguard Mod Manager, which cannot express some statements"),
    ],
    &[Dialect::Antiquary, Dialect::ModManager],
);

/// The option `--structured`.
pub(super) const STRUCTURED: Flag = Flag::new(
    "structured",
    "Show gotos as loops and else branches if these assemble to exactly the same bytes.",
);

/// Returns the text of a script in the requested dialect, and the parts of the script that the text does not express.
pub(super) fn text_of(
    script: &Script,
    surroundings: &SourceContext<'_>,
    facts: &ActorFacts<'_>,
    script_context: &ScriptContext<'_>,
) -> (Text, Vec<Diagnostic>) {
    let options = script_context.context.options;
    match options.choice(&DIALECT) {
        Dialect::ModManager => script.mm_text(surroundings, facts),
        Dialect::Antiquary if options.flag(&STRUCTURED) => (script.structured_text(surroundings), Vec::new()),
        Dialect::Antiquary => (script.text(surroundings), Vec::new()),
    }
}

/// Reports the parts of a script that its text does not express.
pub(super) fn report_lost(found: &[Diagnostic], index: usize, actor: &str, report: &mut Report) {
    for it in found.iter().filter(|it| it.severity == Severity::Error) {
        let message = format!("{actor} at 0x{:x} of its script: {}", it.at, it.message);
        report.warn(NOT_EXPRESSIBLE, message).in_field(format!("objects[{index}].script"));
    }
}

/// Inserts a header with the map and its worlds before the first actor, and adjusts the line numbers.
pub(super) fn insert_header(first: &mut Disassembly, script_context: &ScriptContext<'_>) {
    let map = stem_of(script_context.file_name).to_uppercase();
    let worlds: Vec<i32> = map_names(&script_context.context)
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

/// Parses the scripts of a text. If several objects have the same name, scripts are assigned to them in order.
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
                format!("duplicate script of {name}; the map has no other object with this name")
            } else {
                let names: Vec<String> = objects.iter().map(|object| object.name.text()).collect();
                let suggestion = did_you_mean(name, names.iter().map(String::as_str));
                format!("the map has no object called \"{name}\"{suggestion}")
            };
            problems.push(Problem { line: actor.line, column: 1, message });
            continue;
        };
        compare(scripts, object, &actor, text, report);
        match scripts.with_surroundings(index, object, |surroundings| actor.parse(surroundings)) {
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

/// Reports differences from the output of Mod Manager for the same text.
pub(super) fn warn(warnings: &[Problem], text: &SourceText, report: &mut Report) {
    for it in warnings {
        let message = format!("{}:{}:{}: {}", text.stem, it.line, it.column, it.message);
        report.warn(READ_DIFFERENTLY, message);
    }
}

/// Reports variables and attributes that differ from the map: only scripts are applied to it.
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
    let here = |assignment: &Assignment| -> Option<i32> {
        let number = assignment.name.strip_prefix("var").and_then(|it| it.parse::<usize>().ok());
        if let Some(number) = number {
            return variables.get(number).copied();
        }
        let number = match assignment.name.strip_prefix("attribute_").and_then(|it| it.parse().ok()) {
            Some(number) => Some(number),
            None => scripts.lexicon.definitions().attribute_number(&assignment.name),
        };
        attributes?.get(number?).map(|it| i32::from(*it))
    };
    for assignment in &actor.assignments {
        let value = here(assignment);
        // Mod Manager writes attributes as signed numbers.
        if value == Some(assignment.value)
            || value.and_then(|it| it.checked_sub(256)) == Some(assignment.value)
        {
            continue;
        }
        let value =
            value.map_or_else(|| ", which has no such value".to_owned(), |it| format!("; the map has {it}"));
        let message = format!(
            "{}:{}:1: {} = {} is not applied to the map{value}",
            text.stem, assignment.line, assignment.name, assignment.value
        );
        report.warn(NOT_APPLIED, message);
    }
}
