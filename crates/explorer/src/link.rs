//! References of a field: the names in it, and the names in the actor that it places.

use antiquary::asset::{NameKind, ProductKind};
use antiquary::json::{Map, Value};
use antiquary::scene::Product;
use antiquary::{Error, Options, Report};
use serde::Serialize;

use crate::file::File;
use crate::query::Query;
use crate::{Explorer, Fault, Response};

/// Maximum number of names in an answer.
const MAX_NAMES: usize = 500;

#[derive(Serialize)]
struct Links {
    /// The actor that the field places, if it is controlled by scripts.
    actor: Option<Actor>,
    names: Vec<Name>,
}

#[derive(Serialize)]
struct Actor {
    name: String,
    /// Path of its record.
    field: String,
    attributes: Map<String, Value>,
}

#[derive(Serialize, Clone)]
struct Name {
    kind: NameKind,
    text: String,
    field: String,
}

impl Explorer {
    /// Returns the names in a field.
    pub(crate) fn links(&self, path: &str, query: &Query) -> Result<Response, Fault> {
        let at = query.required("at")?;
        let file = self.file(self.file_entry(path)?)?;
        let all = self.cache.get(file.key("names", ""), || {
            let names = names_of(&file)?;
            let bytes = names.len() as u64 * 160;
            Ok::<_, Fault>((names, bytes))
        })?;
        let within = |field: &str| -> Vec<Name> {
            all.iter().filter(|name| is_within(&name.field, field)).take(MAX_NAMES).cloned().collect()
        };
        let mut names = within(at);
        let placed = names.iter().find(|name| name.kind == NameKind::Actor);
        let record = placed.and_then(|placed| record_of(&all, &placed.text));
        let actor = record.map(|(name, field)| {
            let attributes = attributes_of(&file, &name).unwrap_or_default();
            Actor { name, field, attributes }
        });
        if let Some(actor) = actor.as_ref().filter(|actor| !is_within(at, &actor.field)) {
            names.extend(within(&actor.field));
        }
        Response::json(&Links { actor, names })
    }
}

fn names_of(file: &File<'_>) -> Result<Vec<Name>, Error> {
    let options = Options::defaults(file.format().options);
    let mut names = Vec::new();
    file.format().names.visit(file.asset(), &file.context(&options), &mut |named| {
        names.push(Name { kind: named.kind, text: named.text.to_owned(), field: named.path.to_string() });
    })?;
    Ok(names)
}

/// Returns the record that declares an actor.
fn record_of(names: &[Name], actor: &str) -> Option<(String, String)> {
    let declares = |name: &&Name| name.kind == NameKind::Actor && name.text.eq_ignore_ascii_case(actor);
    let mut found = names.iter().filter(declares).filter_map(|name| {
        let record = name.field.strip_suffix(".name").or_else(|| name.field.strip_suffix(".alias"))?;
        Some((name.text.clone(), record.to_owned()))
    });
    found.next()
}

/// Returns the attributes of an actor from the data of the file.
fn attributes_of(file: &File<'_>, actor: &str) -> Option<Map<String, Value>> {
    if !file.format().makes(ProductKind::Data) {
        return None;
    }
    let options = Options::defaults(file.format().options);
    let made =
        file.with_item(ProductKind::Data, 0, &options, &mut Report::new(), |product, _| match product {
            Product::Data(data) => data.to_json(),
            _ => Err(Error::usage("not data")),
        });
    let data: Value = antiquary::json::from_slice(&made.ok()?).ok()?;
    let actors = data.get("actors")?.as_array()?;
    let found = actors.iter().find(|it| it.get("name").and_then(Value::as_str) == Some(actor))?;
    found.get("attributes")?.as_object().cloned()
}

/// Whether a field is equal to, or part of, another.
fn is_within(field: &str, outer: &str) -> bool {
    field.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
