//! Entity classes that several room dialects share, one record per class.

use record::{Bytes, Record};
use serde::{Deserialize, Serialize};

use crate::string::BlitzString;

/// An image from `GFX/screens` that the player can look at; the game skips a screen at the origin.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Screen {
    /// Game units.
    pub position: [f32; 3],
    /// A file name; the game's `.sc` files are JPEGs.
    pub image: BlitzString,
}

/// A node of the navigation graph.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waypoint {
    /// Game units.
    pub position: [f32; 3],
}

/// Which fields a [`Light`] has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LightLayout {
    /// Up to the intensity: plain and "RM" rooms.
    Basic,
    /// With a glow sprite, shadows and reserved bytes: `RoomMesh2`.
    Extended,
}

/// A point light; the game skips one at the origin, and uses at most 32 per room.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[record(context = LightLayout)]
#[serde(deny_unknown_fields)]
pub struct Light {
    /// Game units.
    pub position: [f32; 3],
    /// In plain and "RM" rooms 2000 times Blitz3D's own light range; in `RoomMesh2`, game units.
    pub range: f32,
    /// Red, green and blue in 0 to 255, separated by spaces.
    pub color: BlitzString,
    /// Usually 1. In plain rooms the game scales it by 0.8 and clamps the result to full intensity.
    pub intensity: f32,
    /// 1 if a glow sprite is drawn at the light.
    #[record(when = context == LightLayout::Extended)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_sprite: Option<u8>,
    /// Size of the glow sprite.
    #[record(when = context == LightLayout::Extended)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprite_scale: Option<f32>,
    /// 1 if it casts shadows.
    #[record(when = context == LightLayout::Extended)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub casts_shadows: Option<u8>,
    /// Skipped by the game; the Blender add-on reads the first four bytes as a float named scattering.
    #[record(when = context == LightLayout::Extended, count = RESERVED)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserved: Option<Bytes>,
}

/// Bytes at the end of an extended light: 32 numbers that the game skips.
pub(super) const RESERVED: u8 = 128;

/// A spotlight. The game reads its direction and cone, but treats it as a point light.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spotlight {
    /// Game units.
    pub position: [f32; 3],
    /// See [`Light::range`].
    pub range: f32,
    /// See [`Light::color`].
    pub color: BlitzString,
    /// See [`Light::intensity`].
    pub intensity: f32,
    /// Pitch, yaw and roll in degrees, separated by spaces; the game ignores the roll.
    pub angles: BlitzString,
    /// Degrees from the axis to the edge of the inner cone.
    pub inner_cone_angle: i32,
    /// Degrees from the axis to the edge of the outer cone.
    pub outer_cone_angle: i32,
}

/// A looping ambient sound; the game uses at most 8 per room.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoundEmitter {
    /// Game units.
    pub position: [f32; 3],
    /// One-based; `ambienceN` of `[room ambience]` in `rooms.ini`.
    pub sound: i32,
    /// Meters (units of the game's world, unlike positions): 2 to 10 in real rooms.
    pub range: f32,
}

/// Where the player starts. No known room of the game has one, and Ultimate Edition Reborn ignores it; the Blender add-on
/// writes it.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerStart {
    /// Game units.
    pub position: [f32; 3],
    /// Pitch, yaw and roll in degrees, separated by spaces.
    pub angles: BlitzString,
}

/// A prop from `GFX/Map/Props`.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// A file name.
    pub file: BlitzString,
    /// Game units.
    pub position: [f32; 3],
    /// Pitch, yaw and roll in degrees.
    pub rotation: [f32; 3],
    /// Scale factors along the model's own axes.
    pub scale: [f32; 3],
}
