//! Owned paths to values, and the text form of paths.

use crate::Value;

use super::node::Node;
use super::set::Step;

/// An owned path: the steps from the root to a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValuePath(Vec<OwnedStep>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum OwnedStep {
    Member(String),
    Item(usize),
}

impl From<&[Step<'_>]> for ValuePath {
    fn from(steps: &[Step<'_>]) -> Self {
        let owned = |step: &Step<'_>| match step {
            Step::Member(name) => OwnedStep::Member((*name).to_owned()),
            Step::Item(index) => OwnedStep::Item(*index),
        };
        Self(steps.iter().map(owned).collect())
    }
}

impl ValuePath {
    /// The steps.
    #[must_use]
    pub fn steps(&self) -> Vec<Step<'_>> {
        let steps = self.0.iter().map(|step| match step {
            OwnedStep::Member(name) => Step::Member(name),
            OwnedStep::Item(index) => Step::Item(*index),
        });
        steps.collect()
    }

    /// Returns the value at this path. `None` if there is none.
    #[must_use]
    pub fn find<'a>(&self, root: Node<'a>) -> Option<Node<'a>> {
        self.steps().into_iter().try_fold(root, Node::step)
    }

    /// Returns the path of the list that contains the item at this path. `None` if the path does not end in an item.
    #[must_use]
    pub fn list(&self) -> Option<Self> {
        match self.0.split_last() {
            Some((OwnedStep::Item(_), list)) => Some(Self(list.to_vec())),
            _ => None,
        }
    }

    /// Adjusts the path after an item has been inserted at the path `inserted`.
    pub fn shift(&mut self, inserted: &Self) {
        let Some((OwnedStep::Item(at), list)) = inserted.0.split_last() else { return };
        if self.0.starts_with(list)
            && let Some(OwnedStep::Item(index)) = self.0.get_mut(list.len())
            && *index >= *at
        {
            *index = index.saturating_add(1);
        }
    }
}

/// Appends a member to the text form of a path: after a dot, or in brackets and quotes if its name contains characters with a meaning in
/// paths.
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
