//! Flats: images that face the camera, such as flames and plants.

use super::light::sprite_light;
use crate::map::Map;
use redguard_files::settings::ini::world::World;

/// The drawing parameters of an image used as a flat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FlatLook {
    /// The flags of its record in the FLAT section, with bit 0 set.
    pub flags: u32,
    /// Opacity, up to 256; values below 254 are blended.
    pub alpha: u16,
}

/// The flag that mirrors a flat horizontally.
pub const MIRROR_X: u32 = 0x20;

/// The flag that mirrors a flat vertically.
pub const MIRROR_Y: u32 = 0x40;

/// The flag that draws a flat on top of everything else.
pub const ON_TOP: u32 = 0x100;

/// The flag that disables depth writes for a flat.
pub const NO_DEPTH_WRITE: u32 = 0x200;

impl FlatLook {
    /// Returns the parameters of an image in the FLAT section of a map; its first record is used. \[E\]
    #[must_use]
    pub fn of(map: &Map, bank: u16, image: u16) -> Self {
        let (flags, alpha) = map.draw_parameters(bank, image);
        Self { flags: flags.into(), alpha }
    }

    /// Whether the flat is blended with the background.
    #[must_use]
    pub const fn is_blended(&self) -> bool {
        self.alpha < 254
    }

    /// Returns the light of the flat, in 256ths: 255 if it is blended, otherwise the light of sprites. \[E\]
    #[must_use]
    pub const fn light(&self, world: &World) -> i32 {
        if self.is_blended() { 255 } else { sprite_light(world) }
    }

    /// Returns the texture coordinates of the left, upper, right and lower edge: the full image, mirrored according to the flags. \[E\]
    #[must_use]
    pub const fn edges(&self) -> [f32; 4] {
        let (left, right) = if self.flags & MIRROR_X == 0 { (0.0, 1.0) } else { (1.0, 0.0) };
        let (top, bottom) = if self.flags & MIRROR_Y == 0 { (0.0, 1.0) } else { (1.0, 0.0) };
        [left, top, right, bottom]
    }
}

/// Returns the width and height of a flat in world units: the pixels of its image, times the `tex_scale` of the image in 256ths (0 means
/// 256), times a separate scale (1 for flats of maps). \[E=\]
#[must_use]
pub fn size(image: [u16; 2], texture_scale: i32, scale: f32) -> [f32; 2] {
    let texture_scale = if texture_scale == 0 { 256 } else { texture_scale };
    image.map(|pixels| f32::from(pixels) * crate::number::float(texture_scale) / 256.0 * scale)
}

/// Returns the corners of a flat (upper left, upper right, lower right, lower left) around its center, in world units, from the camera's
/// right and down directions. \[E=\]
#[must_use]
pub fn corners(position: [f32; 3], size: [f32; 2], right: [f32; 3], down: [f32; 3]) -> [[f32; 3]; 4] {
    let [half_width, half_height] = size.map(|side| side / 2.0);
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[across, along]| {
        let mut axes = position.into_iter().zip(right).zip(down);
        std::array::from_fn(|_| {
            let ((position, right), down) = axes.next().unwrap_or_default();
            position + right * across * half_width + down * along * half_height
        })
    })
}

#[cfg(test)]
mod tests {
    use record::Bytes;

    use super::*;
    use crate::map::{DrawMode, DrawModes, Section};

    #[test]
    fn the_first_record_of_an_image_is_used() {
        let record = |texture_set, image, flags, alpha| DrawMode { texture_set, image, flags, alpha };
        let records = vec![record(352, 2, 0, 9), record(352, 1, 0x20, 181), record(352, 1, 0, 0)];
        let map = Map {
            sections: vec![Section::DrawModes(DrawModes { records })],
            end: true,
            rest: Bytes::default(),
        };
        let look = FlatLook::of(&map, 352, 1);
        assert_eq!((look.flags, look.alpha, look.edges()), (0x21, 182, [1.0, 0.0, 0.0, 1.0]));
        assert!(look.is_blended());
        assert_eq!(FlatLook::of(&map, 351, 1), FlatLook { flags: 1, alpha: 255 });
        let opaque = FlatLook { flags: MIRROR_Y | 1, alpha: 256 };
        assert_eq!((opaque.is_blended(), opaque.edges()), (false, [0.0, 1.0, 1.0, 0.0]));
    }

    #[test]
    fn blended_flats_are_fully_lit() {
        let mut world = World::new(1);
        let (blended, opaque) = (FlatLook { flags: 1, alpha: 253 }, FlatLook { flags: 1, alpha: 254 });
        assert_eq!((blended.light(&world), opaque.light(&world)), (255, 128));
        world.ambient_fx = 90;
        assert_eq!(opaque.light(&world), 90);
    }

    #[test]
    fn a_texel_is_a_world_unit_and_the_position_is_the_center() {
        // The candle of the bell tower: 9 x 26 pixels at half size.
        let size = size([9, 26], 128, 1.0);
        assert_eq!(size, [4.5, 13.0]);
        let found = corners([10.0, 20.0, 30.0], size, [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]);
        assert_eq!(
            found,
            [[10.0, 13.5, 32.25], [10.0, 13.5, 27.75], [10.0, 26.5, 27.75], [10.0, 26.5, 32.25]]
        );
        assert_eq!(super::size([8, 8], 0, 2.0), [16.0, 16.0]);
    }
}
