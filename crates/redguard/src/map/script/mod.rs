//! The scripts of a map as text, and back.

#[cfg(feature = "scripts")]
mod assemble;
mod check;
#[cfg(feature = "scripts")]
mod dialect;
#[cfg(feature = "scripts")]
pub(crate) mod editor;
pub(crate) mod follow;
#[cfg(feature = "scripts")]
mod language;
#[cfg(feature = "scripts")]
mod listing;
#[cfg(feature = "scripts")]
pub mod raw;
#[cfg(feature = "scripts")]
mod references;
#[cfg(feature = "scripts")]
mod replacement;
#[cfg(test)]
mod tests;
pub(crate) mod view;

use std::collections::BTreeMap;
use std::sync::Arc;

#[cfg(feature = "scripts")]
use asset::{Asset, Choice};
use asset::{Context, NameKind};
use record::{Error, Result, Source};
use soup::bytecode::{Operands, Script};
use soup::diagnose::{Bounds, Diagnostic};
use soup::find::Named;
use soup::text::Surroundings;
use soup::{Definitions, Lexicon};

use crate::map::layout::{Map, Object};
use crate::map::object::ObjectSections;
use crate::settings::def::{DefinitionFile, GameNames};
use crate::settings::ini::item_names;
use crate::settings::ini::world::{Worlds, stem_of};
use crate::sound::rtx;

#[cfg(feature = "scripts")]
pub use self::{
    assemble::assemble,
    dialect::Dialect,
    language::{ScriptTextOptions, SpokenLine, disassemble, find, lines},
    listing::Disassembly,
    references::{KINDS, Reference, Target, references},
    replacement::SourceText,
};
pub(crate) use check::check;

/// The extension of texts.
pub(crate) const EXTENSION: &str = "soup";

/// `--soup-operands WHO`.
#[cfg(feature = "scripts")]
pub(crate) const OPERANDS: Choice<Operands> = Choice::new(
    "soup-operands",
    "Who wrote the operands of conditions.",
    &[
        ("game", "the game's own compiler"),
        ("mm", "Redguard Mod Manager: a zero follows each change, and properties on the right have no byte"),
    ],
    &[Operands::Engine, Operands::ModManager],
);

/// What is around a map with scripts.
#[cfg(feature = "scripts")]
#[derive(Debug, Clone)]
pub struct ScriptContext<'a> {
    /// The game.
    pub context: Context<'a>,
    /// The name of the file, without folders.
    pub file_name: &'a str,
    /// A file of definitions that takes the place of the game's own.
    pub definitions: Option<&'a Source>,
}

/// The map that an asset is.
///
/// # Errors
/// When it is something else.
#[cfg(feature = "scripts")]
pub fn map_of(asset: &dyn Asset) -> Result<&Map> {
    asset.typed::<Map>().ok_or_else(|| Error::usage("not a map"))
}

/// The scripts of a map have no more bytes. The game's have at most some ten thousand.
const MOST_CODE: u64 = 4 << 20;

/// Its objects have no more texts together.
const MOST_TEXTS: u64 = 1 << 18;

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
