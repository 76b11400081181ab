//! Views of a map as people like to edit it: what stands in it as tables, attributes as a table, texts as text.

use asset::unpack::{EditedView, sheet};
use asset::{Parts, ViewSource};
use json::{Content, Document, Map, Node, Value, json};
use record::{Error, Result};
use scene::Product;
use scene::product::{Cell, Table};

use super::whole::{AttributeMap, WholeMap, WholeObject, WholeSection};

/// The sections with tables, and what these are called.
const TABLES: [(&str, &str); 6] = [
    ("MPOB", "placements"),
    ("MPSO", "statics"),
    ("MPRP", "ropes"),
    ("MPSF", "flats"),
    ("MPSL", "lights"),
    ("MPMK", "markers"),
];

/// The lists of records, by the names that paths may call them by.
const LISTS: [(&str, &str); 3] = [("RAHD", "objects"), ("MPSZ", "sizes"), ("WDNM", "walk_maps")];

/// The table of attributes.
const ATTRIBUTES: &str = "attributes";
const NUMBER: &str = "number";
const OBJECT: &str = "object";

/// A map with more objects has neither a table of attributes nor texts by object. The largest of the game has 300.
pub(super) const MOST_OBJECTS: usize = 4096;

/// The folder with the texts.
const TEXTS: &str = "texts/";

/// The folder with the scripts.
pub(super) const SCRIPTS: &str = "scripts/";

/// The sections of the record with their forms; of several of one form the first.
pub(super) fn sections(record: Node<'_>) -> Vec<(usize, &str, Node<'_>)> {
    let mut out: Vec<(usize, &str, Node<'_>)> = Vec::new();
    let Some(Content::List(items)) = record.get("sections").map(Node::content) else { return out };
    for (index, section) in items.iter().enumerate() {
        let Some((form, value)) = section.variant() else { continue };
        let records = value.get("records");
        if let Some(records) = records.filter(|_| out.iter().all(|(_, known, _)| *known != form)) {
            out.push((index, form, records));
        }
    }
    out
}

/// Where the record has a list that is called so.
pub(crate) fn list_path(record: Node<'_>, name: &str) -> Option<String> {
    let (tag, _) = TABLES.iter().chain(&LISTS).find(|(_, known)| *known == name)?;
    let (index, ..) = sections(record).into_iter().find(|(_, form, _)| form == tag)?;
    Some(format!("sections[{index}].records"))
}

/// Whether a view is the text of a script.
pub(super) fn is_script(view: &EditedView) -> bool {
    view.stem().starts_with(SCRIPTS)
}

/// Writes the views.
pub(super) fn unpack(record: Node<'_>, objects: &[WholeObject], parts: &mut Parts<'_>) -> Result<()> {
    if !parts.wants_views() {
        return Ok(());
    }
    for (index, form, records) in sections(record) {
        let pointer = format!("/sections/{index}/{form}/records");
        if form == "RAHD" && objects.len() <= MOST_OBJECTS {
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

/// A row for each object, a column for each attribute that one of them has.
fn attributes(pointer: &str, objects: &[WholeObject], parts: &mut Parts<'_>) -> Result<()> {
    let own = |object: &WholeObject| object.attributes.as_ref().map(json::to_value);
    let rows: Vec<(usize, &WholeObject, Map<String, Value>)> = objects
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

/// The texts of each object, one in a line.
fn texts(pointer: &str, objects: &[WholeObject], parts: &mut Parts<'_>) -> Result<()> {
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

/// Puts what was edited in views into the map; scripts are left to others.
pub(super) fn pack(views: &[EditedView], map: &mut WholeMap) -> Result<()> {
    let mut views = views.iter().filter(|view| !is_script(view)).peekable();
    if views.peek().is_none() {
        return Ok(());
    }
    let before = Document::of(map)?;
    views.try_for_each(|view| apply(view, before.root(), map).map_err(|error| error.in_file(view.path())))
}

fn apply(view: &EditedView, before: Node<'_>, map: &mut WholeMap) -> Result<()> {
    let stem = view.stem();
    if stem == ATTRIBUTES {
        return read_attributes(view, objects(map)?);
    }
    if let Some(number) = stem.strip_prefix(TEXTS) {
        let object = number.split('-').next().and_then(|number| number.parse::<usize>().ok());
        let object = object.and_then(|number| objects(map).ok()?.get_mut(number));
        let object = object.ok_or_else(|| Error::usage("the map has no such object any more"))?;
        let text = std::str::from_utf8(&view.bytes).map_err(|_| Error::usage("is not text in UTF-8"))?;
        object.texts = Some(text.lines().map(str::to_owned).collect());
        return Ok(());
    }
    let tag = TABLES.iter().find(|(_, name)| *name == stem).map(|(tag, _)| *tag);
    let found = sections(before).into_iter().find(|(_, form, _)| Some(*form) == tag);
    let missing = || Error::usage("shows no section of the map");
    let (index, _, records) = found.ok_or_else(missing)?;
    match map.sections.get_mut(index).ok_or_else(missing)? {
        WholeSection::Placements(it) => it.records = sheet::read(&view.bytes, records)?,
        WholeSection::Statics(it) => it.records = sheet::read(&view.bytes, records)?,
        WholeSection::Ropes(it) => it.records = sheet::read(&view.bytes, records)?,
        WholeSection::Flats(it) => it.records = sheet::read(&view.bytes, records)?,
        WholeSection::Lights(it) => it.records = sheet::read(&view.bytes, records)?,
        WholeSection::Markers(it) => it.records = sheet::read(&view.bytes, records)?,
        _ => return Err(missing()),
    }
    Ok(())
}

pub(super) fn objects(map: &mut WholeMap) -> Result<&mut Vec<WholeObject>> {
    let found = map.sections.iter_mut().find_map(|section| match section {
        WholeSection::Objects(it) => Some(&mut it.records),
        _ => None,
    });
    found.ok_or_else(|| Error::usage("the map has no objects any more"))
}

fn read_attributes(view: &EditedView, objects: &mut [WholeObject]) -> Result<()> {
    // The names are texts.
    let before = Document::from(json!([{ (OBJECT): "" }]));
    let rows: Vec<Map<String, Value>> = sheet::read(&view.bytes, before.root())?;
    for (line, mut row) in rows.into_iter().enumerate() {
        let line = line.saturating_add(2);
        let wrong = |message: String| Error::usage(format!("line {line}: {message}"));
        let number = row.shift_remove(NUMBER).and_then(|number| usize::try_from(number.as_u64()?).ok());
        let object = number.and_then(|number| objects.get_mut(number));
        let object = object.ok_or_else(|| wrong(format!("there is no object of this {NUMBER}")))?;
        row.shift_remove(OBJECT);
        let attributes: AttributeMap =
            json::from_value(Value::Object(row)).map_err(|error| wrong(error.to_string()))?;
        object.attributes = Some(attributes);
    }
    Ok(())
}
