//! Many changes to a document, made at once in a copy of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Value;

use super::Document;
use super::build::{Builder, Open};
use super::node::{Content, List, Node, Object};
use super::set::{Step, nowhere};
use crate::fault::Fault;
use crate::ser::{Kind, Sink};
use record::Result;

/// Changes to a document. Ways and indices are those of the document as it is, whatever else changes.
#[derive(Debug, Default)]
pub struct Edits {
    root: Branch,
}

/// What changes at and below a value.
#[derive(Debug, Default)]
struct Branch {
    change: Option<Change>,
    members: BTreeMap<String, Branch>,
    items: BTreeMap<usize, Branch>,
    /// New items, by the index of the item that they stand in front of.
    inserted: BTreeMap<usize, Vec<Arc<Value>>>,
    /// New members, behind the others.
    added: Vec<(String, Arc<Value>)>,
}

#[derive(Debug)]
enum Change {
    Set(Arc<Value>),
    Remove,
}

impl Edits {
    /// Puts another value where a way leads.
    pub fn set(&mut self, way: &[Step<'_>], value: Arc<Value>) {
        self.at(way).change = Some(Change::Set(value));
    }

    /// Takes an item out of its list, or a member out of its object.
    pub fn remove(&mut self, way: &[Step<'_>]) {
        self.at(way).change = Some(Change::Remove);
    }

    /// Puts an item into the list that a way leads to, in front of the item of this index or, where that is how many there are, behind all.
    pub fn insert(&mut self, way: &[Step<'_>], index: usize, value: Arc<Value>) {
        self.at(way).inserted.entry(index).or_default().push(value);
    }

    /// Puts a member behind those of the object that a way leads to.
    pub fn add(&mut self, way: &[Step<'_>], name: &str, value: Arc<Value>) {
        self.at(way).added.push((name.to_owned(), value));
    }

    fn at(&mut self, way: &[Step<'_>]) -> &mut Branch {
        way.iter().fold(&mut self.root, |branch, step| match step {
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
    /// A copy with changes.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) when one of them leads nowhere.
    pub fn edited(&self, edits: &Edits) -> Result<Self> {
        if edits.root.is_removed() {
            return Err(nowhere());
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
        (None, _) => Err(Fault(nowhere())),
    }
}

fn copy_list(items: List<'_>, branch: &Branch, builder: &mut Builder) -> Result<(), Fault> {
    let mut last = branch.items.keys().next_back().map_or(0, |index| index.saturating_add(1));
    last = last.max(branch.inserted.keys().next_back().copied().unwrap_or_default());
    if last > items.len() {
        return Err(Fault(nowhere()));
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
    let mut met = 0_usize;
    for (name, value) in members.iter() {
        let below = branch.members.get(name).inspect(|_| met = met.saturating_add(1)).unwrap_or(&unchanged);
        if !below.is_removed() {
            builder.member(&mut open, name);
            copy(value, below, builder)?;
        }
    }
    if met < branch.members.len() {
        return Err(Fault(nowhere()));
    }
    for (name, value) in &branch.added {
        builder.member(&mut open, name);
        builder.value(value.as_ref())?;
    }
    builder.close(open);
    Ok(())
}
