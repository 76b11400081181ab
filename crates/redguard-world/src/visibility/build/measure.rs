//! How well a tree tells what is seen: compared with many rays to each static from places taken at random.

use glam::Vec3A;
use light::parallel;
use serde::Serialize;

use super::cells::Cells;
use super::number::{mixed, nth, shares};
use super::scenery::{Body, Scenery};
use crate::visibility::layout::Visibility;
use crate::visibility::tree::{Tree, seen};

/// Rays to each static.
const RAYS: u32 = 256;

/// So often a place is sought that is not below the ground.
const TRIES: u32 = 16;

/// What the comparison found. Pairs are of a place and a static.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct Figures {
    /// Places.
    pub(super) points: u32,
    /// Pairs that the rays found.
    pub(super) seen: u64,
    /// Those of them that the tree does not have.
    pub(super) missing: u64,
    /// Pairs of the tree that the rays did not find.
    pub(super) excess: u64,
}

impl Figures {
    /// A share of what the rays found.
    pub(super) fn share(self, count: u64) -> f64 {
        let number = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        if self.seen == 0 { 0.0 } else { number(count) / number(self.seen) }
    }
}

/// Compares a tree with rays from so many places in its cells.
pub(super) fn measure(file: &Visibility, scenery: &Scenery, cells: &Cells, far: f32, points: u32) -> Figures {
    let Some(tree) = Tree::of(file) else { return Figures::default() };
    let one = |_, point: &u32| {
        let point = *point;
        let Some(place) = place(scenery, cells, point) else { return Figures::default() };
        let sight = tree.at(place.to_array().map(whole));
        let listed = seen(sight.objects);
        if listed.is_empty() {
            return Figures::default();
        }
        let found = look_around(scenery, place, far, point);
        let statics = u16::try_from(scenery.bodies.len()).unwrap_or(u16::MAX);
        let count = |all: &mut dyn Iterator<Item = u16>| u64::try_from(all.count()).unwrap_or(u64::MAX);
        let is_found = |object: u16| found.get(usize::from(object)) == Some(&true);
        let is_known =
            |object: u16| scenery.bodies.get(usize::from(object)).is_some_and(|body| !body.is_unknown());
        Figures {
            points: 1,
            seen: count(&mut (0..statics).filter(|object| is_found(*object))),
            missing: count(&mut (0..statics).filter(|object| is_found(*object) && !listed.contains(object))),
            excess: count(
                &mut listed.iter().copied().filter(|object| is_known(*object) && !is_found(*object)),
            ),
        }
    };
    parallel::map(&(0..points).collect::<Vec<_>>(), one).into_iter().fold(Figures::default(), |sum, one| {
        Figures {
            points: sum.points.saturating_add(one.points),
            seen: sum.seen.saturating_add(one.seen),
            missing: sum.missing.saturating_add(one.missing),
            excess: sum.excess.saturating_add(one.excess),
        }
    })
}

/// A place in some cell; `None` where all that were tried are below the ground.
fn place(scenery: &Scenery, cells: &Cells, point: u32) -> Option<Vec3A> {
    let places = (0..TRIES).filter_map(|attempt| {
        let seed = mixed(u64::from(point) << 32 | u64::from(attempt) | 1 << 63);
        let [which, fine, ..] = shares(seed);
        let cell = cells.cells.get(nth((which + fine / 65_536.0).min(1.0), cells.cells.len()))?;
        let (least, most) = cells.bounds(cell);
        let [x, y, z, _] = shares(mixed(seed));
        Some(least + (most - least) * Vec3A::new(x, y, z))
    });
    let is_open = |place: &Vec3A| {
        let down = scenery.ground.as_ref().and_then(|ground| ground.down(place.x, place.z));
        down.is_none_or(|down| place.y <= down)
    };
    places.into_iter().find(is_open)
}

/// Which statics are seen from a place: rays to each that is near, until one of them meets it first.
fn look_around(scenery: &Scenery, place: Vec3A, far: f32, point: u32) -> Vec<bool> {
    let is_seen = |(owner, body): (u32, &Body)| {
        if body.is_unknown() || body.distance_squared(place, place) > far * far {
            return false;
        }
        let seed = mixed(u64::from(point) << 32 | u64::from(owner) | 1 << 62);
        let mut last = usize::MAX;
        (0..u64::from(RAYS)).any(|ray| {
            let aim = body.place(shares(seed.wrapping_add(ray)));
            aim.distance_squared(place) <= far * far && !scenery.opaque.hide(place, aim, owner, &mut last)
        })
    };
    (0_u32..).zip(&scenery.bodies).map(is_seen).collect()
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturating is meant")]
const fn whole(number: f32) -> i32 {
    number as i32
}
