//! The cells of a tree that is made: small where something stands, larger in the air.

use glam::Vec3A;

use super::advice;
use super::cell::{BURIED, Cell, LARGEST, NONE, cube, place};
use super::ground::Ground;
use super::limits::Limits;
use super::lookup::Lookup;
use super::number::single;
use super::scenery::{GROUND, Scenery};

/// What lies this far outside of all statics, in world units, has no cell.
const MARGIN: f32 = 512.0;

/// More places of the smallest cells are not visited for all that stands there.
const MOST_VISITS: u64 = 1 << 26;

/// Trees are at most so many of the smallest cells along a side.
const MOST_ALONG: u32 = 256;

/// A cube of cells.
#[derive(Debug)]
pub(super) struct Cells {
    /// The middle of the tree in world units.
    pub(super) center: [i32; 3],
    /// From the middle to the sides.
    pub(super) half: u32,
    /// World units of the smallest cells.
    pub(super) step: u32,
    /// How many of the smallest ones there are along a side: a power of two.
    pub(super) along: u32,
    pub(super) cells: Vec<Cell>,
    lookup: Lookup,
}

/// Which of the places of a cube are taken, from the smallest to the whole: a set for each size.
struct Pyramid {
    along: u32,
    levels: Vec<Bits>,
}

impl Pyramid {
    fn new(along: u32) -> Self {
        let sides = std::iter::successors(Some(along), |side| (*side > 1).then_some(side / 2));
        Self { along, levels: sides.map(|side| Bits::new(cube(side))).collect() }
    }

    fn take(&mut self, at: [u32; 3]) {
        let (mut at, mut side) = (at, self.along);
        for level in &mut self.levels {
            // What is around a taken place is taken.
            if !level.take(place(at, side)) {
                return;
            }
            (at, side) = (at.map(|number| number / 2), side / 2);
        }
    }

    /// Whether a place is taken, or one of those around it that are as large.
    fn is_near(&self, at: [u32; 3], size: u32) -> bool {
        let level = usize::try_from(size.trailing_zeros()).unwrap_or(usize::MAX);
        let Some(taken) = self.levels.get(level) else { return false };
        let side = self.along.wrapping_shr(size.trailing_zeros());
        let [x, y, z] = at.map(|number| {
            let number = number.wrapping_shr(size.trailing_zeros());
            number.saturating_sub(1)..=number.saturating_add(1).min(side.saturating_sub(1))
        });
        x.flat_map(|x| y.clone().map(move |y| (x, y)))
            .flat_map(|(x, y)| z.clone().map(move |z| [x, y, z]))
            .any(|at| taken.has(place(at, side)))
    }
}

/// A set of numbers.
struct Bits(Vec<u64>);

impl Bits {
    /// A set that takes numbers below a count.
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    /// Adds a number. `false` where it is there already, or too large.
    fn take(&mut self, number: usize) -> bool {
        let (bit, Some(bits)) = (bit(number), self.0.get_mut(number / 64)) else { return false };
        let is_new = *bits & bit == 0;
        *bits |= bit;
        is_new
    }

    fn has(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|bits| bits & bit(number) != 0)
    }
}

/// The bit of a number among the 64 it is one of.
fn bit(number: usize) -> u64 {
    1_u64.wrapping_shl(u32::try_from(number % 64).unwrap_or_default())
}

impl Cells {
    /// How far cells may reach beyond all statics, in world units.
    pub(super) fn margin(step: u32) -> f32 {
        MARGIN + single(f64::from(step) * f64::from(LARGEST)) * 1.5
    }

    /// The cells of what stands in a map.
    ///
    /// # Errors
    /// When it is too wide for cells of this size.
    pub(super) fn of(scenery: &Scenery, step: u32, limits: Limits) -> record::Result<Self> {
        let least = scenery.bodies.iter().map(|body| body.least).fold(Vec3A::INFINITY, Vec3A::min) - MARGIN;
        let most = scenery.bodies.iter().map(|body| body.most).fold(Vec3A::NEG_INFINITY, Vec3A::max) + MARGIN;
        let unit = f64::from(step);
        let middle = (least + most) * 0.5;
        let center = middle
            .to_array()
            .map(|number| whole((f64::from(number) / unit).round()).saturating_mul(step.cast_signed()));
        let reach = (most - Vec3A::from_array(center.map(|number| single(number.into()))))
            .max(Vec3A::from_array(center.map(|number| single(number.into()))) - least)
            .max_element();
        let (mut half, mut along) = (step, 2_u32);
        while single(half.into()) < reach {
            (half, along) = (half.saturating_mul(2), along.saturating_mul(2));
            if along > MOST_ALONG {
                return Err(record::Error::limit(format!(
                    "the statics are {reach:.0} units from their middle: too far for cells of {step}{}",
                    advice(step)
                )));
            }
        }
        let mut out = Self { center, half, step, along, cells: Vec::new(), lookup: Lookup::new(along) };
        let (mut statics, mut all) = (Pyramid::new(along), Pyramid::new(along));
        let mut visits = 0_u64;
        for (least, most, owner) in scenery.boxes.iter().copied() {
            visits = visits.saturating_add(out.count(least, most));
            if visits > MOST_VISITS {
                return Err(too_many(step));
            }
            out.places(least, most, |at| {
                all.take(at);
                if owner != GROUND {
                    statics.take(at);
                }
            });
        }
        for body in scenery.bodies.iter().filter(|body| body.is_unknown()) {
            out.places(body.least, body.most, |at| {
                all.take(at);
                statics.take(at);
            });
        }
        let bounds = (least, most);
        let whole = Cell { at: [0; 3], size: along, is_buried: false };
        let (statics, all, ground, most) = (&statics, &all, scenery.ground.as_ref(), limits.cells);
        out.divide(whole, &Around { statics, all, ground, bounds, most });
        if out.cells.len() > limits.cells {
            return Err(too_many(step));
        }
        Ok(out)
    }

    /// How many places of the smallest cells a box touches, at most.
    fn count(&self, least: Vec3A, most: Vec3A) -> u64 {
        let sides = self
            .range(least, most)
            .map_or([0; 3], |sides| sides.map(|[from, to]| to.abs_diff(from).saturating_add(1)));
        sides.into_iter().map(u64::from).fold(1, u64::saturating_mul)
    }

    /// From where to where a box reaches along each axis, in places of the smallest cells; `None` where it is outside.
    fn range(&self, least: Vec3A, most: Vec3A) -> Option<[[u32; 2]; 3]> {
        let (corner, unit) = (self.corner(), single(self.step.into()));
        let at = |place: Vec3A| ((place - corner) / unit).floor().to_array();
        let last = single(self.along.saturating_sub(1).into());
        let (least, most) = (at(least), at(most));
        if most.iter().any(|number| *number < 0.0) || least.iter().any(|number| *number > last) {
            return None;
        }
        let bound = |numbers: [f32; 3]| {
            numbers.map(|number| u32::try_from(whole(number.clamp(0.0, last).into())).unwrap_or_default())
        };
        let ([x, y, z], [to_x, to_y, to_z]) = (bound(least), bound(most));
        Some([[x, to_x], [y, to_y], [z, to_z]])
    }

    /// The places of the smallest cells that a box touches.
    fn places(&self, least: Vec3A, most: Vec3A, mut take: impl FnMut([u32; 3])) {
        let Some([x, y, z]) = self.range(least, most) else { return };
        for x in x[0]..=x[1] {
            for y in y[0]..=y[1] {
                for z in z[0]..=z[1] {
                    take([x, y, z]);
                }
            }
        }
    }

    fn divide(&mut self, cell: Cell, around: &Around<'_>) {
        let (least, most) = self.bounds(&cell);
        let (inner, outer) = around.bounds;
        if least.cmpge(outer).any() || most.cmple(inner).any() {
            return;
        }
        let is_buried = around.ground.is_some_and(|ground| self.is_buried(&cell, ground));
        if is_buried && !around.statics.is_near(cell.at, cell.size) {
            self.lookup.put(&cell, BURIED);
            return;
        }
        let is_whole = cell.size == 1 || (cell.size <= LARGEST && !around.all.is_near(cell.at, cell.size));
        if !is_whole {
            for eighth in 0..8 {
                self.divide(cell.child(eighth), around);
            }
            return;
        }
        let Ok(number) = u32::try_from(self.cells.len()) else { return };
        // One more is enough to tell that there are too many.
        if self.cells.len() > around.most {
            return;
        }
        self.cells.push(Cell { is_buried, ..cell });
        self.lookup.put(&cell, number);
    }

    /// Whether all of a cell is below the ground.
    fn is_buried(&self, cell: &Cell, ground: &Ground) -> bool {
        let (least, most) = self.bounds(cell);
        // The ground has corners each 256 units.
        let mut places = along(least.x, most.x).flat_map(|x| along(least.z, most.z).map(move |z| (x, z)));
        places.all(|(x, z)| ground.down(x, z).is_some_and(|down| down < least.y))
    }

    /// Where the first cell begins, in world units.
    pub(super) fn corner(&self) -> Vec3A {
        let half = i64::from(self.half);
        Vec3A::from_array(self.center.map(|number| {
            let number = i64::from(number).saturating_sub(half);
            super::number::of_whole(number)
        }))
    }

    /// The numbers of the cells that a box touches, each once.
    pub(super) fn touched(&self, least: Vec3A, most: Vec3A) -> Vec<u32> {
        let mut out = Vec::new();
        self.places(least, most, |at| out.push(self.number(at)));
        out.sort_unstable();
        out.dedup();
        out.retain(|number| *number < BURIED);
        out
    }

    /// The box of a cell in world units.
    pub(super) fn bounds(&self, cell: &Cell) -> (Vec3A, Vec3A) {
        let unit = single(self.step.into());
        let least = self.corner() + Vec3A::from_array(cell.at.map(|number| single(number.into()))) * unit;
        (least, least + single(cell.size.into()) * unit)
    }

    /// The number of the cell at a place of the smallest ones; [`NONE`] where there is none.
    pub(super) fn number(&self, at: [u32; 3]) -> u32 {
        let is_inside = at.iter().all(|number| *number < self.along);
        if is_inside { self.lookup.get(at) } else { NONE }
    }

    /// The numbers of the cells that touch one, each once.
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
    record::Error::limit(format!("the statics fill too many cells of {step}{}", advice(step)))
}

/// What decides how cells are divided.
struct Around<'a> {
    statics: &'a Pyramid,
    all: &'a Pyramid,
    ground: Option<&'a Ground>,
    bounds: (Vec3A, Vec3A),
    /// More cells are not made.
    most: usize,
}

/// Places from one end to the other, at most 128 units apart, with both ends.
fn along(from: f32, to: f32) -> impl Iterator<Item = f32> + Clone {
    let count = super::number::floor((to - from) / 128.0).unwrap_or_default().max(1);
    (0..=count).map(move |number| {
        from + (to - from) * super::number::of_count(number) / super::number::of_count(count)
    })
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturating is meant")]
const fn whole(number: f64) -> i32 {
    number as i32
}
