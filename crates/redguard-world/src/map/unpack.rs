//! Unpacking of a map: `record.json` contains every object with all its data; scripts are blobs.

use std::collections::BTreeSet;

use asset::{Context, Parts, Report, Unpacked};
use json::{Document, Step};
use record::{Error, Result};
use serde::{Deserialize, Serialize};

use super::assembled::collect::folded;
use super::assembled::renumber::Renumbered;
use super::assembled::{AssembledMap, AssembledObject, AssembledSection};
use super::layout::Map;
use super::placed::Placement;
use super::script::{self, view::ScriptNames};

/// The maximum length of bytes that remain in the record.
const MAX_INLINE: usize = 64;

/// The unpacked state of items that may be referenced by number.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Before {
    /// Objects with scripts, and the items that their scripts reference by number.
    objects: Vec<ScriptedObject>,
    /// The number of sizes.
    sizes: usize,
    /// The number of nodes of each walk map.
    nodes: Vec<usize>,
    /// The names used in the script texts.
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

/// Returns the objects and the placements of a map.
fn objects(map: &AssembledMap) -> (&[AssembledObject], &[Placement]) {
    let (mut objects, mut placements): (&[AssembledObject], &[Placement]) = (&[], &[]);
    for section in map.sections.iter().rev() {
        match section {
            AssembledSection::Objects(it) => objects = &it.records,
            AssembledSection::Placements(it) => placements = &it.records,
            _ => {}
        }
    }
    (objects, placements)
}

pub(crate) fn unpack(map: &Map, context: &Context<'_>, parts: &mut Parts<'_>) -> Result<()> {
    let assembled = map.assemble();
    let (records, _) = objects(&assembled);
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
    let document = Document::of(&assembled)?;
    let tags: Vec<_> = map.sections.iter().map(|section| section.tag_and_length().0).collect();
    super::sheet::unpack(document.root(), objects(&assembled).0, parts)?;
    let script_names = script::view::unpack(map, document.root(), context, parts)?;
    let sizes = map.sizes().len();
    parts.context(&Before { objects: objects_with_scripts, sizes, nodes, script_names })?;
    drop(assembled);
    parts.document_with_blobs(document, &mut |path, bytes| blob_name(&names, &tags, path, bytes)).map(drop)
}

/// Returns the name of the blob for some bytes; `None` if they remain in the record.
fn blob_name(names: &[String], tags: &[[u8; 4]], path: &[Step<'_>], bytes: &[u8]) -> Option<String> {
    if bytes.len() <= MAX_INLINE {
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

/// The names used in script texts, and the text of the definitions file that contains them.
pub type ScriptLexicon = (soup::Lexicon, Option<String>);

/// Reads the map unpacked in a folder, and the names used in its script texts; `None` if it has no script texts. Edited views are applied
/// if they can be read.
///
/// # Errors
/// Returns an error if the folder does not contain a map.
pub fn for_scripts(folder: &Unpacked) -> Result<Option<(Map, ScriptLexicon)>> {
    let before: Before = match folder.context_value() {
        json::Value::Null => Before::default(),
        _ => folder.context()?,
    };
    let Some(names) = &before.script_names else { return Ok(None) };
    let assembled: AssembledMap = folder.typed()?;
    let mut edited = assembled.clone();
    let is_read = folder.edited_views().and_then(|views| super::sheet::pack(&views, &mut edited)).is_ok();
    let map = if is_read { edited.split().or_else(|_| assembled.split()) } else { assembled.split() }?;
    Ok(Some((map, names.lexicon_and_text(folder)?)))
}

pub(crate) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut assembled: AssembledMap = folder.typed()?;
    let before: Before = match folder.context_value() {
        json::Value::Null => Before::default(),
        _ => folder.context()?,
    };
    let views = folder.edited_views()?;
    super::sheet::pack(&views, &mut assembled)?;
    script::view::warn_new_scripts(folder, report);
    let edited = match &before.script_names {
        Some(names) => script::view::pack(folder, &views, names, &mut assembled)?,
        None => BTreeSet::new(),
    };
    update_references(&before, &edited, &mut assembled).map_err(|error| error.in_file("record.json"))?;
    let map = assembled.split().map_err(|error| error.in_file("record.json"))?;
    map.write()
}

/// Rejects edits that would leave dangling references from objects and routes: removed sizes and nodes at the end of their lists, whose
/// removal is not visible in the numbers.
fn check_references(before: &Before, now: &AssembledMap) -> Result<()> {
    let (objects, _) = objects(now);
    let is_removed = |number: i32, before: usize, numbers: &Renumbered| {
        usize::try_from(number).is_ok_and(|number| number < before) && numbers.get(number).is_none()
    };
    for (index, section) in now.sections.iter().enumerate() {
        let in_section = |field: String| format!("sections[{index}].{field}");
        match section {
            AssembledSection::Sizes(it) => {
                let numbers = Renumbered::of(it.records.iter().map(|size| size.number));
                for object in objects {
                    let sizes = [object.size, object.size_in_combat, object.size_when_dead];
                    if let Some(size) =
                        sizes.into_iter().find(|size| is_removed(*size, before.sizes, &numbers))
                    {
                        let message = format!("size {size} was removed, but {} still uses it", object.name);
                        return Err(Error::usage(message).in_field(in_section("records".to_owned())));
                    }
                }
            }
            AssembledSection::WalkMaps(it) if it.records.len() == before.nodes.len() => {
                for (number, (map, before)) in it.records.iter().zip(&before.nodes).enumerate() {
                    let numbers = Renumbered::of(map.nodes.iter().map(|node| node.number.map(i32::from)));
                    let mut targets =
                        map.nodes.iter().flat_map(|node| &node.routes).map(|route| route.target);
                    let removed = targets.find(|target| is_removed(i32::from(*target), *before, &numbers));
                    if let Some(target) = removed {
                        let message = format!("node {target} was removed; remove the routes to it");
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

/// Updates the numbers that scripts use as references, and rejects edits that would leave scripts or placements with dangling references.
/// Scripts edited as text use the current numbers.
fn update_references(before: &Before, edited: &BTreeSet<usize>, now: &mut AssembledMap) -> Result<()> {
    check_references(before, now)?;
    let placements = objects(now).1.to_vec();
    let Ok(objects) = super::sheet::objects(now) else { return Ok(()) };
    let placed: BTreeSet<Vec<u8>> = placements.iter().map(|it| folded(&it.object)).collect();
    for old in &before.objects {
        let Some(index) = objects.iter().position(|object| object.name.text() == old.name) else {
            let name = old.name.to_ascii_lowercase();
            let exists = objects.iter().any(|object| object.name.text().eq_ignore_ascii_case(&name));
            if !exists
                && placed.contains(&asset::Charset::Cp437.encode(&name).unwrap_or_default().into_owned())
            {
                let message =
                    format!("{} was removed, but it still has placements; remove them too", old.name);
                return Err(Error::usage(message).in_field("sections"));
            }
            continue;
        };
        let Some(object) = objects.get_mut(index).filter(|_| !edited.contains(&index)) else { continue };
        let variables = placements.iter().find(|it| folded(&it.object) == folded(&object.name));
        let variables = variables.and_then(|placement| placement.variables.as_ref()).map(Vec::len);
        let change = script::renumber::Change {
            name: &old.name,
            texts: &old.texts,
            variables: variables
                .filter(|count| u32::try_from(*count).is_ok_and(|count| count < old.variables)),
            locations: object.locations.as_ref().map(Vec::len).filter(|count| *count < old.locations),
        };
        change.apply(object).map_err(|message| Error::usage(message).in_field("sections"))?;
    }
    Ok(())
}
