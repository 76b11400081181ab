//! Finds the statics visible from each cell, with rays between them.
//!
//! If a static is visible from a position, it is also visible from all positions on the way to it. Therefore visibility propagates outward
//! from each static: a cell is tested when a neighbor that is closer to the static sees it, with rays to the point that the neighbor saw
//! and to other points of the static. No rays are spent on statics that are hidden all around.
//!
//! Rays begin in a cell or slightly outside it, and aim at the static or slightly past it, so that the result is conservative.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::Vec3A;
use light::parallel;
use record::{Error, Result};

use super::advice;
use super::cell::Cell;
use super::cells::Cells;
use super::limits::Limits;
use super::number::{mixed, of_count, shares};
use super::scenery::{Body, Scenery};

/// Distance outside a cell at which rays may begin, as a fraction of the cell size.
const CELL_MARGIN: f32 = 0.03125;

/// Distance past a static at which rays may aim, in world units.
const BODY_MARGIN: f32 = 4.0;

/// Fraction of neighbors that must see a static for the cell to see it too: rays may have missed a gap.
const NEIGHBOR_SHARE: f32 = 0.1;

/// Maximum number of rounds of propagation.
const MAX_ROUNDS: u32 = 1 << 12;

/// Parameters of the search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Number of rays for each neighbor that sees a static.
    pub(super) rays: u32,
    /// Maximum view distance in world units.
    pub(super) far: f32,
}

/// A visible static, and a seed that determines the point on it that a ray reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Sighting {
    owner: u16,
    aim: u32,
}

/// Numbers of the statics visible from each cell.
pub(super) type VisibleSets = Vec<Vec<u16>>;

/// New sightings of cells in a round, which their neighbors then test, sorted by cell index.
type Updates = Vec<(u32, Vec<Sighting>)>;

/// Finds the statics visible from all cells. Reports progress from 0 to 1.
///
/// # Errors
/// When there are too many pairs.
pub(super) fn find(
    scenery: &Scenery,
    cells: &Cells,
    (effort, limits): (Effort, Limits),
    progress: &(dyn Fn(f32) + Sync),
) -> Result<VisibleSets> {
    let count = u32::try_from(cells.cells.len()).unwrap_or(u32::MAX);
    let propagation = Propagation { scenery, cells, effort };
    let mut seen: VisibleSets = vec![Vec::new(); cells.cells.len()];
    let mut updates = propagation.initial_sightings(limits, &mut seen)?;
    let mut pairs: usize = seen.iter().map(Vec::len).sum();
    // The number of rounds equals the number of cells on the way to the farthest static.
    let expected = (effort.far / super::number::single(cells.step.into())).max(1.0) + 4.0;
    for round in 0..MAX_ROUNDS {
        for (cell, updates) in &updates {
            let Some(seen) = usize::try_from(*cell).ok().and_then(|cell| seen.get_mut(cell)) else {
                continue;
            };
            seen.extend(updates.iter().map(|sighting| sighting.owner));
            seen.sort_unstable();
            pairs = pairs.saturating_add(updates.len());
        }
        if updates.is_empty() {
            break;
        }
        let round = of_count(usize::try_from(round).unwrap_or(usize::MAX));
        progress((round / expected).min(0.99));
        let affected_cells = propagation.affected_cells(&updates);
        let count = AtomicUsize::new(pairs);
        let received = parallel::map(&affected_cells, |_, cell| {
            if count.load(Ordering::Relaxed) > limits.pairs {
                return Vec::new();
            }
            let mut received = propagation.new_sightings(*cell, &updates, of(&seen, *cell));
            received.shrink_to_fit();
            count.fetch_add(received.len(), Ordering::Relaxed);
            received
        });
        if count.into_inner() > limits.pairs {
            return Err(too_many(cells));
        }
        updates =
            affected_cells.into_iter().zip(received).filter(|(_, received)| !received.is_empty()).collect();
    }
    let numbers: Vec<u32> = (0..count).collect();
    let all = parallel::map(&numbers, |_, cell| propagation.with_neighbors(*cell, &seen));
    progress(1.0);
    Ok(all)
}

fn too_many(cells: &Cells) -> Error {
    let (count, step) = (cells.cells.len(), cells.step);
    Error::limit(format!(
        "too many statics are visible from the {count} cells of {step} units{}",
        advice(step)
    ))
}

/// The list of a cell.
fn of<T>(lists: &[Vec<T>], cell: u32) -> &[T] {
    usize::try_from(cell).ok().and_then(|cell| lists.get(cell)).map_or(&[], Vec::as_slice)
}

struct Propagation<'a> {
    scenery: &'a Scenery,
    cells: &'a Cells,
    effort: Effort,
}

/// Number of ray origins of a cell.
const ORIGINS: u32 = 64;

impl Propagation<'_> {
    fn cell(&self, number: u32) -> Option<&Cell> {
        self.cells.cells.get(usize::try_from(number).ok()?)
    }

    fn body(&self, number: u16) -> Option<&Body> {
        self.scenery.bodies.get(usize::from(number))
    }

    fn middle(&self, number: u32) -> Option<Vec3A> {
        let (min, max) = self.cells.bounds(self.cell(number)?);
        Some((min + max) * 0.5)
    }

    /// A point on or slightly past a static.
    fn aim(&self, sighting: Sighting) -> Option<Vec3A> {
        let seed = mixed(u64::from(sighting.owner) << 32 | u64::from(sighting.aim));
        let [x, y, z, _] = shares(seed.wrapping_add(1));
        let offset = (Vec3A::new(x, y, z) * 2.0 - 1.0) * BODY_MARGIN;
        Some(self.body(sighting.owner)?.sample_point(shares(seed)) + offset)
    }

    /// The statics in or next to each cell, which its neighbors test. Statics of unknown shape are visible from everywhere within the view
    /// distance: they are added to `seen` immediately.
    fn initial_sightings(&self, limits: Limits, seen: &mut VisibleSets) -> Result<Updates> {
        let mut updates: Vec<Vec<Sighting>> = vec![Vec::new(); self.cells.cells.len()];
        let mut pairs = 0_usize;
        for (owner, body) in self.scenery.bodies.iter().enumerate() {
            let owner = u16::try_from(owner)
                .map_err(|_| Error::limit("too many statics for a visibility tree (limit: 65,536)"))?;
            let reach = if body.is_unknown() { self.effort.far } else { BODY_MARGIN };
            let touched = self.cells.touched(body.min - reach, body.max + reach);
            pairs = pairs.saturating_add(touched.len());
            if pairs > limits.pairs {
                return Err(too_many(self.cells));
            }
            for cell in touched {
                let Ok(index) = usize::try_from(cell) else { continue };
                if body.is_unknown() {
                    seen.get_mut(index).into_iter().for_each(|seen| seen.push(owner));
                } else {
                    let sighting = Sighting { owner, aim: cell };
                    updates.get_mut(index).into_iter().for_each(|updates| updates.push(sighting));
                }
            }
        }
        Ok((0..).zip(updates).filter(|(_, updates)| !updates.is_empty()).collect())
    }

    /// Indices of the neighbors of updated cells, sorted.
    fn affected_cells(&self, updates: &Updates) -> Vec<u32> {
        let mut is_affected = vec![false; self.cells.cells.len()];
        for cell in updates
            .iter()
            .filter_map(|(cell, _)| self.cell(*cell))
            .flat_map(|cell| self.cells.neighbors(cell))
        {
            if let Some(is_affected) = usize::try_from(cell).ok().and_then(|cell| is_affected.get_mut(cell)) {
                *is_affected = true;
            }
        }
        (0..).zip(is_affected).filter(|(_, is_affected)| *is_affected).map(|(cell, _)| cell).collect()
    }

    /// Returns the sightings of neighbors that are visible from a cell and new to it.
    fn new_sightings(&self, number: u32, updates: &Updates, known: &[u16]) -> Vec<Sighting> {
        let (Some(cell), Some(middle)) = (self.cell(number), self.middle(number)) else { return Vec::new() };
        let (min, max) = self.cells.bounds(cell);
        let mut received: Vec<(Sighting, u32)> = Vec::new();
        for neighbor in self.cells.neighbors(cell) {
            let Ok(index) = updates.binary_search_by_key(&neighbor, |(cell, _)| *cell) else { continue };
            let (Some((_, sightings)), Some(from)) = (updates.get(index), self.middle(neighbor)) else {
                continue;
            };
            let is_new = |sighting: &&Sighting| {
                known.binary_search(&sighting.owner).is_err()
                    && self
                        .aim(**sighting)
                        .is_some_and(|aim| from.distance_squared(aim) < middle.distance_squared(aim))
            };
            received.extend(sightings.iter().filter(is_new).map(|sighting| (*sighting, neighbor)));
        }
        if received.is_empty() {
            return Vec::new();
        }
        received.sort_unstable();
        let origins = self.origins(number, cell);
        let far = self.effort.far * self.effort.far;
        let mut out: Vec<Sighting> = Vec::new();
        for sightings in received.chunk_by(|(one, _), (next, _)| one.owner == next.owner) {
            let Some((first, _)) = sightings.first() else { continue };
            let Some(body) = self.body(first.owner) else { continue };
            if body.distance_squared(min, max) <= far {
                out.extend(self.find(number, sightings, &origins));
            }
        }
        out
    }

    /// The statics visible from a cell, and those visible from enough of its neighbors.
    fn with_neighbors(&self, number: u32, seen: &VisibleSets) -> Vec<u16> {
        let neighbors = self.cell(number).map(|cell| self.cells.neighbors(cell)).unwrap_or_default();
        let required = of_count(neighbors.len()) * NEIGHBOR_SHARE;
        let mut votes: Vec<u16> = neighbors.iter().flat_map(|cell| of(seen, *cell)).copied().collect();
        votes.sort_unstable();
        let bounds = self.cell(number).map(|cell| self.cells.bounds(cell));
        let is_near = |owner: u16| {
            let body = self.body(owner).zip(bounds);
            body.is_some_and(|(body, (min, max))| {
                body.distance_squared(min, max) <= self.effort.far * self.effort.far
            })
        };
        let majority = votes
            .chunk_by(|one, next| one == next)
            .filter(|votes| of_count(votes.len()) >= required)
            .filter_map(|votes| votes.first().copied())
            .filter(|owner| is_near(*owner));
        let mut out: Vec<u16> = majority.chain(of(seen, number).iter().copied()).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Searches for a point on a static that a ray from a cell reaches, with rays to the points that neighbors saw and to other points.
    fn find(&self, number: u32, sightings: &[(Sighting, u32)], origins: &[Vec3A]) -> Option<Sighting> {
        let (first, _) = sightings.first()?;
        let mut last = usize::MAX;
        let seed = mixed(u64::from(number) << 32 | u64::from(first.owner));
        let mut attempt = super::number::low(seed);
        let mut test = |sighting: Sighting| {
            attempt = attempt.wrapping_add(1);
            let origin = origins.get(usize::try_from(attempt).ok()?.checked_rem(origins.len())?)?;
            let aim = self.aim(sighting)?;
            (!self.scenery.opaque.hides(*origin, aim, sighting.owner.into(), &mut last)).then_some(sighting)
        };
        // Use a new point for each neighbor first: otherwise the number of distinct points would shrink from round to round.
        for (reported, neighbor) in sightings {
            let fresh = mixed(seed ^ u64::from(*neighbor));
            for ray in 0..self.effort.rays {
                let aim = super::number::low(fresh).wrapping_add(ray);
                let sighting = if ray.is_multiple_of(3) { Sighting { aim, ..*reported } } else { *reported };
                if let Some(found) = test(sighting) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Ray origins in a cell and slightly outside it; none is below the ground, unless the entire cell is.
    fn origins(&self, number: u32, cell: &Cell) -> Vec<Vec3A> {
        let (min, max) = self.cells.bounds(cell);
        let offset = (max - min) * CELL_MARGIN;
        let (min, size) = (min - offset, max - min + offset * 2.0);
        let is_open = |position: &Vec3A| {
            let down = self.scenery.ground.as_ref().and_then(|ground| ground.down(position.x, position.z));
            cell.is_buried || down.is_none_or(|down| position.y <= down)
        };
        let position = |index: u32| {
            let [x, y, z, _] = shares(u64::from(number) << 32 | u64::from(index));
            min + size * Vec3A::new(x, y, z)
        };
        let count = usize::try_from(ORIGINS).unwrap_or(usize::MAX);
        (0..ORIGINS.saturating_mul(4)).map(position).filter(is_open).take(count).collect()
    }
}
