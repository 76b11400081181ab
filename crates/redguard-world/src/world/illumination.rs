//! The game's lighting, stored in the vertex colors of models.

use glam::Vec3;

use super::point_light::PointLight;
use crate::engine::light::{
    Daylight, LitCorner, LocalLight, ModelKind, ModelLight, Tint, face_brightness, is_baked, of_map,
    with_object_lights,
};
use crate::engine::rotation::Orientation;
use crate::map::{Map, Placement};
use crate::model::scene::CornerLight;
use crate::model::{FaceTexture, Model};
use redguard_files::settings::ini::world::World;

/// All lighting of the models of a map.
pub(super) struct Illumination {
    daylight: Daylight,
    pub(super) world: World,
    /// The lights of the map that are lit in its world, in baking order.
    map: Vec<LocalLight>,
    /// The lights of its objects.
    objects: Vec<LocalLight>,
}

impl Illumination {
    /// Creates the lighting for the displayed world; `None` if WORLD.INI has no world for the map.
    pub(super) fn new(map: &Map, world: Option<&World>) -> Self {
        let shown = world.map(|world| world.id);
        let world = world.cloned().unwrap_or_else(|| World::new(u32::MAX));
        let of_object = |placement: &Placement| {
            let light = PointLight::of_placement(placement, shown)
                .filter(|light| light.radius > 0 && light.color != [0; 3])?;
            // In 1/256 of a world unit.
            let position = placement.position.map(|number| crate::number::float(number) / 256.0);
            Some(LocalLight { position, radius: light.radius, color: light.color })
        };
        Self {
            daylight: Daylight::of_world(&world),
            world,
            map: of_map(map.lights(), shown),
            objects: map.placements().iter().filter_map(of_object).collect(),
        }
    }

    /// Returns the lighting of a model at an origin.
    pub(super) fn of_model(
        &self,
        kind: ModelKind,
        model: &Model,
        origin: [f32; 3],
        orientation: &Orientation,
    ) -> ModelIllumination {
        let distance = |vertex: [f32; 3]| Vec3::from(vertex).length();
        let bound = model.positions(0).into_iter().map(distance).fold(0.0, f32::max);
        let of = |lights: &[LocalLight]| ModelLight::new(&self.daylight, lights, origin, orientation, bound);
        // Without lights of the map nothing is baked: everything is computed while the game runs, with the same result.
        match is_baked(kind) && !self.map.is_empty() {
            true => ModelIllumination { base: of(&self.map), added: of(&self.objects).lights().to_vec() },
            false => {
                let all: Vec<LocalLight> = self.map.iter().chain(&self.objects).copied().collect();
                ModelIllumination { base: of(&all), added: Vec::new() }
            }
        }
    }
}

/// The lighting of a model, in model space.
pub(super) struct ModelIllumination {
    base: ModelLight,
    /// Lights that are added to the baked light.
    added: Vec<LocalLight>,
}

impl ModelIllumination {
    /// Returns the light of a corner; `palette` returns the colors of faces without an image.
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
