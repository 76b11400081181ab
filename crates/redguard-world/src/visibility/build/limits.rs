//! Limits of memory use while a tree is built.

/// Maximum numbers of items in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Maximum number of cells.
    pub(super) cells: usize,
    /// Maximum number of pairs of a cell and a static visible from it.
    pub(super) pairs: usize,
}

impl Limits {
    /// Limits if the user chooses the size of cells: about half a gigabyte.
    pub(super) const MAX: Self = Self { cells: 1 << 19, pairs: 1 << 26 };
}
