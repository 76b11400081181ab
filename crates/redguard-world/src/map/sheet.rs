//! Editable views of a map: tables of its records, a table of attributes, and texts as text files.

use asset::unpack::{EditedView, sheet};
use asset::{Parts, ViewSource};
use json::{Content, Document, Map, Node, Value, json};
use record::{Error, Result};
use scene::Product;
use scene::product::{Cell, Table};

use super::assembled::{AssembledMap, AssembledObject, AssembledSection, AttributeMap};

/// The sections with tables, and the names of the tables.
const TABLES: [(&str, &str); 6] = [
    ("MPOB", "placements"),
    ("MPSO", "statics"),
    ("MPRP", "ropes"),
    ("MPSF", "flats"),
    ("MPSL", "lights"),
    ("MPMK", "markers"),
];

/// The record lists, by the names that paths may use.
const LISTS: [(&str, &str); 3] = [("RAHD", "objects"), ("MPSZ", "sizes"), ("WDNM", "walk_maps")];

/// The name of the table of attributes.
const ATTRIBUTES: &str = "attributes";
const NUMBER: &str = "number";
const OBJECT: &str = "object";

/// The maximum number of objects of a map with a table of attributes and texts by object. The largest map of the game has 300.
pub(super) const MAX_OBJECTS: usize = 4096;

/// The folder with the texts.
const TEXTS: &str = "texts/";

/// The folder with the scripts.
pub(super) const SCRIPTS: &str = "scripts/";

/// Returns the sections of the record with their forms; if several have the same form, only the first one.
pub(super) fn sections(record: Node<'_>) -> Vec<(usize, &str, Node<'_>)> {
    let mut out: Vec<(usize, &str, Node<'_>)> = Vec::new();
    let Some(Content::List(items)) = record.get("sections").map(Node::content) else { return out };
    for (index, section) in items.iter().enumerate() {
        let Some((form, value)) = section.variant() else { continue };
        let records = value.get("records");
        if let Some(records) = records.filter(|_| out.iter().all(|(_, other, _)| *other != form)) {
            out.push((index, form, records));
        }
    }
    out
}

/// Returns the path of the list with a name in the record.
pub(crate) fn list_path(record: Node<'_>, name: &str) -> Option<String> {
    let (tag, _) = TABLES.iter().chain(&LISTS).find(|(_, other)| *other == name)?;
    let (index, ..) = sections(record).into_iter().find(|(_, form, _)| form == tag)?;
    Some(format!("sections[{index}].records"))
}

/// Whether a view is the text of a script.
pub(super) fn is_script(view: &EditedView) -> bool {
    view.stem().starts_with(SCRIPTS)
}

/// Writes the views of a map.
pub(super) fn unpack(record: Node<'_>, objects: &[AssembledObject], parts: &mut Parts<'_>) -> Result<()> {
    if !parts.wants_views() {
        return Ok(());
    }
    for (index, form, records) in sections(record) {
        let pointer = format!("/sections/{index}/{form}/records");
        if form == "RAHD" && objects.len() <= MAX_OBJECTS {
            attributes(&pointer, objects, parts)?;
            texts(&pointer, objects, parts)?;
        }
        let Some((_, name)) = TABLES.iter().find(|(tag, _)| *tag == form) else { continue };
        let columns = sheet::columns(records);
        if !columns.is_empty() {
            parts.view(name, sheet::table(records, &columns), &[ViewSource::Record(&pointer)])?;
        }
    }
    Ok(())
}

/// Writes a table with a row for each object and a column for each attribute in use.
fn attributes(pointer: &str, objects: &[AssembledObject], parts: &mut Parts<'_>) -> Result<()> {
    let own = |object: &AssembledObject| object.attributes.as_ref().map(json::to_value);
    let rows: Vec<(usize, &AssembledObject, Map<String, Value>)> = objects
        .iter()
        .enumerate()
        .filter_map(|(number, object)| match own(object)?.ok()? {
            Value::Object(own) => Some((number, object, own)),
            _ => None,
        })
        .collect();
    let mut names: Vec<&str> = Vec::new();
    for (_, _, own) in &rows {
        for name in own.keys() {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    let columns: Vec<&str> = [NUMBER, OBJECT].into_iter().chain(names.iter().copied()).collect();
    let cells = rows.iter().map(|(number, object, own)| {
        let value = |name: &&str| match own.get(*name) {
            Some(Value::Number(number)) => Cell::Number(number.clone()),
            _ => Cell::Empty,
        };
        let first = [Cell::Number((*number).into()), Cell::Text(object.name.text())];
        first.into_iter().chain(names.iter().map(value)).collect()
    });
    let fields: Vec<String> =
        rows.iter().map(|(number, ..)| format!("{pointer}/{number}/{ATTRIBUTES}")).collect();
    let shows: Vec<_> = fields.iter().map(|field| ViewSource::Record(field)).collect();
    parts.view(ATTRIBUTES, Table::new(columns, cells), &shows).map(drop)
}

/// Writes the texts of each object, one per line.
fn texts(pointer: &str, objects: &[AssembledObject], parts: &mut Parts<'_>) -> Result<()> {
    for (number, object) in objects.iter().enumerate() {
        let texts = object.texts.as_deref().unwrap_or_default();
        if texts.is_empty() || texts.iter().any(|text| text.contains(['\r', '\n'])) {
            continue;
        }
        let field = format!("{pointer}/{number}/texts");
        let stem = format!("{TEXTS}{number:03}-{}", object.name);
        let lines = texts.iter().map(|text| format!("{text}\n")).collect();
        parts.view(&stem, Product::Text(lines), &[ViewSource::Record(&field)])?;
    }
    Ok(())
}

/// Applies edited views to the map, except scripts.
pub(super) fn pack(views: &[EditedView], map: &mut AssembledMap) -> Result<()> {
    let mut views = views.iter().filter(|view| !is_script(view)).peekable();
    if views.peek().is_none() {
        return Ok(());
    }
    let before = Document::of(map)?;
    views.try_for_each(|view| apply(view, before.root(), map).map_err(|error| error.in_file(view.path())))
}

fn apply(view: &EditedView, before: Node<'_>, map: &mut AssembledMap) -> Result<()> {
    let stem = view.stem();
    if stem == ATTRIBUTES {
        return read_attributes(view, objects(map)?);
    }
    if let Some(number) = stem.strip_prefix(TEXTS) {
        let object = number.split('-').next().and_then(|number| number.parse::<usize>().ok());
        let object = object.and_then(|number| objects(map).ok()?.get_mut(number));
        let object = object.ok_or_else(|| Error::usage("the map no longer has this object"))?;
        let text = std::str::from_utf8(&view.bytes).map_err(|_| Error::usage("is not valid UTF-8"))?;
        object.texts = Some(text.lines().map(str::to_owned).collect());
        return Ok(());
    }
    let tag = TABLES.iter().find(|(_, name)| *name == stem).map(|(tag, _)| *tag);
    let found = sections(before).into_iter().find(|(_, form, _)| Some(*form) == tag);
    let missing = || Error::usage("does not belong to any section of the map");
    let (index, _, records) = found.ok_or_else(missing)?;
    match map.sections.get_mut(index).ok_or_else(missing)? {
        AssembledSection::Placements(it) => it.records = sheet::read(&view.bytes, records)?,
        AssembledSection::Statics(it) => it.records = sheet::read(&view.bytes, records)?,
        AssembledSection::Ropes(it) => it.records = sheet::read(&view.bytes, records)?,
        AssembledSection::Flats(it) => it.records = sheet::read(&view.bytes, records)?,
        AssembledSection::Lights(it) => it.records = sheet::read(&view.bytes, records)?,
        AssembledSection::Markers(it) => it.records = sheet::read(&view.bytes, records)?,
        _ => return Err(missing()),
    }
    Ok(())
}

pub(super) fn objects(map: &mut AssembledMap) -> Result<&mut Vec<AssembledObject>> {
    let found = map.sections.iter_mut().find_map(|section| match section {
        AssembledSection::Objects(it) => Some(&mut it.records),
        _ => None,
    });
    found.ok_or_else(|| Error::usage("the map no longer has objects"))
}

fn read_attributes(view: &EditedView, objects: &mut [AssembledObject]) -> Result<()> {
    // The object names are texts.
    let before = Document::from(json!([{ (OBJECT): "" }]));
    let rows: Vec<Map<String, Value>> = sheet::read(&view.bytes, before.root())?;
    for (line, mut row) in rows.into_iter().enumerate() {
        let line = line.saturating_add(2);
        let at_line = |message: String| Error::usage(format!("line {line}: {message}"));
        let number = row.shift_remove(NUMBER).and_then(|number| usize::try_from(number.as_u64()?).ok());
        let object = number.and_then(|number| objects.get_mut(number));
        let object = object.ok_or_else(|| at_line(format!("there is no object with this {NUMBER}")))?;
        row.shift_remove(OBJECT);
        let attributes: AttributeMap =
            json::from_value(Value::Object(row)).map_err(|error| at_line(error.to_string()))?;
        object.attributes = Some(attributes);
    }
    Ok(())
}
