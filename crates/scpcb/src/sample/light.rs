//! The light of the hall: lamps with soft shadows, and the gray of corners, traced through boxes.

use glam::Vec3;

/// A block that stops light, in game units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
}

impl Block {
    /// Whether the way from a point along `way` (its whole length) meets the block.
    fn stops(&self, from: Vec3, way: Vec3) -> bool {
        let inverse = way.recip();
        let (a, b) = ((self.low - from) * inverse, (self.high - from) * inverse);
        let (enter, leave) = (a.min(b).max_element(), a.max(b).min_element());
        enter < leave && leave > 0.0 && enter < 1.0
    }
}

/// A ball that shines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lamp {
    pub(super) at: Vec3,
    /// Linear light.
    pub(super) color: Vec3,
    /// How far its light reaches half as strong, game units.
    pub(super) reach: f32,
    pub(super) radius: f32,
}

/// What light falls on a point, linear.
#[derive(Debug)]
pub(super) struct Lighting<'a> {
    pub(super) lamps: &'a [Lamp],
    pub(super) blocks: &'a [Block],
    /// Light from everywhere, where nothing is near.
    pub(super) ambient: Vec3,
}

const SHADOW_RAYS: u32 = 24;
const CORNER_RAYS: u32 = 32;
/// How near something must be to darken a corner, game units.
const NEAR: f32 = 224.0;

impl Lighting<'_> {
    /// The light on a surface at a point with a normal of length 1.
    pub(super) fn at(&self, point: Vec3, normal: Vec3) -> Vec3 {
        let point = point + normal * 2.0;
        let lamps: Vec3 = self.lamps.iter().map(|lamp| self.of_lamp(lamp, point, normal)).sum();
        lamps + self.ambient * self.openness(point, normal)
    }

    fn of_lamp(&self, lamp: &Lamp, point: Vec3, normal: Vec3) -> Vec3 {
        let seen: f32 = (0..SHADOW_RAYS)
            .map(|ray| {
                let way = lamp.at + in_ball(ray) * lamp.radius - point;
                let facing = way.normalize_or_zero().dot(normal).max(0.0);
                if facing > 0.0 && !self.is_stopped(point, way) { facing } else { 0.0 }
            })
            .sum();
        let distance = (lamp.at - point).length() / lamp.reach;
        lamp.color * (seen / as_float(SHADOW_RAYS)) / (1.0 + distance * distance)
    }

    /// How much of the half-space over a point is free, 0..1.
    fn openness(&self, point: Vec3, normal: Vec3) -> f32 {
        let free: f32 = (0..CORNER_RAYS)
            .map(|ray| {
                let way = (in_ball(ray).normalize_or(normal) + normal).normalize_or(normal);
                if self.is_stopped(point, way * NEAR) { 0.0 } else { 1.0 }
            })
            .sum();
        free / as_float(CORNER_RAYS)
    }

    fn is_stopped(&self, from: Vec3, way: Vec3) -> bool {
        self.blocks.iter().any(|block| block.stops(from, way))
    }
}

/// The `index`th of points spread evenly through a ball of radius 1, always the same (a Kronecker sequence; points outside
/// the ball are pulled onto it).
fn in_ball(index: u32) -> Vec3 {
    let part = |step: f32| 2.0 * (0.5 + step * (as_float(index) + 1.0)).fract() - 1.0;
    Vec3::new(part(0.819_172_5), part(0.671_043_6), part(0.549_700_5)).clamp_length_max(1.0)
}

#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "numbers of rays and texels are small"
)]
pub(super) fn as_float(number: u32) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_between_stops_the_light_and_one_beside_does_not() {
        let block = Block { low: Vec3::new(-1.0, 1.0, -1.0), high: Vec3::new(1.0, 2.0, 1.0) };
        let up = Vec3::new(0.0, 4.0, 0.0);
        assert!(block.stops(Vec3::ZERO, up));
        assert!(!block.stops(Vec3::new(3.0, 0.0, 0.0), up));
        assert!(!block.stops(Vec3::ZERO, -up));
        assert!(!block.stops(Vec3::ZERO, up / 8.0));
    }

    #[test]
    fn a_shadow_is_darker_than_the_open() {
        let lamp = Lamp { at: Vec3::new(0.0, 400.0, 0.0), color: Vec3::ONE, reach: 300.0, radius: 20.0 };
        let block = Block { low: Vec3::new(-50.0, 200.0, -50.0), high: Vec3::new(50.0, 220.0, 50.0) };
        let lighting = Lighting { lamps: &[lamp], blocks: &[block], ambient: Vec3::ZERO };
        let (below, beside) =
            (lighting.at(Vec3::ZERO, Vec3::Y), lighting.at(Vec3::new(400.0, 0.0, 0.0), Vec3::Y));
        assert_eq!(below, Vec3::ZERO);
        assert!(beside.x > 0.05);
    }
}
