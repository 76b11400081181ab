//! Ground contact of actors: slopes, heights, and collision spheres.

use redguard_files::settings::ini::system::System;

/// The slope class of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slope {
    /// A surface actors can stand on.
    Floor,
    /// A surface actors slide off.
    Steep,
    /// An overhead surface.
    Ceiling,
    /// A wall.
    Wall,
}

impl Slope {
    /// Returns the slope of a face, from the Y of its normal in 256ths, Y down. \[E\]
    #[must_use]
    pub const fn of_normal(y: i32) -> Self {
        match y {
            ..=-161 => Self::Floor,
            -160..=-42 => Self::Steep,
            161.. => Self::Ceiling,
            _ => Self::Wall,
        }
    }

    /// Returns the game's number for the slope.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Wall => 1,
            Self::Steep => 2,
            Self::Floor => 4,
            Self::Ceiling => 8,
        }
    }
}

/// The settings of SYSTEM.INI for actors on ground, in world units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroundSettings {
    /// `post_collide_height`: how far above and below its feet an actor looks for ground.
    pub post_collide_height: i32,
    /// `standing_height`: how far below its support an actor is placed; negative numbers are above.
    pub standing_height: i32,
}

impl Default for GroundSettings {
    /// The settings of the shipped game. \[D\]
    fn default() -> Self {
        Self { post_collide_height: 50, standing_height: -2 }
    }
}

/// The measured frame rate from which falling actors look for ground in a shorter distance.
const FAST: i32 = 10;

impl GroundSettings {
    /// Returns the settings of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        let number = |key| system.integer("system", key);
        Self {
            post_collide_height: number("post_collide_height"),
            standing_height: number("standing_height"),
        }
    }

    /// Returns how far above and below its feet a falling actor looks for ground, in world units, at a measured frame rate. \[E\]
    #[must_use]
    pub const fn falling_probe(&self, frame_rate: i32) -> i32 {
        if frame_rate < FAST {
            self.post_collide_height
        } else {
            (self.post_collide_height >> 2).wrapping_mul(3)
        }
    }

    /// Returns the greatest distance that an actor falls in an update, in world units times 256. \[E\]
    #[must_use]
    pub const fn fall_limit(&self) -> i32 {
        self.post_collide_height.wrapping_mul(512).wrapping_sub(256)
    }
}

/// Returns the Y of a standing actor, from the Y of the supporting surface, the actor's downward extent and `standing_height` (-2 as
/// shipped). World units, Y down. \[E\]
#[must_use]
pub const fn standing_y(support: i32, positive_extent: i32, standing_height: i32) -> i32 {
    support.wrapping_sub(positive_extent).wrapping_add(standing_height)
}

/// Returns the radius of an actor's spheres in world units, from its horizontal extents and the scale of RAEX in 256ths (256 for 0 and
/// below): half of the larger extent, which is at least 4. \[E\]
#[must_use]
pub fn sphere_radius(extent_x: i32, extent_z: i32, sphere_scale: i16) -> i32 {
    let scale = if sphere_scale <= 0 { 256 } else { i32::from(sphere_scale) };
    (extent_x.max(extent_z).max(4) / 2).wrapping_mul(scale) >> 8
}

/// The radius of the only sphere of an actor without a size, in world units. \[E\]
pub const DEFAULT_SPHERE: i32 = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_classified_by_the_normal() {
        let all = [-256, -161, -160, -42, -41, 0, 160, 161, 256].map(|y| Slope::of_normal(y).number());
        assert_eq!(all, [4, 4, 2, 2, 1, 1, 1, 8, 8]);
    }

    #[test]
    fn a_standing_actor_is_above_its_ground() {
        assert_eq!(standing_y(-40, 30, -2), -72);
        assert_eq!((sphere_radius(20, 30, 0), sphere_radius(1, 2, 512)), (15, 4));
    }

    #[test]
    fn the_ground_is_searched_less_far_down_at_usual_frame_rates() {
        let ground = GroundSettings::default();
        assert_eq!([9, 10, 60].map(|rate| ground.falling_probe(rate)), [50, 36, 36]);
        assert_eq!(ground.fall_limit(), 99 * 256);
    }
}
