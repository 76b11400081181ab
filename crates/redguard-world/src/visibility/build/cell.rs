//! A cell of a tree that is made, and its place in a cube of cells.

/// A cell, in steps of the smallest ones from the corner of the tree on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) at: [u32; 3],
    /// How many of the smallest ones it has along a side: a power of two.
    pub(super) size: u32,
    /// Whether all of it is below the ground.
    pub(super) is_buried: bool,
}

/// No cell.
pub(super) const NONE: u32 = u32::MAX;

/// No cell, because all of it is below the ground.
pub(super) const BURIED: u32 = u32::MAX - 1;

/// The largest cells are so many of the smallest along a side.
pub(super) const LARGEST: u32 = 8;

/// How many places a cube has.
pub(super) fn cube(side: u32) -> usize {
    usize::try_from(u64::from(side).saturating_pow(3)).unwrap_or(usize::MAX)
}

/// The index of a place in a cube.
pub(super) fn place([x, y, z]: [u32; 3], side: u32) -> usize {
    let [x, y, z, side] = [x, y, z, side].map(u64::from);
    let place = x.saturating_mul(side).saturating_add(y).saturating_mul(side).saturating_add(z);
    usize::try_from(place).unwrap_or(usize::MAX)
}

impl Cell {
    /// One of its eighths: bit 0 of the number is greater Z, bit 1 greater Y, bit 2 greater X.
    pub(super) fn child(&self, eighth: u32) -> Self {
        let size = self.size / 2;
        let [x, y, z] = self.at;
        let beyond =
            |start: u32, bit: u32| if eighth & bit != 0 { start.saturating_add(size) } else { start };
        Self { at: [beyond(x, 4), beyond(y, 2), beyond(z, 1)], size, is_buried: false }
    }
}
