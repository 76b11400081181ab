//! Lights: those that another program moved or painted, and those that never were in a room.
//!
//! The other way of what [`node`](super::super::node) does: 16 candela are an intensity of 1, a meter is 256 units of range, and the
//! color is what a display shows, in integers from 0 to 255. A light that was made elsewhere reaches 1024 units where it says
//! nothing, and is at most as bright as the brightest of real rooms (2.5): beyond 1.25 the game shows no difference.

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

/// What a light without a range reaches, in game units.
pub(super) const RANGE: f32 = 1024.0;

/// The brightest light of real rooms.
pub(super) const BRIGHTEST: f32 = 2.5;

/// An entity for a light that never was one. Nothing for a light that shines everywhere from one side.
pub(super) fn made(light: &Light, transform: Transform, settings: &Settings) -> Option<Entity> {
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

/// `255 128 0`.
pub(super) fn color(light: &Light) -> String {
    let [red, green, blue] =
        light.color.map(|channel| rounded(linear_to_srgb(channel.clamp(0.0, 1.0)) * 255.0));
    format!("{red} {green} {blue}")
}

/// Pitch, yaw and roll as the file has them, to a thousandth of a degree.
pub(super) fn angles(rotation: Quat) -> String {
    let rounded = axes::angles(rotation).map(|angle| (angle * 1000.0).round() / 1000.0);
    // Minus nothing is nothing.
    let [pitch, yaw, roll] = rounded.map(|angle| angle + 0.0);
    format!("{pitch} {yaw} {roll}")
}

/// Integer degrees from the axis of a cone to its edge.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "a cone is at most half a turn; what is no number is 0"
)]
pub(super) fn cone(angle: f32) -> i32 {
    angle.to_degrees().round() as i32
}
