//! What is seen and what is updated, by cells and by the lists of visibility trees.

/// World units along a side of a cell.
pub const CELL: i32 = 512;

/// Cells along a side of what is updated.
const UPDATED: i32 = 18;

/// From the view to the first cell that is updated, in world units.
const BEFORE: i32 = 4608;

/// The greatest position of the first cell that is updated.
const LAST_START: i32 = 56_319;

/// Whether inactive actors at a position are updated when the camera is at a view, both in world units: in 18 x 18 cells without their
/// corners, whose outermost ring leaves out actors with attribute 113. Active ones always are. \[E\]
#[must_use]
pub fn is_updated(view: [i32; 3], position: [i32; 3], attribute_113: i32) -> bool {
    let [[view_x, _, view_z], [x, _, z]] = [view, position];
    let place = |view: i32, position: i32| {
        let start = view.saturating_sub(BEFORE).clamp(0, LAST_START) >> 9;
        (position >> 9).saturating_sub(start)
    };
    let (x, z) = (place(view_x, x), place(view_z, z));
    let is_last = |place: i32| place == 0 || place == UPDATED.saturating_sub(1);
    let is_inside = (0..UPDATED).contains(&x) && (0..UPDATED).contains(&z);
    is_inside && !(is_last(x) && is_last(z)) && (attribute_113 == 0 || !(is_last(x) || is_last(z)))
}

/// An actor, by what its number in visibility trees depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    /// Its position in world units.
    pub position: [i32; 3],
    /// Whether its placement is active.
    pub is_active: bool,
    /// Its attribute 122: not 0 for actors that visibility trees know.
    pub attribute_122: i32,
}

/// The secondary table of visibility trees: the actors, by their numbers here, with attribute 122, cell by cell (rows of Z, then X), then the active
/// ones. \[E\]
#[must_use]
pub fn secondary(actors: &[Actor]) -> Vec<usize> {
    let known = || actors.iter().enumerate().filter(|(_, actor)| actor.attribute_122 != 0);
    let cell = |actor: &Actor| {
        let [x, _, z] = actor.position;
        (z.div_euclid(CELL), x.div_euclid(CELL))
    };
    let mut still: Vec<_> = known().filter(|(_, actor)| !actor.is_active).collect();
    still.sort_by_key(|(_, actor)| cell(actor));
    let active = known().filter(|(_, actor)| actor.is_active);
    still.into_iter().chain(active).map(|(number, _)| number).collect()
}

/// What a number of a visibility tree means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// A static of the map.
    Static(usize),
    /// An entry of the [`secondary`] table.
    Secondary(usize),
}

impl Known {
    /// That of a number on a map with so many statics. \[E\]
    #[must_use]
    pub fn of(number: u16, statics: usize) -> Self {
        let number = usize::from(number);
        number.checked_sub(statics).map_or(Self::Static(number), Self::Secondary)
    }
}

/// Whether a thing is drawn that a visibility tree may know, with the list of the camera's cell: an empty list restricts nothing. Terrain, effects
/// and flats are not asked. \[E\]
#[must_use]
pub fn is_drawn(list: &[u16], number: u16) -> bool {
    list.is_empty() || list.contains(&number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_around_the_camera_are_updated_without_their_corners() {
        let at = |x: i32, z: i32, attribute| is_updated([32_768, 0, 32_768], [x, -50, z], attribute);
        // Cell 64 is that of the camera, and 64 - 9 = 55 the first of 18.
        let first = 55 * 512;
        let last = 72 * 512 + 511;
        assert!(
            at(first, 32_768, 0)
                && at(last, 32_768, 0)
                && !at(first - 1, 32_768, 0)
                && !at(last + 1, 32_768, 0)
        );
        assert!(!at(first, first, 0) && !at(last, first, 0) && at(first + 512, first, 0));
        assert!(!at(first, 32_768, 1) && at(first + 512, 32_768, 1));
        // At the edge of the map the cells begin there: 56319 / 512 = 109, and 109 + 17 = 126.
        assert!(!is_updated([0; 3], [17 * 512, 0, 0], 0) && is_updated([0; 3], [16 * 512, 0, 512], 0));
        assert!(is_updated([65_535; 3], [126 * 512, 0, 120 * 512], 0));
    }

    #[test]
    fn the_secondary_table_goes_cell_by_cell_and_ends_with_what_is_active() {
        let actor = |x, z, is_active, attribute_122| Actor { position: [x, 0, z], is_active, attribute_122 };
        let actors = [
            actor(0, 600, false, 1),
            actor(600, 0, false, 1),
            actor(0, 0, true, 1),
            actor(0, 0, false, 0),
            actor(100, 100, false, 1),
            actor(90, 90, false, 1),
        ];
        assert_eq!(secondary(&actors), [4, 5, 1, 0, 2]);
    }

    #[test]
    fn numbers_beyond_the_statics_are_secondary() {
        assert_eq!(
            [9, 10, 12].map(|number| Known::of(number, 10)),
            [Known::Static(9), Known::Secondary(0), Known::Secondary(2)]
        );
        assert!(is_drawn(&[], 7) && is_drawn(&[3, 7], 7) && !is_drawn(&[3], 7));
    }
}
