//! Fields of a typed file by their paths: `surfaces[3].texture.name`.

use std::borrow::Cow;

use asset::{Asset, Error};
use files::suggest::did_you_mean;
use json::{Content, Node, Object, Step, push_member};

/// A path from a typed file to one of its fields. Members are joined by dots, items are counted from 0 in brackets. A name in which
/// dots or brackets stand is written in brackets and quotes: `["tiles.png"].stepsound`. Where a value has one of several forms, as entities of
/// rooms have, the name of the form may stand in the path as it does in `record.json`, and is left out otherwise: `entities[5].image`.
///
/// If no member has exactly this name, one whose name differs only in letter case is used, provided there is just one. The games ignore
/// case in their settings files.
///
/// `[-1]` is the last item of a list. `*` is any member, `[*]` any item; `[+]` a new item behind the others, `[+2]` one in front of item 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPath {
    text: String,
    steps: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Member(String),
    Item(usize),
    /// An item counted from the end, which is 1.
    FromEnd(usize),
    /// Any member or item.
    Any,
    /// A new item: behind the others, or in front of that of the index.
    New(Option<usize>),
}

impl FieldPath {
    /// Reads a path.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when it is none; the message shows where.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let wrong = |why: &str| Error::usage(format!("\"{text}\" is not a field path: {why}"));
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(inside) = rest.strip_prefix('[') {
                let (step, after) = in_brackets(inside)
                    .ok_or_else(|| wrong("brackets must contain an index or a name in quotes"))?;
                steps.push(step);
                rest = after;
                continue;
            }
            let name = match (rest.strip_prefix('.'), steps.is_empty()) {
                (Some(name), false) => name,
                (None, true) => rest,
                (Some(_), true) => return Err(wrong("it starts with a dot")),
                (None, false) => return Err(wrong("expected a dot or a bracket after a closing bracket")),
            };
            let end = name.find(['.', '[']).unwrap_or(name.len());
            let (name, after) = name.split_at_checked(end).unwrap_or((name, ""));
            if name.is_empty() {
                return Err(wrong("a name is missing"));
            }
            steps.push(if name == "*" { Part::Any } else { Part::Member(name.to_owned()) });
            rest = after;
        }
        if steps.iter().rev().skip(1).any(|step| matches!(step, Part::New(_))) {
            return Err(wrong("a new item can only stand at its end"));
        }
        if steps.is_empty() {
            return Err(wrong("it is empty"));
        }
        Ok(Self { text: text.to_owned(), steps })
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The path in the terms of a record, where it is an [alias](Asset::field_alias).
    pub(crate) fn in_record(&self, asset: &dyn Asset, record: Node<'_>) -> Cow<'_, Self> {
        if self.get(record).is_some() {
            return Cow::Borrowed(self);
        }
        let alias = asset.field_alias(record, &self.text).and_then(|alias| Self::parse(&alias).ok());
        alias.map_or(Cow::Borrowed(self), |alias| Cow::Owned(Self { text: self.text.clone(), ..alias }))
    }

    /// Whether it leads to a field that one of these paths names, or to a part of one, as with
    /// [`Description::derived`](asset::Description::derived).
    #[must_use]
    pub fn is_below_any(&self, paths: &[&str]) -> bool {
        let is_same = |(step, other): (&Part, &Part)| *other == Part::Any || step == other;
        let leads = |path: &Self| {
            path.steps.len() <= self.steps.len() && self.steps.iter().zip(&path.steps).all(is_same)
        };
        paths.iter().filter_map(|path| Self::parse(path).ok()).any(|path| leads(&path))
    }

    /// Whether it may lead to several fields.
    pub(crate) fn is_pattern(&self) -> bool {
        self.steps.contains(&Part::Any)
    }

    /// The first field that it leads to in a typed file; `None` when there is none.
    #[must_use]
    pub fn get<'a>(&self, file: Node<'a>) -> Option<Node<'a>> {
        self.find(file).ok()
    }

    /// The first field that it leads to.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when there is no such field; the message says what there is, with the nearest name.
    pub fn find<'a>(&self, file: Node<'a>) -> Result<Node<'a>, Error> {
        let mut found = None;
        self.each(file, &mut |field| {
            if let Field::Known { node, .. } = field {
                found.get_or_insert(node);
            }
            Ok(())
        })?;
        found.ok_or_else(|| Error::usage(format!("\"{}\" names nothing that is there", self.text)))
    }

    /// Gives every field that it leads to, in order: as many as a pattern matches, at least one.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when there is none, as with [`FieldPath::find`]; the first error of `take`.
    pub(crate) fn each<'a>(
        &self,
        file: Node<'a>,
        take: &mut dyn FnMut(Field<'a, '_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut search = Search { take, root: file, way: Vec::new(), found: false, missing: None };
        search.walk(file, &self.steps)?;
        match search.missing {
            Some(missing) if !search.found && self.is_pattern() => {
                Err(Error::usage(format!("\"{}\" matches no field: {missing}", self.text)))
            }
            Some(missing) if !search.found => Err(Error::usage(missing)),
            _ if !search.found => Err(Error::usage(format!("\"{}\" matches no field", self.text))),
            _ => Ok(()),
        }
    }

    /// The values around the field, as far as they are there, each with its path.
    pub(crate) fn walk<'a>(&self, file: Node<'a>) -> Vec<(String, Node<'a>)> {
        let (mut node, mut so_far, mut out) = (file, String::new(), Vec::new());
        for part in &self.steps {
            let step = match part {
                Part::Member(name) => Step::Member(name),
                Part::Item(index) => Step::Item(*index),
                Part::FromEnd(count) => match index_from_end(node, *count) {
                    Some(index) => Step::Item(index),
                    None => break,
                },
                Part::Any | Part::New(_) => break,
            };
            let Some(next) = below(node, step, &mut Vec::new()) else { break };
            append(step, &mut so_far);
            out.push((so_far.clone(), next));
            node = next;
        }
        out
    }
}

/// What a path leads to in a file.
pub(crate) enum Field<'a, 'w> {
    /// A field that is there.
    Known {
        /// The steps to it, the names of forms included.
        way: &'w [Step<'a>],
        node: Node<'a>,
    },
    /// A new item of the list that the way leads to.
    NewItem { way: &'w [Step<'a>], index: usize },
    /// A new member of the object that the way leads to, and the names of new members within each other below it; why the object may be
    /// refused with it.
    NewMember { way: &'w [Step<'a>], name: &'w str, below: Vec<&'w str>, missing: String },
}

/// Looks for the fields that a path leads to.
struct Search<'a, 't> {
    take: &'t mut dyn FnMut(Field<'a, '_>) -> Result<(), Error>,
    root: Node<'a>,
    way: Vec<Step<'a>>,
    found: bool,
    /// Why the first part that leads nowhere does not.
    missing: Option<String>,
}

impl<'a> Search<'a, '_> {
    fn walk(&mut self, node: Node<'a>, parts: &[Part]) -> Result<(), Error> {
        let Some((part, rest)) = parts.split_first() else {
            self.found = true;
            return (self.take)(Field::Known { way: &self.way, node });
        };
        let depth = self.way.len();
        if depth == 0 && !matches!(part, Part::Member(_)) && is_list_in_object(node) {
            self.missing.get_or_insert_with(|| missing(Step::Item(0), node, ""));
            return Ok(());
        }
        let done = match part {
            Part::Member(name) => self.step(node, Step::Member(name), rest),
            Part::Item(index) => self.step(node, Step::Item(*index), rest),
            Part::FromEnd(count) => self.item_from_end(node, *count, rest),
            Part::Any => self.any(node, rest),
            Part::New(before) => self.new_item(node, *before),
        };
        self.way.truncate(depth);
        done
    }

    fn step(&mut self, node: Node<'a>, step: Step<'_>, rest: &[Part]) -> Result<(), Error> {
        if let Some(next) = below(node, step, &mut self.way) {
            return self.walk(next, rest);
        }
        let below = names(rest);
        // An object with one member is no form where a member within a new one is meant.
        let is_nested = below.as_ref().is_some_and(|below| !below.is_empty());
        let inner = if is_nested { node } else { inner(node, &mut self.way) };
        let missing = missing(step, inner, &path_of(self.root, &self.way));
        if let (Step::Member(name), Content::Object(_), Some(below)) = (step, inner.content(), below) {
            (self.take)(Field::NewMember { way: &self.way, name, below, missing: missing.clone() })?;
        }
        self.missing.get_or_insert(missing);
        Ok(())
    }

    fn item_from_end(&mut self, node: Node<'a>, count: usize, rest: &[Part]) -> Result<(), Error> {
        if let Some(index) = index_from_end(node, count) {
            return self.step(node, Step::Item(index), rest);
        }
        let node = inner(node, &mut self.way);
        let path = path_of(self.root, &self.way);
        self.missing.get_or_insert_with(|| match node.content() {
            Content::List(items) => {
                format!("\"{path}\" is a list of {}, so there is no item [-{count}]", items.len())
            }
            content => format!("{} is {}, not a list", place(&path), kind_of(content)),
        });
        Ok(())
    }

    fn any(&mut self, node: Node<'a>, rest: &[Part]) -> Result<(), Error> {
        let node = inner(node, &mut self.way);
        let depth = self.way.len();
        let mut each = |step, value| {
            self.way.push(step);
            let done = self.walk(value, rest);
            self.way.truncate(depth);
            done
        };
        match node.content() {
            Content::List(items) => {
                items.iter().enumerate().try_for_each(|(index, item)| each(Step::Item(index), item))
            }
            Content::Object(members) => {
                members.iter().try_for_each(|(name, value)| each(Step::Member(name), value))
            }
            _ => Ok(()),
        }
    }

    fn new_item(&mut self, node: Node<'a>, before: Option<usize>) -> Result<(), Error> {
        let node = inner(node, &mut self.way);
        match (node.content(), before) {
            (Content::List(items), before) if before.is_none_or(|before| before <= items.len()) => {
                self.found = true;
                let index = before.unwrap_or_else(|| items.len());
                (self.take)(Field::NewItem { way: &self.way, index })
            }
            (Content::List(_), Some(before)) => {
                self.missing
                    .get_or_insert_with(|| missing(Step::Item(before), node, &path_of(self.root, &self.way)));
                Ok(())
            }
            (content, _) => {
                let what = kind_of(content);
                self.missing.get_or_insert_with(|| {
                    format!("{} is {what}, not a list", place(&path_of(self.root, &self.way)))
                });
                Ok(())
            }
        }
    }
}

/// The form of a value, with its name. Records that were put together by hand do not tell forms from objects with a single member.
fn form_of(node: Node<'_>) -> Option<(&str, Node<'_>)> {
    match node.content() {
        Content::Object(members) if members.len() == 1 => {
            members.iter().next().filter(|(_, value)| value.is_compound())
        }
        _ => None,
    }
}

/// Whether a whole file is an object with a list and nothing else: it has no form whose name a path may leave out.
fn is_list_in_object(file: Node<'_>) -> bool {
    form_of(file).is_some_and(|(_, value)| matches!(value.content(), Content::List(_)))
}

/// The names of a path that has nothing but names.
fn names(parts: &[Part]) -> Option<Vec<&str>> {
    let names = parts.iter().map(|part| match part {
        Part::Member(name) => Some(name.as_str()),
        Part::Item(_) | Part::FromEnd(_) | Part::Any | Part::New(_) => None,
    });
    names.collect()
}

/// The index of an item of a list that is counted from its end.
fn index_from_end(node: Node<'_>, count: usize) -> Option<usize> {
    match inner(node, &mut Vec::new()).content() {
        Content::List(items) => items.len().checked_sub(count),
        _ => None,
    }
}

/// The member of a name, or the only one whose name differs from it in letter case alone.
fn member<'a>(members: Object<'a>, name: &str) -> Option<(&'a str, Node<'a>)> {
    let exact = members.iter().find(|(other, _)| *other == name);
    exact.or_else(|| {
        let mut similar = members.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name));
        similar.next().filter(|_| similar.next().is_none())
    })
}

/// The part of a value that a step leads to, whatever forms the value says that it has. The steps are appended to the way.
fn below<'a>(node: Node<'a>, step: Step<'_>, way: &mut Vec<Step<'a>>) -> Option<Node<'a>> {
    let (mut node, depth) = (node, way.len());
    loop {
        let found = match (step, node.content()) {
            (Step::Member(name), Content::Object(members)) => {
                member(members, name).map(|(name, value)| (Step::Member(name), value))
            }
            (Step::Item(index), _) => node.item(index).map(|value| (Step::Item(index), value)),
            _ => None,
        };
        if let Some((step, value)) = found {
            way.push(step);
            return Some(value);
        }
        let Some((form, value)) = form_of(node) else {
            way.truncate(depth);
            return None;
        };
        way.push(Step::Member(form));
        node = value;
    }
}

/// The value itself, whatever forms it says that it has; their names are appended to the way.
fn inner<'a>(node: Node<'a>, way: &mut Vec<Step<'a>>) -> Node<'a> {
    let mut node = node;
    while let Some((form, value)) = form_of(node) {
        way.push(Step::Member(form));
        node = value;
    }
    node
}

/// A way in a file as a path: without the names of forms.
pub(crate) fn path_of(root: Node<'_>, way: &[Step<'_>]) -> String {
    let (mut node, mut path) = (Some(root), String::new());
    for step in way {
        let form = node.and_then(Node::variant).map(|(form, _)| Step::Member(form));
        if form != Some(*step) {
            append(*step, &mut path);
        }
        node = node.and_then(|node| node.step(*step));
    }
    path
}

fn append(step: Step<'_>, path: &mut String) {
    match step {
        Step::Member(name) => push_member(path, name),
        Step::Item(index) => path.push_str(&format!("[{index}]")),
    }
}

/// What a path leads to, in a message.
fn place(path: &str) -> String {
    if path.is_empty() { "the file".to_owned() } else { format!("\"{path}\"") }
}

/// Why a value has no such part.
fn missing(step: Step<'_>, node: Node<'_>, path: &str) -> String {
    let place = place(path);
    match (step, node.content()) {
        (Step::Member(name), Content::Object(members)) => {
            let names = || members.iter().map(|(name, _)| name);
            let guess = did_you_mean(name, names());
            let known = match guess.is_empty() {
                true => format!("; it has: {}", listed(names())),
                false => guess,
            };
            format!("{place} has no field \"{name}\"{known}")
        }
        (Step::Item(index), Content::List(items)) => match items.len() {
            0 => format!("{place} is an empty list, so there is no item [{index}]"),
            count => {
                let last = count - 1;
                format!("{place} is a list of {count}, from [0] to [{last}], so there is no item [{index}]")
            }
        },
        (Step::Member(name), Content::List(items)) => {
            format!("{place} is a list of {}: [0] is its first item, not \"{name}\"", items.len())
        }
        (Step::Item(_), Content::Object(members)) => {
            format!("{place} is not a list; it has: {}", listed(members.iter().map(|(name, _)| name)))
        }
        (_, plain) => format!("{place} is {}, which has no fields", kind_of(plain)),
    }
}

/// What kind of value a field holds, in words.
pub(crate) fn kind_of(content: Content<'_>) -> &'static str {
    match content {
        Content::Null => "null",
        Content::Bool(_) => "true or false",
        Content::Whole(_) | Content::Negative(_) | Content::Single(_) | Content::Double(_) => "a number",
        Content::Text(_) => "a string",
        Content::Bytes(_) => "a run of bytes",
        Content::List(_) => "a list",
        Content::Object(_) => "an object",
    }
}

/// So many names at most are listed.
const LISTED: usize = 24;

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    let shown = names.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(LISTED) {
        0 if shown.is_empty() => "nothing".to_owned(),
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// What stands behind an opening bracket, and what follows the closing one.
fn in_brackets(text: &str) -> Option<(Part, &str)> {
    if text.starts_with('"') {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let name = values.next()?.ok()?;
        let rest = text.get(values.byte_offset()..)?.strip_prefix(']')?;
        return Some((Part::Member(name), rest));
    }
    let (number, rest) = text.split_once(']')?;
    if number == "*" {
        return Some((Part::Any, rest));
    }
    if let Some(before) = number.strip_prefix('+') {
        let before = if before.is_empty() { None } else { Some(index_of(before)?) };
        return Some((Part::New(before), rest));
    }
    if let Some(count) = number.strip_prefix('-') {
        return Some((Part::FromEnd(index_of(count).filter(|count| *count > 0)?), rest));
    }
    Some((Part::Item(index_of(number)?), rest))
}

fn index_of(number: &str) -> Option<usize> {
    let is_plain = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    number.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests;
