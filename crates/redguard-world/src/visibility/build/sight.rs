//! Which statics are seen from which cells, by rays between them.
//!
//! Where a static is seen from a place, it is seen from all places on the way to it. So sight spreads from each static outwards: a cell is tried when a
//! neighbor that is nearer sees the static, with rays to where the neighbor saw it and to elsewhere on it. No ray is spent on what is hidden all around.
//!
//! Rays begin in a cell or just beside it, and aim at the static or just beside it, so that more is told than is seen.

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

/// Rays begin up to this share of a cell beside it.
const BESIDE_CELL: f32 = 0.03125;

/// Rays aim up to so many world units beside a static.
const BESIDE_BODY: f32 = 4.0;

/// What this share of a cell's neighbors see, the cell sees too: no ray may have found the gap through which it does.
const ENOUGH: f32 = 0.1;

/// Rounds of cells telling their neighbors what they see.
const MOST_ROUNDS: u32 = 1 << 12;

/// How visibility is found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Rays for each neighbor that tells of a static.
    pub(super) rays: u32,
    /// Nothing farther is seen, in world units.
    pub(super) far: f32,
}

/// A static that is seen, and where on it a ray ended: a number from which the place follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Sighting {
    owner: u16,
    aim: u32,
}

/// The statics that are seen from each cell, by their numbers.
pub(super) type Sights = Vec<Vec<u16>>;

/// What is new to cells in a round, which their neighbors then try: sorted by the number of the cell.
type Told = Vec<(u32, Vec<Sighting>)>;

/// Finds what is seen from all cells. Tells how far it is, from 0 to 1.
///
/// # Errors
/// When there are too many pairs.
pub(super) fn find(
    scenery: &Scenery,
    cells: &Cells,
    (effort, limits): (Effort, Limits),
    progress: &(dyn Fn(f32) + Sync),
) -> Result<Sights> {
    let count = u32::try_from(cells.cells.len()).unwrap_or(u32::MAX);
    let looking = Looking { scenery, cells, effort };
    let mut seen: Sights = vec![Vec::new(); cells.cells.len()];
    let mut told = looking.at_hand(limits, &mut seen)?;
    let mut pairs: usize = seen.iter().map(Vec::len).sum();
    // As many rounds as there are cells on the way to the farthest static.
    let expected = (effort.far / super::number::single(cells.step.into())).max(1.0) + 4.0;
    for round in 0..MOST_ROUNDS {
        for (cell, told) in &told {
            let Some(seen) = usize::try_from(*cell).ok().and_then(|cell| seen.get_mut(cell)) else {
                continue;
            };
            seen.extend(told.iter().map(|sighting| sighting.owner));
            seen.sort_unstable();
            pairs = pairs.saturating_add(told.len());
        }
        if told.is_empty() {
            break;
        }
        let round = of_count(usize::try_from(round).unwrap_or(usize::MAX));
        progress((round / expected).min(0.99));
        let listeners = looking.listeners(&told);
        let count = AtomicUsize::new(pairs);
        let heard = parallel::map(&listeners, |_, cell| {
            if count.load(Ordering::Relaxed) > limits.pairs {
                return Vec::new();
            }
            let mut heard = looking.look(*cell, &told, of(&seen, *cell));
            heard.shrink_to_fit();
            count.fetch_add(heard.len(), Ordering::Relaxed);
            heard
        });
        if count.into_inner() > limits.pairs {
            return Err(too_many(cells));
        }
        told = listeners.into_iter().zip(heard).filter(|(_, heard)| !heard.is_empty()).collect();
    }
    let numbers: Vec<u32> = (0..count).collect();
    let all = parallel::map(&numbers, |_, cell| looking.agreed(*cell, &seen));
    progress(1.0);
    Ok(all)
}

fn too_many(cells: &Cells) -> Error {
    let (count, step) = (cells.cells.len(), cells.step);
    Error::limit(format!("too much is seen from the {count} cells of {step}{}", advice(step)))
}

/// The list of a cell.
fn of<T>(lists: &[Vec<T>], cell: u32) -> &[T] {
    usize::try_from(cell).ok().and_then(|cell| lists.get(cell)).map_or(&[], Vec::as_slice)
}

struct Looking<'a> {
    scenery: &'a Scenery,
    cells: &'a Cells,
    effort: Effort,
}

/// So many places a cell is looked from.
const VIEWS: u32 = 64;

impl Looking<'_> {
    fn cell(&self, number: u32) -> Option<&Cell> {
        self.cells.cells.get(usize::try_from(number).ok()?)
    }

    fn body(&self, number: u16) -> Option<&Body> {
        self.scenery.bodies.get(usize::from(number))
    }

    fn middle(&self, number: u32) -> Option<Vec3A> {
        let (least, most) = self.cells.bounds(self.cell(number)?);
        Some((least + most) * 0.5)
    }

    /// A place of a static, or just beside it.
    fn aim(&self, sighting: Sighting) -> Option<Vec3A> {
        let seed = mixed(u64::from(sighting.owner) << 32 | u64::from(sighting.aim));
        let [x, y, z, _] = shares(seed.wrapping_add(1));
        let beside = (Vec3A::new(x, y, z) * 2.0 - 1.0) * BESIDE_BODY;
        Some(self.body(sighting.owner)?.place(shares(seed)) + beside)
    }

    /// The statics in or next to each cell, for its neighbors to try. Statics of unknown shape are seen from everywhere within reach: they are
    /// added to `seen` at once.
    fn at_hand(&self, limits: Limits, seen: &mut Sights) -> Result<Told> {
        let mut told: Vec<Vec<Sighting>> = vec![Vec::new(); self.cells.cells.len()];
        let mut pairs = 0_usize;
        for (owner, body) in self.scenery.bodies.iter().enumerate() {
            let owner = u16::try_from(owner)
                .map_err(|_| Error::limit("a tree has numbers for 65,536 statics at most"))?;
            let reach = if body.is_unknown() { self.effort.far } else { BESIDE_BODY };
            let touched = self.cells.touched(body.least - reach, body.most + reach);
            pairs = pairs.saturating_add(touched.len());
            if pairs > limits.pairs {
                return Err(too_many(self.cells));
            }
            for cell in touched {
                let Ok(place) = usize::try_from(cell) else { continue };
                if body.is_unknown() {
                    seen.get_mut(place).into_iter().for_each(|seen| seen.push(owner));
                } else {
                    let sighting = Sighting { owner, aim: cell };
                    told.get_mut(place).into_iter().for_each(|told| told.push(sighting));
                }
            }
        }
        Ok((0..).zip(told).filter(|(_, told)| !told.is_empty()).collect())
    }

    /// The neighbors of cells to which something is new, sorted.
    fn listeners(&self, told: &Told) -> Vec<u32> {
        let mut hears = vec![false; self.cells.cells.len()];
        for cell in
            told.iter().filter_map(|(cell, _)| self.cell(*cell)).flat_map(|it| self.cells.neighbors(it))
        {
            if let Some(hears) = usize::try_from(cell).ok().and_then(|cell| hears.get_mut(cell)) {
                *hears = true;
            }
        }
        (0..).zip(hears).filter(|(_, hears)| *hears).map(|(cell, _)| cell).collect()
    }

    /// What neighbors told of that is seen from a cell and was not known there.
    fn look(&self, number: u32, told: &Told, known: &[u16]) -> Vec<Sighting> {
        let (Some(cell), Some(middle)) = (self.cell(number), self.middle(number)) else { return Vec::new() };
        let (least, most) = self.cells.bounds(cell);
        let mut heard: Vec<(Sighting, u32)> = Vec::new();
        for neighbor in self.cells.neighbors(cell) {
            let Ok(place) = told.binary_search_by_key(&neighbor, |(cell, _)| *cell) else { continue };
            let (Some((_, sightings)), Some(from)) = (told.get(place), self.middle(neighbor)) else {
                continue;
            };
            let is_new = |sighting: &&Sighting| {
                known.binary_search(&sighting.owner).is_err()
                    && self
                        .aim(**sighting)
                        .is_some_and(|aim| from.distance_squared(aim) < middle.distance_squared(aim))
            };
            heard.extend(sightings.iter().filter(is_new).map(|sighting| (*sighting, neighbor)));
        }
        if heard.is_empty() {
            return Vec::new();
        }
        heard.sort_unstable();
        let views = self.views(number, cell);
        let far = self.effort.far * self.effort.far;
        let mut out: Vec<Sighting> = Vec::new();
        for sightings in heard.chunk_by(|(one, _), (next, _)| one.owner == next.owner) {
            let Some((first, _)) = sightings.first() else { continue };
            let Some(body) = self.body(first.owner) else { continue };
            if body.distance_squared(least, most) <= far {
                out.extend(self.find(number, sightings, &views));
            }
        }
        out
    }

    /// What is seen from a cell, and what enough of its neighbors see.
    fn agreed(&self, number: u32, seen: &Sights) -> Vec<u16> {
        let neighbors = self.cell(number).map(|cell| self.cells.neighbors(cell)).unwrap_or_default();
        let enough = of_count(neighbors.len()) * ENOUGH;
        let mut votes: Vec<u16> = neighbors.iter().flat_map(|cell| of(seen, *cell)).copied().collect();
        votes.sort_unstable();
        let bounds = self.cell(number).map(|cell| self.cells.bounds(cell));
        let is_near = |owner: u16| {
            let body = self.body(owner).zip(bounds);
            body.is_some_and(|(body, (least, most))| {
                body.distance_squared(least, most) <= self.effort.far * self.effort.far
            })
        };
        let agreed = votes
            .chunk_by(|one, next| one == next)
            .filter(|votes| of_count(votes.len()) >= enough)
            .filter_map(|votes| votes.first().copied())
            .filter(|owner| is_near(*owner));
        let mut out: Vec<u16> = agreed.chain(of(seen, number).iter().copied()).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Where on a static a ray from a cell ends, if any does: rays to where neighbors saw it, and to elsewhere.
    fn find(&self, number: u32, sightings: &[(Sighting, u32)], views: &[Vec3A]) -> Option<Sighting> {
        let (first, _) = sightings.first()?;
        let mut last = usize::MAX;
        let seed = mixed(u64::from(number) << 32 | u64::from(first.owner));
        let mut turn = super::number::low(seed);
        let mut sees = |sighting: Sighting| {
            turn = turn.wrapping_add(1);
            let view = views.get(usize::try_from(turn).ok()?.checked_rem(views.len())?)?;
            let aim = self.aim(sighting)?;
            (!self.scenery.opaque.hide(*view, aim, sighting.owner.into(), &mut last)).then_some(sighting)
        };
        // A new aim for each neighbor first: the aims that are told of must not become fewer and fewer.
        for (told, neighbor) in sightings {
            let fresh = mixed(seed ^ u64::from(*neighbor));
            for ray in 0..self.effort.rays {
                let aim = super::number::low(fresh).wrapping_add(ray);
                let sighting = if ray.is_multiple_of(3) { Sighting { aim, ..*told } } else { *told };
                if let Some(found) = sees(sighting) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Places in a cell, and just beside it, from which rays start; none below the ground, unless all of the cell is.
    fn views(&self, number: u32, cell: &Cell) -> Vec<Vec3A> {
        let (least, most) = self.cells.bounds(cell);
        let beside = (most - least) * BESIDE_CELL;
        let (least, size) = (least - beside, most - least + beside * 2.0);
        let is_open = |place: &Vec3A| {
            let down = self.scenery.ground.as_ref().and_then(|ground| ground.down(place.x, place.z));
            cell.is_buried || down.is_none_or(|down| place.y <= down)
        };
        let place = |index: u32| {
            let [x, y, z, _] = shares(u64::from(number) << 32 | u64::from(index));
            least + size * Vec3A::new(x, y, z)
        };
        let wanted = usize::try_from(VIEWS).unwrap_or(usize::MAX);
        (0..VIEWS.saturating_mul(4)).map(place).filter(is_open).take(wanted).collect()
    }
}
