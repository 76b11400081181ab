//! Merges cells from which nearly the same statics are visible.

use super::cell::{BURIED, Cell};
use super::cells::Cells;
use super::propagate::VisibleSets;

/// Visibility from a region of the cube.
#[derive(Debug)]
pub(super) enum Region {
    /// The region has no cells.
    Empty,
    /// The entire region is below the ground, where the camera never is.
    Buried,
    /// The same statics are visible from the entire region.
    Uniform(Set),
    /// The octants differ.
    Divided(Box<[Region; 8]>),
}

/// Statics visible from a region.
#[derive(Debug, Clone)]
pub(super) struct Set {
    /// Numbers of the statics, sorted.
    pub(super) objects: Vec<u16>,
    /// Total number of statics visible from each of the smallest cells of the region, and the number of these cells.
    total: f64,
    cells: f64,
}

impl Set {
    fn join(sets: &[&Self]) -> Self {
        let mut objects: Vec<u16> = sets.iter().flat_map(|set| set.objects.iter().copied()).collect();
        objects.sort_unstable();
        objects.dedup();
        let total = sets.iter().map(|set| set.total).sum();
        Self { objects, total, cells: sets.iter().map(|set| set.cells).sum() }
    }

    /// Fraction by which the set exceeds the average of its cells.
    fn excess(&self) -> f64 {
        let count = f64::from(u32::try_from(self.objects.len()).unwrap_or(u32::MAX));
        if self.total > 0.0 { count * self.cells / self.total - 1.0 } else { 0.0 }
    }
}

/// Builds the tree of visible statics. Octants are merged if that adds at most this fraction of statics.
pub(super) fn merged(cells: &Cells, visible_sets: &VisibleSets, max_excess: f64) -> Region {
    region(Cell { at: [0; 3], size: cells.width, is_buried: false }, cells, visible_sets, max_excess)
}

fn region(cell: Cell, cells: &Cells, visible_sets: &VisibleSets, max_excess: f64) -> Region {
    let number = cells.number(cell.at);
    let index = usize::try_from(number).unwrap_or(usize::MAX);
    if let (Some(existing), Some(objects)) = (cells.cells.get(index), visible_sets.get(index))
        && (existing.at, existing.size) == (cell.at, cell.size)
    {
        let volume = f64::from(cell.size).powi(3);
        let count = f64::from(u32::try_from(objects.len()).unwrap_or(u32::MAX));
        return Region::Uniform(Set { objects: objects.clone(), total: count * volume, cells: volume });
    }
    if cell.size == 1 {
        return if number == BURIED { Region::Buried } else { Region::Empty };
    }
    let regions =
        [0, 1, 2, 3, 4, 5, 6, 7].map(|octant| region(cell.child(octant), cells, visible_sets, max_excess));
    if regions.iter().all(|region| matches!(region, Region::Empty)) {
        return Region::Empty;
    }
    if regions.iter().all(|region| matches!(region, Region::Buried)) {
        return Region::Buried;
    }
    let sets: Vec<&Set> = regions
        .iter()
        .filter_map(|region| match region {
            Region::Uniform(set) => Some(set),
            _ => None,
        })
        .collect();
    let is_joinable = regions.iter().all(|region| matches!(region, Region::Uniform(_) | Region::Buried));
    if is_joinable {
        let all = Set::join(&sets);
        if all.excess() <= max_excess {
            return Region::Uniform(all);
        }
    }
    Region::Divided(Box::new(regions))
}
