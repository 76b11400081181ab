//! What color a surface has where it is seen.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};

use crate::pose::Pose;
use crate::shape::Shape;
use crate::texture::{Picture, Textures};
use scene::{AlphaMode, Material, MaterialId, Sampler, Scene, Shading, TextureId};

/// Light from above and from below, on what faces there.
const SKY: f32 = 0.72;
const GROUND: f32 = 0.34;
/// Light from beside the camera.
const LAMP: f32 = 0.42;
/// Light where a lightmap has none, so that something can be seen there.
const FILL: f32 = 0.045;

/// How the materials of a scene look.
#[derive(Debug)]
pub(crate) struct Paints {
    by_material: Vec<Option<Paint>>,
    plain: Paint,
}

/// How one material looks.
#[derive(Debug)]
pub(crate) struct Paint {
    base: Vec4,
    texture: Option<Layer>,
    lightmap: Option<(Layer, f32)>,
    emissive: Vec3,
    emissive_texture: Option<Layer>,
    pub(crate) alpha: AlphaMode,
    is_lit: bool,
}

#[derive(Debug)]
struct Layer {
    picture: Arc<Picture>,
    sampler: Sampler,
}

/// What is known of a surface at one place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot {
    pub(crate) uv: Vec2,
    pub(crate) light_uv: Vec2,
    pub(crate) color: Vec4,
    /// Of unit length, towards the camera.
    pub(crate) normal: Vec3,
    /// How often textures are halved.
    pub(crate) halved: [usize; 2],
}

impl Paints {
    /// The paints of all materials in use.
    pub(crate) fn of(scene: &Scene, pose: &Pose, shape: &Shape, textures: &Textures) -> Self {
        let mut by_material: Vec<Option<Paint>> = Vec::new();
        by_material.resize_with(scene.materials.len(), || None);
        for (id, material) in shape.materials(scene) {
            if let Some(slot) = by_material.get_mut(id.0) {
                *slot = Some(Paint::of(scene, pose, id, material, textures));
            }
        }
        Self { by_material, plain: Paint::plain() }
    }

    /// The paint of a material.
    pub(crate) fn get(&self, material: Option<MaterialId>) -> &Paint {
        let found = material.and_then(|id| self.by_material.get(id.0)).and_then(Option::as_ref);
        found.unwrap_or(&self.plain)
    }
}

impl Paint {
    fn plain() -> Self {
        Self {
            base: Vec4::ONE,
            texture: None,
            lightmap: None,
            emissive: Vec3::ZERO,
            emissive_texture: None,
            alpha: AlphaMode::Opaque,
            is_lit: true,
        }
    }

    fn of(scene: &Scene, pose: &Pose, id: MaterialId, material: &Material, textures: &Textures) -> Self {
        let layer = |texture: TextureId| {
            let texture = scene.textures.get(texture.0)?;
            let image = scene.images.get(texture.image.0)?;
            Some(Layer { picture: textures.get(&image.encoded)?, sampler: texture.sampler })
        };
        let lightmap = material.lightmap.filter(|lightmap| lightmap.intensity.is_finite());
        Self {
            base: Vec4::from(pose.base_color(id, material)),
            texture: material.base_color_texture.and_then(|slot| layer(slot.texture)),
            lightmap: lightmap.and_then(|it| Some((layer(it.texture.texture)?, it.intensity))),
            emissive: Vec3::from(material.emissive),
            emissive_texture: material.emissive_texture.and_then(|slot| layer(slot.texture)),
            alpha: material.alpha,
            is_lit: material.shading == Shading::Lit,
        }
    }

    /// Pixels of the two textures across and down.
    pub(crate) fn sizes(&self) -> [Vec2; 2] {
        let size = |layer: Option<&Layer>| layer.map_or(Vec2::ONE, |layer| layer.picture.size());
        [size(self.texture.as_ref()), size(self.lightmap.as_ref().map(|(layer, _)| layer))]
    }

    /// How solid it is at a place.
    pub(crate) fn alpha_at(&self, uv: Vec2, color: Vec4, halved: usize) -> f32 {
        let texture = self.texture.as_ref().map_or(1.0, |layer| layer.at(uv, halved).w);
        texture * self.base.w * color.w
    }

    /// Linear color and alpha at a place.
    pub(crate) fn at(&self, spot: &Spot, light: Vec3) -> Vec4 {
        let mut out = self.base * spot.color;
        if let Some(layer) = &self.texture {
            out *= layer.at(spot.uv, spot.halved[0]);
        }
        if let Some((layer, intensity)) = &self.lightmap {
            let baked = layer.at(spot.light_uv, spot.halved[1]).truncate() * *intensity + FILL;
            out = (out.truncate() * baked).extend(out.w);
        } else if self.is_lit {
            let hemisphere = GROUND + (SKY - GROUND) * (spot.normal.y * 0.5 + 0.5);
            let lamp = LAMP * spot.normal.dot(light).max(0.0);
            out = (out.truncate() * (hemisphere + lamp)).extend(out.w);
        }
        let mut glow = self.emissive;
        if let Some(layer) = &self.emissive_texture {
            glow *= layer.at(spot.uv, spot.halved[0]).truncate();
        }
        let alpha = if self.alpha == AlphaMode::Blend { out.w.clamp(0.0, 1.0) } else { 1.0 };
        (out.truncate() + glow).max(Vec3::ZERO).extend(alpha)
    }
}

impl Layer {
    fn at(&self, uv: Vec2, halved: usize) -> Vec4 {
        Vec4::from(self.picture.sample(uv, halved, self.sampler))
    }
}
