//! Which cell is at a place.

use super::cell::{BURIED, Cell, LARGEST, NONE};

/// The number of the cell at each place of a cube. Cubes of the largest cells have a slot each; one with smaller cells has a node with a slot for each of its
/// eighths, and so on.
#[derive(Debug)]
pub(super) struct Lookup {
    /// The side of the cubes, in places.
    side: u32,
    /// How many cubes there are along a side.
    along: u32,
    cubes: Vec<Slot>,
    nodes: Vec<[Slot; 8]>,
}

/// The number of a cell, [`NONE`], [`BURIED`], or [`DIVIDED`] with the index of a node.
type Slot = u32;

/// The bit of slots that lead to a node. There are fewer cells and nodes.
const DIVIDED: u32 = 1 << 31;

impl Lookup {
    /// A cube with so many places along a side, a power of two, and no cells.
    pub(super) fn new(along: u32) -> Self {
        let side = along.clamp(1, LARGEST);
        let along = along.wrapping_shr(side.trailing_zeros());
        Self { side, along, cubes: vec![NONE; super::cell::cube(along)], nodes: Vec::new() }
    }

    /// Puts a number at all places of a cell.
    pub(super) fn put(&mut self, cell: &Cell, number: u32) {
        let [x, y, z] = cell.at.map(|start| {
            let last = start.saturating_add(cell.size.saturating_sub(1));
            self.cube(start)..=self.cube(last)
        });
        for at in x
            .flat_map(|x| y.clone().map(move |y| (x, y)))
            .flat_map(|(x, y)| z.clone().map(move |z| [x, y, z]))
        {
            let place = super::cell::place(at, self.along);
            if cell.size >= self.side {
                if let Some(slot) = self.cubes.get_mut(place) {
                    *slot = number;
                }
            } else {
                self.put_inside(place, cell, number);
            }
        }
    }

    /// Puts a number at all places of a cell that is smaller than its cube.
    fn put_inside(&mut self, cube: usize, cell: &Cell, number: u32) {
        let Some(slot) = self.cubes.get_mut(cube) else { return };
        let mut half = self.side / 2;
        let mut node = divided(slot, &mut self.nodes);
        while half > cell.size {
            let eighth = eighth(cell.at, half);
            let Some(mut slot) = self.nodes.get(node).and_then(|slots| slots.get(eighth)).copied() else {
                return;
            };
            let below = divided(&mut slot, &mut self.nodes);
            if let Some(place) = self.nodes.get_mut(node).and_then(|slots| slots.get_mut(eighth)) {
                *place = slot;
            }
            (node, half) = (below, half / 2);
        }
        if let Some(place) = self.nodes.get_mut(node).and_then(|slots| slots.get_mut(eighth(cell.at, half))) {
            *place = number;
        }
    }

    /// In which of the cubes along a side a place is.
    const fn cube(&self, number: u32) -> u32 {
        number.wrapping_shr(self.side.trailing_zeros())
    }

    /// The number at a place, which is within the cube.
    pub(super) fn get(&self, at: [u32; 3]) -> u32 {
        let cube = super::cell::place(at.map(|number| self.cube(number)), self.along);
        let (mut slot, mut half) = (self.cubes.get(cube).copied().unwrap_or(NONE), self.side / 2);
        while let Some(node) = node_of(slot) {
            slot =
                self.nodes.get(node).and_then(|slots| slots.get(eighth(at, half))).copied().unwrap_or(NONE);
            half /= 2;
        }
        slot
    }
}

/// The node that a slot leads to.
fn node_of(slot: Slot) -> Option<usize> {
    (slot < BURIED && slot & DIVIDED != 0).then(|| usize::try_from(slot & !DIVIDED).unwrap_or(usize::MAX))
}

/// The node that a slot leads to; a new one where it has the same number everywhere.
fn divided(slot: &mut Slot, nodes: &mut Vec<[Slot; 8]>) -> usize {
    node_of(*slot).unwrap_or_else(|| {
        let node = nodes.len();
        nodes.push([*slot; 8]);
        *slot = u32::try_from(node).unwrap_or_default() | DIVIDED;
        node
    })
}

/// Which eighth of a cube a place is in, whose eighths have a side of so many places, as with [`Cell::child`].
fn eighth([x, y, z]: [u32; 3], half: u32) -> usize {
    let bit = |number: u32| usize::from(number & half != 0);
    bit(x) << 2 | bit(y) << 1 | bit(z)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_place_has_the_number_that_was_put_there_last(
            log in 0_u32..6,
            cells in proptest::collection::vec((any::<[u32; 3]>(), 0_u32..6), 0..40),
        ) {
            let along = 1 << log;
            let mut lookup = Lookup::new(along);
            let mut plain = vec![NONE; super::super::cell::cube(along)];
            for (number, (at, size)) in (0..).zip(cells) {
                let size = 1 << size.min(log);
                let cell = Cell { at: at.map(|it| it % along / size * size), size, is_buried: false };
                let number = if number % 7 == 0 { BURIED } else { number };
                lookup.put(&cell, number);
                for x in 0..size {
                    for y in 0..size {
                        for z in 0..size {
                            let at = [cell.at[0] + x, cell.at[1] + y, cell.at[2] + z];
                            plain[super::super::cell::place(at, along)] = number;
                        }
                    }
                }
            }
            for x in 0..along {
                for y in 0..along {
                    for z in 0..along {
                        let at = [x, y, z];
                        prop_assert_eq!(lookup.get(at), plain[super::super::cell::place(at, along)]);
                    }
                }
            }
        }
    }
}
