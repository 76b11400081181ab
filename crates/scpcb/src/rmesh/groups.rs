//! Disjoint sets (union-find) of connected items.

/// For each member, an earlier member of its group, or itself.
#[derive(Debug, Default)]
pub(super) struct Groups(Vec<usize>);

impl Groups {
    /// Creates `count` groups of one member each.
    pub(super) fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// Adds a group with one new member, and returns the member's number.
    pub(super) fn add(&mut self) -> usize {
        let member = self.0.len();
        self.0.push(member);
        member
    }

    /// Returns the first member of a member's group.
    pub(super) fn first(&mut self, member: usize) -> usize {
        let before = |groups: &[usize], at: usize| groups.get(at).copied().unwrap_or(at);
        let mut at = member;
        loop {
            let next = before(&self.0, at);
            if next == at {
                return at;
            }
            // Halves the path for later lookups.
            let after = before(&self.0, next);
            if let Some(location) = self.0.get_mut(at) {
                *location = after;
            }
            at = after;
        }
    }

    /// Merges the groups of two members.
    pub(super) fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        if let Some(location) = self.0.get_mut(one.max(other)) {
            *location = one.min(other);
        }
    }
}
