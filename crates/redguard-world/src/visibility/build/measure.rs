//! Measures the accuracy of a tree by comparing it with many rays to each static from random positions.

use glam::Vec3A;
use light::parallel;
use serde::Serialize;

use super::cells::Cells;
use super::number::{mixed, nth, shares};
use super::scenery::{Body, Scenery};
use crate::visibility::layout::Visibility;
use crate::visibility::tree::{Tree, seen};

/// Number of rays to each static.
const RAYS: u32 = 256;

/// Number of attempts to find a random position that is not below the ground.
const TRIES: u32 = 16;

/// Results of the comparison. Pairs consist of a position and a static.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct Figures {
    /// Number of positions.
    pub(super) points: u32,
    /// Number of pairs found by the rays.
    pub(super) seen: u64,
    /// Number of these pairs that are missing in the tree.
    pub(super) missing: u64,
    /// Number of pairs in the tree that the rays did not find.
    pub(super) excess: u64,
}

impl Figures {
    /// Fraction of the pairs found by the rays.
    pub(super) fn share(self, count: u64) -> f64 {
        let number = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        if self.seen == 0 { 0.0 } else { number(count) / number(self.seen) }
    }
}

/// Compares a tree with rays from `points` random positions in its cells.
pub(super) fn measure(file: &Visibility, scenery: &Scenery, cells: &Cells, far: f32, points: u32) -> Figures {
    let Some(tree) = Tree::of(file) else { return Figures::default() };
    let one = |_, point: &u32| {
        let point = *point;
        let Some(position) = position(scenery, cells, point) else { return Figures::default() };
        let sight = tree.at(position.to_array().map(truncated));
        let listed = seen(sight.objects);
        if listed.is_empty() {
            return Figures::default();
        }
        let found = visible_statics(scenery, position, far, point);
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

/// Returns a random position in a cell; `None` if all attempts are below the ground.
fn position(scenery: &Scenery, cells: &Cells, point: u32) -> Option<Vec3A> {
    let positions = (0..TRIES).filter_map(|attempt| {
        let seed = mixed(u64::from(point) << 32 | u64::from(attempt) | 1 << 63);
        let [share, remainder, ..] = shares(seed);
        let cell = cells.cells.get(nth((share + remainder / 65_536.0).min(1.0), cells.cells.len()))?;
        let (min, max) = cells.bounds(cell);
        let [x, y, z, _] = shares(mixed(seed));
        Some(min + (max - min) * Vec3A::new(x, y, z))
    });
    let is_open = |position: &Vec3A| {
        let down = scenery.ground.as_ref().and_then(|ground| ground.down(position.x, position.z));
        down.is_none_or(|down| position.y <= down)
    };
    positions.into_iter().find(is_open)
}

/// Finds the statics visible from a position, with rays to each static within range until one hits it first.
fn visible_statics(scenery: &Scenery, position: Vec3A, far: f32, point: u32) -> Vec<bool> {
    let is_seen = |(owner, body): (u32, &Body)| {
        if body.is_unknown() || body.distance_squared(position, position) > far * far {
            return false;
        }
        let seed = mixed(u64::from(point) << 32 | u64::from(owner) | 1 << 62);
        let mut last = usize::MAX;
        (0..u64::from(RAYS)).any(|ray| {
            let aim = body.sample_point(shares(seed.wrapping_add(ray)));
            aim.distance_squared(position) <= far * far
                && !scenery.opaque.hides(position, aim, owner, &mut last)
        })
    };
    (0_u32..).zip(&scenery.bodies).map(is_seen).collect()
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is intended")]
const fn truncated(number: f32) -> i32 {
    number as i32
}
