//! The fields of a file as a tree, and where they stand.

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

/// No more children of a field are told apart.
const MOST: usize = 1 << 18;
/// No more parents are told.
const DEEPEST: usize = 64;

#[derive(Serialize)]
struct Page<'a> {
    at: &'a str,
    total: usize,
    from: usize,
    fields: Vec<Child>,
    /// Why the file is not explained to its end.
    damage: Option<String>,
}

/// A field below another.
#[derive(Debug, Default, Serialize)]
struct Child {
    name: String,
    path: String,
    value: Option<String>,
    /// The type of its declaration, and what that says of it.
    #[serde(rename = "type")]
    ty: Option<&'static str>,
    about: Option<&'static str>,
    children: usize,
    start: Option<u64>,
    end: Option<u64>,
}

/// The children of a field.
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
            children.is_full.then(|| format!("it has more than {MOST} fields; the others are not listed"))
        }
    };
    if children.total() == 0 && damage.is_none() && !at.is_empty() && children.is_missing {
        // A field that was made of several places is described.
        return described(file, at, (from, count));
    }
    let total = children.total();
    Response::json(&Page { at, total, from, fields: children.kept, damage })
}

/// Collects the children of a field: all are counted, those of one page kept.
struct Children<'a> {
    at: &'a str,
    from: usize,
    count: usize,
    /// The number of each child by its step; children may be met again.
    known: HashMap<String, usize>,
    last: Option<(String, usize)>,
    kept: Vec<Child>,
    /// What was said of a field whose spans come next.
    said: Option<(String, &'static FieldDoc)>,
    /// The last step below the last child.
    grandchild: String,
    is_missing: bool,
    /// Whether there are more children than are told apart.
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
            said: None,
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

    /// Keeps what is said of a child.
    fn describe(&mut self, path: &str, doc: &'static FieldDoc) {
        let Some(rest) = below(path, self.at) else { return };
        let step = first_step(rest);
        if !step.is_empty() && step.len() == rest.len() {
            self.said = Some((step.to_owned(), doc));
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
                if self.known.len() >= MOST && !self.known.contains_key(step) {
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
            let said = self.said.take().filter(|(said, _)| said == step).map(|(_, doc)| doc);
            let about = said.map(|doc| doc.about).filter(|about| !about.is_empty());
            let (ty, path) = (said.map(|doc| doc.ty), format!("{}{step}", self.at));
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

/// The same for a file whose bytes are not explained: the fields of its description.
fn described(file: &File<'_>, at: &str, (from, count): (usize, usize)) -> Result<Response, Fault> {
    let document = file.asset().describe(Detail::Full).fields;
    let mut node = document.root().inner();
    let mut rest = at;
    while !rest.is_empty() {
        let step = first_step(rest);
        rest = rest.get(step.len()..).unwrap_or_default();
        let missing = || Fault::missing(format!("there is no field \"{at}\""));
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
    fields: Vec<Place>,
}

/// A field, and its bytes where those are known.
#[derive(Debug, Default, Serialize)]
struct Place {
    path: String,
    start: Option<u64>,
    end: Option<u64>,
    value: String,
}

impl From<Field> for Place {
    fn from(Field { start, end, path, value }: Field) -> Self {
        Self { path, start: Some(start), end: Some(end), value }
    }
}

/// Where a field stands, or which fields hold a byte: the outermost first.
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
        (None, None) => return Err(Fault::request("give a field with \"at\", or an \"offset\"")),
    };
    let paths = ways_to(&path);
    let mut fields: Vec<Option<Field>> = paths.iter().map(|_| None).collect();
    let outermost = paths.first().copied().unwrap_or_default();
    // A file that is damaged is explained up to the damage.
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
        // A field that was made of several places: it is described, and stands nowhere.
        return located_in_description(file, query);
    }
    let fields = fields.into_iter().flatten().map(Place::from).collect();
    Response::json(&Located { fields })
}

/// A path and those above it, the outermost first.
fn ways_to(path: &str) -> Vec<&str> {
    let mut paths: Vec<&str> = Vec::new();
    let mut end = 0_usize;
    while end < path.len() && paths.len() < DEEPEST {
        let step = first_step(path.get(end..).unwrap_or_default());
        end += step.len();
        paths.push(path.get(..end).unwrap_or(path));
    }
    paths
}

/// The same for a file whose bytes are not explained: a field of its description, which stands nowhere.
fn located_in_description(file: &File<'_>, query: &Query) -> Result<Response, Fault> {
    let Some(path) = query.get("at") else { return Response::json(&Located { fields: Vec::new() }) };
    let document = file.asset().describe(Detail::Full).fields;
    let mut node = document.root().inner();
    let mut fields = Vec::new();
    let mut done = 0;
    for way in ways_to(path) {
        let step = way.get(done..).unwrap_or_default();
        let missing = || Fault::missing(format!("there is no field \"{path}\""));
        node = stepped(node, step).ok_or_else(missing)?.inner();
        done = way.len();
        let value = if children_of(node) == 0 { short(&node.to_value()) } else { String::new() };
        fields.push(Place { path: way.to_owned(), value, ..Place::default() });
    }
    Response::json(&Located { fields })
}

/// The innermost field that holds a byte.
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
