//! Lights: as lights of the scene, and as the game's light in the colors of vertices.

use glam::Vec3;
use record::json::json;
use scene::{LightId, LightKind, Node, Scene};

use super::scene::Maker;
use crate::axes::{Axes, UNITS_PER_METER};
use crate::engine::light::{
    Body, Daylight, LitCorner, LocalLight, ModelLight, Tint, face_brightness, is_baked, of_map, shines_in,
    with_object_lights,
};
use crate::engine::rotation::Orientation;
use crate::map::{Map, Placement};
use crate::model::scene::CornerLight;
use crate::model::{FaceTexture, Model};
use crate::settings::ini::world::World;

/// A placement that is an object with a light of its own.
const OWN_LIGHT: u8 = 4;

/// A placement that is a light of a world.
const WORLD_LIGHT: u8 = 6;

/// What of the color of a light is at its full: the game's falloff is the square of a sixteenth of the radius by that of the distance.
const FULL_RADIUS: f32 = 1.0 / 16.0;

/// A light as the map says it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lamp {
    /// In world units.
    pub(super) radius: i16,
    /// Red, green and blue.
    pub(super) color: [i16; 3],
    /// Whether it shines.
    pub(super) is_active: bool,
}

impl Lamp {
    /// The light of a placement that is one and shines in the world shown: an object with a light of its own in any, a light of a world only
    /// in that world.
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

    /// A light of the scene; none where glTF has no such light: one that darkens, or has no size.
    ///
    /// In the game a light adds its color at a 16th of its radius, and less with the square of the distance, as real lights do. A white surface
    /// that faces the light gives off `intensity / (pi * distance^2)`, so that the intensity is `pi * (radius / 16)^2` candela.
    pub(super) fn add(self, scene: &mut Scene, name: &str, scale: f32) -> Option<LightId> {
        let has_color = self.color.iter().all(|channel| *channel >= 0) && self.color.iter().any(|it| *it > 0);
        if !self.is_active || self.radius <= 0 || !has_color {
            return None;
        }
        let radius = f32::from(self.radius) / UNITS_PER_METER * scale;
        let full = radius * FULL_RADIUS;
        let most = self.color.iter().copied().max().map_or(255.0, f32::from).max(255.0);
        Some(scene.add_light(scene::Light {
            name: name.to_owned(),
            kind: LightKind::Point,
            color: self.color.map(|channel| (f32::from(channel) / 255.0).min(1.0)),
            intensity: std::f32::consts::PI * full * full * (most / 255.0),
            range: Some(radius),
            ..scene::Light::default()
        }))
    }
}

impl Maker<'_> {
    /// Adds the lights of the map. Those of other worlds than the one shown stay as nodes, but do not shine.
    pub(super) fn lights(&mut self, layer: scene::NodeId) {
        let world = self.setting.world_shown();
        for (index, it) in self.map.lights().iter().enumerate() {
            let name = format!("L{index:03}");
            let is_active = it.is_active == 1 && shines_in(it.world, world);
            let lamp = Lamp { radius: it.radius, color: it.color, is_active };
            let light = lamp.add(&mut self.scene, &name, self.options.scale);
            let mut node = Node { light, ..Node::named(name) };
            node.translation = self.place(it.position);
            node.packed_extras = super::scene::packed(&json!({
                "layer": "lights", "index": index, "id": it.id, "radius": it.radius, "value": it.unknown_16,
                "rgb": it.color, "active": it.is_active, "world_index": it.world,
            }));
            self.scene.add_child(layer, node);
        }
    }
}

/// All that lights the models of a map.
pub(super) struct Illumination {
    daylight: Daylight,
    pub(super) world: World,
    /// The lights of the map that its world has, in the order in which they are baked.
    map: Vec<LocalLight>,
    /// The lights of its objects.
    objects: Vec<LocalLight>,
}

impl Illumination {
    /// `world` is the world shown; `None` where WORLD.INI gives the map none.
    pub(super) fn new(map: &Map, world: Option<&World>) -> Self {
        let shown = world.map(|world| world.id);
        let world = world.cloned().unwrap_or_else(|| World::new(u32::MAX));
        let of_object = |placement: &Placement| {
            let lamp = Lamp::of_placement(placement, shown)
                .filter(|lamp| lamp.radius > 0 && lamp.color != [0; 3])?;
            // In 1/256 of a world unit.
            let position = placement.position.map(|number| crate::number::float(number) / 256.0);
            Some(LocalLight { position, radius: lamp.radius, color: lamp.color })
        };
        Self {
            daylight: Daylight::of_world(&world),
            world,
            map: of_map(map.lights(), shown),
            objects: map.placements().iter().filter_map(of_object).collect(),
        }
    }

    /// What lights a model that stands there.
    pub(super) fn on(
        &self,
        body: Body,
        model: &Model,
        origin: [f32; 3],
        orientation: &Orientation,
    ) -> BodyLight {
        let far = |vertex: [f32; 3]| Vec3::from(vertex).length();
        let bound = model.positions(0).into_iter().map(far).fold(0.0, f32::max);
        let of = |lights: &[LocalLight]| ModelLight::new(&self.daylight, lights, origin, orientation, bound);
        // Nothing is baked where the map has no lights: all of it is computed while the game runs, which gives the same.
        match is_baked(body) && !self.map.is_empty() {
            true => BodyLight { base: of(&self.map), added: of(&self.objects).lights().to_vec() },
            false => {
                let all: Vec<LocalLight> = self.map.iter().chain(&self.objects).copied().collect();
                BodyLight { base: of(&all), added: Vec::new() }
            }
        }
    }
}

/// What lights a model, in its own space.
pub(super) struct BodyLight {
    base: ModelLight,
    /// Lights that come on top of what was baked.
    added: Vec<LocalLight>,
}

impl BodyLight {
    /// The light of a corner; `palette` gives the colors of faces without an image.
    pub(super) fn of(&self, corner: &CornerLight, palette: &dyn Fn(u8) -> [u8; 3]) -> [u8; 3] {
        let tint = match corner.texture {
            FaceTexture::Color(index) => Tint::Solid(palette(index)),
            FaceTexture::Image { .. } | FaceTexture::Unknown(_) => Tint::Textured,
        };
        let lit = LitCorner {
            vertex: corner.vertex,
            normal: corner.normal,
            brightness: face_brightness(corner.brightness),
        };
        with_object_lights(self.base.baked(&lit, tint), &lit, &self.added, tint)
    }
}

/// The daylight in the extras of the root; where the sun shines to both as the game has it and in the axes of the scene.
pub(super) fn extras(world: &World, axes: Axes) -> record::json::Value {
    let daylight = Daylight::of_world(world);
    json!({
        "ambient": world.ambient, "sun": world.sun, "direction": daylight.direction,
        "shines_to": axes.direction(daylight.direction), "sprites": crate::engine::light::sprite_light(world),
    })
}
