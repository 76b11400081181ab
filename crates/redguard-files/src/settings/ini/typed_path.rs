//! Paths of the typed view that lead to keys of the file: `items[44].type`, which is `type[44]` in the section `[items]`.

use asset::{FieldChange, item_index};
use json::{Content, Node, Step, Value, push_member};
use media::ini::Ini;

use super::key::{Name, ValueKind};
use super::place::{MOVIES_PAGE, binding_key, element_key, numbered_section};
use super::{Kind, Settings};

/// Prefix of the paths in descriptions.
const TYPED: &str = "resolved.typed.";

/// A step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'p> {
    Member(&'p str),
    /// Index as written, which may be negative.
    Item(&'p str),
}

use Part::{Item, Member};

/// Splits a path without quotes and wildcards.
fn parts(path: &str) -> Option<Vec<Part<'_>>> {
    let mut out = Vec::new();
    for segment in path.split('.') {
        let (name, mut rest) = segment.split_at_checked(segment.find('[').unwrap_or(segment.len()))?;
        if name.is_empty() {
            return None;
        }
        out.push(Member(name));
        while !rest.is_empty() {
            let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
            let digits = index.strip_prefix('-').unwrap_or(index);
            if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
                return None;
            }
            out.push(Item(index));
            rest = after;
        }
    }
    Some(out)
}

/// Returns the path in the file of a field that the typed view shows. In a description, it is the path in the typed view.
pub(super) fn alias(settings: &Settings, root: Node<'_>, path: &str) -> Option<String> {
    let (is_prefixed, path) = path.strip_prefix(TYPED).map_or((false, path), |path| (true, path));
    let parts = parts(path)?;
    let Some(Member(first)) = parts.first() else { return None };
    let has_items = parts.iter().any(|part| matches!(part, Item(_)));
    // A section of the file takes precedence.
    if !is_prefixed && !has_items && settings.ini().section(first).is_some() {
        return None;
    }
    if let Some(resolved) = root.get("resolved") {
        let typed = resolved.get("typed")?;
        parts.iter().try_fold(typed, |node, part| below(node, *part))?;
        return Some(format!("{TYPED}{path}"));
    }
    let (section, key) = key_of(settings, &parts)?;
    let group = settings.kind()?.group(&section.to_lowercase());
    let is_declared = group.is_some_and(|group| group.find(&Name::new(&key)).is_some());
    let is_written = || settings.ini().section(&section).is_some_and(|it| it.entry(&key).is_some());
    // The keys of some kinds are not declared.
    let is_row = || has_items && settings.kind().is_some_and(|kind| kind.groups().is_empty());
    if !is_declared && !is_written() && !is_row() {
        return None;
    }
    let mut out = String::new();
    push_member(&mut out, &section);
    push_member(&mut out, &key);
    Some(out)
}

fn below<'a>(node: Node<'a>, part: Part<'_>) -> Option<Node<'a>> {
    match (part, node.content()) {
        (Member(name), _) => node.get(name),
        (Item(index), Content::List(items)) => node.item(item_index(index, items.len())?),
        (Item(_), _) => None,
    }
}

/// Returns the section and the key that a path of the typed view leads to. Both need not exist.
fn key_of(settings: &Settings, parts: &[Part<'_>]) -> Option<(String, String)> {
    let pair = |section: &str, key: String| Some((section.to_owned(), key));
    match (settings.kind()?, parts) {
        (Kind::System, [Member("sections"), Member(section), Member(key), Member("value")]) => {
            pair(section, (*key).to_owned())
        }
        (Kind::Item, [Member("header"), Member(key)]) => pair("items", (*key).to_owned()),
        (Kind::Item, [list @ Member("items"), row, Member(field)]) => {
            pair("items", format!("{field}[{}]", number(settings, &[*list, *row], "id")?))
        }
        (Kind::World, [list @ Member("worlds"), row, Member(field)]) => {
            pair("world", format!("world_{field}[{}]", number(settings, &[*list, *row], "id")?))
        }
        (Kind::World, [Member(key)]) => pair("world", (*key).to_owned()),
        (Kind::Combat, [list @ Member(name), row, Member(field)]) => {
            let section = LISTS.iter().find(|(known, _)| known == name)?.1;
            let number = number(settings, &[*list, *row], "index")?;
            pair(&section_of(settings.ini(), section, number)?, (*field).to_owned())
        }
        (Kind::Menu, [list @ Member("pages"), row, rest @ ..]) => {
            let page = number(settings, &[*list, *row], "page")?;
            pair(&section_of(settings.ini(), "page#", page)?, menu_key(settings, parts, rest)?)
        }
        (Kind::Menu, [list @ Member("movies"), row, Member(field)]) => {
            let number = position(settings, *list, *row)?;
            pair(&section_of(settings.ini(), "page#", MOVIES_PAGE)?, format!("movie_{field}[{number}]"))
        }
        (Kind::Keys, [Member("waiting_message")]) => pair("misc", "waiting_message".to_owned()),
        (Kind::Keys, [list @ Member("bindings"), row, Member(field)]) => {
            let action = self::field(settings, &[*list, *row], "action")?;
            pair("input", binding_key(action.as_str()?, field)?)
        }
        (Kind::Keys, [Member("names"), Item(code)]) => pair("defined", name_key(settings.ini(), code)),
        (_, [Member(section), Member(key)]) if settings.ini().section(section).is_some() => {
            pair(section, (*key).to_owned())
        }
        _ => None,
    }
}

/// The lists of COMBAT.INI, with the names of their sections.
const LISTS: [(&str, &str); 3] = [("attacks", "attack#"), ("defends", "defend#"), ("taunts", "taunt#")];

/// Returns a number in a row of the typed view.
fn number(settings: &Settings, way: &[Part<'_>], name: &str) -> Option<u32> {
    match field(settings, way, name)? {
        Value::Number(number) => u32::try_from(number.as_u64()?).ok(),
        _ => None,
    }
}

fn field(settings: &Settings, way: &[Part<'_>], name: &str) -> Option<Value> {
    let typed = settings.typed(None);
    let row = way.iter().try_fold(typed.root(), |node, part| below(node, *part))?;
    Some(row.get(name)?.to_value())
}

/// Returns the index of a row of the typed view, from 0.
fn position(settings: &Settings, list: Part<'_>, row: Part<'_>) -> Option<usize> {
    let typed = settings.typed(None);
    let Content::List(items) = below(typed.root(), list)?.content() else { return None };
    let Item(index) = row else { return None };
    item_index(index, items.len()).filter(|index| *index < items.len())
}

/// Returns the name of the first section with a number, given the name with a `#` for the number.
fn section_of(ini: &Ini, pattern: &str, number: u32) -> Option<String> {
    let names = ini.sections().into_iter().map(|section| section.name.trim().to_owned());
    numbered_section(names, pattern, number)
}

/// Returns the key of an element or a texture of a page, given the path of the page and the rest of the path.
fn menu_key(settings: &Settings, way: &[Part<'_>], rest: &[Part<'_>]) -> Option<String> {
    match rest {
        [Member("elements"), Item(_), Member(field)] => {
            Some(element_key(field, number(settings, way.get(..4)?, "index")?))
        }
        [Member("textures"), Item(slot), Member(field)] => Some(format!("texture_{field}[{slot}]")),
        _ => None,
    }
}

/// Returns the key of the name of a key code, in the form that the file uses.
fn name_key(ini: &Ini, code: &str) -> String {
    let is_written = |key: &str| ini.section("defined").is_some_and(|section| section.entry(key).is_some());
    let long = format!("key_name[{code}]");
    if is_written(&long) { long } else { format!("key[{code}]") }
}

/// Returns the text of a value of the typed view, if it differs from its JSON: `1, 2` for `[1, 2]` of a key with several numbers, and
/// nothing for `null`, which is the value of an empty key. `None` for all other values, which are written as they are.
pub(super) fn written(kind: Option<Kind>, way: &[Step<'_>], change: FieldChange<'_>) -> Option<Value> {
    match (way, change) {
        ([Step::Member(section), Step::Member(key)], FieldChange::Set(value)) => {
            written_value(kind, section, key, value)
        }
        ([Step::Member(section)], FieldChange::Add(key, value)) => written_value(kind, section, key, value),
        ([], FieldChange::Add(section, Value::Object(keys))) => {
            let keys = keys.iter().map(|(key, value)| {
                let written = written_value(kind, section, key, value);
                (key.clone(), written.unwrap_or_else(|| value.clone()))
            });
            Some(Value::Object(keys.collect()))
        }
        _ => None,
    }
}

fn written_value(kind: Option<Kind>, section: &str, key: &str, value: &Value) -> Option<Value> {
    let key = kind?.group(&section.trim().to_lowercase())?.find(&Name::new(key))?;
    if value.is_null() || value == "null" {
        return Some("".into());
    }
    if !has_several_numbers(key.kind) {
        return None;
    }
    let Value::Array(items) = json::from_str(value.as_str()?).ok()? else { return None };
    let numbers = items.iter().map(|item| matches!(item, Value::Number(_)).then(|| item.to_string()));
    Some(numbers.collect::<Option<Vec<_>>>()?.join(", ").into())
}

const fn has_several_numbers(kind: ValueKind) -> bool {
    match kind {
        ValueKind::Pair | ValueKind::Color | ValueKind::Integers(_) | ValueKind::Wave | ValueKind::List => {
            true
        }
        ValueKind::Integer
        | ValueKind::Switch
        | ValueKind::Float
        | ValueKind::Text
        | ValueKind::Label
        | ValueKind::Hexadecimal
        | ValueKind::Path(_) => false,
    }
}
