//! Inserts texts and listings of scripts into a map.

use std::collections::BTreeMap;

use asset::{Code, Report};
use files::suggest::did_you_mean;
use json::Value;
use record::{Bytes, Error, Result};
use soup::bytecode::{Encoding, Operands, RightProperty, Script};
use soup::text::{Problem, actor_of};

use super::ScriptContext;
use super::dialect::{self, DIALECT, Dialect};
use super::replacement::{Parsed, Replacement, SourceText, problem};
use redguard_world::map::assembled::AssembledSection;
use redguard_world::map::script::{Scripts, UNKNOWN_LABEL};
use redguard_world::map::{Map, Object, Section};

/// Problems of texts, each with the index of the text.
type TextProblems = Vec<(usize, Problem)>;

/// Replaces scripts of a map. Returns its new bytes, or all problems of the texts, each with the index of the text.
///
/// # Errors
/// Returns an error if the definitions cannot be read, or the scripts of the map cannot be replaced.
pub fn assemble(
    map: &Map,
    script_context: &ScriptContext<'_>,
    texts: &[SourceText],
    report: &mut Report,
) -> Result<std::result::Result<Vec<u8>, TextProblems>> {
    let scripts = Scripts::of_game(map, &script_context.context, script_context.definitions)?;
    let dialect = script_context.context.options.choice(&DIALECT);
    let mut replacements: BTreeMap<usize, Replacement> = BTreeMap::new();
    let mut problems = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let parsed = if text.text.trim_start().starts_with('{') {
            of_json(&scripts, &text.text)
        } else {
            match dialect {
                Dialect::Antiquary => of_text(&scripts, text).map(|it| vec![it]),
                Dialect::ModManager => dialect::of_text(&scripts, text, report),
            }
        };
        match parsed {
            Ok(parsed) => {
                for (index, replacement) in parsed {
                    if replacements.insert(index, replacement).is_some() {
                        let message = format!("the script of object #{index} is given twice");
                        problems.push((number, Problem { line: 1, column: 1, message }));
                    }
                }
            }
            Err(found) => problems.extend(found.into_iter().map(|it| (number, it))),
        }
    }
    if !problems.is_empty() {
        return Ok(Err(problems));
    }
    warn_unchecked_labels(&scripts, &replacements, report);
    let edited = with_scripts(map.clone(), &replacements)?;
    report_new_findings(map, &edited, report);
    Ok(Ok(edited.write()?))
}

/// Reports layout problems of an edited map that it did not have before.
fn report_new_findings(map: &Map, edited: &Map, report: &mut Report) {
    let layout = |map: &Map| {
        let mut found = Report::new();
        redguard_world::map::check_layout(map, &mut found);
        found
    };
    let before = layout(map);
    let is_known = |code: &Code, message: &str| {
        before.iter().any(|known| known.code.id == code.id && known.message == message)
    };
    for warning in layout(edited).iter().filter(|it| !is_known(it.code, &it.message)) {
        report.warn(warning.code, &*warning.message).in_field(&*warning.path);
    }
}

/// Reports new dialogue labels that cannot be checked because there is no dialogue.
fn warn_unchecked_labels(
    scripts: &Scripts<'_>,
    replacements: &BTreeMap<usize, Replacement>,
    report: &mut Report,
) {
    if scripts.spoken.is_some() {
        return;
    }
    for (index, replacement) in replacements {
        let Some(object) = scripts.map.objects().get(*index) else { continue };
        let labels =
            |code: &[u8], start: u32| Script::read(code, start, Operands::Engine).labels(&scripts.lexicon);
        let known = labels(scripts.sections.script(object).unwrap_or_default(), object.script_start);
        for label in labels(&replacement.code, replacement.start).difference(&known) {
            let message = format!(
                "{}: the label '{label}' cannot be looked up without ENGLISH.RTX; specify the game's folder with --game",
                object.name.text()
            );
            report.warn(UNKNOWN_LABEL, message).in_field(format!("objects[{index}].script"));
        }
    }
}

/// Parses the script of a text. Its owner is given by the first line, otherwise by the file name.
fn of_text(scripts: &Scripts<'_>, text: &SourceText) -> Parsed<(usize, Replacement)> {
    let objects = scripts.map.objects();
    let actor = actor_of(&text.text);
    let name = actor.as_ref().map_or(text.stem.as_str(), |(name, _)| name.as_str());
    let is_match = |index: &usize| objects.get(*index).is_some_and(|it| it.name.text() == name);
    let by_number = actor.as_ref().and_then(|(_, index)| *index).filter(is_match);
    let Some(index) = by_number.or_else(|| scripts.by_name(name)) else {
        let names: Vec<String> = objects.iter().map(|object| object.name.text()).collect();
        let suggestion = did_you_mean(name, names.iter().map(String::as_str));
        return problem(1, 1, format!("the map has no object called \"{name}\"{suggestion}"));
    };
    let Some(object) = objects.get(index) else { return problem(1, 1, "no such object") };
    let parsed =
        scripts.with_surroundings(index, object, |surroundings| Script::parse(&text.text, surroundings))?;
    let (code, start) = (parsed.script.write(), parsed.script.start);
    Ok((index, Replacement { code, start, new_texts: parsed.new_texts }))
}

/// Reads the scripts from the JSON output of the disassembler.
fn of_json(scripts: &Scripts<'_>, text: &str) -> Parsed<Vec<(usize, Replacement)>> {
    let results = results_of(text)?;
    let objects = scripts.map.objects();
    let (mut out, mut problems) = (Vec::new(), Vec::new());
    for (number, result) in results.iter().enumerate() {
        let mut fail = |message: String| {
            let message = format!("results[{number}]: {message}");
            problems.push(Problem { line: 1, column: 1, message });
        };
        let name = result.get("actor").and_then(Value::as_str).unwrap_or_default();
        let index = result.get("index").and_then(Value::as_u64).and_then(|it| usize::try_from(it).ok());
        let is_match = |index: &usize| objects.get(*index).is_some_and(|it| it.name.text() == name);
        let Some(index) = index.filter(is_match).or_else(|| scripts.by_name(name)) else {
            fail(format!("the map has no object called \"{name}\""));
            continue;
        };
        match script_of(result) {
            Ok(script) => {
                let (code, start) = (script.write(), script.start);
                out.push((index, Replacement { code, start, new_texts: Vec::new() }));
            }
            Err(message) => fail(message),
        }
    }
    if problems.is_empty() { Ok(out) } else { Err(problems) }
}

/// Returns the results in the JSON output of the disassembler.
fn results_of(text: &str) -> Parsed<Vec<Value>> {
    let mut document: Value = match json::parse(text.as_bytes()) {
        Ok(document) => document,
        Err(error) => return problem(error.line(), error.column(), error.to_string()),
    };
    let Some(Value::Array(results)) = document.get_mut("results").map(Value::take) else {
        return problem(
            1,
            1,
            "expected an object with results, as `antiquary script disasm --json` prints it",
        );
    };
    Ok(results)
}

/// Reads the script from JSON with exactly one result.
pub(super) fn single_of_json(text: &str) -> Parsed<Script> {
    match results_of(text)?.as_slice() {
        [result] => script_of(result).or_else(|message| problem(1, 1, format!("results[0]: {message}"))),
        results => problem(1, 1, format!("expected one script, found {}", results.len())),
    }
}

/// Reads the script from the listing of a result.
fn script_of(result: &Value) -> std::result::Result<Script, String> {
    let start = result.get("thread_start").and_then(Value::as_u64).and_then(|it| u32::try_from(it).ok());
    let listing = result.get("listing").and_then(Value::as_array);
    let (Some(start), Some(listing)) = (start, listing) else {
        return Err("expected thread_start and listing".to_owned());
    };
    let is_mm = result.get("operands").and_then(Value::as_str) == Some("mm");
    let has_byte = result.get("right_property_byte").and_then(Value::as_bool).unwrap_or(!is_mm);
    let encoding = Encoding {
        right_property: if has_byte { RightProperty::UpdateByte } else { RightProperty::Nothing },
        operands: if is_mm { Operands::ModManager } else { Operands::Engine },
    };
    Script::from_listing(listing, encoding, start).map_err(|error| error.to_string())
}

/// Replaces scripts of a map. All other content is kept, and offsets are adjusted.
pub(super) fn with_scripts(map: Map, replacements: &BTreeMap<usize, Replacement>) -> Result<Map> {
    let mut map = with_texts(map, replacements)?;
    let Some(code) = map.sections.iter().position(is_code) else {
        return match replacements.values().find(|it| !it.code.is_empty()) {
            Some(_) => Err(Error::usage("the map has no RASC section to store scripts in")),
            None => Ok(map),
        };
    };
    let Some(Section::Other { data, .. }) = map.sections.get(code) else { return Ok(map) };
    let old = data.0.clone();
    let mut objects = map.objects().to_vec();
    let splices = splices(&objects, replacements, &old)?;
    let mut new = Vec::with_capacity(old.len());
    let mut next = 0;
    for splice in &splices {
        new.extend_from_slice(old.get(next..splice.from).unwrap_or_default());
        new.extend_from_slice(splice.code);
        next = splice.to;
    }
    new.extend_from_slice(old.get(next..).unwrap_or_default());
    let too_long = || Error::usage("the scripts take more than 4 GB");
    u32::try_from(new.len()).map_err(|_| too_long())?;
    for (index, object) in objects.iter_mut().enumerate() {
        let offset = usize::try_from(object.script_offset).unwrap_or(usize::MAX);
        let own = splices.iter().find(|splice| splice.index == index);
        // A script without an offset is appended.
        let from = own.map_or(offset, |splice| splice.from);
        if from <= old.len() {
            // Several new scripts are appended one after another.
            let is_before = |splice: &&Splice<'_>| {
                splice.from < from || own.is_some() && splice.from == from && splice.index < index
            };
            let at = splices.iter().filter(is_before).try_fold(from, |at, splice| {
                at.checked_add(splice.code.len())?.checked_sub(splice.to.saturating_sub(splice.from))
            });
            object.script_offset = at.and_then(|at| u32::try_from(at).ok()).ok_or_else(too_long)?;
        }
        if let Some(splice) = own {
            object.script_length = u32::try_from(splice.code.len()).map_err(|_| too_long())?;
        }
        if let Some(replacement) = replacements.get(&index) {
            object.script_start = replacement.start;
        }
    }
    let is_objects = |it: &&mut Section| matches!(it, Section::Objects(_));
    if let Some(Section::Objects(it)) = map.sections.iter_mut().find(is_objects) {
        it.records = objects;
    }
    if let Some(Section::Other { data, .. }) = map.sections.get_mut(code) {
        *data = Bytes(new);
    }
    Ok(map)
}

/// Adds texts to the objects of a map.
fn with_texts(map: Map, replacements: &BTreeMap<usize, Replacement>) -> Result<Map> {
    if replacements.values().all(|it| it.new_texts.is_empty()) {
        return Ok(map);
    }
    let mut editable = map.assemble();
    let objects = editable.sections.iter_mut().find_map(|section| match section {
        AssembledSection::Objects(it) => Some(&mut it.records),
        _ => None,
    });
    let Some(objects) = objects else { return Ok(map) };
    for (index, replacement) in replacements.iter().filter(|(_, it)| !it.new_texts.is_empty()) {
        let Some(object) = objects.get_mut(*index) else { continue };
        let is_stale = object.text_count.is_some() || object.texts_offset.is_some();
        if is_stale {
            let message = format!(
                "the text table of {} is damaged and cannot be edited; missing texts: {}",
                object.name,
                replacement.new_texts.join(", ")
            );
            return Err(Error::usage(message).in_field(format!("objects[{index}].texts")));
        }
        object.texts.get_or_insert_default().extend(replacement.new_texts.iter().cloned());
    }
    editable.split()
}

/// Whether a section contains the bytecode of scripts.
fn is_code(section: &Section) -> bool {
    matches!(section, Section::Other { tag, .. } if tag.0 == *b"RASC")
}

/// A range of RASC to replace.
struct Splice<'a> {
    index: usize,
    from: usize,
    to: usize,
    code: &'a [u8],
}

/// Returns the scripts that change, sorted by offset.
fn splices<'a>(
    objects: &[Object],
    replacements: &'a BTreeMap<usize, Replacement>,
    old: &[u8],
) -> Result<Vec<Splice<'a>>> {
    let range = |object: &Object| {
        let from = usize::try_from(object.script_offset).ok()?;
        let to = from.checked_add(usize::try_from(object.script_length).ok()?)?;
        Some((from, to))
    };
    let mut out = Vec::new();
    for (index, replacement) in replacements {
        let Some(object) = objects.get(*index) else { continue };
        let damaged = || {
            let message = format!("the script of {} is outside of RASC and cannot be replaced", object.name);
            Error::usage(message).in_field(format!("objects[{index}].script_offset"))
        };
        let (from, to) = match object.script_length {
            0 => (old.len(), old.len()),
            _ => range(object).ok_or_else(damaged)?,
        };
        if object.script_length > 0 && old.get(from..to).is_none() && replacement.code.is_empty() {
            // A script that could not be read was not disassembled either.
            continue;
        }
        let before = old.get(from..to).ok_or_else(damaged)?;
        if before == replacement.code {
            continue;
        }
        let other = objects.iter().enumerate().find(|(other, it)| {
            let shares =
                range(it).is_some_and(|(start, end)| it.script_length > 0 && start < to && from < end);
            *other != *index && shares
        });
        if let Some((_, other)) = other {
            let message = format!("{} and {} share bytes of their scripts", object.name, other.name);
            return Err(Error::usage(message).in_field(format!("objects[{index}].script")));
        }
        out.push(Splice { index: *index, from, to, code: &replacement.code });
    }
    out.sort_by_key(|splice| (splice.from, splice.index));
    Ok(out)
}
