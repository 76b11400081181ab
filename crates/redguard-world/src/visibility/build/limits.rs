//! How much is kept while a tree is made.

/// How much is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Cells.
    pub(super) cells: usize,
    /// Pairs of a cell and a static that is seen from it.
    pub(super) pairs: usize,
}

impl Limits {
    /// The limits for those who choose the size of cells: half a gigabyte.
    pub(super) const LARGEST: Self = Self { cells: 1 << 19, pairs: 1 << 26 };
}
