//! The camera: its field of view, its clip distances, and its movement behind the player.

mod glide;
mod record;
mod rig;

pub use glide::Glide;
pub use record::{CameraRecord, OWN_PITCH, view_angles};
pub use rig::{CameraMode, CameraRig, CameraSubject};

use redguard_files::settings::ini::system::System;
use redguard_files::settings::ini::world::World;

/// The tangent of half of the horizontal field of view: 76.5 degrees. \[E=\]
pub const HALF_WIDTH_TANGENT: f32 = 0.788;

/// The clip distances of the scene in SYSTEM.INI, in world units. The sky and the sun have their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClipPlanes {
    /// `front_plane`.
    pub front: i32,
    /// `back_plane`.
    pub back: i32,
}

impl Default for ClipPlanes {
    /// The distances of the shipped game. \[D\]
    fn default() -> Self {
        Self { front: 7, back: 3800 }
    }
}

impl ClipPlanes {
    /// Returns the distances of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        let number = |key| system.integer("xngine", key);
        Self { front: number("front_plane"), back: number("back_plane") }
    }

    /// Returns the distances in a world, which may replace the far one. \[E\]
    #[must_use]
    pub const fn in_world(self, world: &World) -> Self {
        Self { back: if world.back_plane == 0 { self.back } else { world.back_plane }, ..self }
    }
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
        assert_eq!(ClipPlanes::default().in_world(&world), ClipPlanes { front: 7, back: 3800 });
        world.back_plane = 5000;
        assert_eq!(ClipPlanes::default().in_world(&world), ClipPlanes { front: 7, back: 5000 });
    }
}
