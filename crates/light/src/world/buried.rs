//! Points inside of solid objects.

use glam::Vec3A;

use super::neighbor::{AROUND, Neighborhood};
use super::{Point, World, each};
use crate::pattern::{Frame, Pattern, on_hemisphere};
use crate::rays::Side;
use crate::texel::{MAX_POINTS, Texel, TexelMap};

/// Number of rays that test whether a point is buried.
const RAYS: u32 = 16;

/// A point is buried if at least this number of its rays hits back faces.
const BURIED: u32 = 10;

/// Number of neighbors that confirm that a texel is not buried. That it is, all must confirm.
const MIN_NEIGHBORS: usize = 3;

impl World {
    /// Removes points inside of solid objects, so that they do not darken their surroundings.
    ///
    /// One point of each texel is tested, and the others where neighboring texels differ.
    pub fn remove_buried(&self, lit: &mut TexelMap, progress: &(dyn Fn(f32) + Sync)) {
        let first = |share: f32| progress(share / 2.0);
        let is_buried = each(
            &lit.texels,
            &first,
            || (),
            |(), sample, texel| {
                let first = (0..).zip(texel.all()).find_map(|(at, point)| Some((at, point?)));
                first.is_some_and(|(at, point)| self.is_buried(self.point(point), seed(sample, at)))
            },
        );
        let second = |share: f32| progress(0.5 + share / 2.0);
        let near = Neighborhood::new(self, lit);
        let kept = each(
            &lit.texels,
            &second,
            || (),
            |(), sample, texel| {
                let around = AROUND.into_iter().filter_map(|offset| near.neighbor(sample, offset));
                let (agree, differ): (Vec<usize>, Vec<usize>) =
                    around.partition(|other| is_buried[*other] == is_buried[sample]);
                let enough = if is_buried[sample] { AROUND.len() } else { MIN_NEIGHBORS };
                if differ.is_empty() && agree.len() >= enough {
                    return [!is_buried[sample]; MAX_POINTS];
                }
                self.kept(sample, texel, is_buried[sample])
            },
        );
        for (texel, kept) in lit.texels.iter_mut().zip(kept) {
            texel.retain(|at, _| kept[at]);
        }
    }

    /// Returns which points of a texel are not buried. It is known whether the first is.
    fn kept(&self, sample: usize, texel: &Texel, is_first_buried: bool) -> [bool; MAX_POINTS] {
        let (mut kept, mut known) = ([true; MAX_POINTS], Some(is_first_buried));
        for ((at, point), kept) in (0..).zip(texel.all()).zip(&mut kept) {
            let Some(point) = point else { continue };
            let is_buried =
                known.take().unwrap_or_else(|| self.is_buried(self.point(point), seed(sample, at)));
            *kept = !is_buried;
        }
        kept
    }

    fn is_buried(&self, point: Point, seed: u64) -> bool {
        let is_back = |direction: Vec3A| {
            self.rays.first_hit(point.position, direction).is_some_and(|hit| hit.crossing.side == Side::Back)
        };
        self.count(1);
        if !is_back(point.normal) {
            return false;
        }
        let (pattern, frame) = (Pattern::new(seed), Frame::new(point.normal));
        let (mut backs, mut fronts) = (0, 0);
        for ray in 0..RAYS {
            if backs >= BURIED || fronts > RAYS - BURIED {
                break;
            }
            self.count(1);
            let is_back = is_back(frame.direction(on_hemisphere(pattern.point(ray))));
            *(if is_back { &mut backs } else { &mut fronts }) += 1;
        }
        backs >= BURIED
    }
}

/// Returns the seed of a point's rays.
fn seed(sample: usize, point: u64) -> u64 {
    (sample as u64).wrapping_shl(2) | point
}
