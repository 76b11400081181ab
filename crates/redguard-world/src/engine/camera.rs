//! The camera: its field of view, what it draws, and how it follows the player.

use redguard_files::settings::ini::world::World;

/// The tangent of half of the horizontal field of view: 76.5 degrees. \[E=\]
pub const HALF_WIDTH_TANGENT: f32 = 0.788;

/// Nothing nearer is drawn, in world units. \[E\]
pub const NEAR: f32 = 7.0;

/// Nothing farther is drawn where the world says nothing, in world units. \[E\]
const FAR: i32 = 3800;

/// Nothing farther is drawn in a world, in world units. \[E\]
#[must_use]
pub const fn far(world: &World) -> i32 {
    if world.back_plane == 0 { FAR } else { world.back_plane }
}

/// By how much the horizontal and the vertical slope of a ray are multiplied for a place on the screen, from its middle (0) to its edges (1).
/// \[E=\]
#[must_use]
pub fn projection(width: u16, height: u16) -> [f32; 2] {
    let across = 1.0 / HALF_WIDTH_TANGENT;
    [across, f32::from(width) / f32::from(height.max(1)) * across]
}

/// The vertical field of view in radians. \[E=\]
#[must_use]
pub fn vertical_field(width: u16, height: u16) -> f32 {
    let [_, down] = projection(width, height);
    (1.0 / down).atan() * 2.0
}

/// How the camera stands behind the player, in world units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Follow {
    /// How far it is behind.
    pub distance: f32,
    /// How far the place it looks from and the place it looks at are below the player, negative above.
    pub down: f32,
}

impl Follow {
    /// While the player walks. \[E\]
    pub const WALKING: Self = Self { distance: 250.0, down: -14_000.0 / 256.0 };

    /// While the player hangs from something. \[E\]
    pub const HANGING: Self = Self { distance: 250.0, ..Self::WALKING };

    /// On a rope. \[E\]
    pub const ROPE: Self = Self { distance: 300.0, ..Self::WALKING };

    /// In a fight. \[E\]
    pub const COMBAT: Self = Self { distance: 260.0, ..Self::WALKING };

    /// Of the gremlin: half the distance, and its own height. \[E\]
    #[must_use]
    pub fn of_gremlin(self) -> Self {
        Self { distance: self.distance / 2.0, down: 6400.0 / 256.0 }
    }
}

/// The share of its way that the camera makes in a frame along X, Y and Z. \[E\]
pub const GLIDE: [f32; 3] = [0.9, 0.2, 0.9];

/// The share of its turn that the camera makes in a frame: pitch, yaw, roll. The program swaps the keys of the first two. \[E\]
pub const GLIDE_ANGLES: [f32; 3] = [0.1, 0.7, 0.7];

/// A camera's number after a frame: a share of the way to its goal. \[E\]
#[must_use]
pub fn glided(from: f32, to: f32, share: f32) -> f32 {
    from + (to - from) * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_of_view_is_wider_than_high() {
        assert!(((HALF_WIDTH_TANGENT.atan() * 2.0).to_degrees() - 76.48).abs() < 0.01);
        assert!((vertical_field(640, 480).to_degrees() - 61.166).abs() < 0.01);
        let [across, down] = projection(640, 480);
        assert!((across - 1.269_036).abs() < 1e-5 && (down - 1.692_047).abs() < 1e-5, "{across} {down}");
    }

    #[test]
    fn a_world_may_end_elsewhere() {
        let mut world = World::new(1);
        assert_eq!(far(&world), 3800);
        world.back_plane = 5000;
        assert_eq!(far(&world), 5000);
    }

    #[test]
    fn the_camera_glides() {
        assert_eq!(glided(10.0, 20.0, 0.5), 15.0);
        assert_eq!(Follow::WALKING.of_gremlin(), Follow { distance: 125.0, down: 25.0 });
        // The example of the source: a player at Y -275 has the camera near -330.
        assert!((-275.0 + Follow::WALKING.down + 330.0).abs() < 1.0);
    }
}
