//! Lights that were edited in another program, or created there.
//!
//! The inverse of [`node`](super::super::node): 16 candela are an intensity of 1, a meter is 256 units of range, and the
//! color is the display value in integers from 0 to 255. A light that was created elsewhere has a default range of 1024 units, and at
//! most the intensity of the brightest light in real rooms (2.5): beyond 1.25 the game shows no difference.

use glam::Quat;
use scene::color::linear_to_srgb;
use scene::{Light, LightKind};

use super::super::class::{self, Spotlight};
use super::super::layout::Entity;
use super::super::node::CANDELA;
use super::color::rounded;
use super::settings::Settings;
use super::transform::Transform;
use crate::axes;

/// Default range of a light, in game units.
pub(super) const RANGE: f32 = 1024.0;

/// Intensity of the brightest light in real rooms.
pub(super) const BRIGHTEST: f32 = 2.5;

/// Converts a light that was created in another program; `None` for a directional light.
pub(super) fn convert(light: &Light, transform: Transform, settings: &Settings) -> Option<Entity> {
    let position = settings.game_position(transform.origin().as_vec3());
    let range = range(light, settings).unwrap_or(RANGE);
    let color = color(light).as_str().into();
    let intensity = intensity(light, settings).min(BRIGHTEST);
    match light.kind {
        LightKind::Point => {
            Some(Entity::Light(class::Light { position, range, color, intensity, ..class::Light::default() }))
        }
        LightKind::Spot { inner_cone, outer_cone } => Some(Entity::Spotlight(Spotlight {
            position,
            range,
            color,
            intensity,
            angles: angles(transform.rotation().as_quat()).as_str().into(),
            inner_cone_angle: cone(inner_cone),
            outer_cone_angle: cone(outer_cone),
        })),
        LightKind::Directional => None,
    }
}

pub(super) fn range(light: &Light, settings: &Settings) -> Option<f32> {
    light.range.map(|range| axes::game_length(range / settings.scale))
}

pub(super) fn intensity(light: &Light, settings: &Settings) -> f32 {
    light.intensity / CANDELA / settings.scale / settings.scale
}

/// The color as text, such as `255 128 0`.
pub(super) fn color(light: &Light) -> String {
    let [red, green, blue] =
        light.color.map(|channel| rounded(linear_to_srgb(channel.clamp(0.0, 1.0)) * 255.0));
    format!("{red} {green} {blue}")
}

/// Pitch, yaw and roll in the file's format, rounded to a thousandth of a degree.
pub(super) fn angles(rotation: Quat) -> String {
    let rounded = axes::angles(rotation).map(|angle| (angle * 1000.0).round() / 1000.0);
    // Adding 0 turns negative zero into zero.
    let [pitch, yaw, roll] = rounded.map(|angle| angle + 0.0);
    format!("{pitch} {yaw} {roll}")
}

/// The angle from the axis of a cone to its edge, in integer degrees.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "a cone is at most half a turn; NaN becomes 0"
)]
pub(super) fn cone(angle: f32) -> i32 {
    angle.to_degrees().round() as i32
}
