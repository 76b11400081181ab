//! The sun: the direction of its light and its image in the sky.

use super::rotation::Angle2048;
use crate::number::{float, truncated};
use redguard_files::settings::ini::world::World;

/// The length of the sun's direction before its fractions are truncated, in world units.
const LENGTH: f32 = 16_000.0;

/// The default size of the image, in hundredths.
const SCALE: i32 = 12_800;

/// The scale of an unscaled texture.
pub const NEUTRAL_SCALE: i32 = 256;

/// Returns the direction of a world's sunlight: three integers of magnitude up to about 16,000, X right, Y down, Z forward. \[E=\]
///
/// `world_sunangle` is the elevation and `world_sunskew` the sideways rotation, 2048 per turn.
#[must_use]
pub fn light_direction(angle: i32, skew: i32) -> [i32; 3] {
    let (angle, skew) = (Angle2048::new(angle), Angle2048::new(skew));
    [angle.sine(), angle.cosine(), skew.sine()].map(|part| truncated(LENGTH * part))
}

/// The image of the sun. It faces the camera, uses its pixels as opacities, has no fog, and is drawn before the scene. \[E\]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SunImage {
    /// The center relative to the camera, in world units.
    pub offset: [f32; 3],
    /// The distances from the center to the right and to the lower edge, in world units.
    pub half_size: [f32; 2],
    /// Color: red, green and blue.
    pub color: [i32; 3],
}

impl SunImage {
    /// Returns the sun of a world, from the size of its image in pixels and the `tex_scale` of the image. `None` if the world has no sun
    /// image.
    #[must_use]
    pub fn of_world(world: &World, image_size: [u16; 2], texture_scale: i32) -> Option<Self> {
        world.sky.sun_image.as_ref()?;
        let scale = if world.sky.sun_scale == 0 { SCALE } else { world.sky.sun_scale };
        let factor = float(texture_scale) / 256.0 * float(scale) / 100.0;
        Some(Self {
            offset: light_direction(world.sun_angle, world.sun_skew).map(|part| 0.0 - float(part)),
            half_size: image_size.map(|pixels| f32::from(pixels) / 2.0 * factor),
            color: world.sky.sun_color,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_light_points_down() {
        assert_eq!(light_direction(0, 0), [0, 16_000, 0]);
        // sin 45 degrees * 16000 = 11313.7.
        assert_eq!(light_direction(256, 0), [11_313, 11_313, 0]);
        assert_eq!(light_direction(256 + 2048, -512), [11_313, 11_313, -16_000]);
    }

    #[test]
    fn the_image_is_opposite_to_the_light_direction() {
        let mut world = World::new(1);
        assert_eq!(SunImage::of_world(&world, [256, 256], NEUTRAL_SCALE), None);
        (world.sky.sun_image, world.sky.sun_scale) = (Some("SUN001.BSI".into()), 4000);
        let sun = SunImage::of_world(&world, [256, 128], NEUTRAL_SCALE).unwrap();
        assert_eq!((sun.offset, sun.half_size), ([0.0, -16_000.0, 0.0], [5120.0, 2560.0]));
        assert_eq!(sun.color, [255, 255, 200]);
        world.sky.sun_scale = 0;
        assert_eq!(SunImage::of_world(&world, [2, 4], 128).unwrap().half_size, [64.0, 128.0]);
    }
}
