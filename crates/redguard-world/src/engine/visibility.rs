//! Visibility and updates: the cells around the camera and the lists of visibility trees.

/// The side length of a cell in world units.
pub const CELL: i32 = 512;

/// Cells along a side of the updated area.
const UPDATED_CELLS: i32 = 18;

/// The distance from the view to the first updated cell, in world units.
const UPDATE_DISTANCE: i32 = 4608;

/// The largest position of the first updated cell.
const MAX_START: i32 = 56_319;

/// Whether inactive actors at a position are updated for a camera at `view`, both in world units. The updated area consists of 18 x 18
/// cells without the corner cells; its outermost ring excludes actors with attribute 113. Active actors are always updated. \[E\]
#[must_use]
pub fn is_updated(view: [i32; 3], position: [i32; 3], attribute_113: i32) -> bool {
    let [[view_x, _, view_z], [x, _, z]] = [view, position];
    let index = |view: i32, position: i32| {
        let start = view.saturating_sub(UPDATE_DISTANCE).clamp(0, MAX_START) >> 9;
        (position >> 9).saturating_sub(start)
    };
    let (x, z) = (index(view_x, x), index(view_z, z));
    let is_outermost = |index: i32| index == 0 || index == UPDATED_CELLS.saturating_sub(1);
    let is_inside = (0..UPDATED_CELLS).contains(&x) && (0..UPDATED_CELLS).contains(&z);
    is_inside
        && !(is_outermost(x) && is_outermost(z))
        && (attribute_113 == 0 || !(is_outermost(x) || is_outermost(z)))
}

/// The properties of an actor that determine its number in visibility trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    /// Position in world units.
    pub position: [i32; 3],
    /// Whether its placement is active.
    pub is_active: bool,
    /// Attribute 122: nonzero for actors that visibility trees contain.
    pub attribute_122: i32,
}

/// Builds the secondary table of visibility trees: the indices of the actors with attribute 122, first the inactive ones cell by cell (rows
/// of Z, then X), then the active ones. \[E\]
#[must_use]
pub fn secondary(actors: &[Actor]) -> Vec<usize> {
    let listed = || actors.iter().enumerate().filter(|(_, actor)| actor.attribute_122 != 0);
    let cell = |actor: &Actor| {
        let [x, _, z] = actor.position;
        (z.div_euclid(CELL), x.div_euclid(CELL))
    };
    let mut inactive: Vec<_> = listed().filter(|(_, actor)| !actor.is_active).collect();
    inactive.sort_by_key(|(_, actor)| cell(actor));
    let active = listed().filter(|(_, actor)| actor.is_active);
    inactive.into_iter().chain(active).map(|(number, _)| number).collect()
}

/// The object that a number of a visibility tree refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisibleObject {
    /// A static of the map.
    Static(usize),
    /// An entry of the [`secondary`] table.
    Secondary(usize),
}

impl VisibleObject {
    /// Returns the object for a number, on a map with `statics` static objects. \[E\]
    #[must_use]
    pub fn of(number: u16, statics: usize) -> Self {
        let number = usize::from(number);
        number.checked_sub(statics).map_or(Self::Static(number), Self::Secondary)
    }
}

/// Whether an object with a number in the visibility tree is drawn, given the list of the camera's cell. An empty list restricts nothing.
/// Terrain, effects and flats do not use the list. \[E\]
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
        // The camera is in cell 64; the first of the 18 cells is 64 - 9 = 55.
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
        // At the edge of the map, the cells begin at the edge: 56319 / 512 = 109, and 109 + 17 = 126.
        assert!(!is_updated([0; 3], [17 * 512, 0, 0], 0) && is_updated([0; 3], [16 * 512, 0, 512], 0));
        assert!(is_updated([65_535; 3], [126 * 512, 0, 120 * 512], 0));
    }

    #[test]
    fn the_secondary_table_is_ordered_by_cell_and_ends_with_active_actors() {
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
            [9, 10, 12].map(|number| VisibleObject::of(number, 10)),
            [VisibleObject::Static(9), VisibleObject::Secondary(0), VisibleObject::Secondary(2)]
        );
        assert!(is_drawn(&[], 7) && is_drawn(&[3, 7], 7) && !is_drawn(&[3], 7));
    }
}
