//! A cell of a tree being built, and indices of cells in a cube.

/// A cell; positions are in steps of the smallest cells from the corner of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) at: [u32; 3],
    /// Side length in steps: a power of two.
    pub(super) size: u32,
    /// Whether the entire cell is below the ground.
    pub(super) is_buried: bool,
}

/// Marker of a missing cell.
pub(super) const NONE: u32 = u32::MAX;

/// Marker of a missing cell that is entirely below the ground.
pub(super) const BURIED: u32 = u32::MAX - 1;

/// Maximum side length of a cell in steps.
pub(super) const MAX_CELL_SIZE: u32 = 8;

/// Number of positions in a cube.
pub(super) fn cube(side: u32) -> usize {
    usize::try_from(u64::from(side).saturating_pow(3)).unwrap_or(usize::MAX)
}

/// Index of a position in a cube.
pub(super) fn index([x, y, z]: [u32; 3], side: u32) -> usize {
    let [x, y, z, side] = [x, y, z, side].map(u64::from);
    let index = x.saturating_mul(side).saturating_add(y).saturating_mul(side).saturating_add(z);
    usize::try_from(index).unwrap_or(usize::MAX)
}

impl Cell {
    /// One of the eight octants: bit 0 of the index is greater Z, bit 1 greater Y, bit 2 greater X.
    pub(super) fn child(&self, octant: u32) -> Self {
        let size = self.size / 2;
        let [x, y, z] = self.at;
        let beyond =
            |start: u32, bit: u32| if octant & bit != 0 { start.saturating_add(size) } else { start };
        Self { at: [beyond(x, 4), beyond(y, 2), beyond(z, 1)], size, is_buried: false }
    }
}
