//! The fields of a file as a tree, and their positions.

use std::cell::RefCell;
use std::collections::HashMap;

use antiquary::Detail;
use antiquary::asset::{Span, Visit};
use antiquary::json::{Content, Node, push_member};
use antiquary::record::FieldDoc;
use serde::Serialize;

use super::span::{Field, Near, below, first_step, short};
use crate::file::File;
use crate::query::Query;
use crate::{Fault, Response, tree};

/// Maximum number of distinct children of a field.
const MAX_CHILDREN: usize = 1 << 18;
/// Maximum number of parents in an answer.
const MAX_DEPTH: usize = 64;

#[derive(Serialize)]
struct Page<'a> {
    at: &'a str,
    total: usize,
    from: usize,
    fields: Vec<Child>,
    /// Error that ended tracing before the end of the file.
    damage: Option<String>,
}

/// A child field.
#[derive(Debug, Default, Serialize)]
struct Child {
    name: String,
    path: String,
    value: Option<String>,
    /// Type and documentation of its declaration.
    #[serde(rename = "type")]
    ty: Option<&'static str>,
    about: Option<&'static str>,
    children: usize,
    start: Option<u64>,
    end: Option<u64>,
}

/// Returns the children of a field.
pub(super) fn show(file: &File<'_>, query: &Query) -> Result<Response, Fault> {
    let at = query.get("at").unwrap_or_default();
    let (from, count) = query.range(tree::COUNT, 0)?;
    if !file.has_spans() {
        return described(file, at, (from, count));
    }
    let children = RefCell::new(Children { at, from, count, ..Children::default() });
    let traced = file.trace(&mut Near {
        at,
        visit: |span: &Span<'_>| children.borrow_mut().add(span),
        describe: |path: &str, doc: &'static FieldDoc| children.borrow_mut().describe(path, doc),
    });
    let children = children.into_inner();
    let damage = match traced {
        Err(error) => Some(error.to_string()),
        Ok(()) => {
            children.is_full.then(|| format!("more than {MAX_CHILDREN} fields; the others are not listed"))
        }
    };
    if children.total() == 0 && damage.is_none() && !at.is_empty() && children.is_missing {
        // A field without a byte range may be part of the description.
        return described(file, at, (from, count));
    }
    let total = children.total();
    Response::json(&Page { at, total, from, fields: children.kept, damage })
}

/// Collects the children of a field: all are counted, those of one page are kept.
struct Children<'a> {
    at: &'a str,
    from: usize,
    count: usize,
    /// Index of each child by its step; a child may occur in several spans.
    known: HashMap<String, usize>,
    last: Option<(String, usize)>,
    kept: Vec<Child>,
    /// Documentation of the field whose spans follow.
    next_doc: Option<(String, &'static FieldDoc)>,
    /// Last step below the last child.
    grandchild: String,
    is_missing: bool,
    /// Whether there are more children than the maximum.
    is_full: bool,
}

impl Default for Children<'_> {
    fn default() -> Self {
        Self {
            at: "",
            from: 0,
            count: 0,
            known: HashMap::new(),
            last: None,
            kept: Vec::new(),
            next_doc: None,
            grandchild: String::new(),
            is_missing: true,
            is_full: false,
        }
    }
}

impl Children<'_> {
    fn total(&self) -> usize {
        self.known.len()
    }

    /// Keeps the documentation of a child.
    fn describe(&mut self, path: &str, doc: &'static FieldDoc) {
        let Some(rest) = below(path, self.at) else { return };
        let step = first_step(rest);
        if !step.is_empty() && step.len() == rest.len() {
            self.next_doc = Some((step.to_owned(), doc));
        }
    }

    fn add(&mut self, span: &Span<'_>) -> Visit {
        let Some(rest) = below(span.path, self.at) else { return Visit::Continue };
        self.is_missing = false;
        let step = first_step(rest);
        if step.is_empty() {
            return Visit::Continue;
        }
        let number = match &self.last {
            Some((last, number)) if last == step => *number,
            _ => {
                if self.known.len() >= MAX_CHILDREN && !self.known.contains_key(step) {
                    self.is_full = true;
                    return Visit::Stop;
                }
                let next = self.known.len();
                let number = *self.known.entry(step.to_owned()).or_insert(next);
                self.last = Some((step.to_owned(), number));
                self.grandchild.clear();
                number
            }
        };
        let Some(index) = number.checked_sub(self.from).filter(|index| *index < self.count) else {
            return Visit::Continue;
        };
        if index >= self.kept.len() {
            let name = step.trim_start_matches('.').to_owned();
            let doc = self.next_doc.take().filter(|(next, _)| next == step).map(|(_, doc)| doc);
            let about = doc.map(|doc| doc.about).filter(|about| !about.is_empty());
            let (ty, path) = (doc.map(|doc| doc.ty), format!("{}{step}", self.at));
            self.kept.push(Child { name, path, ty, about, ..Child::default() });
        }
        let Some(child) = self.kept.get_mut(index) else { return Visit::Continue };
        child.start = Some(child.start.map_or(span.start, |start| start.min(span.start)));
        child.end = Some(child.end.map_or(span.end, |end| end.max(span.end)));
        let deeper = first_step(rest.get(step.len()..).unwrap_or_default());
        if deeper.is_empty() {
            child.value = Some(short(span.value));
        } else if deeper != self.grandchild {
            child.children += 1;
            deeper.clone_into(&mut self.grandchild);
        }
        Visit::Continue
    }
}

/// Returns the children of a field of the description, for a file whose bytes cannot be traced.
fn described(file: &File<'_>, at: &str, (from, count): (usize, usize)) -> Result<Response, Fault> {
    let document = file.asset().describe(Detail::Full).fields;
    let mut node = document.root().inner();
    let mut rest = at;
    while !rest.is_empty() {
        let step = first_step(rest);
        rest = rest.get(step.len()..).unwrap_or_default();
        let missing = || Fault::missing(format!("field \"{at}\" was not found"));
        node = stepped(node, step).ok_or_else(missing)?.inner();
    }
    let named: Vec<(String, String, Node<'_>)> = match node.content() {
        Content::Object(members) => {
            let path = |name: &str| {
                let mut path = at.to_owned();
                push_member(&mut path, name);
                path
            };
            members.iter().map(|(name, node)| (name.to_owned(), path(name), node)).collect()
        }
        Content::List(items) => {
            let items = items.iter().enumerate();
            items.map(|(index, node)| (format!("[{index}]"), format!("{at}[{index}]"), node)).collect()
        }
        _ => Vec::new(),
    };
    let total = named.len();
    let chosen = named.into_iter().skip(from).take(count);
    let fields = chosen.map(|(name, path, node)| {
        let children = children_of(node.inner());
        let value = (children == 0).then(|| short(&node.inner().to_value()));
        Child { name, path, value, children, ..Child::default() }
    });
    Response::json(&Page { at, total, from, fields: fields.collect(), damage: None })
}

fn stepped<'a>(node: Node<'a>, step: &str) -> Option<Node<'a>> {
    match step.strip_prefix('[').and_then(|step| step.strip_suffix(']')) {
        Some(name) if name.starts_with('"') => node.get(&antiquary::json::from_str::<String>(name).ok()?),
        Some(index) => node.item(index.parse().ok()?),
        None => node.get(step.trim_start_matches('.')),
    }
}

fn children_of(node: Node<'_>) -> usize {
    match node.content() {
        Content::Object(members) => members.iter().count(),
        Content::List(items) => items.iter().count(),
        _ => 0,
    }
}

#[derive(Serialize)]
struct Located {
    fields: Vec<LocatedField>,
}

/// A field, and its byte range if known.
#[derive(Debug, Default, Serialize)]
struct LocatedField {
    path: String,
    start: Option<u64>,
    end: Option<u64>,
    value: String,
}

impl From<Field> for LocatedField {
    fn from(Field { start, end, path, value }: Field) -> Self {
        Self { path, start: Some(start), end: Some(end), value }
    }
}

/// Returns the fields on the path to a field, or the fields that contain a byte, outermost first.
pub(super) fn locate(file: &File<'_>, query: &Query) -> Result<Response, Fault> {
    if !file.has_spans() {
        return located_in_description(file, query);
    }
    let path = match (query.get("at"), query.number::<u64>("offset")?) {
        (Some(at), _) => at.to_owned(),
        (None, Some(offset)) => match field_at(file, offset) {
            Some(path) => path,
            None => return Response::json(&Located { fields: Vec::new() }),
        },
        (None, None) => {
            return Err(Fault::request("missing parameter; specify a field with \"at\", or an \"offset\""));
        }
    };
    let paths = paths_to(&path);
    let mut fields: Vec<Option<Field>> = paths.iter().map(|_| None).collect();
    let outermost = paths.first().copied().unwrap_or_default();
    // A damaged file is traced up to the damage.
    let _ = file.trace(&mut Near {
        at: outermost,
        visit: |span: &Span<'_>| {
            for (path, field) in paths.iter().zip(&mut fields) {
                if below(span.path, path).is_none() {
                    break;
                }
                let field = field.get_or_insert_with(|| Field {
                    path: (*path).to_owned(),
                    value: String::new(),
                    ..Field::of(span)
                });
                field.start = field.start.min(span.start);
                field.end = field.end.max(span.end);
                if span.path == *path {
                    field.value = short(span.value);
                }
            }
            Visit::Continue
        },
        describe: |_: &str, _| {},
    });
    if fields.last().is_none_or(Option::is_none) {
        // A field without a byte range may be part of the description.
        return located_in_description(file, query);
    }
    let fields = fields.into_iter().flatten().map(LocatedField::from).collect();
    Response::json(&Located { fields })
}

/// Returns a path and its parents, outermost first.
fn paths_to(path: &str) -> Vec<&str> {
    let mut paths: Vec<&str> = Vec::new();
    let mut end = 0_usize;
    while end < path.len() && paths.len() < MAX_DEPTH {
        let step = first_step(path.get(end..).unwrap_or_default());
        end += step.len();
        paths.push(path.get(..end).unwrap_or(path));
    }
    paths
}

/// Locates a field of the description, which has no byte range.
fn located_in_description(file: &File<'_>, query: &Query) -> Result<Response, Fault> {
    let Some(path) = query.get("at") else { return Response::json(&Located { fields: Vec::new() }) };
    let document = file.asset().describe(Detail::Full).fields;
    let mut node = document.root().inner();
    let mut fields = Vec::new();
    let mut done = 0;
    for parent in paths_to(path) {
        let step = parent.get(done..).unwrap_or_default();
        let missing = || Fault::missing(format!("field \"{path}\" was not found"));
        node = stepped(node, step).ok_or_else(missing)?.inner();
        done = parent.len();
        let value = if children_of(node) == 0 { short(&node.to_value()) } else { String::new() };
        fields.push(LocatedField { path: parent.to_owned(), value, ..LocatedField::default() });
    }
    Response::json(&Located { fields })
}

/// Returns the innermost field that contains a byte.
fn field_at(file: &File<'_>, offset: u64) -> Option<String> {
    let mut found: Option<(u64, String)> = None;
    let _ = file.trace(&mut |span: Span<'_>| {
        let length = span.end.saturating_sub(span.start);
        let is_nearer = found.as_ref().is_none_or(|(known, _)| length <= *known);
        if (span.start..span.end).contains(&offset) && is_nearer {
            found = Some((length, span.path.to_owned()));
        }
        Visit::Continue
    });
    found.map(|(_, path)| path)
}
