//! Entity classes shared by several room dialects, one record per class.

use record::{Bytes, Record};
use serde::{Deserialize, Serialize};

use crate::string::BlitzString;

/// An image from `GFX/screens` that the player can look at. The game skips screens at the origin.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Screen {
    /// Position in game units.
    pub position: [f32; 3],
    /// Image file name; the game's `.sc` files are JPEGs.
    pub image: BlitzString,
}

/// A node of the navigation graph.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waypoint {
    /// Position in game units.
    pub position: [f32; 3],
}

/// The field layout of a [`Light`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LightLayout {
    /// Fields up to the intensity: plain and "RM" rooms.
    Basic,
    /// Also a glow sprite, shadows and reserved bytes: `RoomMesh2`.
    Extended,
}

/// A point light. The game skips lights at the origin, and uses at most 32 per room.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[record(context = LightLayout)]
#[serde(deny_unknown_fields)]
pub struct Light {
    /// Position in game units.
    pub position: [f32; 3],
    /// Range: in plain and "RM" rooms 2000 times Blitz3D's light range; in `RoomMesh2`, game units.
    pub range: f32,
    /// Red, green and blue from 0 to 255, separated by spaces.
    pub color: BlitzString,
    /// Usually 1. In plain rooms the game multiplies it by 0.8 and clamps the result to 1.
    pub intensity: f32,
    /// 1 if a glow sprite is drawn at the light.
    #[record(when = context == LightLayout::Extended)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_sprite: Option<u8>,
    /// Size of the glow sprite.
    #[record(when = context == LightLayout::Extended)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprite_scale: Option<f32>,
    /// 1 if the light casts shadows.
    #[record(when = context == LightLayout::Extended)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub casts_shadows: Option<u8>,
    /// Reserved; skipped by the game. The Blender add-on reads the first four bytes as a float named scattering.
    #[record(when = context == LightLayout::Extended, count = RESERVED)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserved: Option<Bytes>,
}

/// Number of reserved bytes of an extended light: 32 numbers that the game skips.
pub(super) const RESERVED: u8 = 128;

/// A spotlight. The game reads its direction and cone, but treats it as a point light.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spotlight {
    /// Position in game units.
    pub position: [f32; 3],
    /// Range, see [`Light::range`].
    pub range: f32,
    /// Color, see [`Light::color`].
    pub color: BlitzString,
    /// Intensity, see [`Light::intensity`].
    pub intensity: f32,
    /// Pitch, yaw and roll in degrees, separated by spaces; the game ignores the roll.
    pub angles: BlitzString,
    /// Angle in degrees from the axis to the edge of the inner cone.
    pub inner_cone_angle: i32,
    /// Angle in degrees from the axis to the edge of the outer cone.
    pub outer_cone_angle: i32,
}

/// A looping ambient sound; the game uses at most 8 per room.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoundEmitter {
    /// Position in game units.
    pub position: [f32; 3],
    /// One-based sound number: `ambienceN` in the section `[room ambience]` of `rooms.ini`.
    pub sound: i32,
    /// Audible range in meters (the game's world units, unlike positions): 2 to 10 in real rooms.
    pub range: f32,
}

/// The player's starting point. No known room of the game has one, and Ultimate Edition Reborn ignores it; the Blender add-on
/// writes it.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerStart {
    /// Position in game units.
    pub position: [f32; 3],
    /// Pitch, yaw and roll in degrees, separated by spaces.
    pub angles: BlitzString,
}

/// A prop from `GFX/Map/Props`.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Model file name.
    pub file: BlitzString,
    /// Position in game units.
    pub position: [f32; 3],
    /// Pitch, yaw and roll in degrees.
    pub rotation: [f32; 3],
    /// Scale factors along the model's own axes.
    pub scale: [f32; 3],
}
