//! The lights of a room as lamps.
//!
//! The game's own lightmaps were computed by its map editor, in display values: an unobstructed light adds
//! `color x intensity / 2 x (1 - distance / range) x cosine`, and the ambient light is about 22 of 255. It is half because the game shows
//! twice the lightmap. For most of 53 rooms of the game, that explains 0.67 to 0.96 of the variance of the lightmaps; an inverse
//! square, or
//! the square of that falloff, explains less. The angles of a spotlight are those between the axis and the edge of its cones: interpreted
//! that way, they explain 0.91 and 0.96 of the lightmaps of tunnels that only have spotlights; as full angles, 0.20 and 0.34.

use asset::{Report, counted};
use glam::{Vec3, Vec3A};
use light::{Cone, Lamp};

use super::super::class::{self, Spotlight};
use super::super::layout::Entity;
use super::super::{RMesh, node, warning};
use super::bodies::Bodies;
use crate::axes;

/// The game's factor for lightmaps.
pub(super) const DISPLAY_FACTOR: f32 = 2.0;

/// Maximum number of lights.
const MAX_LAMPS: usize = 1024;

/// Limits on positions (in meters) and intensities, far beyond those of real rooms.
const MAX_DISTANCE: f32 = 1e5;
const MAX_INTENSITY: f32 = 1000.0;

/// The lamps of a room, and the number of lights that the game skips because they are at the origin.
#[derive(Debug)]
pub(super) struct Lamps {
    pub(super) list: Vec<Lamp>,
    pub(super) at_origin: usize,
}

impl Lamps {
    /// Collects the lights of a room. `radius` is in meters. Lights that cannot be used are reported.
    pub(super) fn of(room: &RMesh, bodies: &Bodies, radius: f32, report: &mut Report) -> Self {
        let mut out = Self { list: Vec::new(), at_origin: 0 };
        let mut beyond = 0_usize;
        for (index, entity) in room.entities().iter().enumerate() {
            let Some(light) = Light::of(entity) else { continue };
            if light.position == [0.0; 3] {
                out.at_origin = out.at_origin.saturating_add(1);
                continue;
            }
            if out.list.len() >= MAX_LAMPS {
                beyond = beyond.saturating_add(1);
                continue;
            }
            match light.lamp(radius) {
                Ok(lamp) => out.list.push(Lamp { housing: bodies.housing(lamp.center, radius), ..lamp }),
                Err(why) => {
                    report.warn(&warning::LIGHT_SKIPPED, why).in_field(format!("entities[{index}]"));
                }
            }
        }
        if beyond > 0 {
            let more = counted(beyond, "light is", "lights are");
            let message = format!("{more} left out: at most {MAX_LAMPS} are used");
            report.warn(&warning::LIGHT_SKIPPED, message).in_field("entities");
        }
        if out.list.is_empty() {
            let message = "the room has no lights that the game uses; its lightmaps only have ambient light";
            report.warn(&warning::LIGHT_NONE, message).in_field("entities");
        }
        out
    }
}

/// The fields that both kinds of lights have.
struct Light<'a> {
    position: [f32; 3],
    range: f32,
    color: std::borrow::Cow<'a, str>,
    intensity: f32,
    spot: Option<&'a Spotlight>,
}

impl<'a> Light<'a> {
    fn of(entity: &'a Entity) -> Option<Self> {
        match entity {
            Entity::Light(class::Light { position, range, color, intensity, .. }) => {
                let (position, range, intensity) = (*position, *range, *intensity);
                Some(Self { position, range, color: color.text(), intensity, spot: None })
            }
            Entity::Spotlight(spot) => Some(Self {
                position: spot.position,
                range: spot.range,
                color: spot.color.text(),
                intensity: spot.intensity,
                spot: Some(spot),
            }),
            _ => None,
        }
    }

    /// The lamp, or the reason why the light cannot be used.
    fn lamp(&self, radius: f32) -> Result<Lamp, String> {
        let center = axes::position(self.position);
        let range = axes::length(self.range);
        if !center.is_finite() || center.abs().max_element() > MAX_DISTANCE {
            return Err("the position of the light is invalid; the light is left out".to_owned());
        }
        if !(range.is_finite() && range > 0.0) {
            return Err(format!("the range of the light is {}; the light is left out", self.range));
        }
        if !self.intensity.is_finite() {
            return Err(format!("the intensity of the light is {}; the light is left out", self.intensity));
        }
        let Some(color) = node::numbers(&self.color) else {
            return Err(format!(
                "the color \"{:.40}\" is not three numbers; the light is left out",
                self.color
            ));
        };
        let color = Vec3A::from_array(color).clamp(Vec3A::ZERO, Vec3A::splat(255.0)) / 255.0;
        Ok(Lamp {
            center: center.into(),
            light: color * self.intensity.clamp(0.0, MAX_INTENSITY) / DISPLAY_FACTOR,
            range: range.min(MAX_DISTANCE),
            radius,
            cone: self.spot.map(cone).transpose()?,
            housing: Vec::new(),
        })
    }
}

fn cone(spot: &Spotlight) -> Result<Cone, String> {
    let Some(angles) = node::numbers(&spot.angles.text()) else {
        let text = spot.angles.text();
        return Err(format!("the angles \"{text:.40}\" are not three numbers; the light is left out"));
    };
    // Forward is along +Z in the game.
    let axis = axes::rotation(angles) * Vec3::NEG_Z;
    let angle = |degrees: i32| f32::from(u8::try_from(degrees.clamp(0, 180)).unwrap_or(180)).to_radians();
    let outer = angle(spot.outer_cone_angle);
    Ok(Cone {
        axis: axis.normalize_or(Vec3::NEG_Y).into(),
        inner: angle(spot.inner_cone_angle).min(outer),
        outer,
    })
}
