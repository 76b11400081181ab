//! The lights of a map's records, as point lights of a scene.

use scene::{LightId, LightKind, Scene};

use crate::axes::UNITS_PER_METER;
use crate::engine::light::shines_in;
use crate::map::Placement;

/// The kind of a placement that is an object with a light.
const OWN_LIGHT: u8 = 4;

/// The kind of a placement that is a light of a world.
const WORLD_LIGHT: u8 = 6;

/// The fraction of the radius at which a light has its full color: the game's falloff is the squared ratio of a 16th of the radius to the
/// distance.
const FULL_RADIUS: f32 = 1.0 / 16.0;

/// A light with the parameters of the map.
#[derive(Debug, Clone, Copy)]
pub(super) struct PointLight {
    /// In world units.
    pub(super) radius: i16,
    /// Red, green and blue.
    pub(super) color: [i16; 3],
    /// Whether the light is lit.
    pub(super) is_active: bool,
}

impl PointLight {
    /// Returns the light of a placement that is lit in the displayed world: an object's light in any world, a light of a world only in that
    /// world.
    pub(super) fn of_placement(placement: &Placement, world: Option<u32>) -> Option<Self> {
        let shines = match placement.kind {
            OWN_LIGHT => true,
            WORLD_LIGHT => shines_in(placement.world.into(), world),
            _ => false,
        };
        shines.then(|| Self {
            radius: i16::try_from(placement.radius).unwrap_or(i16::MAX),
            color: placement.color,
            is_active: true,
        })
    }

    /// Adds the light to the scene. Returns `None` for lights that glTF cannot express: those that darken or have no size.
    ///
    /// In the game, a light adds its full color at a 16th of its radius, and less with the square of the distance, like real lights. A
    /// white surface that faces the light reflects `intensity / (pi * distance^2)`, so the intensity is `pi * (radius / 16)^2` candela.
    pub(super) fn add(self, scene: &mut Scene, name: &str, scale: f32) -> Option<LightId> {
        let has_color = self.color.iter().all(|channel| *channel >= 0) && self.color.iter().any(|it| *it > 0);
        if !self.is_active || self.radius <= 0 || !has_color {
            return None;
        }
        let radius = f32::from(self.radius) / UNITS_PER_METER * scale;
        let full = radius * FULL_RADIUS;
        let max = self.color.iter().copied().max().map_or(255.0, f32::from).max(255.0);
        Some(scene.add_light(scene::Light {
            name: name.to_owned(),
            kind: LightKind::Point,
            color: self.color.map(|channel| (f32::from(channel) / 255.0).min(1.0)),
            intensity: std::f32::consts::PI * full * full * (max / 255.0),
            range: Some(radius),
            ..scene::Light::default()
        }))
    }
}
