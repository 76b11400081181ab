//! Unpacks a map: `record.json` has every object with all that is its own; scripts are blobs.

use std::collections::BTreeSet;

use asset::{Context, Parts, Report, Unpacked};
use json::{Document, Step};
use record::{Error, Result};
use serde::{Deserialize, Serialize};

use super::layout::Map;
use super::placed::Placement;
use super::script::{self, view::ScriptNames};
use super::whole::gather::folded;
use super::whole::renumber::Renumbered;
use super::whole::{WholeMap, WholeObject, WholeSection};

/// Bytes stay in the record up to this length.
const SHORT: usize = 64;

/// What others may name by number, as it was unpacked.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Before {
    /// Objects with scripts, and what these name by number.
    objects: Vec<ScriptedObject>,
    /// How many sizes there were.
    sizes: usize,
    /// How many nodes each walk map had.
    nodes: Vec<usize>,
    /// The names in the texts of its scripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    script_names: Option<ScriptNames>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptedObject {
    name: String,
    texts: Vec<String>,
    variables: u32,
    locations: usize,
}

/// The objects of a map and its placements.
fn objects(map: &WholeMap) -> (&[WholeObject], &[Placement]) {
    let (mut objects, mut placements): (&[WholeObject], &[Placement]) = (&[], &[]);
    for section in map.sections.iter().rev() {
        match section {
            WholeSection::Objects(it) => objects = &it.records,
            WholeSection::Placements(it) => placements = &it.records,
            _ => {}
        }
    }
    (objects, placements)
}

pub(crate) fn unpack(map: &Map, context: &Context<'_>, parts: &mut Parts<'_>) -> Result<()> {
    let whole = map.whole();
    let (records, _) = objects(&whole);
    let scripted = records.iter().zip(map.objects()).filter(|(_, object)| object.script_length > 0);
    let scripted = scripted.map(|(it, object)| ScriptedObject {
        name: it.name.text(),
        texts: it.texts.clone().unwrap_or_default(),
        variables: object.variable_count,
        locations: it.locations.as_ref().map_or(0, Vec::len),
    });
    let nodes = map.walk_maps().iter().map(|map| map.nodes.len()).collect();
    let objects_with_scripts = scripted.collect();
    let names: Vec<String> = records.iter().map(|object| object.name.text()).collect();
    let document = Document::of(&whole)?;
    let tags: Vec<_> = map.sections.iter().map(|section| section.tag_and_length().0).collect();
    super::sheet::unpack(document.root(), objects(&whole).0, parts)?;
    let script_names = script::view::unpack(map, document.root(), context, parts)?;
    let sizes = map.sizes().len();
    parts.context(&Before { objects: objects_with_scripts, sizes, nodes, script_names })?;
    drop(whole);
    parts.document_with_blobs(document, &mut |path, bytes| blob_name(&names, &tags, path, bytes)).map(drop)
}

/// The name of the blob for some bytes; `None` when they stay in the record.
fn blob_name(names: &[String], tags: &[[u8; 4]], path: &[Step<'_>], bytes: &[u8]) -> Option<String> {
    if bytes.len() <= SHORT {
        return None;
    }
    match path {
        [
            Step::Member("sections"),
            Step::Item(_),
            Step::Member("RAHD"),
            Step::Member("records"),
            Step::Item(number),
            Step::Member("script"),
        ] => {
            let name = names.get(*number).map_or("", String::as_str);
            Some(format!("scripts/{number:03}-{name}.bin"))
        }
        [Step::Member("sections"), Step::Item(number), .., Step::Member(member)] => {
            let tag = tags.get(*number)?.escape_ascii();
            let suffix = if *member == "data" { String::new() } else { format!("-{member}") };
            Some(format!("{number:02}-{tag}{suffix}.bin"))
        }
        [Step::Member("rest")] => Some("rest.bin".to_owned()),
        _ => None,
    }
}

/// The names in the texts of scripts, and the file of definitions they come from as text.
pub type NamesOfScripts = (soup::Lexicon, Option<String>);

/// The map that is unpacked in a folder, and the names in the texts of its scripts; `None` where it has no such texts. Edited views count where they
/// can be read.
///
/// # Errors
/// When the folder has no map.
pub fn for_scripts(folder: &Unpacked) -> Result<Option<(Map, NamesOfScripts)>> {
    let before: Before = match folder.context_value() {
        json::Value::Null => Before::default(),
        _ => folder.context()?,
    };
    let Some(names) = &before.script_names else { return Ok(None) };
    let whole: WholeMap = folder.typed()?;
    let mut edited = whole.clone();
    let is_read = folder.edited_views().and_then(|views| super::sheet::pack(&views, &mut edited)).is_ok();
    let map = if is_read { edited.spread().or_else(|_| whole.spread()) } else { whole.spread() }?;
    Ok(Some((map, names.lexicon_and_text(folder)?)))
}

pub(crate) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut whole: WholeMap = folder.typed()?;
    let before: Before = match folder.context_value() {
        json::Value::Null => Before::default(),
        _ => folder.context()?,
    };
    let views = folder.edited_views()?;
    super::sheet::pack(&views, &mut whole)?;
    script::view::warn_new_scripts(folder, report);
    let edited = match &before.script_names {
        Some(names) => script::view::pack(folder, &views, names, &mut whole)?,
        None => BTreeSet::new(),
    };
    follow(&before, &edited, &mut whole).map_err(|error| error.in_file("record.json"))?;
    let map = whole.spread().map_err(|error| error.in_file("record.json"))?;
    map.write()
}

/// Refuses what would leave objects and routes without what they name: sizes and nodes at the end of their lists, which no number shows to be
/// gone.
fn refuse_missing(before: &Before, now: &WholeMap) -> Result<()> {
    let (objects, _) = objects(now);
    let is_gone = |number: i32, before: usize, numbers: &Renumbered| {
        usize::try_from(number).is_ok_and(|number| number < before) && numbers.get(number).is_none()
    };
    for (index, section) in now.sections.iter().enumerate() {
        let in_section = |field: String| format!("sections[{index}].{field}");
        match section {
            WholeSection::Sizes(it) => {
                let numbers = Renumbered::of(it.records.iter().map(|size| size.number));
                for object in objects {
                    let sizes = [object.size, object.size_in_combat, object.size_when_dead];
                    if let Some(size) = sizes.into_iter().find(|size| is_gone(*size, before.sizes, &numbers))
                    {
                        let message = format!("there is no size {size} any more, but {} has it", object.name);
                        return Err(Error::usage(message).in_field(in_section("records".to_owned())));
                    }
                }
            }
            WholeSection::WalkMaps(it) if it.records.len() == before.nodes.len() => {
                for (number, (map, before)) in it.records.iter().zip(&before.nodes).enumerate() {
                    let numbers = Renumbered::of(map.nodes.iter().map(|node| node.number.map(i32::from)));
                    let mut targets =
                        map.nodes.iter().flat_map(|node| &node.routes).map(|route| route.target);
                    let gone = targets.find(|target| is_gone(i32::from(*target), *before, &numbers));
                    if let Some(target) = gone {
                        let message = format!("there is no node {target} any more; remove the routes to it");
                        return Err(
                            Error::usage(message).in_field(in_section(format!("records[{number}].nodes")))
                        );
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Lets scripts follow what they name by number, and refuses what would leave them or placements without it. Scripts that were edited as texts
/// name what there is now.
fn follow(before: &Before, edited: &BTreeSet<usize>, now: &mut WholeMap) -> Result<()> {
    refuse_missing(before, now)?;
    let placements = objects(now).1.to_vec();
    let Ok(objects) = super::sheet::objects(now) else { return Ok(()) };
    let placed: BTreeSet<Vec<u8>> = placements.iter().map(|it| folded(&it.object)).collect();
    for old in &before.objects {
        let Some(index) = objects.iter().position(|object| object.name.text() == old.name) else {
            let name = old.name.to_ascii_lowercase();
            let is_there = objects.iter().any(|object| object.name.text().eq_ignore_ascii_case(&name));
            if !is_there
                && placed.contains(&asset::Charset::Cp437.encode(&name).unwrap_or_default().into_owned())
            {
                let message =
                    format!("{} is gone, but it is still placed; remove its placements too", old.name);
                return Err(Error::usage(message).in_field("sections"));
            }
            continue;
        };
        let Some(object) = objects.get_mut(index).filter(|_| !edited.contains(&index)) else { continue };
        let variables = placements.iter().find(|it| folded(&it.object) == folded(&object.name));
        let variables = variables.and_then(|placement| placement.variables.as_ref()).map(Vec::len);
        let change = script::follow::Change {
            name: &old.name,
            texts: &old.texts,
            variables: variables
                .filter(|count| u32::try_from(*count).is_ok_and(|count| count < old.variables)),
            locations: object.locations.as_ref().map(Vec::len).filter(|count| *count < old.locations),
        };
        change.follow(object).map_err(|message| Error::usage(message).in_field("sections"))?;
    }
    Ok(())
}
