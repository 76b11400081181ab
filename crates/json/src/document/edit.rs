//! Changes to a document, applied together to a copy.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Value;

use super::Document;
use super::build::{Builder, Open};
use super::node::{Content, List, Node, Object};
use super::set::{Step, no_such_field};
use crate::fault::Fault;
use crate::ser::{Kind, Sink};
use record::Result;

/// Changes to a document. Paths and indices refer to the unchanged document, regardless of the other changes.
#[derive(Debug, Default)]
pub struct Edits {
    root: Branch,
}

/// The changes at and below a value.
#[derive(Debug, Default)]
struct Branch {
    change: Option<Change>,
    members: BTreeMap<String, Branch>,
    items: BTreeMap<usize, Branch>,
    /// New items, by the index of the item before which they are inserted.
    inserted: BTreeMap<usize, Vec<Arc<Value>>>,
    /// New members, after the existing ones.
    added: Vec<(String, Arc<Value>)>,
}

#[derive(Debug)]
enum Change {
    Set(Arc<Value>),
    Remove,
}

impl Edits {
    /// Replaces the value at a path.
    pub fn set(&mut self, path: &[Step<'_>], value: Arc<Value>) {
        self.at(path).change = Some(Change::Set(value));
    }

    /// Removes an item from its list, or a member from its object.
    pub fn remove(&mut self, path: &[Step<'_>]) {
        self.at(path).change = Some(Change::Remove);
    }

    /// Inserts an item into the list at a path, before the item with this index. An index equal to the length appends.
    pub fn insert(&mut self, path: &[Step<'_>], index: usize, value: Arc<Value>) {
        self.at(path).inserted.entry(index).or_default().push(value);
    }

    /// Appends a member to the object at a path.
    pub fn add(&mut self, path: &[Step<'_>], name: &str, value: Arc<Value>) {
        self.at(path).added.push((name.to_owned(), value));
    }

    fn at(&mut self, path: &[Step<'_>]) -> &mut Branch {
        path.iter().fold(&mut self.root, |branch, step| match step {
            Step::Member(name) => branch.members.entry((*name).to_owned()).or_default(),
            Step::Item(index) => branch.items.entry(*index).or_default(),
        })
    }
}

impl Branch {
    fn is_empty(&self) -> bool {
        self.change.is_none()
            && self.members.is_empty()
            && self.items.is_empty()
            && self.inserted.is_empty()
            && self.added.is_empty()
    }

    const fn is_removed(&self) -> bool {
        matches!(self.change, Some(Change::Remove))
    }
}

impl Document {
    /// Returns a copy with the changes applied.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if the path of a change does not exist.
    pub fn edited(&self, edits: &Edits) -> Result<Self> {
        if edits.root.is_removed() {
            return Err(no_such_field());
        }
        let mut builder = Builder::new(self.names.clone(), self.size());
        copy(self.root(), &edits.root, &mut builder)?;
        Ok(builder.finish())
    }
}

fn copy(node: Node<'_>, branch: &Branch, builder: &mut Builder) -> Result<(), Fault> {
    match (&branch.change, node.content()) {
        (Some(Change::Set(value)), _) => builder.value(value.as_ref()),
        (Some(Change::Remove), _) => Ok(()),
        (None, _) if branch.is_empty() => {
            builder.encoded(node.encoded());
            Ok(())
        }
        (None, Content::List(items)) if branch.members.is_empty() && branch.added.is_empty() => {
            copy_list(items, branch, builder)
        }
        (None, Content::Object(members)) if branch.items.is_empty() && branch.inserted.is_empty() => {
            copy_object(node, members, branch, builder)
        }
        (None, _) => Err(Fault(no_such_field())),
    }
}

fn copy_list(items: List<'_>, branch: &Branch, builder: &mut Builder) -> Result<(), Fault> {
    let mut last = branch.items.keys().next_back().map_or(0, |index| index.saturating_add(1));
    last = last.max(branch.inserted.keys().next_back().copied().unwrap_or_default());
    if last > items.len() {
        return Err(Fault(no_such_field()));
    }
    let (mut open, unchanged) = (builder.open(Kind::List, Some(items.len()))?, Branch::default());
    let insert = |builder: &mut Builder, open: &mut Open, index| {
        branch.inserted.get(&index).into_iter().flatten().try_for_each(|value| {
            builder.item(open);
            builder.value(value.as_ref())
        })
    };
    for (index, item) in items.iter().enumerate() {
        insert(builder, &mut open, index)?;
        let below = branch.items.get(&index).unwrap_or(&unchanged);
        if !below.is_removed() {
            builder.item(&mut open);
            copy(item, below, builder)?;
        }
    }
    insert(builder, &mut open, items.len())?;
    builder.close(open);
    Ok(())
}

fn copy_object(
    node: Node<'_>,
    members: Object<'_>,
    branch: &Branch,
    builder: &mut Builder,
) -> Result<(), Fault> {
    let kind = if node.variant().is_some() { Kind::Variant } else { Kind::Object };
    let (mut open, unchanged) = (builder.open(kind, Some(members.len()))?, Branch::default());
    let mut found = 0_usize;
    for (name, value) in members.iter() {
        let below =
            branch.members.get(name).inspect(|_| found = found.saturating_add(1)).unwrap_or(&unchanged);
        if !below.is_removed() {
            builder.member(&mut open, name);
            copy(value, below, builder)?;
        }
    }
    if found < branch.members.len() {
        return Err(Fault(no_such_field()));
    }
    for (name, value) in &branch.added {
        builder.member(&mut open, name);
        builder.value(value.as_ref())?;
    }
    builder.close(open);
    Ok(())
}
