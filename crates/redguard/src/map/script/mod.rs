//! The scripts of a map as text, and back.

mod check;
mod editor;
pub(super) mod follow;
mod references;
#[cfg(test)]
mod tests;
pub(super) mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use asset::script::{Disassembly, ScriptContext, ScriptLanguage, SourceText, TextProblem};
use asset::suggest::did_you_mean;
use asset::{Asset, Choice, Context, FormatOption, NameKind, Report, Text};
use record::{Bytes, Error, Result, Source};
use serde_json::{Value, json};
use soup::bytecode::{Encoding, Operands, RightProperty, Script};
use soup::diagnose::{Bounds, Diagnostic};
use soup::find::{Mention, Named, Wanted};
use soup::text::{Surroundings, actor_of};
use soup::{Definitions, Lexicon};

use crate::map::layout::{Map, Object, Section};
use crate::map::object::ObjectSections;
use crate::map::whole::WholeSection;
use crate::settings::def::{DefinitionFile, GameNames};
use crate::settings::ini::item_names;
use crate::settings::ini::world::{Worlds, stem_of};
use crate::sound::rtx;

pub(super) use check::check;

/// SOUP, in maps.
pub static LANGUAGE: ScriptLanguage = ScriptLanguage {
    name: "SOUP",
    input: "redguard.rgm",
    extension: "soup",
    options: OPTIONS,
    disassemble: |asset, context| disassemble(typed(asset)?, context),
    assemble: |asset, context, texts, report| assemble(typed(asset)?, context, texts, report),
    find: |asset, context, name| find(typed(asset)?, context, name),
    references: |asset, context| references::references(typed(asset)?, context),
    kinds: &references::KINDS,
    format: soup::text::formatted,
    editing: editor::EDITING,
};

/// `--actor NAME`.
const ACTOR: Text =
    Text::new("actor", "Only the script of this object: its name, or # and its number.", "NAME");

/// `--soup-operands WHO`.
const OPERANDS: Choice<Operands> = Choice::new(
    "soup-operands",
    "Who wrote the operands of conditions.",
    &[
        ("game", "the game's own compiler"),
        ("mm", "Redguard Mod Manager: a zero follows each change, and properties on the right have no byte"),
    ],
    &[Operands::Engine, Operands::ModManager],
);

/// The scripts of a map have no more bytes. The game's have at most some ten thousand.
const MOST_CODE: u64 = 4 << 20;

/// Its objects have no more texts together.
const MOST_TEXTS: u64 = 1 << 18;

const OPTIONS: &[FormatOption] = &[ACTOR.option(), OPERANDS.option()];

fn typed(asset: &dyn Asset) -> Result<&Map> {
    asset.typed::<Map>().ok_or_else(|| Error::usage("not a map"))
}

/// The names of the maps of a game, by the numbers of their worlds.
fn map_names(context: &Context<'_>) -> BTreeMap<i32, String> {
    let mut maps = BTreeMap::new();
    for world in Worlds::of_game(context).iter().flat_map(|worlds| &worlds.worlds) {
        if let (Ok(id), Some(map)) = (i32::try_from(world.id), &world.map) {
            maps.insert(id, stem_of(map).to_uppercase());
        }
    }
    maps
}

/// What all scripts of a map are read with.
struct Scripts<'a> {
    map: &'a Map,
    sections: ObjectSections<'a>,
    lexicon: Lexicon,
    spoken: Option<Arc<BTreeMap<String, String>>>,
}

impl<'a> Scripts<'a> {
    fn new(map: &'a Map, around: &ScriptContext<'_>) -> Result<Self> {
        Self::of_game(map, &around.context, around.definitions)
    }

    /// With the names of the game, or with those of another file of definitions.
    fn of_game(map: &'a Map, context: &Context<'_>, definitions: Option<&Source>) -> Result<Self> {
        let definitions: Arc<Definitions> = match definitions {
            Some(source) => Arc::new(DefinitionFile::read(source)?.names().clone()),
            None => GameNames::of_game(context).names,
        };
        let lexicon = Lexicon::new(&definitions, &item_names(context), &map_names(context));
        Ok(Self { map, sections: map.object_sections(), lexicon, spoken: rtx::texts(context) })
    }

    /// Refuses maps in which many objects name the same bytes, or more than any game has: each would take memory of its own.
    fn refuse_too_much(&self, only: Option<usize>) -> Result<()> {
        let objects = self.map.objects().iter().enumerate();
        let objects = objects.filter(|(index, _)| only.is_none_or(|only| only == *index)).map(|(_, it)| it);
        let (mut code, mut texts) = (0_u64, 0_u64);
        for object in objects {
            if self.sections.script(object).is_some() {
                code = code.saturating_add(u64::from(object.script_length));
            }
            texts = texts.saturating_add(u64::from(self.sections.text_count(object)));
        }
        if code > MOST_CODE || texts > MOST_TEXTS {
            let message = format!(
                "the objects have {code} bytes of scripts and {texts} texts together; more than {MOST_CODE} or {MOST_TEXTS} are not shown"
            );
            return Err(Error::limit(message).in_field("objects"));
        }
        Ok(())
    }

    /// The texts that the script of an object names.
    fn texts(&self, object: &Object) -> Vec<String> {
        self.sections.texts(object).unwrap_or_default()
    }

    fn with_surroundings<T>(
        &self,
        index: usize,
        object: &Object,
        run: impl FnOnce(&Surroundings<'_>) -> T,
    ) -> T {
        let (name, texts) = (object.name.text(), self.texts(object));
        let spoken = |label: &str| self.spoken.as_ref()?.get(label).cloned();
        run(&Surroundings { lexicon: &self.lexicon, actor: &name, index, texts: &texts, spoken: &spoken })
    }

    /// The number of the object that is meant by a name, or by `#` and its number.
    fn find(&self, name: &str) -> Result<usize> {
        let objects = self.map.objects();
        if let Some(index) = name.strip_prefix('#').and_then(|it| it.parse::<usize>().ok()) {
            return match objects.get(index) {
                Some(_) => Ok(index),
                None => {
                    Err(Error::usage(format!("there is no object #{index}; the map has {}", objects.len())))
                }
            };
        }
        self.by_name(name).ok_or_else(|| {
            let names: Vec<String> = objects.iter().map(|object| object.name.text()).collect();
            let meant = did_you_mean(name, names.iter().map(String::as_str));
            Error::usage(format!("the map has no object called \"{name}\"{meant}"))
        })
    }

    fn by_name(&self, name: &str) -> Option<usize> {
        let name = name.to_lowercase();
        self.map.objects().iter().position(|object| object.name.text().to_lowercase() == name)
    }

    /// What is wrong with the script of an object, in the order of its statements.
    fn diagnose(&self, object: &Object, script: &Script) -> Vec<Diagnostic> {
        if script.statements.is_empty() && script.start == 0 {
            return Vec::new();
        }
        let bounds = Bounds {
            lexicon: &self.lexicon,
            texts: self.texts(object).len(),
            locals: usize::try_from(object.variable_count).unwrap_or(usize::MAX),
        };
        let mut out = script.diagnose(&bounds);
        out.extend(script.diagnose_ways());
        out.sort_by_key(|it| it.at);
        out
    }

    fn disassembly(&self, index: usize, object: &Object, around: &ScriptContext<'_>) -> Disassembly {
        let bytes = self.sections.script(object);
        let operands = around.context.options.choice(&OPERANDS);
        let script = Script::read(bytes.unwrap_or_default(), object.script_start, operands);
        let text = self.with_surroundings(index, object, |around| script.text(around));
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
            diagnostics.extend(self.diagnose(object, &script).into_iter().map(|it| {
                json!({ "code": it.code, "severity": it.severity.name(), "at": it.at, "message": it.message })
            }));
        }
        let right = script.right_property().map(|it| it == RightProperty::UpdateByte);
        let mut facts = json!({
            "map": around.file_name,
            "actor": object.name.text(),
            "index": index,
            "thread_start": object.script_start,
            "length": object.script_length,
            "listing": script.listing().collect::<Vec<_>>(),
            "lines": text.lines,
            "right_property_byte": right,
            "diagnostics": diagnostics,
        });
        if let (Operands::ModManager, Some(facts)) = (operands, facts.as_object_mut()) {
            facts.insert("operands".to_owned(), "mm".into());
        }
        Disassembly { name: object.name.text(), text: text.text, facts }
    }
}

fn disassemble(map: &Map, around: &ScriptContext<'_>) -> Result<Vec<Disassembly>> {
    let scripts = Scripts::new(map, around)?;
    let only = around.context.options.text(&ACTOR).map(|name| scripts.find(name)).transpose()?;
    scripts.refuse_too_much(only)?;
    let objects = map.objects().iter().enumerate();
    let objects = objects.filter(|(index, _)| only.is_none_or(|only| only == *index));
    Ok(objects.map(|(index, object)| scripts.disassembly(index, object, around)).collect())
}

/// Where the scripts of a map name something.
fn find(map: &Map, around: &ScriptContext<'_>, name: &str) -> Result<Vec<Value>> {
    let scripts = Scripts::new(map, around)?;
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

/// Tells of all that the scripts of a map name: flags, functions, properties, attributes, items, maps, labels and what is spoken with them.
///
/// The texts of actors are told where they stand.
pub(super) fn tell_names(map: &Map, context: &Context<'_>, section: usize, take: asset::TakeName<'_>) {
    let Ok(scripts) = Scripts::of_game(map, context, None) else { return };
    if scripts.refuse_too_much(None).is_err() {
        return;
    }
    for (index, object) in map.objects().iter().enumerate() {
        let Some(bytes) = scripts.sections.script(object) else { continue };
        let script = Script::read(bytes, object.script_start, Operands::Engine);
        for (statement, _, named) in script.mentions(&scripts.lexicon) {
            let kind = match named {
                Named::Flag(_) => NameKind::Flag,
                Named::Function(_) => NameKind::Function,
                Named::Property(_) | Named::Attribute(_) => NameKind::Attribute,
                Named::Item(_) => NameKind::Item,
                Named::Map(_) => NameKind::Map,
                Named::Label(_) => NameKind::Label,
                Named::Text(_) | Named::AnimationGroup(_) => continue,
            };
            let Some(name) = named.name(&scripts.lexicon, &[]) else { continue };
            let at = script.statements.get(statement).map_or(0, |it| it.at);
            let path = format_args!("sections[{section}].records[{index}].script[0x{at:x}]");
            take(asset::Named { kind, text: &name, path });
            let spoken = scripts.spoken.as_ref().filter(|_| kind == NameKind::Label);
            if let Some(text) = spoken.and_then(|spoken| spoken.get(&name)) {
                take(asset::Named { kind: NameKind::Text, text, path });
            }
        }
    }
}

/// A script that takes the place of an object's.
#[derive(Debug, Default)]
struct Replacement {
    code: Vec<u8>,
    start: u32,
    new_texts: Vec<String>,
}

fn assemble(
    map: &Map,
    around: &ScriptContext<'_>,
    texts: &[SourceText],
    report: &mut Report,
) -> Result<std::result::Result<Vec<u8>, Vec<TextProblem>>> {
    let scripts = Scripts::new(map, around)?;
    let mut replacements: BTreeMap<usize, Replacement> = BTreeMap::new();
    let mut problems = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let parsed = if text.text.trim_start().starts_with('{') {
            of_json(&scripts, &text.text)
        } else {
            of_text(&scripts, text).map(|it| vec![it])
        };
        match parsed {
            Ok(parsed) => {
                for (index, replacement) in parsed {
                    if replacements.insert(index, replacement).is_some() {
                        let message = format!("the script of object #{index} is given twice");
                        problems.push(TextProblem { text: number, line: 1, column: 1, message });
                    }
                }
            }
            Err(found) => problems.extend(found.into_iter().map(|it| TextProblem {
                text: number,
                line: it.line,
                column: it.column,
                message: it.message,
            })),
        }
    }
    if !problems.is_empty() {
        return Ok(Err(problems));
    }
    let map = map.clone().with_scripts(&replacements)?;
    crate::map::check::check_layout(&map, report);
    Ok(Ok(map.write()?))
}

type Parsed<T> = std::result::Result<T, Vec<soup::text::Problem>>;

fn problem<T>(line: usize, column: usize, message: impl Into<String>) -> Parsed<T> {
    Err(vec![soup::text::Problem { line, column, message: message.into() }])
}

/// The script of a text, and whose it is: what its first line says, else what the file is called.
fn of_text(scripts: &Scripts<'_>, text: &SourceText) -> Parsed<(usize, Replacement)> {
    let objects = scripts.map.objects();
    let actor = actor_of(&text.text);
    let name = actor.as_ref().map_or(text.stem.as_str(), |(name, _)| name.as_str());
    let is_it = |index: &usize| objects.get(*index).is_some_and(|it| it.name.text() == name);
    let by_number = actor.as_ref().and_then(|(_, index)| *index).filter(is_it);
    let Some(index) = by_number.or_else(|| scripts.by_name(name)) else {
        let names: Vec<String> = objects.iter().map(|object| object.name.text()).collect();
        let meant = did_you_mean(name, names.iter().map(String::as_str));
        return problem(1, 1, format!("the map has no object called \"{name}\"{meant}"));
    };
    let Some(object) = objects.get(index) else { return problem(1, 1, "no such object") };
    let parsed = scripts.with_surroundings(index, object, |around| Script::parse(&text.text, around))?;
    let (code, start) = (parsed.script.write(), parsed.script.start);
    Ok((index, Replacement { code, start, new_texts: parsed.new_texts }))
}

/// The scripts of the JSON that disassembling prints.
fn of_json(scripts: &Scripts<'_>, text: &str) -> Parsed<Vec<(usize, Replacement)>> {
    let document: Value = match serde_json::from_str(text) {
        Ok(document) => document,
        Err(error) => return problem(error.line().max(1), error.column().max(1), error.to_string()),
    };
    let Some(results) = document.get("results").and_then(Value::as_array) else {
        return problem(
            1,
            1,
            "expected an object with results, as `antiquary script disasm --json` prints it",
        );
    };
    let objects = scripts.map.objects();
    let (mut out, mut problems) = (Vec::new(), Vec::new());
    for (number, result) in results.iter().enumerate() {
        let mut fail = |message: String| {
            let message = format!("results[{number}]: {message}");
            problems.push(soup::text::Problem { line: 1, column: 1, message });
        };
        let name = result.get("actor").and_then(Value::as_str).unwrap_or_default();
        let index = result.get("index").and_then(Value::as_u64).and_then(|it| usize::try_from(it).ok());
        let is_it = |index: &usize| objects.get(*index).is_some_and(|it| it.name.text() == name);
        let Some(index) = index.filter(is_it).or_else(|| scripts.by_name(name)) else {
            fail(format!("the map has no object called \"{name}\""));
            continue;
        };
        let start = result.get("thread_start").and_then(Value::as_u64).and_then(|it| u32::try_from(it).ok());
        let listing = result.get("listing").and_then(Value::as_array);
        let (Some(start), Some(listing)) = (start, listing) else {
            fail("expected thread_start and listing".to_owned());
            continue;
        };
        let is_mm = result.get("operands").and_then(Value::as_str) == Some("mm");
        let has_byte = result.get("right_property_byte").and_then(Value::as_bool).unwrap_or(!is_mm);
        let encoding = Encoding {
            right_property: if has_byte { RightProperty::UpdateByte } else { RightProperty::Nothing },
            operands: if is_mm { Operands::ModManager } else { Operands::Engine },
        };
        match Script::from_listing(listing, encoding, start) {
            Ok(script) => {
                out.push((index, Replacement { code: script.write(), start, new_texts: Vec::new() }));
            }
            Err(error) => fail(error.to_string()),
        }
    }
    if problems.is_empty() { Ok(out) } else { Err(problems) }
}

impl Map {
    /// The map with other scripts; all else keeps its bytes, and offsets follow.
    fn with_scripts(self, replacements: &BTreeMap<usize, Replacement>) -> Result<Self> {
        let mut map = self.with_texts(replacements)?;
        let Some(code) = map.sections.iter().position(is_code) else {
            return match replacements.values().find(|it| !it.code.is_empty()) {
                Some(_) => Err(Error::usage("the map has no section RASC, in which scripts stand")),
                None => Ok(map),
            };
        };
        let Some(Section::Other { data, .. }) = map.sections.get(code) else { return Ok(map) };
        let old = data.0.clone();
        let mut objects = map.objects().to_vec();
        let cuts = cuts(&objects, replacements, &old)?;
        let mut new = Vec::with_capacity(old.len());
        let mut next = 0;
        for cut in &cuts {
            new.extend_from_slice(old.get(next..cut.from).unwrap_or_default());
            new.extend_from_slice(cut.code);
            next = cut.to;
        }
        new.extend_from_slice(old.get(next..).unwrap_or_default());
        let too_long = || Error::usage("the scripts take more than 4 GB");
        u32::try_from(new.len()).map_err(|_| too_long())?;
        for (index, object) in objects.iter_mut().enumerate() {
            let offset = usize::try_from(object.script_offset).unwrap_or(usize::MAX);
            let own = cuts.iter().find(|cut| cut.index == index);
            // A script that had no place gets one at the end.
            let from = own.map_or(offset, |cut| cut.from);
            if from <= old.len() {
                // Several new scripts stand one after the other.
                let is_before = |cut: &&Cut<'_>| {
                    cut.from < from || own.is_some() && cut.from == from && cut.index < index
                };
                let at = cuts.iter().filter(is_before).try_fold(from, |at, cut| {
                    at.checked_add(cut.code.len())?.checked_sub(cut.to.saturating_sub(cut.from))
                });
                object.script_offset = at.and_then(|at| u32::try_from(at).ok()).ok_or_else(too_long)?;
            }
            if let Some(cut) = own {
                object.script_length = u32::try_from(cut.code.len()).map_err(|_| too_long())?;
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

    /// The map with texts added to its objects.
    fn with_texts(self, replacements: &BTreeMap<usize, Replacement>) -> Result<Self> {
        if replacements.values().all(|it| it.new_texts.is_empty()) {
            return Ok(self);
        }
        let mut whole = self.whole();
        let objects = whole.sections.iter_mut().find_map(|section| match section {
            WholeSection::Objects(it) => Some(&mut it.records),
            _ => None,
        });
        let Some(objects) = objects else { return Ok(self) };
        for (index, replacement) in replacements.iter().filter(|(_, it)| !it.new_texts.is_empty()) {
            let Some(object) = objects.get_mut(*index) else { continue };
            let is_stale = object.text_count.is_some() || object.texts_offset.is_some();
            if is_stale {
                let message = format!(
                    "the texts of {} cannot be edited, as their table is damaged; texts that it does not have: {}",
                    object.name,
                    replacement.new_texts.join(", ")
                );
                return Err(Error::usage(message).in_field(format!("objects[{index}].texts")));
            }
            object.texts.get_or_insert_default().extend(replacement.new_texts.iter().cloned());
        }
        whole.spread()
    }
}

/// The first section with scripts.
fn is_code(section: &Section) -> bool {
    matches!(section, Section::Other { tag, .. } if tag.0 == *b"RASC")
}

/// Bytes of RASC that others take the place of.
struct Cut<'a> {
    index: usize,
    from: usize,
    to: usize,
    code: &'a [u8],
}

/// The scripts that change, in the order in which they stand.
fn cuts<'a>(
    objects: &[Object],
    replacements: &'a BTreeMap<usize, Replacement>,
    old: &[u8],
) -> Result<Vec<Cut<'a>>> {
    let range = |object: &Object| {
        let from = usize::try_from(object.script_offset).ok()?;
        let to = from.checked_add(usize::try_from(object.script_length).ok()?)?;
        Some((from, to))
    };
    let mut out = Vec::new();
    for (index, replacement) in replacements {
        let Some(object) = objects.get(*index) else { continue };
        let damaged = || {
            let message =
                format!("the script of {} lies outside of RASC and cannot be replaced", object.name);
            Error::usage(message).in_field(format!("objects[{index}].script_offset"))
        };
        let (from, to) = match object.script_length {
            0 => (old.len(), old.len()),
            _ => range(object).ok_or_else(damaged)?,
        };
        if object.script_length > 0 && old.get(from..to).is_none() && replacement.code.is_empty() {
            // What could not be read was not shown either.
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
        out.push(Cut { index: *index, from, to, code: &replacement.code });
    }
    out.sort_by_key(|cut| (cut.from, cut.index));
    Ok(out)
}
