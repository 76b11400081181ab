//! Ground contact of actors: slopes, heights, falls, and collision spheres.

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

/// Returns the Y of a standing actor, from the Y of the supporting surface, the actor's downward extent and `standing_height` (-2 as
/// shipped). World units, Y down. \[E\]
#[must_use]
pub const fn standing_y(support: i32, positive_extent: i32, standing_height: i32) -> i32 {
    support.wrapping_sub(positive_extent).wrapping_add(standing_height)
}

/// The effect of a fall on an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fall {
    /// No effect.
    None,
    /// The actor bounces.
    Bounce,
    /// The actor loses 10 health.
    Hurt,
    /// The actor dies.
    Dead,
}

impl Fall {
    /// Returns the effect of a fall by a height in world units: bounce from 100, hurt from 300, dead from 568. \[E\]
    #[must_use]
    pub const fn of_height(height: i32) -> Self {
        match height {
            568.. => Self::Dead,
            300.. => Self::Hurt,
            100.. => Self::Bounce,
            _ => Self::None,
        }
    }
}

/// Returns the number of nominal ticks after which a fall is deadly, from `player_fall_dead_time` in seconds. \[E\]
#[must_use]
pub fn deadly_fall_ticks(player_fall_dead_time: i32) -> i32 {
    player_fall_dead_time.max(3).saturating_mul(12)
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
    fn the_effect_of_a_fall_depends_on_its_height() {
        let all = [99, 100, 299, 300, 567, 568].map(Fall::of_height);
        assert_eq!(all, [Fall::None, Fall::Bounce, Fall::Bounce, Fall::Hurt, Fall::Hurt, Fall::Dead]);
        assert_eq!((deadly_fall_ticks(0), deadly_fall_ticks(5)), (36, 60));
    }
}
