//! The lights of a room as lamps.
//!
//! The lightmaps that the game has were made by its map editor, in display values: a light adds
//! `color x intensity / 2 x (1 - distance / range) x cosine` where nothing is in between, and all over there are about 22 of 255. Half, because the game shows
//! twice the lightmap. Of 53 rooms of the game, that explains 0.67 to 0.96 of the variance of the lightmaps in most; an inverse square, or a
//! fall-off of the square of that share, explains less. The angles of a spotlight are those between the axis and the edge of its cones: read so, they
//! explain 0.91 and 0.96 of the lightmaps of tunnels that only have spotlights, as full angles 0.20 and 0.34.

use asset::{Report, counted};
use glam::{Vec3, Vec3A};
use light::{Cone, Lamp};

use super::super::class::{self, Spotlight};
use super::super::layout::Entity;
use super::super::{RMesh, node, warning};
use super::bodies::Bodies;
use crate::axes;

/// What the game shows of a lightmap.
pub(super) const SHOWN: f32 = 2.0;

/// More lights are not used.
const MOST_LAMPS: usize = 1024;

/// Meters and intensities beyond these are those of nobody's room.
const FARTHEST: f32 = 1e5;
const BRIGHTEST: f32 = 1000.0;

/// The lamps of a room, and how many lights the game skips because they are at the origin.
#[derive(Debug)]
pub(super) struct Lamps {
    pub(super) list: Vec<Lamp>,
    pub(super) at_origin: usize,
}

impl Lamps {
    /// Takes the lights of a room. `radius` in meters. Lights that cannot be used are reported.
    pub(super) fn of(room: &RMesh, bodies: &Bodies, radius: f32, report: &mut Report) -> Self {
        let mut out = Self { list: Vec::new(), at_origin: 0 };
        let mut beyond = 0_usize;
        for (index, entity) in room.entities().iter().enumerate() {
            let Some(light) = Light::of(entity) else { continue };
            if light.position == [0.0; 3] {
                out.at_origin = out.at_origin.saturating_add(1);
                continue;
            }
            if out.list.len() >= MOST_LAMPS {
                beyond = beyond.saturating_add(1);
                continue;
            }
            match light.lamp(radius) {
                Ok(lamp) => out.list.push(Lamp { housing: bodies.around(lamp.center, radius), ..lamp }),
                Err(why) => {
                    report.warn(&warning::LIGHT_SKIPPED, why).in_field(format!("entities[{index}]"));
                }
            }
        }
        if beyond > 0 {
            let more = counted(beyond, "light is", "lights are");
            let message = format!("{more} left out: at most {MOST_LAMPS} are used");
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

    /// The lamp, or why there is none.
    fn lamp(&self, radius: f32) -> Result<Lamp, String> {
        let center = axes::position(self.position);
        let range = axes::length(self.range);
        if !center.is_finite() || center.abs().max_element() > FARTHEST {
            return Err("the position of the light is not usable; left out".to_owned());
        }
        if !(range.is_finite() && range > 0.0) {
            return Err(format!("the range of the light is {}; left out", self.range));
        }
        if !self.intensity.is_finite() {
            return Err(format!("the intensity of the light is {}; left out", self.intensity));
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
            light: color * self.intensity.clamp(0.0, BRIGHTEST) / SHOWN,
            range: range.min(FARTHEST),
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
    // Forward is along +Z of the game.
    let axis = axes::rotation(angles) * Vec3::NEG_Z;
    let angle = |degrees: i32| f32::from(u8::try_from(degrees.clamp(0, 180)).unwrap_or(180)).to_radians();
    let outer = angle(spot.outer_cone_angle);
    Ok(Cone {
        axis: axis.normalize_or(Vec3::NEG_Y).into(),
        inner: angle(spot.inner_cone_angle).min(outer),
        outer,
    })
}
