//! The cells of a tree being built: small near statics, larger in the air.

use glam::Vec3A;

use super::advice;
use super::cell::{BURIED, Cell, MAX_CELL_SIZE, NONE, cube, index};
use super::ground::Ground;
use super::limits::Limits;
use super::lookup::Lookup;
use super::number::single;
use super::scenery::{GROUND, Scenery};

/// Distance in world units from all statics beyond which there are no cells.
const MARGIN: f32 = 512.0;

/// Maximum number of positions of smallest cells to visit for the boxes of all triangles.
const MAX_VISITS: u64 = 1 << 26;

/// Maximum side length of a tree in steps.
const MAX_WIDTH: u32 = 256;

/// A cube of cells.
#[derive(Debug)]
pub(super) struct Cells {
    /// Center of the tree in world units.
    pub(super) center: [i32; 3],
    /// Distance from the center to the sides, in world units.
    pub(super) half: u32,
    /// Side length of the smallest cells, in world units.
    pub(super) step: u32,
    /// Side length of the tree in steps: a power of two.
    pub(super) width: u32,
    pub(super) cells: Vec<Cell>,
    lookup: Lookup,
}

/// The occupied positions of a cube: one set per cell size, from the smallest cells to the entire cube.
struct Pyramid {
    width: u32,
    levels: Vec<Bits>,
}

impl Pyramid {
    fn new(width: u32) -> Self {
        let sides = std::iter::successors(Some(width), |side| (*side > 1).then_some(side / 2));
        Self { width, levels: sides.map(|side| Bits::new(cube(side))).collect() }
    }

    fn insert(&mut self, at: [u32; 3]) {
        let (mut at, mut side) = (at, self.width);
        for level in &mut self.levels {
            // The larger cells around an occupied position are already marked.
            if !level.insert(index(at, side)) {
                return;
            }
            (at, side) = (at.map(|number| number / 2), side / 2);
        }
    }

    /// Whether a position of a cell of this size, or one of its neighbors of equal size, is occupied.
    fn is_near(&self, at: [u32; 3], size: u32) -> bool {
        let level = usize::try_from(size.trailing_zeros()).unwrap_or(usize::MAX);
        let Some(occupied) = self.levels.get(level) else { return false };
        let side = self.width.wrapping_shr(size.trailing_zeros());
        let [x, y, z] = at.map(|number| {
            let number = number.wrapping_shr(size.trailing_zeros());
            number.saturating_sub(1)..=number.saturating_add(1).min(side.saturating_sub(1))
        });
        x.flat_map(|x| y.clone().map(move |y| (x, y)))
            .flat_map(|(x, y)| z.clone().map(move |z| [x, y, z]))
            .any(|at| occupied.contains(index(at, side)))
    }
}

/// A set of numbers.
struct Bits(Vec<u64>);

impl Bits {
    /// Creates an empty set for numbers below `count`.
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    /// Inserts a number. Returns `false` if the set contains it or it is too large.
    fn insert(&mut self, number: usize) -> bool {
        let (bit, Some(bits)) = (bit(number), self.0.get_mut(number / 64)) else { return false };
        let is_new = *bits & bit == 0;
        *bits |= bit;
        is_new
    }

    fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|bits| bits & bit(number) != 0)
    }
}

/// Mask of a number's bit in its 64-bit word.
fn bit(number: usize) -> u64 {
    1_u64.wrapping_shl(u32::try_from(number % 64).unwrap_or_default())
}

impl Cells {
    /// Maximum distance of cells from all statics, in world units.
    pub(super) fn margin(step: u32) -> f32 {
        MARGIN + single(f64::from(step) * f64::from(MAX_CELL_SIZE)) * 1.5
    }

    /// Divides the space around the statics of a map into cells.
    ///
    /// # Errors
    /// When the map is too large for cells of this size.
    pub(super) fn of(scenery: &Scenery, step: u32, limits: Limits) -> record::Result<Self> {
        let min = scenery.bodies.iter().map(|body| body.min).fold(Vec3A::INFINITY, Vec3A::min) - MARGIN;
        let max = scenery.bodies.iter().map(|body| body.max).fold(Vec3A::NEG_INFINITY, Vec3A::max) + MARGIN;
        let unit = f64::from(step);
        let middle = (min + max) * 0.5;
        let center = middle
            .to_array()
            .map(|number| truncated((f64::from(number) / unit).round()).saturating_mul(step.cast_signed()));
        let reach = (max - Vec3A::from_array(center.map(|number| single(number.into()))))
            .max(Vec3A::from_array(center.map(|number| single(number.into()))) - min)
            .max_element();
        let (mut half, mut width) = (step, 2_u32);
        while single(half.into()) < reach {
            (half, width) = (half.saturating_mul(2), width.saturating_mul(2));
            if width > MAX_WIDTH {
                return Err(record::Error::limit(format!(
                    "the statics are {reach:.0} units from their center, which is too far for cells of {step} units{}",
                    advice(step)
                )));
            }
        }
        let mut out = Self { center, half, step, width, cells: Vec::new(), lookup: Lookup::new(width) };
        let (mut statics, mut all) = (Pyramid::new(width), Pyramid::new(width));
        let mut visits = 0_u64;
        for (min, max, owner) in scenery.boxes.iter().copied() {
            visits = visits.saturating_add(out.count(min, max));
            if visits > MAX_VISITS {
                return Err(too_many(step));
            }
            out.for_each_position(min, max, |at| {
                all.insert(at);
                if owner != GROUND {
                    statics.insert(at);
                }
            });
        }
        for body in scenery.bodies.iter().filter(|body| body.is_unknown()) {
            out.for_each_position(body.min, body.max, |at| {
                all.insert(at);
                statics.insert(at);
            });
        }
        let bounds = (min, max);
        let root = Cell { at: [0; 3], size: width, is_buried: false };
        let (statics, all, ground, max) = (&statics, &all, scenery.ground.as_ref(), limits.cells);
        out.divide(root, &DivisionCriteria { statics, all, ground, bounds, max });
        if out.cells.len() > limits.cells {
            return Err(too_many(step));
        }
        Ok(out)
    }

    /// Upper limit of the number of smallest cells that a box touches.
    fn count(&self, min: Vec3A, max: Vec3A) -> u64 {
        let sides = self
            .range(min, max)
            .map_or([0; 3], |sides| sides.map(|[from, to]| to.abs_diff(from).saturating_add(1)));
        sides.into_iter().map(u64::from).fold(1, u64::saturating_mul)
    }

    /// Range of smallest cells that a box touches along each axis; `None` if the box is outside the tree.
    fn range(&self, min: Vec3A, max: Vec3A) -> Option<[[u32; 2]; 3]> {
        let (corner, unit) = (self.corner(), single(self.step.into()));
        let at = |position: Vec3A| ((position - corner) / unit).floor().to_array();
        let last = single(self.width.saturating_sub(1).into());
        let (min, max) = (at(min), at(max));
        if max.iter().any(|number| *number < 0.0) || min.iter().any(|number| *number > last) {
            return None;
        }
        let bound = |numbers: [f32; 3]| {
            numbers.map(|number| u32::try_from(truncated(number.clamp(0.0, last).into())).unwrap_or_default())
        };
        let ([x, y, z], [to_x, to_y, to_z]) = (bound(min), bound(max));
        Some([[x, to_x], [y, to_y], [z, to_z]])
    }

    /// Visits the positions of the smallest cells that a box touches.
    fn for_each_position(&self, min: Vec3A, max: Vec3A, mut visit: impl FnMut([u32; 3])) {
        let Some([x, y, z]) = self.range(min, max) else { return };
        for x in x[0]..=x[1] {
            for y in y[0]..=y[1] {
                for z in z[0]..=z[1] {
                    visit([x, y, z]);
                }
            }
        }
    }

    fn divide(&mut self, cell: Cell, criteria: &DivisionCriteria<'_>) {
        let (min, max) = self.bounds(&cell);
        let (inner, outer) = criteria.bounds;
        if min.cmpge(outer).any() || max.cmple(inner).any() {
            return;
        }
        let is_buried = criteria.ground.is_some_and(|ground| self.is_buried(&cell, ground));
        if is_buried && !criteria.statics.is_near(cell.at, cell.size) {
            self.lookup.set(&cell, BURIED);
            return;
        }
        let is_leaf =
            cell.size == 1 || (cell.size <= MAX_CELL_SIZE && !criteria.all.is_near(cell.at, cell.size));
        if !is_leaf {
            for octant in 0..8 {
                self.divide(cell.child(octant), criteria);
            }
            return;
        }
        let Ok(number) = u32::try_from(self.cells.len()) else { return };
        // One cell too many is enough to detect the overflow.
        if self.cells.len() > criteria.max {
            return;
        }
        self.cells.push(Cell { is_buried, ..cell });
        self.lookup.set(&cell, number);
    }

    /// Whether the entire cell is below the ground.
    fn is_buried(&self, cell: &Cell, ground: &Ground) -> bool {
        let (min, max) = self.bounds(cell);
        // The ground has a corner every 256 units.
        let mut samples =
            samples_between(min.x, max.x).flat_map(|x| samples_between(min.z, max.z).map(move |z| (x, z)));
        samples.all(|(x, z)| ground.down(x, z).is_some_and(|down| down < min.y))
    }

    /// Position of the first cell, in world units.
    pub(super) fn corner(&self) -> Vec3A {
        let half = i64::from(self.half);
        Vec3A::from_array(self.center.map(|number| {
            let number = i64::from(number).saturating_sub(half);
            super::number::of_integer(number)
        }))
    }

    /// Indices of the cells that a box touches, without duplicates.
    pub(super) fn touched(&self, min: Vec3A, max: Vec3A) -> Vec<u32> {
        let mut out = Vec::new();
        self.for_each_position(min, max, |at| out.push(self.number(at)));
        out.sort_unstable();
        out.dedup();
        out.retain(|number| *number < BURIED);
        out
    }

    /// Bounding box of a cell in world units.
    pub(super) fn bounds(&self, cell: &Cell) -> (Vec3A, Vec3A) {
        let unit = single(self.step.into());
        let min = self.corner() + Vec3A::from_array(cell.at.map(|number| single(number.into()))) * unit;
        (min, min + single(cell.size.into()) * unit)
    }

    /// Index of the cell at a position in steps; [`NONE`] if there is none.
    pub(super) fn number(&self, at: [u32; 3]) -> u32 {
        let is_inside = at.iter().all(|number| *number < self.width);
        if is_inside { self.lookup.get(at) } else { NONE }
    }

    /// Indices of the cells that touch a cell, without duplicates.
    pub(super) fn neighbors(&self, cell: &Cell) -> Vec<u32> {
        let range = |number: u32| number.saturating_sub(1)..=number.saturating_add(cell.size);
        let [x, y, z] = cell.at.map(range);
        let is_inside = |number: u32, start: u32| number >= start && number < start.saturating_add(cell.size);
        let mut out = Vec::new();
        for x in x {
            for y in y.clone() {
                let is_core = is_inside(x, cell.at[0]) && is_inside(y, cell.at[1]);
                for z in z.clone() {
                    if !(is_core && is_inside(z, cell.at[2])) {
                        out.push(self.number([x, y, z]));
                    }
                }
            }
        }
        out.sort_unstable();
        out.dedup();
        out.retain(|number| *number < BURIED);
        out
    }
}

fn too_many(step: u32) -> record::Error {
    record::Error::limit(format!("the statics occupy too many cells of {step} units{}", advice(step)))
}

/// Criteria for the division of cells.
struct DivisionCriteria<'a> {
    statics: &'a Pyramid,
    all: &'a Pyramid,
    ground: Option<&'a Ground>,
    bounds: (Vec3A, Vec3A),
    /// Maximum number of cells.
    max: usize,
}

/// Coordinates from one end to the other, at most 128 units apart, including both ends.
fn samples_between(from: f32, to: f32) -> impl Iterator<Item = f32> + Clone {
    let count = super::number::floor((to - from) / 128.0).unwrap_or_default().max(1);
    (0..=count).map(move |number| {
        from + (to - from) * super::number::of_count(number) / super::number::of_count(count)
    })
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is intended")]
const fn truncated(number: f64) -> i32 {
    number as i32
}
