//! The game's light in the colors of the vertices of models.

use glam::Vec3;

use super::lamp::Lamp;
use crate::engine::light::{
    Body, Daylight, LitCorner, LocalLight, ModelLight, Tint, face_brightness, is_baked, of_map,
    with_object_lights,
};
use crate::engine::rotation::Orientation;
use crate::map::{Map, Placement};
use crate::model::scene::CornerLight;
use crate::model::{FaceTexture, Model};
use redguard_files::settings::ini::world::World;

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
