//! The scripts of a map.

mod check;
pub(crate) mod renumber;
pub(crate) mod view;

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::{Code, Context, NameKind};
use files::suggest::did_you_mean;
use record::{Error, Result, Source};
use soup::bytecode::{Operands, Script};
use soup::diagnose::{Bounds, Diagnostic};
use soup::find::Named;
use soup::text::SourceContext;
use soup::{Definitions, Lexicon, SpokenLines};

use crate::map::layout::{Map, Object};
use crate::map::object::ObjectSections;
use crate::map::warning;
use redguard_files::settings::def::{DefinitionFile, GameNames};
use redguard_files::settings::ini::item_names;
use redguard_files::settings::ini::world::{Worlds, stem_of};
use redguard_files::sound::rtx;

pub(crate) use check::check;

/// The warning about parts of scripts that Redguard Mod Manager's text format cannot express.
pub static NOT_EXPRESSIBLE: &Code = &warning::NOT_EXPRESSIBLE;

/// The warning about text that Redguard Mod Manager reads differently.
pub static READ_DIFFERENTLY: &Code = &warning::READ_DIFFERENTLY;

/// The warning about values of a text that are not applied to the map.
pub static NOT_APPLIED: &Code = &warning::NOT_APPLIED;

/// The warning about unknown dialogue labels.
pub static UNKNOWN_LABEL: &Code = &warning::UNKNOWN_LABEL;

/// The file name extension of script texts.
pub const EXTENSION: &str = "soup";

/// The maximum total size of the scripts of a map in bytes. The scripts of a map of the game have at most a few tens of thousands of bytes.
pub const MAX_CODE: u64 = 4 << 20;

/// The maximum total number of texts of a map's objects.
const MAX_TEXTS: u64 = 1 << 18;

/// Returns the names of the maps of a game, by world number.
#[must_use]
pub fn map_names(context: &Context<'_>) -> BTreeMap<i32, String> {
    let mut maps = BTreeMap::new();
    for world in Worlds::of_game(context).iter().flat_map(|worlds| &worlds.worlds) {
        if let (Ok(id), Some(map)) = (i32::try_from(world.id), &world.map) {
            maps.insert(id, stem_of(map).to_uppercase());
        }
    }
    maps
}

/// Returns the names of the game, or those of another definitions file.
///
/// # Errors
/// Returns an error if that file cannot be read.
pub fn lexicon_of(context: &Context<'_>, definitions: Option<&Source>) -> Result<Lexicon> {
    let definitions: Arc<Definitions> = match definitions {
        Some(source) => Arc::new(DefinitionFile::read(source)?.names().clone()),
        None => GameNames::of_game(context).names,
    };
    Ok(Lexicon::new(&definitions, &item_names(context), &map_names(context)))
}

/// The data needed to read the scripts of a map.
#[derive(Debug)]
pub struct Scripts<'a> {
    /// The map.
    pub map: &'a Map,
    /// The data of its objects.
    pub sections: ObjectSections<'a>,
    /// The names of the game.
    pub lexicon: Lexicon,
    /// The spoken text of each dialogue label.
    pub spoken: Option<Arc<SpokenLines>>,
    /// The names by which scripts reference objects.
    names: Vec<String>,
}

/// The engine's objects, which every map has.
const ENGINE_OBJECTS: [&str; 2] = ["CYRUS", "CAMERA"];

impl<'a> Scripts<'a> {
    /// Collects the data with the names of the game, or with those of another definitions file.
    ///
    /// # Errors
    /// Returns an error if that file cannot be read.
    pub fn of_game(map: &'a Map, context: &Context<'_>, definitions: Option<&Source>) -> Result<Self> {
        let lexicon = lexicon_of(context, definitions)?;
        let sections = map.object_sections();
        let names =
            map.objects().iter().flat_map(|object| [Some(object.name.text()), sections.alias(object)]);
        let names = names.flatten().filter(|name| !name.is_empty());
        let names = names.chain(ENGINE_OBJECTS.map(str::to_owned)).collect();
        Ok(Self { map, sections, lexicon, spoken: rtx::texts(context), names })
    }

    /// Finds the index of an object by its name, or by `#` and its index.
    ///
    /// # Errors
    /// Returns an error if there is no such object.
    pub fn find(&self, name: &str) -> Result<usize> {
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
            let hint = did_you_mean(name, names.iter().map(String::as_str));
            Error::usage(format!("the map has no object called \"{name}\"{hint}"))
        })
    }

    /// Returns the index of the object with a name (case-insensitive).
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<usize> {
        let name = name.to_lowercase();
        self.map.objects().iter().position(|object| object.name.text().to_lowercase() == name)
    }

    /// Rejects maps whose scripts or texts exceed the limits of [`MAX_CODE`] bytes and the maximum number of texts, as when many objects
    /// reference the same bytes: each reference would take memory.
    ///
    /// # Errors
    /// Returns an error for such a map.
    pub fn check_limits(&self, only: Option<usize>) -> Result<()> {
        let objects = self.map.objects().iter().enumerate();
        let objects = objects.filter(|(index, _)| only.is_none_or(|only| only == *index)).map(|(_, it)| it);
        let (mut code, mut texts) = (0_u64, 0_u64);
        for object in objects {
            if self.sections.script(object).is_some() {
                code = code.saturating_add(u64::from(object.script_length));
            }
            texts = texts.saturating_add(u64::from(self.sections.text_count(object)));
        }
        if code > MAX_CODE || texts > MAX_TEXTS {
            let message = format!(
                "the objects have {code} script bytes and {texts} texts in total, but the limits are {MAX_CODE} and {MAX_TEXTS}"
            );
            return Err(Error::limit(message).in_field("objects"));
        }
        Ok(())
    }

    /// Returns the texts that the script of an object references.
    #[must_use]
    pub fn texts(&self, object: &Object) -> Vec<String> {
        self.sections.texts(object).unwrap_or_default()
    }

    /// Runs a function with the data needed to read the script of an object.
    pub fn with_surroundings<T>(
        &self,
        index: usize,
        object: &Object,
        run: impl FnOnce(&SourceContext<'_>) -> T,
    ) -> T {
        let (name, texts) = (object.name.text(), self.texts(object));
        let spoken = |label: &str| self.spoken.as_ref()?.get(label).map(str::to_owned);
        run(&SourceContext { lexicon: &self.lexicon, actor: &name, index, texts: &texts, spoken: &spoken })
    }

    /// Returns the defects in the script of an object, in the order of its statements.
    #[must_use]
    pub fn diagnose(&self, object: &Object, script: &Script) -> Vec<Diagnostic> {
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
        out.extend(script.diagnose_flow());
        out.sort_by_key(|it| it.at);
        out
    }
}

/// Visits all names used by the scripts of a map: flags, functions, properties, attributes, items, maps, labels and their spoken text.
///
/// The texts of actors are not visited here, but as data of the objects.
pub(super) fn visit_names(map: &Map, context: &Context<'_>, section: usize, take: asset::NameVisitor<'_>) {
    let Ok(scripts) = Scripts::of_game(map, context, None) else { return };
    if scripts.check_limits(None).is_err() {
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
            let at = script.statements.get(statement).map_or(0, |it| it.at);
            let path = format_args!("sections[{section}].records[{index}].script[0x{at:x}]");
            let name = named.name(&scripts.lexicon, &[]);
            if let Named::Map(world) = named {
                let also = name.as_deref().unwrap_or_default();
                let number = world.to_string();
                take(asset::Named { also, ..asset::Named::new(NameKind::World, &number, path) });
            }
            let Some(name) = name else { continue };
            take(asset::Named::new(kind, &name, path));
            let spoken = scripts.spoken.as_ref().filter(|_| kind == NameKind::Label);
            if let Some(text) = spoken.and_then(|spoken| spoken.get(&name)) {
                take(asset::Named::new(NameKind::Text, text, path));
            }
        }
    }
}
