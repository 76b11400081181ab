//! The light of lamps, with soft shadows.
//!
//! All rays between a cluster of texels and a lamp pass through a small part of the scene. The triangles there are searched
//! for once; most rays are tested against these only.

use glam::{Vec2, Vec3A};

use super::cluster::clusters;
use super::neighbor::Neighborhood;
use super::{Point, Points, World, each};
use crate::lamp::Lamp;
use crate::pattern::{Frame, Pattern, on_disk};
use crate::rays::Shaft;
use crate::texel::{MAX_POINTS, TexelMap};

/// Number of rays that test whether a lamp is partially hidden.
const PENUMBRA_TEST_RAYS: u32 = 16;

/// Maximum number of triangles to test one by one; with more, it is faster to traverse the tree for each ray.
const MAX_BLOCKERS: usize = 32;

/// Maximum number of triangles to examine for each texel of a cluster.
const MAX_CLUSTER_BLOCKERS: usize = 256;

/// A lamp, and offsets from its center to points that rays aim at, on a disk that faces them.
struct Target<'a> {
    lamp: &'a Lamp,
    disk: Vec<Vec2>,
}

/// Close texels that are lit by a lamp.
struct Cluster<'a> {
    world: &'a World,
    lamp: &'a Lamp,
    /// The points of all texels.
    positions: &'a [Vec3A],
    /// The triangle that blocked the last ray; it is tested first.
    last: &'a mut usize,
    /// What could block rays, once it is known.
    blockers: Option<Blockers>,
}

/// The points of a texel, in the light of a lamp.
struct Receiver {
    positions: [Vec3A; MAX_POINTS],
    /// The fraction of the light that arrives without obstacles.
    falloffs: [f32; MAX_POINTS],
    /// Axes whose Z axis points to the lamp.
    frames: [Frame; MAX_POINTS],
}

/// Shadow rays from the points of a texel to a lamp.
struct Shadow<'a, 'b> {
    cluster: &'a mut Cluster<'b>,
    positions: &'a [Vec3A],
    /// What could block rays, once it is known.
    blockers: Option<Blockers>,
}

/// What could block rays.
#[derive(Debug, Clone)]
enum Blockers {
    /// Triangles, given by index.
    Few(Vec<usize>),
    /// Too many triangles to list.
    Many,
}

impl World {
    /// Returns the direct light of all lamps for each sample; `None` if it shows nothing.
    #[must_use]
    pub fn direct(&self, lit: &TexelMap, progress: &(dyn Fn(f32) + Sync)) -> Vec<Option<Vec3A>> {
        // All texels use the same pattern, so that shadows have no noise.
        let target = |(seed, lamp)| Target { lamp, disk: self.disk(lamp, seed) };
        let targets: Vec<Target<'_>> = (0..).zip(&self.lamps).map(target).collect();
        let clusters = clusters(&Neighborhood::new(self, lit));
        let last = || vec![usize::MAX; targets.len()];
        let light = each(&clusters, progress, last, |last, _, cluster| {
            let texels: Vec<Points> =
                cluster.iter().map(|sample| self.points(&lit.texels[*sample])).collect();
            self.light_of_lamps(&targets, &texels, last)
        });
        let mut out = vec![None; lit.len()];
        for (sample, light) in clusters.iter().flatten().zip(light.into_iter().flatten()) {
            out[*sample] = light;
        }
        out
    }

    /// Returns the light of all lamps on the texels of a cluster.
    fn light_of_lamps(
        &self,
        targets: &[Target<'_>],
        texels: &[Points],
        last: &mut [usize],
    ) -> Vec<Option<Vec3A>> {
        let positions: Vec<Vec3A> =
            texels.iter().flat_map(|points| points.iter()).map(|it| it.position).collect();
        let is_lit = |points: &Points| (!points.is_empty()).then_some(Vec3A::ZERO);
        let mut out: Vec<Option<Vec3A>> = texels.iter().map(is_lit).collect();
        for (target, last) in targets.iter().zip(last) {
            let mut cluster =
                Cluster { world: self, lamp: target.lamp, positions: &positions, last, blockers: None };
            for (sum, points) in out.iter_mut().zip(texels) {
                if let Some(sum) = sum {
                    *sum += self.light_of_lamp(target, points, &mut cluster);
                }
            }
        }
        out
    }

    fn disk(&self, lamp: &Lamp, seed: u64) -> Vec<Vec2> {
        let pattern = Pattern::new(seed);
        (0..self.quality.shadow_rays).map(|ray| on_disk(pattern.point(ray)) * lamp.radius).collect()
    }

    /// Returns the light of one lamp on a texel.
    fn light_of_lamp(&self, target: &Target<'_>, points: &[Point], cluster: &mut Cluster<'_>) -> Vec3A {
        let lamp = target.lamp;
        let Some(receiver) = Receiver::new(lamp, points) else { return Vec3A::ZERO };
        let mut shadow = Shadow { cluster, positions: &receiver.positions[..points.len()], blockers: None };
        let (mut light, mut traced, mut open, mut taken) = (0.0, 0_u32, 0_u32, 0_u32);
        for ((ray, at), point) in (0_u32..).zip(&target.disk).zip((0..points.len()).cycle()) {
            // If all rays agree so far, more rays are not needed.
            let is_clear = ray >= PENUMBRA_TEST_RAYS && (open == 0 || open == traced);
            if point == 0 && (is_clear || shadow.is_impossible()) {
                break;
            }
            taken += 1;
            let falloff = receiver.falloffs[point];
            if falloff <= 0.0 {
                continue;
            }
            traced += 1;
            let aim = lamp.center + receiver.frames[point].direction(at.extend(0.0).into());
            if !shadow.hides(receiver.positions[point], aim) {
                open += 1;
                light += falloff;
            }
        }
        self.count(traced);
        lamp.light * (light / taken.max(1) as f32)
    }
}

impl Receiver {
    /// Returns the rays' starts; `None` if the lamp does not shine on any of the points.
    fn new(lamp: &Lamp, points: &[Point]) -> Option<Self> {
        let mut out = Self {
            positions: [Vec3A::ZERO; MAX_POINTS],
            falloffs: [0.0; MAX_POINTS],
            frames: [Frame::default(); MAX_POINTS],
        };
        for (number, point) in points.iter().enumerate() {
            out.falloffs[number] = lamp.falloff(point.position, point.normal);
        }
        if out.falloffs.iter().all(|falloff| *falloff <= 0.0) {
            return None;
        }
        for (number, point) in points.iter().enumerate() {
            out.positions[number] = point.position;
            out.frames[number] = Frame::new((lamp.center - point.position).normalize_or(point.normal));
        }
        Some(out)
    }
}

impl Cluster<'_> {
    /// Finds what could block rays of a texel.
    fn blockers(&mut self, positions: &[Vec3A]) -> Blockers {
        let (world, lamp) = (self.world, self.lamp);
        let shaft = |points| Shaft::new(points, lamp.center, lamp.radius);
        let all = self.blockers.get_or_insert_with(|| {
            let counts = |facet: u32| lamp.is_blocked_by(world.triangles[facet as usize].body);
            let found = world.rays.blockers(&shaft(self.positions), counts, MAX_CLUSTER_BLOCKERS);
            found.map_or(Blockers::Many, Blockers::Few)
        });
        let Blockers::Few(all) = all else { return Blockers::Many };
        let found = world.rays.blockers_among(&shaft(positions), all);
        if found.len() > MAX_BLOCKERS { Blockers::Many } else { Blockers::Few(found) }
    }
}

impl Shadow<'_, '_> {
    /// Whether a triangle is between a point and the lamp.
    fn hides(&mut self, from: Vec3A, to: Vec3A) -> bool {
        let (rays, segment) = (&self.cluster.world.rays, to - from);
        if rays.is_between(*self.cluster.last, from, segment) {
            return true;
        }
        let blockers = self.blockers.get_or_insert_with(|| self.cluster.blockers(self.positions));
        let Cluster { world, lamp, last, .. } = &mut *self.cluster;
        let Blockers::Few(blockers) = blockers else {
            let counts = |facet: u32| lamp.is_blocked_by(world.triangles[facet as usize].body);
            return rays.shades(from, to, counts, last);
        };
        let found = blockers.iter().find(|face| rays.is_between(**face, from, segment));
        **last = found.copied().unwrap_or(**last);
        found.is_some()
    }

    /// Whether no triangle can block any ray.
    fn is_impossible(&self) -> bool {
        matches!(&self.blockers, Some(Blockers::Few(blockers)) if blockers.is_empty())
    }
}
