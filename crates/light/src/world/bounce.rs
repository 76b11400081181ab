//! Light that surfaces reflect.

use glam::Vec3A;

use super::grid::coarse_to_fine;
use super::neighbor::Neighborhood;
use super::{Points, World};
use crate::pattern::{Frame, Pattern, on_hemisphere};
use crate::rays::{Hit, Side};
use crate::texel::{MAX_POINTS, TexelMap};

/// A sample that receives light.
struct Receiver {
    points: Points,
    /// The axes of each point.
    frames: [Frame; MAX_POINTS],
    sum: Vec3A,
}

impl Receiver {
    fn new(points: Points) -> Self {
        let mut frames = [Frame::default(); MAX_POINTS];
        for (frame, point) in frames.iter_mut().zip(points.iter()) {
            *frame = Frame::new(point.normal);
        }
        Self { points, frames, sum: Vec3A::ZERO }
    }
}

impl World {
    /// Returns the light that arrives from lit surfaces for each sample. In a closed room whose surfaces are all lit
    /// equally, it is that light multiplied by their albedo.
    #[must_use]
    pub fn bounced(
        &self,
        lit: &TexelMap,
        light: &[Option<Vec3A>],
        pass: u32,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Vec<Option<Vec3A>> {
        // All texels use the same pattern: errors appear as slight differences of large areas instead of noise.
        let pattern = Pattern::new(pass.into());
        let directions: Vec<Vec3A> =
            (0..self.quality.bounce_rays).map(|ray| on_hemisphere(pattern.point(ray))).collect();
        let near = Neighborhood::new(self, lit);
        coarse_to_fine(&near, progress, |samples| self.gathered(lit, samples, light, &directions))
    }

    /// Returns the light that arrives at samples from some directions; `None` if they show nothing.
    fn gathered(
        &self,
        lit: &TexelMap,
        samples: &[usize],
        light: &[Option<Vec3A>],
        directions: &[Vec3A],
    ) -> Vec<Option<Vec3A>> {
        let mut receivers: Vec<Receiver> =
            samples.iter().map(|sample| Receiver::new(self.points(&lit.texels[*sample]))).collect();
        // Rays in the same direction visit the same part of the tree.
        for (ray, direction) in directions.iter().enumerate() {
            for receiver in receivers.iter_mut().filter(|receiver| !receiver.points.is_empty()) {
                let number = ray % receiver.points.len();
                let direction = receiver.frames[number].direction(*direction);
                if let Some(hit) = self.rays.first_hit(receiver.points[number].position, direction) {
                    receiver.sum += self.reflected(&hit, lit, light);
                }
            }
        }
        let lit = |receiver: &Receiver| {
            (!receiver.points.is_empty()).then(|| {
                self.count(self.quality.bounce_rays);
                receiver.sum / directions.len().max(1) as f32
            })
        };
        receivers.iter().map(lit).collect()
    }

    /// Returns the light that a surface reflects at the intersection of a ray.
    fn reflected(&self, hit: &Hit, lit: &TexelMap, light: &[Option<Vec3A>]) -> Vec3A {
        let facet = hit.owner as usize;
        if hit.crossing.side == Side::Back {
            return Vec3A::ZERO;
        }
        let number = match lit.placements.get(facet).copied().flatten() {
            Some(placement) => {
                let [a, b, c] = placement.corners;
                let [u, v] = hit.crossing.weights;
                lit.pages.get(placement.page).and_then(|page| page.texel(a + (b - a) * u + (c - a) * v))
            }
            None => lit.centers.get(facet).copied().flatten().map(|number| number as usize),
        };
        let found = number.and_then(|number| light.get(number).copied().flatten());
        found.unwrap_or_default() * self.triangles[facet].albedo
    }
}
