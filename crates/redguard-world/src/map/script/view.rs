//! The scripts of an unpacked map as texts, a file for each.

use std::collections::{BTreeMap, BTreeSet};

use asset::unpack::EditedView;
use asset::{Context, Parts, Report, Unpacked, ViewSource};
use files::suggest::did_you_mean;
use json::Node;
use record::{Error, Result, Source};
use serde::{Deserialize, Serialize};
use soup::bytecode::{Operands, Script};
use soup::text::{Surroundings, actor_of};
use soup::{Definitions, Lexicon};

use super::{EXTENSION, Scripts, map_names};
use crate::map::layout::Map;
use crate::map::sheet::{MOST_OBJECTS, SCRIPTS, is_script, objects, sections};
use crate::map::warning;
use crate::map::whole::WholeMap;
use redguard_files::settings::def::{DefinitionFile, GameNames};
use redguard_files::settings::ini::item_names;

/// Longer files of definitions are not kept with an unpacked map. That of the game has 25 KB.
const LONGEST_DEFINITIONS: u64 = 1 << 20;

/// So many errors are listed.
const MOST: usize = 20;

/// The names of the game that the texts were written with. Without them they could not be read where the game is not at hand.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::map) struct ScriptNames {
    /// The blob with the game's own definitions; else they are those of the shipped game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    definitions: Option<String>,
    /// The items by number.
    items: BTreeMap<i32, String>,
    /// The maps by number.
    maps: BTreeMap<i32, String>,
}

/// Writes a text for each script. Gives the names that they are written with, or none where there are no texts.
pub(in crate::map) fn unpack(
    map: &Map,
    record: Node<'_>,
    context: &Context<'_>,
    parts: &mut Parts<'_>,
) -> Result<Option<ScriptNames>> {
    let found = sections(record).into_iter().find(|(_, form, _)| *form == "RAHD");
    let (Some((section, form, _)), true) = (found, parts.wants_views()) else { return Ok(None) };
    let scripts = Scripts::of_game(map, context, None)?;
    if map.objects().len() > MOST_OBJECTS || scripts.refuse_too_much(None).is_err() {
        return Ok(None);
    }
    let file = GameNames::file_of_game(context).filter(|it| it.len() <= LONGEST_DEFINITIONS);
    if file.is_none() && GameNames::of_game(context).is_own {
        return Ok(None);
    }
    let mut is_any = false;
    for (index, object) in map.objects().iter().enumerate() {
        let pointer = format!("/sections/{section}/{form}/records/{index}/script");
        let start = format!("{pointer}_start");
        // A script that overlaps others stays bytes of its section.
        let (Some(bytes), Some(_)) = (scripts.sections.script(object), record.pointer(&pointer)) else {
            continue;
        };
        if bytes.is_empty() {
            continue;
        }
        let script = Script::read(bytes, object.script_start, Operands::Engine);
        let text = scripts.with_surroundings(index, object, |around| script.text(around)).text;
        let name = format!("{SCRIPTS}{index:03}-{}.{}", object.name, EXTENSION);
        let mut shows = vec![ViewSource::Record(&pointer)];
        shows.extend(record.pointer(&start).map(|_| ViewSource::Record(&start)));
        parts.text_view(&name, &text, &shows)?;
        is_any = true;
    }
    if !is_any {
        return Ok(None);
    }
    let definitions = match file {
        Some(file) => Some(parts.blob("SOUP386.DEF", &file.read_all()?)?),
        None => None,
    };
    Ok(Some(ScriptNames { definitions, items: item_names(context), maps: map_names(context) }))
}

impl ScriptNames {
    fn lexicon(&self, folder: &Unpacked) -> Result<Lexicon> {
        self.lexicon_and_text(folder).map(|(lexicon, _)| lexicon)
    }

    /// The names, and the file of definitions they come from as text; none where they are those of the shipped game.
    pub(in crate::map) fn lexicon_and_text(&self, folder: &Unpacked) -> Result<(Lexicon, Option<String>)> {
        Ok(match &self.definitions {
            Some(blob) => {
                let file = DefinitionFile::read(&Source::from(folder.blob(blob)?))?;
                (Lexicon::new(file.names(), &self.items, &self.maps), Some(file.text()))
            }
            None => (Lexicon::new(Definitions::shipped(), &self.items, &self.maps), None),
        })
    }
}

/// Puts edited texts into the map. A text is the script of the object that its line `actor "NAME" #NUMBER` names, otherwise of the one that its file
/// name does. Gives the objects whose scripts were edited. All that is wrong with the texts is one error.
pub(in crate::map) fn pack(
    folder: &Unpacked,
    views: &[EditedView],
    names: &ScriptNames,
    map: &mut WholeMap,
) -> Result<BTreeSet<usize>> {
    let views: Vec<_> = views.iter().filter(|view| is_script(view)).collect();
    let mut edited = BTreeSet::new();
    if views.is_empty() {
        return Ok(edited);
    }
    let lexicon = names.lexicon(folder)?;
    let objects = objects(map)?;
    let called: Vec<String> = objects.iter().map(|object| object.name.text()).collect();
    let mut problems = Vec::new();
    for view in views {
        let number = view.stem().strip_prefix(SCRIPTS).and_then(|it| it.split('-').next());
        let index = number.and_then(|it| it.parse::<usize>().ok());
        let Ok(text) = std::str::from_utf8(&view.bytes) else {
            problems.push(format!("{}: is not text in UTF-8", view.path()));
            continue;
        };
        let index = match header_object(text, &called) {
            Ok(named) => named.or(index),
            Err(message) => {
                problems.push(format!("{}: {message}", view.path()));
                continue;
            }
        };
        let Some((index, object)) = index.and_then(|index| Some((index, objects.get_mut(index)?))) else {
            problems.push(format!("{}: the map no longer has this object", view.path()));
            continue;
        };
        if edited.contains(&index) {
            let name = &object.name;
            problems.push(format!("{}: the script of {name} is given by another file, too", view.path()));
            continue;
        }
        let actor = object.name.text();
        let texts = object.texts.clone().unwrap_or_default();
        let around =
            Surroundings { lexicon: &lexicon, actor: &actor, index, texts: &texts, spoken: &|_: &str| None };
        match Script::parse(text, &around) {
            Ok(parsed) => {
                edited.insert(index);
                object.script = Some(parsed.script.write().into());
                object.script_start = parsed.script.start;
                if !parsed.new_texts.is_empty() {
                    object.texts.get_or_insert_default().extend(parsed.new_texts);
                }
            }
            Err(found) => problems.extend(
                found
                    .into_iter()
                    .map(|it| format!("{}:{}:{}: {}", view.path(), it.line, it.column, it.message)),
            ),
        }
    }
    if problems.is_empty() {
        return Ok(edited);
    }
    let more = problems.len().saturating_sub(MOST);
    problems.truncate(MOST);
    if more > 0 {
        problems.push(format!("and {more} more"));
    }
    Err(Error::usage(problems.join("; ")))
}

/// The object that the header of a text names; `None` without a header.
fn header_object(text: &str, called: &[String]) -> std::result::Result<Option<usize>, String> {
    let Some((name, number)) = actor_of(text) else { return Ok(None) };
    let is_it = |index: &usize| called.get(*index).is_some_and(|known| known.eq_ignore_ascii_case(&name));
    let found = number.filter(is_it).or_else(|| (0..called.len()).find(is_it));
    let near = || did_you_mean(&name, called.iter().map(String::as_str));
    found.map(Some).ok_or_else(|| format!("the map has no object called \"{name}\"{}", near()))
}

/// Says what to do with the files of new scripts, which are not listed in the manifest.
pub(in crate::map) fn warn_new_scripts(folder: &Unpacked, report: &mut Report) {
    let is_new = |path: &&String| path.strip_prefix("views/").is_some_and(|path| path.starts_with(SCRIPTS));
    for path in folder.unlisted().iter().filter(is_new) {
        let message = format!(
            "{path} is a new script: add its object with `antiquary set --copy`, then run `antiquary script asm {path} --map MAP`"
        );
        report.warn(&warning::NEW_SCRIPT, message);
    }
}
