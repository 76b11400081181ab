//! Cells that see nearly the same become one.

use super::cell::{BURIED, Cell};
use super::cells::Cells;
use super::sight::Sights;

/// What a part of the cube sees.
#[derive(Debug)]
pub(super) enum Part {
    /// No cell is here.
    Nothing,
    /// All of it is below the ground: nobody looks from there.
    Buried,
    /// Everything here sees the same.
    Whole(Set),
    /// Its eighths differ.
    Divided(Box<[Part; 8]>),
}

/// The statics that are seen.
#[derive(Debug, Clone)]
pub(super) struct Set {
    /// Their numbers, sorted.
    pub(super) objects: Vec<u16>,
    /// How many each of the smallest cells in it saw, all together, and how many cells those are.
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

    /// By what share it has more than its cells saw.
    fn excess(&self) -> f64 {
        let count = f64::from(u32::try_from(self.objects.len()).unwrap_or(u32::MAX));
        if self.total > 0.0 { count * self.cells / self.total - 1.0 } else { 0.0 }
    }
}

/// The tree of what is seen. Eighths become one where that shows at most this share more.
pub(super) fn merged(cells: &Cells, sights: &Sights, most: f64) -> Part {
    part(Cell { at: [0; 3], size: cells.along, is_buried: false }, cells, sights, most)
}

fn part(cell: Cell, cells: &Cells, sights: &Sights, most: f64) -> Part {
    let number = cells.number(cell.at);
    let place = usize::try_from(number).unwrap_or(usize::MAX);
    if let (Some(known), Some(objects)) = (cells.cells.get(place), sights.get(place))
        && (known.at, known.size) == (cell.at, cell.size)
    {
        let volume = f64::from(cell.size).powi(3);
        let count = f64::from(u32::try_from(objects.len()).unwrap_or(u32::MAX));
        return Part::Whole(Set { objects: objects.clone(), total: count * volume, cells: volume });
    }
    if cell.size == 1 {
        return if number == BURIED { Part::Buried } else { Part::Nothing };
    }
    let parts = [0, 1, 2, 3, 4, 5, 6, 7].map(|eighth| part(cell.child(eighth), cells, sights, most));
    if parts.iter().all(|part| matches!(part, Part::Nothing)) {
        return Part::Nothing;
    }
    if parts.iter().all(|part| matches!(part, Part::Buried)) {
        return Part::Buried;
    }
    let sets: Vec<&Set> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Whole(set) => Some(set),
            _ => None,
        })
        .collect();
    let is_joinable = parts.iter().all(|part| matches!(part, Part::Whole(_) | Part::Buried));
    if is_joinable {
        let all = Set::join(&sets);
        if all.excess() <= most {
            return Part::Whole(all);
        }
    }
    Part::Divided(Box::new(parts))
}
