//! Finds the cell at a position.

use super::cell::{BURIED, Cell, MAX_CELL_SIZE, NONE};

/// Index of the cell at each position of a cube. The space is divided into blocks of the size of the largest cells, each with a slot; a
/// block with smaller cells has a node with a slot for each octant, and so on recursively.
#[derive(Debug)]
pub(super) struct Lookup {
    /// Side length of the blocks in steps.
    side: u32,
    /// Number of blocks along each side.
    width: u32,
    cubes: Vec<Slot>,
    nodes: Vec<[Slot; 8]>,
}

/// The index of a cell, [`NONE`], [`BURIED`], or [`DIVIDED`] with the index of a node.
type Slot = u32;

/// The bit of slots that refer to a node. There are fewer cells and nodes.
const DIVIDED: u32 = 1 << 31;

impl Lookup {
    /// Creates a lookup without cells for a cube with a side length in steps that is a power of two.
    pub(super) fn new(width: u32) -> Self {
        let side = width.clamp(1, MAX_CELL_SIZE);
        let width = width.wrapping_shr(side.trailing_zeros());
        Self { side, width, cubes: vec![NONE; super::cell::cube(width)], nodes: Vec::new() }
    }

    /// Sets the index at all positions of a cell.
    pub(super) fn set(&mut self, cell: &Cell, number: u32) {
        let [x, y, z] = cell.at.map(|start| {
            let last = start.saturating_add(cell.size.saturating_sub(1));
            self.cube(start)..=self.cube(last)
        });
        for at in x
            .flat_map(|x| y.clone().map(move |y| (x, y)))
            .flat_map(|(x, y)| z.clone().map(move |z| [x, y, z]))
        {
            let index = super::cell::index(at, self.width);
            if cell.size >= self.side {
                if let Some(slot) = self.cubes.get_mut(index) {
                    *slot = number;
                }
            } else {
                self.set_inside(index, cell, number);
            }
        }
    }

    /// Sets the index at all positions of a cell that is smaller than its block.
    fn set_inside(&mut self, cube: usize, cell: &Cell, number: u32) {
        let Some(slot) = self.cubes.get_mut(cube) else { return };
        let mut half = self.side / 2;
        let mut node = divided(slot, &mut self.nodes);
        while half > cell.size {
            let octant = octant(cell.at, half);
            let Some(mut slot) = self.nodes.get(node).and_then(|slots| slots.get(octant)).copied() else {
                return;
            };
            let below = divided(&mut slot, &mut self.nodes);
            if let Some(target) = self.nodes.get_mut(node).and_then(|slots| slots.get_mut(octant)) {
                *target = slot;
            }
            (node, half) = (below, half / 2);
        }
        if let Some(target) = self.nodes.get_mut(node).and_then(|slots| slots.get_mut(octant(cell.at, half)))
        {
            *target = number;
        }
    }

    /// Index along one axis of the block that contains a coordinate.
    const fn cube(&self, number: u32) -> u32 {
        number.wrapping_shr(self.side.trailing_zeros())
    }

    /// Returns the index at a position, which must be within the cube.
    pub(super) fn get(&self, at: [u32; 3]) -> u32 {
        let cube = super::cell::index(at.map(|number| self.cube(number)), self.width);
        let (mut slot, mut half) = (self.cubes.get(cube).copied().unwrap_or(NONE), self.side / 2);
        while let Some(node) = node_of(slot) {
            slot =
                self.nodes.get(node).and_then(|slots| slots.get(octant(at, half))).copied().unwrap_or(NONE);
            half /= 2;
        }
        slot
    }
}

/// The node that a slot refers to.
fn node_of(slot: Slot) -> Option<usize> {
    (slot < BURIED && slot & DIVIDED != 0).then(|| usize::try_from(slot & !DIVIDED).unwrap_or(usize::MAX))
}

/// Returns the node that a slot refers to; a slot with a single index is replaced by a new node.
fn divided(slot: &mut Slot, nodes: &mut Vec<[Slot; 8]>) -> usize {
    node_of(*slot).unwrap_or_else(|| {
        let node = nodes.len();
        nodes.push([*slot; 8]);
        *slot = u32::try_from(node).unwrap_or_default() | DIVIDED;
        node
    })
}

/// Index of the octant of a block that contains a position, as in [`Cell::child`]. `half` is the side length of the octants.
fn octant([x, y, z]: [u32; 3], half: u32) -> usize {
    let bit = |number: u32| usize::from(number & half != 0);
    bit(x) << 2 | bit(y) << 1 | bit(z)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn returns_the_last_index_set_at_each_position(
            log in 0_u32..6,
            cells in proptest::collection::vec((any::<[u32; 3]>(), 0_u32..6), 0..40),
        ) {
            let width = 1 << log;
            let mut lookup = Lookup::new(width);
            let mut plain = vec![NONE; super::super::cell::cube(width)];
            for (number, (at, size)) in (0..).zip(cells) {
                let size = 1 << size.min(log);
                let cell = Cell { at: at.map(|start| start % width / size * size), size, is_buried: false };
                let number = if number % 7 == 0 { BURIED } else { number };
                lookup.set(&cell, number);
                for x in 0..size {
                    for y in 0..size {
                        for z in 0..size {
                            let at = [cell.at[0] + x, cell.at[1] + y, cell.at[2] + z];
                            plain[super::super::cell::index(at, width)] = number;
                        }
                    }
                }
            }
            for x in 0..width {
                for y in 0..width {
                    for z in 0..width {
                        let at = [x, y, z];
                        prop_assert_eq!(lookup.get(at), plain[super::super::cell::index(at, width)]);
                    }
                }
            }
        }
    }
}
