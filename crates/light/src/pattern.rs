//! Evenly distributed sample points and directions, which differ from texel to texel. They are deterministic,
//! regardless of threads.

use glam::{Vec2, Vec3A};

/// Hashes a number, so that similar numbers have very different results (the finalizer of `SplitMix64`).
const fn hash(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Points of a square from (0, 0) to (1, 1), in a different order for each seed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pattern {
    shift: Vec2,
}

impl Pattern {
    pub(crate) fn new(seed: u64) -> Self {
        let bits = hash(seed);
        let fraction = |bits: u64| (f64::from(bits as u32) / 4_294_967_296.0) as f32;
        Self { shift: Vec2::new(fraction(bits), fraction(bits >> 32)) }
    }

    /// Returns a point by index: the additive recurrence of the plastic number, which fills the square evenly for any
    /// number of points.
    pub(crate) fn point(self, number: u32) -> Vec2 {
        const STEP: [f64; 2] = [0.754_877_666_246_693, 0.569_840_290_998_053];
        let walked = STEP.map(|step| (f64::from(number) * step).fract() as f32);
        (self.shift + Vec2::from_array(walked)).fract_gl().clamp(Vec2::ZERO, Vec2::splat(0.999_999))
    }
}

/// Maps a point of the square to the unit disk, preserving the distribution.
pub(crate) fn on_disk(point: Vec2) -> Vec2 {
    Vec2::from_angle(point.x * std::f32::consts::TAU) * point.y.sqrt()
}

/// Returns two unit vectors that are perpendicular to a unit vector and to each other.
pub(crate) fn perpendicular(direction: Vec3A) -> [Vec3A; 2] {
    let [x, y] = direction.any_orthonormal_pair().into();
    [x, y]
}

/// Maps a point of the square to a cosine-weighted direction on the hemisphere around the Z axis.
pub(crate) fn on_hemisphere(point: Vec2) -> Vec3A {
    let flat = on_disk(point);
    let height = (1.0 - flat.length_squared()).max(0.0).sqrt();
    Vec3A::new(flat.x, flat.y, height)
}

/// Axes whose Z axis is a normal.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Frame {
    x: Vec3A,
    y: Vec3A,
    z: Vec3A,
}

impl Frame {
    /// Creates axes from a unit normal.
    pub(crate) fn new(normal: Vec3A) -> Self {
        let [x, y] = perpendicular(normal);
        Self { x, y, z: normal }
    }

    /// Returns the direction with these coordinates.
    pub(crate) fn direction(&self, local: Vec3A) -> Vec3A {
        self.x * local.x + self.y * local.y + self.z * local.z
    }
}

/// Counts the points in each cell of a grid, for tests of the distribution.
#[cfg(test)]
fn points_per_cell(pattern: Pattern, count: u32, cells: u32) -> Vec<u32> {
    let mut out = vec![0; (cells * cells) as usize];
    for number in 0..count {
        let at = pattern.point(number) * cells as f32;
        out[(at.y as u32 * cells + at.x as u32) as usize] += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_the_square_evenly_for_each_seed() {
        for seed in 0..50 {
            let counts = points_per_cell(Pattern::new(seed), 256, 4);
            assert!(counts.iter().all(|count| (11..=21).contains(count)), "{seed}: {counts:?}");
        }
    }

    #[test]
    fn weights_directions_on_a_hemisphere_by_the_cosine() {
        let normal = Vec3A::new(1.0, 2.0, -3.0).normalize();
        let frame = Frame::new(normal);
        let direction = |number: u32| frame.direction(on_hemisphere(Pattern::new(1).point(number)));
        let all: Vec<Vec3A> = (0..4096).map(direction).collect();
        assert!(
            all.iter()
                .all(|direction| (direction.length() - 1.0).abs() < 1e-4 && direction.dot(normal) >= -1e-6)
        );
        let mean = all.iter().copied().sum::<Vec3A>() / 4096.0;
        // The mean cosine of cosine-weighted directions is two thirds.
        assert!((mean - normal * (2.0 / 3.0)).length() < 0.01, "{mean}");
    }
}
