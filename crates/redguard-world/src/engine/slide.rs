//! Slides down steep ground, and along walls.

use super::clock::FrameScale;
use redguard_files::settings::ini::system::System;

/// The settings of SYSTEM.INI for slides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlideSettings {
    /// `slide_speed`: half world units per nominal update.
    pub speed: i32,
    /// `slide_hurt_height`: the length above which a slide hurts, in world units.
    pub hurt_height: i32,
    /// `slide_hurt_zap`: the health that a slide costs.
    pub hurt_damage: i32,
    /// `slide_range`: the product of direction and wall normal above which a step continues along a wall, in 65536ths.
    pub wall_range: i32,
}

impl Default for SlideSettings {
    /// The settings of the shipped game. \[D\]
    fn default() -> Self {
        Self { speed: 36, hurt_height: 1024, hurt_damage: 10, wall_range: -60_000 }
    }
}

/// The lowest `slide_speed`.
const MIN_SPEED: i32 = 8;

impl SlideSettings {
    /// Returns the settings of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        let number = |key| system.integer("game", key);
        Self {
            speed: number("slide_speed"),
            hurt_height: number("slide_hurt_height"),
            hurt_damage: number("slide_hurt_zap"),
            wall_range: system.integer("system", "slide_range"),
        }
    }

    /// Returns the movement of an update down the slope, in world units times 256. A `slide_speed` below 8 is 8. \[E\]
    #[must_use]
    pub fn step(&self, scale: FrameScale) -> i32 {
        scale.of(self.speed.max(MIN_SPEED).wrapping_mul(128))
    }

    /// Whether a slide hurts when it ends, from its length in world units times 256. \[E\]
    #[must_use]
    pub const fn hurts(&self, distance: i32) -> bool {
        distance > self.hurt_height.saturating_mul(256)
    }

    /// Whether a step that meets a wall continues along it; otherwise it is undone. The product is that of the direction and the normal of
    /// the wall, in 65536ths: -65536 is straight into the wall. \[E\]
    #[must_use]
    pub const fn continues_along_wall(&self, product: i32) -> bool {
        product > self.wall_range
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slide_of_57_updates_hurts() {
        let settings = SlideSettings::default();
        let step = settings.step(FrameScale::NOMINAL);
        assert_eq!((step, step * 57), (18 * 256, 262_656));
        assert_eq!([56, 57].map(|updates| settings.hurts(step * updates)), [false, true]);
        assert_eq!([262_144, 262_145].map(|it| settings.hurts(it)), [false, true]);
    }

    #[test]
    fn a_speed_below_8_is_8() {
        let step = |speed| SlideSettings { speed, ..Default::default() }.step(FrameScale(128));
        assert_eq!([-1, 7, 8, 9].map(step), [512, 512, 512, 576]);
    }

    #[test]
    fn a_step_straight_into_a_wall_is_undone() {
        let settings = SlideSettings::default();
        let products = [-65_536, -60_000, -59_999, 0];
        assert_eq!(products.map(|it| settings.continues_along_wall(it)), [false, false, true, true]);
    }
}
