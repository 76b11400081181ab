//! Paths of fields in a typed file, such as `surfaces[3].texture.name`.

use std::borrow::Cow;

use asset::{Asset, Error};
use files::suggest::did_you_mean;
use json::{Content, Node, Object, Step, push_member};

/// Path from a typed file to one of its fields. Members are joined by dots; items have zero-based indices in brackets. A
/// name that contains dots or brackets is written in brackets and quotes: `["tiles.png"].stepsound`. Where a value has one
/// of several variants, as entities of rooms do, the path may include the variant's name as `record.json` does, or leave it
/// out: `entities[5].image`.
///
/// If no member has exactly this name, one whose name differs only in letter case is used, provided it is unique; otherwise
/// one that also differs in blanks around brackets: `type[0]` and `Type [ 0 ]`. The games ignore both in their settings
/// files.
///
/// `[-1]` is the last item of a list. `*` matches any member, `[*]` any item; `[+]` is a new item at the end, `[+2]` a new
/// item before item 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPath {
    text: String,
    segments: Vec<Segment>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Member(String),
    Item(usize),
    /// Item counted from the end of the list, starting at 1.
    FromEnd(usize),
    /// Any member or item.
    Any,
    /// New item: at the end, or before the item of this index.
    New(Option<usize>),
}

impl FieldPath {
    /// Parses a path.
    ///
    /// # Errors
    /// Returns [`Kind::Usage`](asset::Kind::Usage) if the text is not a valid path; the message contains the reason.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let wrong = |why: &str| Error::usage(format!("\"{text}\" is not a field path: {why}"));
        let mut segments = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(inside) = rest.strip_prefix('[') {
                let (step, after) = in_brackets(inside)
                    .ok_or_else(|| wrong("brackets must contain an index or a name in quotes"))?;
                segments.push(step);
                rest = after;
                continue;
            }
            let name = match (rest.strip_prefix('.'), segments.is_empty()) {
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
            segments.push(if name == "*" { Segment::Any } else { Segment::Member(name.to_owned()) });
            rest = after;
        }
        if segments.iter().rev().skip(1).any(|step| matches!(step, Segment::New(_))) {
            return Err(wrong("a new item is only allowed at the end"));
        }
        if segments.is_empty() {
            return Err(wrong("it is empty"));
        }
        Ok(Self { text: text.to_owned(), segments })
    }

    /// Returns the path as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Resolves the path to a path in the record if it is an [alias](Asset::field_alias).
    pub(crate) fn in_record(&self, asset: &dyn Asset, record: Node<'_>) -> Cow<'_, Self> {
        if self.get(record).is_some() {
            return Cow::Borrowed(self);
        }
        let alias = asset.field_alias(record, &self.text).and_then(|alias| Self::parse(&alias).ok());
        alias.map_or(Cow::Borrowed(self), |alias| Cow::Owned(Self { text: self.text.clone(), ..alias }))
    }

    /// Whether the path leads to, or into, a field that matches one of `paths`, as used by
    /// [`Description::derived`](asset::Description::derived).
    #[must_use]
    pub fn is_below_any(&self, paths: &[&str]) -> bool {
        let is_same = |(step, other): (&Segment, &Segment)| *other == Segment::Any || step == other;
        let leads = |path: &Self| {
            path.segments.len() <= self.segments.len()
                && self.segments.iter().zip(&path.segments).all(is_same)
        };
        paths.iter().filter_map(|path| Self::parse(path).ok()).any(|path| leads(&path))
    }

    /// Whether the path can match several fields.
    pub(crate) fn is_pattern(&self) -> bool {
        self.segments.contains(&Segment::Any)
    }

    /// Returns the first matching field of a typed file, or `None` if there is none.
    #[must_use]
    pub fn get<'a>(&self, file: Node<'a>) -> Option<Node<'a>> {
        self.find(file).ok()
    }

    /// Returns the first matching field.
    ///
    /// # Errors
    /// Returns [`Kind::Usage`](asset::Kind::Usage) if no field matches; the message lists the existing fields or suggests
    /// the nearest name.
    pub fn find<'a>(&self, file: Node<'a>) -> Result<Node<'a>, Error> {
        let mut found = None;
        self.each(file, &mut |field| {
            if let Field::Existing { node, .. } = field {
                found.get_or_insert(node);
            }
            Ok(())
        })?;
        found.ok_or_else(|| Error::usage(format!("\"{}\" matches no existing field", self.text)))
    }

    /// Calls `take` with every matching field, in order. A pattern can match several fields; at least one must match.
    ///
    /// # Errors
    /// Returns [`Kind::Usage`](asset::Kind::Usage) if no field matches, as [`FieldPath::find`] does, or the first error of
    /// `take`.
    pub(crate) fn each<'a>(
        &self,
        file: Node<'a>,
        take: &mut dyn FnMut(Field<'a, '_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut search = Search { take, root: file, way: Vec::new(), found: false, missing: None };
        search.walk(file, &self.segments)?;
        match search.missing {
            Some(missing) if !search.found && self.is_pattern() => {
                Err(Error::usage(format!("\"{}\" matches no field: {missing}", self.text)))
            }
            Some(missing) if !search.found => Err(Error::usage(missing)),
            _ if !search.found => Err(Error::usage(format!("\"{}\" matches no field", self.text))),
            _ => Ok(()),
        }
    }

    /// Returns the values along the path, as far as they exist, each with its own path.
    pub(crate) fn walk<'a>(&self, file: Node<'a>) -> Vec<(String, Node<'a>)> {
        let (mut node, mut so_far, mut out) = (file, String::new(), Vec::new());
        for segment in &self.segments {
            let step = match segment {
                Segment::Member(name) => Step::Member(name),
                Segment::Item(index) => Step::Item(*index),
                Segment::FromEnd(count) => match index_from_end(node, *count) {
                    Some(index) => Step::Item(index),
                    None => break,
                },
                Segment::Any | Segment::New(_) => break,
            };
            let Some(next) = below(node, step, &mut Vec::new()) else { break };
            append(step, &mut so_far);
            out.push((so_far.clone(), next));
            node = next;
        }
        out
    }
}

/// Result of resolving a path in a file.
pub(crate) enum Field<'a, 'w> {
    /// Existing field.
    Existing {
        /// Steps to the field, including variant names.
        way: &'w [Step<'a>],
        node: Node<'a>,
    },
    /// New item of the list that the steps lead to.
    NewItem { way: &'w [Step<'a>], index: usize },
    /// New member of the object that the steps lead to, the names of new members nested below it, and the reason to report
    /// if the object rejects it.
    NewMember { way: &'w [Step<'a>], name: &'w str, below: Vec<&'w str>, missing: String },
}

/// Search for the fields that match a path.
struct Search<'a, 't> {
    take: &'t mut dyn FnMut(Field<'a, '_>) -> Result<(), Error>,
    root: Node<'a>,
    way: Vec<Step<'a>>,
    found: bool,
    /// Reason why the first unresolved segment does not resolve.
    missing: Option<String>,
}

impl<'a> Search<'a, '_> {
    fn walk(&mut self, node: Node<'a>, segments: &[Segment]) -> Result<(), Error> {
        let Some((segment, rest)) = segments.split_first() else {
            self.found = true;
            return (self.take)(Field::Existing { way: &self.way, node });
        };
        let depth = self.way.len();
        if depth == 0 && !matches!(segment, Segment::Member(_)) && is_list_in_object(node) {
            self.missing.get_or_insert_with(|| missing(Step::Item(0), node, ""));
            return Ok(());
        }
        let done = match segment {
            Segment::Member(name) => self.step(node, Step::Member(name), rest),
            Segment::Item(index) => self.step(node, Step::Item(*index), rest),
            Segment::FromEnd(count) => self.item_from_end(node, *count, rest),
            Segment::Any => self.any(node, rest),
            Segment::New(before) => self.new_item(node, *before),
        };
        self.way.truncate(depth);
        done
    }

    fn step(&mut self, node: Node<'a>, step: Step<'_>, rest: &[Segment]) -> Result<(), Error> {
        if let Some(next) = below(node, step, &mut self.way) {
            return self.walk(next, rest);
        }
        let below = names(rest);
        // When the path creates nested members, an object with one member is not treated as a variant.
        let is_nested = below.as_ref().is_some_and(|below| !below.is_empty());
        let inner = if is_nested { node } else { inner(node, &mut self.way) };
        let missing = missing(step, inner, &path_of(self.root, &self.way));
        if let (Step::Member(name), Content::Object(_), Some(below)) = (step, inner.content(), below) {
            (self.take)(Field::NewMember { way: &self.way, name, below, missing: missing.clone() })?;
        }
        self.missing.get_or_insert(missing);
        Ok(())
    }

    fn item_from_end(&mut self, node: Node<'a>, count: usize, rest: &[Segment]) -> Result<(), Error> {
        if let Some(index) = index_from_end(node, count) {
            return self.step(node, Step::Item(index), rest);
        }
        let node = inner(node, &mut self.way);
        let path = path_of(self.root, &self.way);
        self.missing.get_or_insert_with(|| match node.content() {
            Content::List(items) => {
                format!("\"{path}\" is a list of {}, so there is no item [-{count}]", items.len())
            }
            content => format!("{} is {}, not a list", describe_target(&path), kind_of(content)),
        });
        Ok(())
    }

    fn any(&mut self, node: Node<'a>, rest: &[Segment]) -> Result<(), Error> {
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
                    format!("{} is {what}, not a list", describe_target(&path_of(self.root, &self.way)))
                });
                Ok(())
            }
        }
    }
}

/// Returns the variant of a value, with its name. Hand-written records do not distinguish variants from objects with a
/// single member.
fn form_of(node: Node<'_>) -> Option<(&str, Node<'_>)> {
    match node.content() {
        Content::Object(members) if members.len() == 1 => {
            members.iter().next().filter(|(_, value)| value.is_compound())
        }
        _ => None,
    }
}

/// Whether an entire file is an object that contains only a list: such a file has no variant whose name a path may leave
/// out.
fn is_list_in_object(file: Node<'_>) -> bool {
    form_of(file).is_some_and(|(_, value)| matches!(value.content(), Content::List(_)))
}

/// Returns the names of a path that consists only of names.
fn names(segments: &[Segment]) -> Option<Vec<&str>> {
    let names = segments.iter().map(|segment| match segment {
        Segment::Member(name) => Some(name.as_str()),
        Segment::Item(_) | Segment::FromEnd(_) | Segment::Any | Segment::New(_) => None,
    });
    names.collect()
}

/// Returns the index of a list item that is counted from the end.
fn index_from_end(node: Node<'_>, count: usize) -> Option<usize> {
    match inner(node, &mut Vec::new()).content() {
        Content::List(items) => items.len().checked_sub(count),
        _ => None,
    }
}

/// Returns the member with this name, or the only one whose name differs from it only in letter case, or in letter case and
/// blanks around brackets.
fn member<'a>(members: Object<'a>, name: &str) -> Option<(&'a str, Node<'a>)> {
    let only = |is_similar: &dyn Fn(&str) -> bool| {
        let mut similar = members.iter().filter(|(other, _)| is_similar(other));
        similar.next().filter(|_| similar.next().is_none())
    };
    let exact = members.iter().find(|(other, _)| *other == name);
    exact.or_else(|| only(&|other| other.eq_ignore_ascii_case(name))).or_else(|| {
        let name = indexed(name)?;
        only(&|other| indexed(other).is_some_and(|other| is_same_indexed(other, name)))
    })
}

/// Splits a name such as `type [ 0 ]` into the parts before and inside of the brackets, without surrounding blanks.
fn indexed(name: &str) -> Option<(&str, &str)> {
    let (name, index) = name.trim().strip_suffix(']')?.split_once('[')?;
    Some((name.trim(), index.trim()))
}

fn is_same_indexed(a: (&str, &str), b: (&str, &str)) -> bool {
    a.0.eq_ignore_ascii_case(b.0) && a.1.eq_ignore_ascii_case(b.1)
}

/// Returns the value that a step leads to, looking through variants. The steps taken are appended to `way`.
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

/// Returns the value inside all variants; the variant names are appended to `way`.
fn inner<'a>(node: Node<'a>, way: &mut Vec<Step<'a>>) -> Node<'a> {
    let mut node = node;
    while let Some((form, value)) = form_of(node) {
        way.push(Step::Member(form));
        node = value;
    }
    node
}

/// Formats steps in a file as a path, without variant names.
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

/// Formats the target of a path for a message.
fn describe_target(path: &str) -> String {
    if path.is_empty() { "the file".to_owned() } else { format!("\"{path}\"") }
}

/// Returns the reason why a step does not resolve.
fn missing(step: Step<'_>, node: Node<'_>, path: &str) -> String {
    let target = describe_target(path);
    match (step, node.content()) {
        (Step::Member(name), Content::Object(members)) => {
            let names = || members.iter().map(|(name, _)| name);
            let guess = did_you_mean(name, names());
            let known = match guess.is_empty() {
                true => format!("; it has: {}", list_names(names())),
                false => guess,
            };
            format!("{target} has no field \"{name}\"{known}")
        }
        (Step::Item(index), Content::List(items)) => match items.len() {
            0 => format!("{target} is an empty list, so there is no item [{index}]"),
            count => {
                let last = count - 1;
                format!("{target} is a list of {count}, from [0] to [{last}], so there is no item [{index}]")
            }
        },
        (Step::Member(name), Content::List(items)) => {
            format!("{target} is a list of {}: [0] is its first item, not \"{name}\"", items.len())
        }
        (Step::Item(_), Content::Object(members)) => {
            format!("{target} is not a list; it has: {}", list_names(members.iter().map(|(name, _)| name)))
        }
        (_, plain) => format!("{target} is {}, which has no fields", kind_of(plain)),
    }
}

/// Returns the kind of a field's value, for messages.
pub(crate) fn kind_of(content: Content<'_>) -> &'static str {
    match content {
        Content::Null => "null",
        Content::Bool(_) => "true or false",
        Content::Unsigned(_) | Content::Negative(_) | Content::Single(_) | Content::Double(_) => "a number",
        Content::Text(_) => "a string",
        Content::Bytes(_) => "bytes",
        Content::List(_) => "a list",
        Content::Object(_) => "an object",
    }
}

/// Maximum number of names in a list.
const MAX_NAMES: usize = 24;

fn list_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    let shown = names.iter().take(MAX_NAMES).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 if shown.is_empty() => "nothing".to_owned(),
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Parses the text after an opening bracket; also returns the text after the closing bracket.
fn in_brackets(text: &str) -> Option<(Segment, &str)> {
    if text.starts_with('"') {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let name = values.next()?.ok()?;
        let rest = text.get(values.byte_offset()..)?.strip_prefix(']')?;
        return Some((Segment::Member(name), rest));
    }
    let (number, rest) = text.split_once(']')?;
    if number == "*" {
        return Some((Segment::Any, rest));
    }
    if let Some(before) = number.strip_prefix('+') {
        let before = if before.is_empty() { None } else { Some(index_of(before)?) };
        return Some((Segment::New(before), rest));
    }
    if let Some(count) = number.strip_prefix('-') {
        return Some((Segment::FromEnd(index_of(count).filter(|count| *count > 0)?), rest));
    }
    Some((Segment::Item(index_of(number)?), rest))
}

fn index_of(number: &str) -> Option<usize> {
    let is_plain = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    number.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests;
