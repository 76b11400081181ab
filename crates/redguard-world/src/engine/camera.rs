//! The camera: its field of view, its clip distances, and its movement behind the player.

use redguard_files::settings::ini::world::World;

/// The tangent of half of the horizontal field of view: 76.5 degrees. \[E=\]
pub const HALF_WIDTH_TANGENT: f32 = 0.788;

/// The near clip distance in world units. \[E\]
pub const NEAR: f32 = 7.0;

/// The default far clip distance in world units. \[E\]
const FAR: i32 = 3800;

/// Returns the far clip distance of a world, in world units. \[E\]
#[must_use]
pub const fn far(world: &World) -> i32 {
    if world.back_plane == 0 { FAR } else { world.back_plane }
}

/// Returns the factors by which the horizontal and vertical slope of a ray are multiplied for a screen position, from the center (0) to the
/// edges (1). \[E=\]
#[must_use]
pub fn projection(width: u16, height: u16) -> [f32; 2] {
    let across = 1.0 / HALF_WIDTH_TANGENT;
    [across, f32::from(width) / f32::from(height.max(1)) * across]
}

/// Returns the vertical field of view in radians. \[E=\]
#[must_use]
pub fn vertical_field_of_view(width: u16, height: u16) -> f32 {
    let [_, down] = projection(width, height);
    (1.0 / down).atan() * 2.0
}

/// The position of the camera behind the player, in world units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Follow {
    /// Distance behind the player.
    pub distance: f32,
    /// The offset of the camera and its target below the player; negative values are above.
    pub down: f32,
}

impl Follow {
    /// Walking. \[E\]
    pub const WALKING: Self = Self { distance: 250.0, down: -14_000.0 / 256.0 };

    /// Hanging from something. \[E\]
    pub const HANGING: Self = Self { distance: 250.0, ..Self::WALKING };

    /// On a rope. \[E\]
    pub const ROPE: Self = Self { distance: 300.0, ..Self::WALKING };

    /// In combat. \[E\]
    pub const COMBAT: Self = Self { distance: 260.0, ..Self::WALKING };

    /// Returns the position for the gremlin: half the distance, and a separate height. \[E\]
    #[must_use]
    pub fn of_gremlin(self) -> Self {
        Self { distance: self.distance / 2.0, down: 6400.0 / 256.0 }
    }
}

/// The fraction of the remaining distance that the camera moves per frame along X, Y and Z. \[E\]
pub const GLIDE: [f32; 3] = [0.9, 0.2, 0.9];

/// The fraction of the remaining angle that the camera rotates per frame: pitch, yaw, roll. The program swaps the keys of the first two.
/// \[E\]
pub const GLIDE_ANGLES: [f32; 3] = [0.1, 0.7, 0.7];

/// Returns a camera value after a frame, moved by a fraction of the distance to its target. \[E\]
#[must_use]
pub fn glided(from: f32, to: f32, fraction: f32) -> f32 {
    from + (to - from) * fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_of_view_is_wider_than_high() {
        assert!(((HALF_WIDTH_TANGENT.atan() * 2.0).to_degrees() - 76.48).abs() < 0.01);
        assert!((vertical_field_of_view(640, 480).to_degrees() - 61.166).abs() < 0.01);
        let [across, down] = projection(640, 480);
        assert!((across - 1.269_036).abs() < 1e-5 && (down - 1.692_047).abs() < 1e-5, "{across} {down}");
    }

    #[test]
    fn a_world_may_set_the_far_clip_distance() {
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
