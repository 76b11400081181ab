//! Ways to values that outlive their documents, and how they are written.

use crate::Value;

use super::node::Node;
use super::set::Step;

/// The steps to a value, by themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Way(Vec<OwnStep>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum OwnStep {
    Member(String),
    Item(usize),
}

impl From<&[Step<'_>]> for Way {
    fn from(steps: &[Step<'_>]) -> Self {
        let own = |step: &Step<'_>| match step {
            Step::Member(name) => OwnStep::Member((*name).to_owned()),
            Step::Item(index) => OwnStep::Item(*index),
        };
        Self(steps.iter().map(own).collect())
    }
}

impl Way {
    /// The steps.
    #[must_use]
    pub fn steps(&self) -> Vec<Step<'_>> {
        let steps = self.0.iter().map(|step| match step {
            OwnStep::Member(name) => Step::Member(name),
            OwnStep::Item(index) => Step::Item(*index),
        });
        steps.collect()
    }

    /// The value it leads to; `None` when it leads nowhere.
    #[must_use]
    pub fn find<'a>(&self, root: Node<'a>) -> Option<Node<'a>> {
        self.steps().into_iter().try_fold(root, Node::step)
    }

    /// The way to the list of the item that it leads to; `None` when that is no item.
    #[must_use]
    pub fn list(&self) -> Option<Self> {
        match self.0.split_last() {
            Some((OwnStep::Item(_), list)) => Some(Self(list.to_vec())),
            _ => None,
        }
    }

    /// The same way once an item was put where another way leads.
    pub fn shift(&mut self, inserted: &Self) {
        let Some((OwnStep::Item(at), list)) = inserted.0.split_last() else { return };
        if self.0.starts_with(list)
            && let Some(OwnStep::Item(index)) = self.0.get_mut(list.len())
            && *index >= *at
        {
            *index = index.saturating_add(1);
        }
    }
}

/// Appends a member to the path of a field: behind a dot, or in brackets and quotes where its name holds what paths are made of.
pub fn push_member(path: &mut String, name: &str) {
    if name.is_empty() || name == "*" || name.contains(['.', '[', ']', '"', '=']) {
        path.push('[');
        path.push_str(&Value::from(name).to_string());
        path.push(']');
        return;
    }
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}
