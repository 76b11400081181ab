//! Groups of things that are connected.

/// For each member another of its group that is before it, or itself.
#[derive(Debug, Default)]
pub(super) struct Groups(Vec<usize>);

impl Groups {
    /// So many members, each a group of its own.
    pub(super) fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// Adds a member that is a group of its own, and gives its number.
    pub(super) fn add(&mut self) -> usize {
        let member = self.0.len();
        self.0.push(member);
        member
    }

    /// The first member of a member's group.
    pub(super) fn first(&mut self, member: usize) -> usize {
        let before = |groups: &[usize], at: usize| groups.get(at).copied().unwrap_or(at);
        let mut at = member;
        loop {
            let next = before(&self.0, at);
            if next == at {
                return at;
            }
            // Halves the way for who comes next.
            let after = before(&self.0, next);
            if let Some(location) = self.0.get_mut(at) {
                *location = after;
            }
            at = after;
        }
    }

    /// Makes one of the groups of two members.
    pub(super) fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        if let Some(location) = self.0.get_mut(one.max(other)) {
            *location = one.min(other);
        }
    }
}
