//! The sky: a plane with a moving image above the camera, tilted along the view direction.

use super::rotation::Angle2048;
use crate::number::float;
use redguard_files::settings::ini::system::System;
use redguard_files::settings::ini::world::World;

/// The distance from the camera to the edges of the sky, in world units; no part of the sky beyond it is drawn.
pub const EXTENT: f32 = 65_000.0;

/// The distance to the camera below which no part of the sky is drawn, in world units.
pub const NEAR: f32 = 1.0;

/// The number of texels the image moves per world unit of camera movement.
const PARALLAX: f32 = 0.009;

/// The tilt of the sky.
const TILT: Angle2048 = Angle2048::new(24);

/// The number of texels after which the image repeats.
pub const PERIOD: f32 = 256.0;

/// The maximum number of ticks by which a frame moves the sky.
const MAX_TICKS: u32 = 36;

/// The sky of a world: opaque, bilinearly filtered and repeating. \[E\]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sky {
    /// Height in world units, Y down.
    pub level: f32,
    /// Texels per [`EXTENT`].
    pub scale: f32,
    /// Speed in 16ths of a texel per tick.
    pub speed: u8,
}

/// The switches of SYSTEM.INI for the sky.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SkySwitches {
    /// `sky_disable`: whether no sky is drawn, so that the color of the fog remains. Off in the shipped game.
    pub is_disabled: bool,
}

impl SkySwitches {
    /// Returns the switches of SYSTEM.INI. `sky_move`, `sky_xrotate` and `sky_yrotate` have no known effect in the program for Glide. \[?\]
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        Self { is_disabled: system.integer("xngine", "sky_disable") == 1 }
    }

    /// Returns the sky that is drawn in a world; `None` if there is none. \[E\]
    #[must_use]
    pub fn drawn(self, world: &World) -> Option<Sky> {
        if self.is_disabled { None } else { Sky::of_world(world) }
    }
}

/// The accumulated movement of the sky image, in texels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Scroll {
    /// Horizontal.
    pub u: f32,
    /// Vertical.
    pub v: f32,
}

/// A vertex of the sky plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkyCorner {
    /// Position in world units.
    pub position: [f32; 3],
    /// Texture coordinates in texels.
    pub uv: [f32; 2],
}

impl Sky {
    /// Returns the sky of a world; `None` if it has no image. The older keys (`world_sky`, the rotations) have no effect. \[E\]
    #[must_use]
    pub fn of_world(world: &World) -> Option<Self> {
        let keys = &world.sky;
        keys.image.as_ref()?;
        let [speed, ..] = keys.speed.to_le_bytes();
        Some(Self { level: float(keys.level), scale: float(keys.scale), speed })
    }

    /// Returns the scroll after a number of BIOS ticks. The image moves in one direction, which is drawn when the world is entered (see
    /// [`sky_direction`](super::random::sky_direction)). At most 36 ticks are applied at once. \[E\]
    ///
    /// It is unknown which axis uses the cosine; here it is v. \[?\]
    #[must_use]
    pub fn scrolled(&self, scroll: Scroll, direction: Angle2048, ticks: u32) -> Scroll {
        let ticks = f32::from(u8::try_from(ticks.min(MAX_TICKS)).unwrap_or_default());
        let shift = f32::from(self.speed) / 16.0 * ticks;
        let moved = |from: f32, part: f32| (from + shift * part).rem_euclid(PERIOD);
        Scroll { u: moved(scroll.u, direction.sine()), v: moved(scroll.v, direction.cosine()) }
    }

    /// Returns the texture coordinates, in texels, of a point of the sky at an offset to the right of and in front of the camera (X and Z,
    /// world units), before the tilt. \[E\]
    #[must_use]
    pub fn uv(&self, camera: [f32; 3], x: f32, z: f32, scroll: Scroll) -> [f32; 2] {
        let [camera_x, _, camera_z] = camera;
        let u = self.scale * x / EXTENT + PARALLAX * camera_x + scroll.u;
        let v = -self.scale * z / EXTENT - PARALLAX * camera_z + scroll.v;
        [u, v]
    }

    /// Returns the corners of the sky around a camera (world units) that looks along a bearing, in this order: -X -Z, +X -Z, +X +Z, -X +Z.
    /// \[E\]
    #[must_use]
    pub fn corners(&self, camera: [f32; 3], view: Angle2048, scroll: Scroll) -> [SkyCorner; 4] {
        let [camera_x, _, camera_z] = camera;
        [[-EXTENT, -EXTENT], [EXTENT, -EXTENT], [EXTENT, EXTENT], [-EXTENT, EXTENT]].map(|[x, z]| {
            let [right, down, forward] = tilted(x, z, view);
            SkyCorner {
                position: [camera_x + right, self.level + down, camera_z + forward],
                uv: self.uv(camera, x, z, scroll),
            }
        })
    }
}

/// Tilts a point of a horizontal plane, relative to the camera, along the view direction: `p + (cos a - 1) q h`, and `sin(a) q` down, where
/// q is the component of p along the view direction h. \[E\]
#[must_use]
pub fn tilted(x: f32, z: f32, view: Angle2048) -> [f32; 3] {
    let [across, along] = [view.sine(), view.cosine()];
    let ahead = x * across + z * along;
    let shorter = (TILT.cosine() - 1.0) * ahead;
    [x + shorter * across, TILT.sine() * ahead, z + shorter * along]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sky() -> Sky {
        let mut world = World::new(1);
        (world.sky.image, world.sky.speed) = (Some("SKY01.BSI".into()), 0x108);
        Sky::of_world(&world).unwrap()
    }

    #[test]
    fn a_world_without_an_image_has_no_sky() {
        assert_eq!(Sky::of_world(&World::new(1)), None);
        assert_eq!(SkySwitches::default().drawn(&World::new(1)), None);
        // The speed is a byte.
        assert_eq!(sky(), Sky { level: -3500.0, scale: 2000.0, speed: 8 });
        let mut world = World::new(1);
        (world.sky.image, world.sky.level, world.sky.scale) = (Some("A.BSI".into()), -900, 12_800);
        assert_eq!(Sky::of_world(&world), Some(Sky { level: -900.0, scale: 12_800.0, speed: 0 }));
    }

    #[test]
    fn a_disabled_sky_is_not_drawn() {
        let mut world = World::new(1);
        world.sky.image = Some("SKY01.BSI".into());
        assert!(SkySwitches::default().drawn(&world).is_some());
        assert_eq!(SkySwitches { is_disabled: true }.drawn(&world), None);
    }

    #[test]
    fn the_image_moves_by_sixteenths_and_wraps() {
        let (sky, start) = (sky(), Scroll::default());
        // 8 / 16 * 10 texels.
        assert_eq!(sky.scrolled(start, Angle2048::ZERO, 10), Scroll { u: 0.0, v: 5.0 });
        assert_eq!(sky.scrolled(start, Angle2048::QUARTER, 10).u, 5.0);
        let back = sky.scrolled(start, Angle2048::new(-512), 10);
        assert_eq!(back.u, 251.0);
        // 36 ticks at most.
        assert_eq!(sky.scrolled(start, Angle2048::ZERO, 1000), Scroll { u: 0.0, v: 18.0 });
    }

    #[test]
    fn the_image_follows_the_camera() {
        let sky = sky();
        assert_eq!(sky.uv([0.0; 3], 65_000.0, -65_000.0, Scroll::default()), [2000.0, 2000.0]);
        assert_eq!(sky.uv([1000.0, 5.0, 2000.0], 0.0, 0.0, Scroll { u: 1.0, v: 20.0 }), [10.0, 2.0]);
    }

    #[test]
    fn the_plane_sinks_along_the_view() {
        // sin(24 / 2048 of a turn) = 0.0735646, its cosine 0.9972904.
        let [x, y, z] = tilted(1000.0, 10_000.0, Angle2048::ZERO);
        assert!(x == 1000.0 && (y - 735.646).abs() < 0.01 && (z - 9972.904).abs() < 0.01, "{x} {y} {z}");
        let [x, y, _] = tilted(-10_000.0, 0.0, Angle2048::QUARTER);
        assert!((x + 9972.904).abs() < 0.01 && (y + 735.646).abs() < 0.01, "{x} {y}");
        let corners = sky().corners([100.0, 0.0, 200.0], Angle2048::ZERO, Scroll::default());
        assert_eq!(corners[0].position[0], -64_900.0);
        assert!((corners[2].position[1] - (-3500.0 + 4781.7)).abs() < 0.1, "{:?}", corners[2]);
        assert_eq!(corners[2].uv, [2000.0 + 0.9, -2000.0 - 1.8]);
    }
}
