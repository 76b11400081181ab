//! The lighting of the hall: lamps with soft shadows, and ambient occlusion, traced through boxes.

use glam::Vec3;

/// A block that blocks light, in game units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
}

impl Block {
    /// Whether the segment from `from` to `from + segment` intersects the block.
    fn blocks(&self, from: Vec3, segment: Vec3) -> bool {
        let inverse = segment.recip();
        let (a, b) = ((self.low - from) * inverse, (self.high - from) * inverse);
        let (enter, leave) = (a.min(b).max_element(), a.max(b).min_element());
        enter < leave && leave > 0.0 && enter < 1.0
    }
}

/// A spherical light.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lamp {
    pub(super) at: Vec3,
    /// Linear color.
    pub(super) color: Vec3,
    /// Distance at which the light is half as strong, in game units.
    pub(super) reach: f32,
    pub(super) radius: f32,
}

/// Computes linear light.
#[derive(Debug)]
pub(super) struct Lighting<'a> {
    pub(super) lamps: &'a [Lamp],
    pub(super) blocks: &'a [Block],
    /// Ambient light without occlusion.
    pub(super) ambient: Vec3,
}

const SHADOW_RAYS: u32 = 24;
const CORNER_RAYS: u32 = 32;
/// Maximum distance of ambient occlusion, in game units.
const NEAR: f32 = 224.0;

impl Lighting<'_> {
    /// The light on a surface at a point with a unit normal.
    pub(super) fn at(&self, point: Vec3, normal: Vec3) -> Vec3 {
        let point = point + normal * 2.0;
        let lamps: Vec3 = self.lamps.iter().map(|lamp| self.of_lamp(lamp, point, normal)).sum();
        lamps + self.ambient * self.openness(point, normal)
    }

    fn of_lamp(&self, lamp: &Lamp, point: Vec3, normal: Vec3) -> Vec3 {
        let seen: f32 = (0..SHADOW_RAYS)
            .map(|ray| {
                let segment = lamp.at + in_ball(ray) * lamp.radius - point;
                let facing = segment.normalize_or_zero().dot(normal).max(0.0);
                if facing > 0.0 && !self.is_blocked(point, segment) { facing } else { 0.0 }
            })
            .sum();
        let distance = (lamp.at - point).length() / lamp.reach;
        lamp.color * (seen / as_float(SHADOW_RAYS)) / (1.0 + distance * distance)
    }

    /// The unoccluded fraction of the half-space above a point, 0..1.
    fn openness(&self, point: Vec3, normal: Vec3) -> f32 {
        let free: f32 = (0..CORNER_RAYS)
            .map(|ray| {
                let segment = (in_ball(ray).normalize_or(normal) + normal).normalize_or(normal);
                if self.is_blocked(point, segment * NEAR) { 0.0 } else { 1.0 }
            })
            .sum();
        free / as_float(CORNER_RAYS)
    }

    fn is_blocked(&self, from: Vec3, segment: Vec3) -> bool {
        self.blocks.iter().any(|block| block.blocks(from, segment))
    }
}

/// Point `index` of a deterministic sequence that is evenly distributed in a unit ball (a Kronecker sequence; points outside
/// the ball are clamped to it).
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
    fn a_block_stops_only_the_light_behind_it() {
        let block = Block { low: Vec3::new(-1.0, 1.0, -1.0), high: Vec3::new(1.0, 2.0, 1.0) };
        let up = Vec3::new(0.0, 4.0, 0.0);
        assert!(block.blocks(Vec3::ZERO, up));
        assert!(!block.blocks(Vec3::new(3.0, 0.0, 0.0), up));
        assert!(!block.blocks(Vec3::ZERO, -up));
        assert!(!block.blocks(Vec3::ZERO, up / 8.0));
    }

    #[test]
    fn a_shadow_is_darker_than_a_lit_point() {
        let lamp = Lamp { at: Vec3::new(0.0, 400.0, 0.0), color: Vec3::ONE, reach: 300.0, radius: 20.0 };
        let block = Block { low: Vec3::new(-50.0, 200.0, -50.0), high: Vec3::new(50.0, 220.0, 50.0) };
        let lighting = Lighting { lamps: &[lamp], blocks: &[block], ambient: Vec3::ZERO };
        let (below, unshadowed) =
            (lighting.at(Vec3::ZERO, Vec3::Y), lighting.at(Vec3::new(400.0, 0.0, 0.0), Vec3::Y));
        assert_eq!(below, Vec3::ZERO);
        assert!(unshadowed.x > 0.05);
    }
}
