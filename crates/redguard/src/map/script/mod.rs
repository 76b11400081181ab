//! The scripts of a map as text, and back.

mod assemble;
mod check;
mod dialect;
mod editor;
pub(crate) mod follow;
mod raw;
mod references;
#[cfg(test)]
mod tests;
pub(crate) mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use asset::script::session::{Film, Functions, OpenSession};
use asset::script::{Disassembly, ScriptContext, ScriptLanguage, SpokenLine};
use asset::suggest::did_you_mean;
use asset::{Asset, Choice, Context, Flag, NameKind, Report, Text};
use record::{Error, Result, Source};
use serde_json::{Value, json};
use soup::bytecode::{Operands, RightProperty, Script};
use soup::diagnose::{Bounds, Diagnostic};
use soup::find::{Mention, Named, Wanted};
use soup::mm::ActorFacts;
use soup::text::Surroundings;
use soup::{Definitions, Lexicon};

use crate::map::layout::{Map, Object};
use crate::map::object::ObjectSections;
use crate::settings::def::{DefinitionFile, GameNames};
use crate::settings::ini::item_names;
use crate::settings::ini::world::{Worlds, stem_of};
use crate::sound::rtx;

use assemble::assemble;
pub(crate) use check::check;
use dialect::DIALECT;
pub use dialect::Dialect;

/// The extension of texts.
const EXTENSION: &str = "soup";

/// SOUP, in maps, with what runs it.
pub(crate) const fn language(run: OpenSession, film: Film, functions: Functions) -> ScriptLanguage {
    ScriptLanguage {
        name: "SOUP",
        input: "redguard.rgm",
        extension: EXTENSION,
        options: ScriptTextOptions::DECLARED,
        disassemble: |asset, context, report| disassemble(typed(asset)?, context, report),
        assemble: |asset, context, texts, report| assemble(typed(asset)?, context, texts, report),
        find: |asset, context, name| find(typed(asset)?, context, name),
        lines: |asset, context| lines(typed(asset)?, context),
        references: |asset, context| references::references(typed(asset)?, context),
        disassemble_raw: raw::disassemble,
        assemble_raw: raw::assemble,
        kinds: &references::KINDS,
        format: soup::text::formatted,
        line_key: soup::text::without_labels,
        editing: editor::EDITING,
        run,
        film,
        functions,
    }
}

/// `--actor NAME`.
const ACTOR: Text =
    Text::new("actor", "Only the script of this object: its name, or # and its number.", "NAME");

/// `--soup-operands WHO`.
pub(crate) const OPERANDS: Choice<Operands> = Choice::new(
    "soup-operands",
    "Who wrote the operands of conditions.",
    &[
        ("game", "the game's own compiler"),
        ("mm", "Redguard Mod Manager: a zero follows each change, and properties on the right have no byte"),
    ],
    &[Operands::Engine, Operands::ModManager],
);

/// `--structured`.
const STRUCTURED: Flag =
    Flag::new("structured", "Show gotos as loops and else where these stand for exactly the same bytes.");

/// The scripts of a map have no more bytes. The game's have at most some ten thousand.
const MOST_CODE: u64 = 4 << 20;

/// Its objects have no more texts together.
const MOST_TEXTS: u64 = 1 << 18;

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

pub(crate) fn typed(asset: &dyn Asset) -> Result<&Map> {
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

/// The names of the game, or those of another file of definitions.
pub(crate) fn lexicon_of(context: &Context<'_>, definitions: Option<&Source>) -> Result<Lexicon> {
    let definitions: Arc<Definitions> = match definitions {
        Some(source) => Arc::new(DefinitionFile::read(source)?.names().clone()),
        None => GameNames::of_game(context).names,
    };
    Ok(Lexicon::new(&definitions, &item_names(context), &map_names(context)))
}

/// What all scripts of a map are read with.
pub(crate) struct Scripts<'a> {
    pub(crate) map: &'a Map,
    pub(crate) sections: ObjectSections<'a>,
    pub(crate) lexicon: Lexicon,
    pub(crate) spoken: Option<Arc<BTreeMap<String, String>>>,
    /// By which names scripts call objects.
    names: Vec<String>,
}

/// Objects of the engine, which every map has.
const ENGINE_OBJECTS: [&str; 2] = ["CYRUS", "CAMERA"];

impl<'a> Scripts<'a> {
    pub(crate) fn new(map: &'a Map, around: &ScriptContext<'_>) -> Result<Self> {
        Self::of_game(map, &around.context, around.definitions)
    }

    /// With the names of the game, or with those of another file of definitions.
    fn of_game(map: &'a Map, context: &Context<'_>, definitions: Option<&Source>) -> Result<Self> {
        let lexicon = lexicon_of(context, definitions)?;
        let sections = map.object_sections();
        let names =
            map.objects().iter().flat_map(|object| [Some(object.name.text()), sections.alias(object)]);
        let names = names.flatten().filter(|name| !name.is_empty());
        let names = names.chain(ENGINE_OBJECTS.map(str::to_owned)).collect();
        Ok(Self { map, sections, lexicon, spoken: rtx::texts(context), names })
    }

    /// Refuses maps in which many objects name the same bytes, or more than any game has: each would take memory of its own.
    pub(crate) fn refuse_too_much(&self, only: Option<usize>) -> Result<()> {
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
    pub(crate) fn texts(&self, object: &Object) -> Vec<String> {
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
    pub(crate) fn find(&self, name: &str) -> Result<usize> {
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

    pub(crate) fn by_name(&self, name: &str) -> Option<usize> {
        let name = name.to_lowercase();
        self.map.objects().iter().position(|object| object.name.text().to_lowercase() == name)
    }

    /// What is wrong with the script of an object, in the order of its statements.
    fn diagnose(&self, object: &Object, script: &Script) -> Vec<Diagnostic> {
        if script.statements.is_empty() && script.start == 0 {
            return Vec::new();
        }
        let texts = self.texts(object);
        let bounds = Bounds {
            texts: Some(&texts),
            locals: usize::try_from(object.variable_count).unwrap_or(usize::MAX),
            locations: usize::try_from(object.location_count).ok(),
            objects: Some(&self.names),
            lines: self.spoken.as_deref(),
            ..Bounds::new(&self.lexicon)
        };
        let mut out = script.diagnose(&bounds);
        out.extend(script.diagnose_ways());
        out.sort_by_key(|it| it.at);
        out
    }

    fn disassembly(
        &self,
        index: usize,
        object: &Object,
        around: &ScriptContext<'_>,
        report: &mut Report,
    ) -> Disassembly {
        let bytes = self.sections.script(object);
        let operands = around.context.options.choice(&OPERANDS);
        let script = Script::read(bytes.unwrap_or_default(), object.script_start, operands);
        let (text, said) = self.with_surroundings(index, object, |surroundings| {
            let variables = self.sections.variables(object).unwrap_or_default();
            let facts = ActorFacts {
                variables: variables.first().copied().unwrap_or_default(),
                attributes: self.sections.attributes(object).map_or(&[], |it| it),
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
            diagnostics.extend(self.diagnose(object, &script).iter().chain(&said).map(diagnostic));
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
}

/// A defect as JSON.
fn diagnostic(it: &Diagnostic) -> Value {
    json!({ "code": it.code, "severity": it.severity.name(), "at": it.at, "message": it.message })
}

/// What there is to say of a script, and its statements.
fn with_listing(
    mut facts: Value,
    script: &Script,
    text: &soup::text::Text,
    diagnostics: Vec<Value>,
) -> Value {
    let right = script.right_property().map(|it| it == RightProperty::UpdateByte);
    if let Some(facts) = facts.as_object_mut() {
        facts.insert("listing".to_owned(), script.listing().collect());
        facts.insert("lines".to_owned(), text.lines.clone().into());
        facts.insert("right_property_byte".to_owned(), right.into());
        facts.insert("diagnostics".to_owned(), diagnostics.into());
        if script.encoding.operands == Operands::ModManager {
            facts.insert("operands".to_owned(), "mm".into());
        }
    }
    facts
}

fn disassemble(map: &Map, around: &ScriptContext<'_>, report: &mut Report) -> Result<Vec<Disassembly>> {
    let scripts = Scripts::new(map, around)?;
    let only = around.context.options.text(&ACTOR).map(|name| scripts.find(name)).transpose()?;
    scripts.refuse_too_much(only)?;
    let objects = map.objects().iter().enumerate();
    let objects = objects.filter(|(index, _)| only.is_none_or(|only| only == *index));
    let mut out: Vec<_> =
        objects.map(|(index, object)| scripts.disassembly(index, object, around, report)).collect();
    if let (Dialect::ModManager, Some(first)) = (around.context.options.choice(&DIALECT), out.first_mut()) {
        dialect::put_header(first, around);
    }
    Ok(out)
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

/// Who says which line where.
fn lines(map: &Map, around: &ScriptContext<'_>) -> Result<Vec<SpokenLine>> {
    let scripts = Scripts::new(map, around)?;
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
            take(asset::Named::new(kind, &name, path));
            let spoken = scripts.spoken.as_ref().filter(|_| kind == NameKind::Label);
            if let Some(text) = spoken.and_then(|spoken| spoken.get(&name)) {
                take(asset::Named::new(NameKind::Text, text, path));
            }
        }
    }
}
