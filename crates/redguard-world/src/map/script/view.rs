//! The scripts of an unpacked map as texts, one file each.

use std::collections::{BTreeMap, BTreeSet};

use asset::unpack::EditedView;
use asset::{Context, Parts, Report, Unpacked, ViewSource};
use files::suggest::did_you_mean;
use json::Node;
use record::{Error, Result, Source};
use serde::{Deserialize, Serialize};
use soup::bytecode::{Operands, Script};
use soup::text::{SourceContext, actor_of};
use soup::{Definitions, Lexicon};

use super::{EXTENSION, Scripts, map_names};
use crate::map::assembled::AssembledMap;
use crate::map::layout::Map;
use crate::map::sheet::{MAX_OBJECTS, SCRIPTS, is_script, objects, sections};
use crate::map::warning;
use redguard_files::settings::def::{DefinitionFile, GameNames};
use redguard_files::settings::ini::item_names;

/// The maximum size of a definitions file that is kept with an unpacked map. The game's file has 25 KB.
const MAX_DEFINITIONS: u64 = 1 << 20;

/// The maximum number of listed errors.
const MAX_ERRORS: usize = 20;

/// The names of the game with which the texts were written. They make the texts readable without the game.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::map) struct ScriptNames {
    /// The blob with the game's own definitions; if absent, those of the shipped game are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    definitions: Option<String>,
    /// The items by number.
    items: BTreeMap<i32, String>,
    /// The maps by number.
    maps: BTreeMap<i32, String>,
}

/// Writes a text for each script. Returns the names used in them, or `None` if there are no texts.
pub(in crate::map) fn unpack(
    map: &Map,
    record: Node<'_>,
    context: &Context<'_>,
    parts: &mut Parts<'_>,
) -> Result<Option<ScriptNames>> {
    let found = sections(record).into_iter().find(|(_, form, _)| *form == "RAHD");
    let (Some((section, form, _)), true) = (found, parts.wants_views()) else { return Ok(None) };
    let scripts = Scripts::of_game(map, context, None)?;
    if map.objects().len() > MAX_OBJECTS || scripts.check_limits(None).is_err() {
        return Ok(None);
    }
    let file = GameNames::file_of_game(context).filter(|it| it.len() <= MAX_DEFINITIONS);
    if file.is_none() && GameNames::of_game(context).is_own {
        return Ok(None);
    }
    let mut is_any = false;
    for (index, object) in map.objects().iter().enumerate() {
        let pointer = format!("/sections/{section}/{form}/records/{index}/script");
        let start = format!("{pointer}_start");
        // A script that overlaps others remains bytes of its section.
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

    /// Returns the names and the text of the definitions file that contains them; no text for the definitions of the shipped game.
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

/// Writes edited texts to the map. A text is the script of the object in its line `actor "NAME" #NUMBER`, or in its file name if it has no
/// such line. Returns the objects whose scripts were edited. All errors in the texts are combined into one error.
pub(in crate::map) fn pack(
    folder: &Unpacked,
    views: &[EditedView],
    names: &ScriptNames,
    map: &mut AssembledMap,
) -> Result<BTreeSet<usize>> {
    let views: Vec<_> = views.iter().filter(|view| is_script(view)).collect();
    let mut edited = BTreeSet::new();
    if views.is_empty() {
        return Ok(edited);
    }
    let lexicon = names.lexicon(folder)?;
    let objects = objects(map)?;
    let names_by_index: Vec<String> = objects.iter().map(|object| object.name.text()).collect();
    let mut problems = Vec::new();
    for view in views {
        let number = view.stem().strip_prefix(SCRIPTS).and_then(|it| it.split('-').next());
        let index = number.and_then(|it| it.parse::<usize>().ok());
        let Ok(text) = std::str::from_utf8(&view.bytes) else {
            problems.push(format!("{}: is not valid UTF-8", view.path()));
            continue;
        };
        let index = match header_object(text, &names_by_index) {
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
            problems.push(format!("{}: another file also contains the script of {name}", view.path()));
            continue;
        }
        let actor = object.name.text();
        let texts = object.texts.clone().unwrap_or_default();
        let around =
            SourceContext { lexicon: &lexicon, actor: &actor, index, texts: &texts, spoken: &|_: &str| None };
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
    let more = problems.len().saturating_sub(MAX_ERRORS);
    problems.truncate(MAX_ERRORS);
    if more > 0 {
        problems.push(format!("and {more} more"));
    }
    Err(Error::usage(problems.join("; ")))
}

/// Returns the object in the header of a text; `None` without a header.
fn header_object(text: &str, names_by_index: &[String]) -> std::result::Result<Option<usize>, String> {
    let Some((name, number)) = actor_of(text) else { return Ok(None) };
    let has_name =
        |index: &usize| names_by_index.get(*index).is_some_and(|other| other.eq_ignore_ascii_case(&name));
    let found = number.filter(has_name).or_else(|| (0..names_by_index.len()).find(has_name));
    let hint = || did_you_mean(&name, names_by_index.iter().map(String::as_str));
    found.map(Some).ok_or_else(|| format!("the map has no object called \"{name}\"{}", hint()))
}

/// Warns about the files of new scripts, which are not listed in the manifest, and what to do with them.
pub(in crate::map) fn warn_new_scripts(folder: &Unpacked, report: &mut Report) {
    let is_new = |path: &&String| path.strip_prefix("views/").is_some_and(|path| path.starts_with(SCRIPTS));
    for path in folder.unlisted().iter().filter(is_new) {
        let message = format!(
            "{path} is a new script: add its object with `antiquary set --copy`, then run `antiquary script asm {path} --map MAP`"
        );
        report.warn(&warning::NEW_SCRIPT, message);
    }
}
