//! Applies field edits to a copy of a record. Paths are looked up in the record, then in its field view.

use std::borrow::Cow;
use std::sync::Arc;

use asset::{Asset, Error, FieldChange, RecordChange};
use files::suggest::did_you_mean;
use json::{Content, Document, Edits, Node, Step, Value, ValuePath, json};

use super::field_edit::{Action, FieldEdit};
use crate::field::{Field, FieldPath, path_of};

/// Returns the possible values of a text, the likeliest first. A string needs no quotes if the field contains a string.
fn meanings(value: &str, current: Option<Content<'_>>) -> Vec<Value> {
    let json: Option<Value> = json::from_str(value).ok();
    let text = Value::from(value);
    match (current.unwrap_or(Content::Null), json) {
        (Content::Text(old), Some(number @ Value::Number(_))) if is_bits(old) => vec![number, text],
        (Content::Text(_), Some(quoted @ Value::String(_))) => vec![quoted],
        (Content::Text(_), Some(Value::Null)) => vec![Value::Null, text],
        (Content::Text(_) | Content::Bytes(_), Some(other)) => vec![text, other],
        (Content::Null, Some(other)) => vec![other, text],
        (_, Some(other)) => vec![other],
        (_, None) => vec![text],
    }
}

/// Whether a text is the bit pattern of a number that JSON cannot represent.
fn is_bits(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or_default();
    [8, 16].contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// Maximum number of fields that a pattern may match.
const MAX_MATCHES: usize = 1 << 17;

/// A record with its edits applied.
pub(super) struct Plan<'f> {
    pub(super) file: Cow<'f, Document>,
    pub(super) expected: Vec<Expected>,
    /// Reason to report if an object does not accept the first new member.
    pub(super) missing: Option<String>,
    /// Indices of the edits whose value is ambiguous.
    pub(super) ambiguous: Vec<usize>,
    /// New members in objects that accept any name.
    pub(super) added: Vec<Added>,
}

/// A new member that may be a misspelled existing one.
pub(super) struct Added {
    pub(super) path: String,
    /// A suggestion of the nearest name as the end of a sentence; empty if there is none.
    pub(super) guess: String,
}

/// Effect of an edit on a record.
enum Change {
    Record(RecordChange),
    /// Adds a member to the object at this path, which may reject it.
    NewMember(ValuePath, String, Value, String),
    /// Appends an item to the list at this path; later edits may change it.
    Append(ValuePath, usize, Value),
}

impl<'f> Plan<'f> {
    /// Applies the edits to a copy of a record. Every value has its likeliest meaning, except the value of the edit `other`.
    pub(super) fn of(
        asset: &dyn Asset,
        file: &'f Document,
        edits: &[FieldEdit],
        other: Option<usize>,
    ) -> Result<Self, Error> {
        let mut plan = Self {
            file: Cow::Borrowed(file),
            expected: Vec::new(),
            missing: None,
            ambiguous: Vec::new(),
            added: Vec::new(),
        };
        let mut removed = Vec::new();
        for edit in edits.iter().filter(|edit| matches!(edit.action, Action::Remove)) {
            removed.append(&mut changes(asset, file.root(), &edit.path, &mut |_| None)?.0);
        }
        let mut copied = Vec::new();
        for edit in edits.iter().filter(|edit| matches!(edit.action, Action::Copy)) {
            copied.append(&mut copies(asset, file.root(), &edit.path)?);
        }
        // Copies are appended, so that removals can use the indices of the original file.
        let lists = changed_lists(edits, &copied, &removed);
        plan.make(copied)?;
        plan.make(removed)?;
        for way in lists {
            if let Some(length) = length(&way, plan.file.root()) {
                plan.expected.push(Expected { way, wanted: Wanted::Items(length), missing: None });
            }
        }
        for (number, edit) in edits.iter().enumerate() {
            let Action::Set(value) = &edit.action else { continue };
            let mut is_ambiguous = false;
            let meaning = &mut |current: Option<Content<'_>>| {
                let mut meanings = meanings(value, current);
                is_ambiguous |= meanings.len() > 1;
                let last = meanings.len() - 1;
                Some(meanings.swap_remove(last.min(usize::from(other == Some(number)))))
            };
            let (changes, added) = changes(asset, plan.file.root(), &edit.path, meaning)?;
            plan.added.extend(added);
            plan.ambiguous.extend(is_ambiguous.then_some(number));
            plan.make(changes)?;
        }
        Ok(plan)
    }

    fn make(&mut self, changes: Vec<Change>) -> Result<(), Error> {
        if changes.is_empty() {
            return Ok(());
        }
        let (mut edits, mut expected) = (Edits::default(), Vec::new());
        let mut inserted: Vec<(ValuePath, usize)> = Vec::new();
        for change in changes {
            match change {
                Change::Record(RecordChange::Set(way, value)) => {
                    let value = Arc::new(value);
                    edits.set(&way.steps(), Arc::clone(&value));
                    expected.push(Expected { way, wanted: Wanted::Value(value), missing: None });
                }
                Change::Record(RecordChange::Remove(way)) => edits.remove(&way.steps()),
                Change::Record(RecordChange::Insert(list, index, value)) => {
                    let value = Arc::new(value);
                    edits.insert(&list.steps(), index, Arc::clone(&value));
                    let is_before = |(other, at): &&(ValuePath, usize)| *other == list && *at <= index;
                    let place = index.saturating_add(inserted.iter().filter(is_before).count());
                    let way = ValuePath::from(&*[&*list.steps(), &[Step::Item(place)]].concat());
                    inserted.push((list, index));
                    self.expected.iter_mut().for_each(|expected| expected.way.shift(&way));
                    expected.push(Expected { way, wanted: Wanted::Value(value), missing: None });
                }
                Change::Append(list, index, value) => edits.insert(&list.steps(), index, Arc::new(value)),
                Change::NewMember(object, name, value, why) => {
                    let value = Arc::new(value);
                    edits.add(&object.steps(), &name, Arc::clone(&value));
                    let way = ValuePath::from(&*[&*object.steps(), &[Step::Member(&name)]].concat());
                    expected.push(Expected { way, wanted: Wanted::Value(value), missing: Some(why.clone()) });
                    self.missing.get_or_insert(why);
                }
            }
        }
        self.file = Cow::Owned(self.file.edited(&edits)?);
        self.expected.append(&mut expected);
        Ok(())
    }
}

/// Returns the lists that grow by copies or shrink by the removal of a single item. Returns nothing if there are other
/// edits, because those can move the lists.
fn changed_lists(edits: &[FieldEdit], copied: &[Change], removed: &[Change]) -> Vec<ValuePath> {
    if edits.iter().any(|edit| matches!(edit.action, Action::Set(_))) {
        return Vec::new();
    }
    match (copied, removed) {
        ([], [Change::Record(RecordChange::Remove(way))]) => way.list().into_iter().collect(),
        (copied, []) => {
            let list = |change: &Change| match change {
                Change::Append(list, ..) => Some(list.clone()),
                Change::Record(_) | Change::NewMember(..) => None,
            };
            copied.iter().filter_map(list).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the length of a list.
fn length(list: &ValuePath, record: Node<'_>) -> Option<usize> {
    match list.find(record)?.content() {
        Content::List(items) => Some(items.len()),
        _ => None,
    }
}

/// Whether a path leads to a field or a new item.
pub(super) fn resolves(asset: &dyn Asset, record: Node<'_>, path: &FieldPath) -> bool {
    let path = path.in_record(asset, record);
    path.get(record).is_some()
        || path.each(record, &mut |_| Ok(())).is_ok()
        || asset.field_view(record).is_some_and(|view| path.get(view.root()).is_some())
}

/// Returns the changes to a record that set all fields matching a path; fields without a value are removed.
fn changes(
    asset: &dyn Asset,
    record: Node<'_>,
    path: &FieldPath,
    value: &mut dyn FnMut(Option<Content<'_>>) -> Option<Value>,
) -> Result<(Vec<Change>, Option<Added>), Error> {
    let path = &*path.in_record(asset, record);
    let mut in_record = Found::new(path);
    let of_record = path.each(record, &mut |field| in_record.take(field, value));
    if of_record.is_ok() {
        return Ok((in_record.changes, None));
    }
    let Some(view) = asset.field_view(record) else {
        return Ok((in_record.or_new_member(of_record)?, None));
    };
    let mut changes: Vec<Change> = Vec::new();
    let (mut new, root) = (None, view.root());
    let change = |way: &[Step<'_>], change: FieldChange<'_>| {
        let made = asset.record_change(record, way, change);
        let made = made.map_err(|error| error.in_field(path_of(root, way)))?;
        let refused = || Error::usage(format!("\"{}\" does not support this change", path_of(root, way)));
        made.map(|made| made.into_iter().map(Change::Record)).ok_or_else(refused)
    };
    let of_view = path.each(root, &mut |field| {
        match field {
            Field::Existing { way, node } => changes.extend(match value(Some(node.content())) {
                Some(value) => change(way, FieldChange::Set(&value))?,
                None => change(way, FieldChange::Remove)?,
            }),
            Field::NewMember { way, name, below, missing } if !path.is_pattern() => {
                let guess = did_you_mean(name, members_at(root, way));
                if !below.is_empty() && !guess.is_empty() {
                    // A new key in a misspelled section would be lost as well.
                    return Err(Error::usage(format!("{missing} (to add it, set {name}={{}} first)")));
                }
                // A text is stored as typed; only a member that cannot be a text is JSON.
                let values = [Some(Content::Text("")), None].into_iter().map_while(&mut *value);
                for value in values {
                    let value = below.iter().rev().fold(value, |value, name| json!({ *name: value }));
                    let made = asset.record_change(record, way, FieldChange::Add(name, &value));
                    if let Some(made) = made.map_err(|error| error.in_field(path.text().to_owned()))? {
                        let added = Added { path: path.text().to_owned(), guess };
                        new = Some((made.into_iter().map(Change::Record).collect(), added));
                        break;
                    }
                }
            }
            Field::NewItem { .. } | Field::NewMember { .. } => {}
        }
        check_count(path, changes.len())
    });
    match (of_view, new) {
        (Ok(()), _) if !changes.is_empty() => Ok((changes, None)),
        (_, Some((changes, added))) => Ok((changes, Some(added))),
        // A view may show only a part of the record, which may accept the new member.
        (Err(_), None) if in_record.is_new_below() => Ok((in_record.or_new_member(of_record)?, None)),
        (Err(error), None) => Err(error),
        (Ok(()), None) => Ok((in_record.or_new_member(of_record)?, None)),
    }
}

/// Returns copies of the items that a path leads to, each appended to its list.
fn copies(asset: &dyn Asset, record: Node<'_>, path: &FieldPath) -> Result<Vec<Change>, Error> {
    let mut out = Vec::new();
    let no_item = || Error::usage(format!("\"{}\" is not a list item, so it cannot be copied", path.text()));
    let path = &*path.in_record(asset, record);
    let is_only_shown = || asset.field_view(record).is_some_and(|view| path.get(view.root()).is_some());
    if path.get(record).is_none() && is_only_shown() {
        return Err(no_item());
    }
    path.each(record, &mut |field| {
        let Field::Existing { way, node } = field else { return Ok(()) };
        let Some((Step::Item(_), list)) = way.split_last() else { return Err(no_item()) };
        let list = ValuePath::from(list);
        let Some(Content::List(items)) = list.find(record).map(Node::content) else { return Err(no_item()) };
        out.push(Change::Append(list, items.len(), node.to_value()));
        check_count(path, out.len())
    })?;
    Ok(out)
}

/// Returns the member names of an object.
fn members_at<'a>(root: Node<'a>, way: &[Step<'_>]) -> Vec<&'a str> {
    match way.iter().copied().try_fold(root, Node::step).map(Node::content) {
        Some(Content::Object(members)) => members.iter().map(|(name, _)| name).collect(),
        _ => Vec::new(),
    }
}

fn check_count(path: &FieldPath, count: usize) -> Result<(), Error> {
    if count <= MAX_MATCHES {
        return Ok(());
    }
    Err(Error::limit(format!("\"{}\" matches more than {MAX_MATCHES} fields", path.text())))
}

/// Changes to the fields of a record that a path leads to.
struct Found<'p> {
    path: &'p FieldPath,
    changes: Vec<Change>,
    new: Option<Change>,
}

impl<'p> Found<'p> {
    const fn new(path: &'p FieldPath) -> Self {
        Self { path, changes: Vec::new(), new: None }
    }

    fn take(
        &mut self,
        field: Field<'_, '_>,
        value: &mut dyn FnMut(Option<Content<'_>>) -> Option<Value>,
    ) -> Result<(), Error> {
        match field {
            Field::Existing { way, node } => {
                let way = ValuePath::from(way);
                self.changes.push(Change::Record(match value(Some(node.content())) {
                    Some(value) => RecordChange::Set(way, value),
                    None => RecordChange::Remove(way),
                }));
            }
            Field::NewItem { way, index } => {
                let nothing = || {
                    Error::usage(format!(
                        "\"{}\" is not an existing item, so it cannot be removed",
                        self.path.text()
                    ))
                };
                let value = value(None).ok_or_else(nothing)?;
                self.changes.push(Change::Record(RecordChange::Insert(ValuePath::from(way), index, value)));
            }
            Field::NewMember { way, name, below, missing } if below.is_empty() && !self.path.is_pattern() => {
                let value = value(None);
                self.new = value
                    .map(|value| Change::NewMember(ValuePath::from(way), name.to_owned(), value, missing));
            }
            Field::NewMember { .. } => {}
        }
        check_count(self.path, self.changes.len())
    }

    /// Whether the path leads to a new member of a nested object.
    fn is_new_below(&self) -> bool {
        matches!(&self.new, Some(Change::NewMember(way, ..)) if !way.steps().is_empty())
    }

    /// Returns the new member if the path does not lead to existing fields.
    fn or_new_member(self, found: Result<(), Error>) -> Result<Vec<Change>, Error> {
        match self.new {
            Some(new) => Ok(vec![new]),
            None => found.map(|()| self.changes),
        }
    }
}

/// Expected content of a field.
enum Wanted {
    Value(Arc<Value>),
    /// A list with this number of items.
    Items(usize),
}

/// Expectation about the packed file.
pub(super) struct Expected {
    way: ValuePath,
    wanted: Wanted,
    /// Reason to report if the field does not exist.
    missing: Option<String>,
}

impl Expected {
    /// Checks that the packed file has the expected value.
    pub(super) fn check(&self, now: Node<'_>) -> Result<(), Error> {
        let value = match &self.wanted {
            Wanted::Value(value) => value,
            Wanted::Items(wanted) => {
                let found = length(&self.way, now).unwrap_or_default();
                if found == *wanted {
                    return Ok(());
                }
                return Err(Error::usage(format!(
                    "{}: cannot have {wanted} items: packing would leave {found}, because they are derived from other fields",
                    path_of(now, &self.way.steps())
                )));
            }
        };
        let found = self.way.find(now).map(Node::to_value);
        if found.as_ref().is_some_and(|found| holds(value, found)) {
            return Ok(());
        }
        let found = match (found, &self.missing) {
            (Some(found), _) => found.to_string().chars().take(60).collect(),
            (None, Some(missing)) => return Err(Error::usage(missing.as_str())),
            (None, None) => "a missing field".to_owned(),
        };
        Err(Error::usage(format!(
            "{}: cannot be set to this value: packing would change it to {found}, because it is derived from other fields or cannot represent the value",
            path_of(now, &self.way.steps())
        )))
    }
}

/// Whether a field has the value it was set to, within its precision.
fn holds(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::Number(wanted), Value::Number(found)) if wanted.is_f64() || found.is_f64() => {
            let same = wanted.as_f64() == found.as_f64();
            same || wanted
                .as_f64()
                .zip(found.as_f64())
                .is_some_and(|(wanted, found)| single(wanted) == single(found))
        }
        (Value::Array(wanted), Value::Array(found)) => {
            wanted.len() == found.len()
                && wanted.iter().zip(found).all(|(wanted, found)| holds(wanted, found))
        }
        (Value::Object(wanted), Value::Object(found)) => wanted
            .iter()
            .all(|(name, value)| found.get(name).map_or(value.is_null(), |found| holds(value, found))),
        (wanted, found) => wanted == found,
    }
}

const fn single(number: f64) -> f32 {
    number as f32
}
