//! Directions and places that are spread evenly, and differ from texel to texel. They are the same in each run, whatever thread asks.

use glam::{Vec2, Vec3A};

/// Mixes a number well: two that differ little give ones that differ much (the finalizer of `SplitMix64`).
const fn mixed(number: u64) -> u64 {
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
        let bits = mixed(seed);
        let share = |bits: u64| (f64::from(bits as u32) / 4_294_967_296.0) as f32;
        Self { shift: Vec2::new(share(bits), share(bits >> 32)) }
    }

    /// The point of a number: the additive recurrence of the plastic number, which fills the square evenly however many are taken.
    pub(crate) fn point(self, number: u32) -> Vec2 {
        const STEP: [f64; 2] = [0.754_877_666_246_693, 0.569_840_290_998_053];
        let walked = STEP.map(|step| (f64::from(number) * step).fract() as f32);
        (self.shift + Vec2::from_array(walked)).fract_gl().clamp(Vec2::ZERO, Vec2::splat(0.999_999))
    }
}

/// A point of the disk of radius 1, as evenly spread as those of the square.
pub(crate) fn on_disk(point: Vec2) -> Vec2 {
    Vec2::from_angle(point.x * std::f32::consts::TAU) * point.y.sqrt()
}

/// Two directions that are at right angles to a direction of length 1, and to each other.
pub(crate) fn across(direction: Vec3A) -> [Vec3A; 2] {
    let [x, y] = direction.any_orthonormal_pair().into();
    [x, y]
}

/// A direction over a surface, by how much it sees of each: the cosine to its normal.
pub(crate) fn over(normal: Vec3A, point: Vec2) -> Vec3A {
    let [x, y] = across(normal);
    let flat = on_disk(point);
    let height = (1.0 - flat.length_squared()).max(0.0).sqrt();
    x * flat.x + y * flat.y + normal * height
}

/// How many of a number of points lie in a cell of a grid, for tests of evenness.
#[cfg(test)]
fn spread(pattern: Pattern, count: u32, cells: u32) -> Vec<u32> {
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
    fn points_fill_the_square_evenly_for_each_seed() {
        for seed in 0..50 {
            let counts = spread(Pattern::new(seed), 256, 4);
            assert!(counts.iter().all(|count| (11..=21).contains(count)), "{seed}: {counts:?}");
        }
    }

    #[test]
    fn directions_over_a_surface_follow_the_cosine() {
        let normal = Vec3A::new(1.0, 2.0, -3.0).normalize();
        let all: Vec<Vec3A> = (0..4096).map(|number| over(normal, Pattern::new(1).point(number))).collect();
        assert!(all.iter().all(|way| (way.length() - 1.0).abs() < 1e-4 && way.dot(normal) >= -1e-6));
        let mean = all.iter().copied().sum::<Vec3A>() / 4096.0;
        // The mean cosine of directions that are weighted by it is two thirds.
        assert!((mean - normal * (2.0 / 3.0)).length() < 0.01, "{mean}");
    }
}
