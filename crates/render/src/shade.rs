//! What color a surface has where it is seen.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};

use crate::pose::Pose;
use crate::shape::Shape;
use crate::texture::{ImageKeys, Picture, Textures, size_of};
use scene::{AlphaMode, Encoded, Material, MaterialId, Sampler, Scene, Shading, TextureId};

/// Light from above and from below, on what faces there.
const SKY: f32 = 0.72;
const GROUND: f32 = 0.34;
/// Light from beside the camera.
const LAMP: f32 = 0.42;
/// Light where a lightmap has none, so that something can be seen there.
const FILL: f32 = 0.045;

/// How the materials of a scene look.
#[derive(Debug)]
pub(crate) struct Paints<'a> {
    by_material: Vec<Option<Paint<'a>>>,
    plain: Paint<'a>,
}

/// How one material looks.
#[derive(Debug)]
pub(crate) struct Paint<'a> {
    base: Vec4,
    texture: Option<Layer<'a>>,
    lightmap: Option<(Layer<'a>, f32)>,
    emissive: Vec3,
    emissive_texture: Option<Layer<'a>>,
    pub(crate) alpha: AlphaMode,
    is_lit: bool,
}

#[derive(Debug)]
struct Layer<'a> {
    image: &'a Encoded,
    /// What the image is known by.
    key: u128,
    /// There once it is known how large it must be.
    picture: Option<Arc<Picture>>,
    sampler: Sampler,
    seen: Seen,
}

/// How much of the picture is covered by uses of a texture that halve it not at all, once, twice and so on; the last counts all others.
#[derive(Debug, Default)]
struct Seen([f64; 4]);

/// A part of so much may be less sharp than it could be.
const UNSHARP: f64 = 1.0 / 32.0;

impl Seen {
    fn add(&mut self, halved: usize, area: f64) {
        self.0[halved.min(self.0.len() - 1)] += area;
    }

    /// How often nearly all uses halve the texture at least.
    fn halved(&self) -> usize {
        let most = self.0.iter().sum::<f64>() * UNSHARP;
        let mut sum = 0.0;
        let is_too_much = |area: &f64| {
            sum += area;
            sum > most
        };
        self.0.iter().position(is_too_much).unwrap_or_default()
    }
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

impl<'a> Paints<'a> {
    /// The paints of all materials in use.
    pub(crate) fn of(scene: &'a Scene, pose: &Pose, shape: &Shape, images: &ImageKeys) -> Self {
        let mut by_material: Vec<Option<Paint<'_>>> = Vec::new();
        by_material.resize_with(scene.materials.len(), || None);
        for (id, material) in shape.materials(scene) {
            if let Some(slot) = by_material.get_mut(id.0) {
                *slot = Some(Paint::of(scene, pose, id, material, images));
            }
        }
        Self { by_material, plain: Paint::plain() }
    }

    /// The paint of a material.
    pub(crate) fn get(&self, material: Option<MaterialId>) -> &Paint<'a> {
        let found = material.and_then(|id| self.by_material.get(id.0)).and_then(Option::as_ref);
        found.unwrap_or(&self.plain)
    }

    /// Whether the texture of some solid material has holes.
    pub(crate) fn have_holes(&self) -> bool {
        self.by_material.iter().flatten().any(|paint| matches!(paint.alpha, AlphaMode::Mask(_)))
    }

    /// Takes account of a part of the picture, in which the two textures of a material are halved so often.
    pub(crate) fn see(&mut self, material: Option<MaterialId>, halved: [usize; 2], area: f64) {
        let found = material.and_then(|id| self.by_material.get_mut(id.0)).and_then(Option::as_mut);
        let Some(paint) = found else { return };
        let layers = [paint.texture.as_mut(), paint.lightmap.as_mut().map(|(layer, _)| layer)];
        for (layer, halved) in layers.into_iter().zip(halved) {
            layer.into_iter().for_each(|layer| layer.seen.add(halved, area));
        }
    }

    /// Decodes the textures, as large as they are seen. What cannot be decoded is left out.
    pub(crate) fn load(&mut self, textures: &Textures) {
        for paint in self.by_material.iter_mut().flatten() {
            let load = |layer: &mut Layer<'_>| {
                layer.picture = textures.get(layer.image, layer.key, layer.seen.halved());
                layer.picture.is_some()
            };
            paint.texture.take_if(|layer| !load(layer));
            paint.lightmap.take_if(|(layer, _)| !load(layer));
            paint.emissive_texture.take_if(|layer| !load(layer));
        }
    }
}

impl<'a> Paint<'a> {
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

    fn of(scene: &'a Scene, pose: &Pose, id: MaterialId, material: &Material, images: &ImageKeys) -> Self {
        let layer = |texture: TextureId| {
            let texture = scene.textures.get(texture.0)?;
            let image = &scene.images.get(texture.image.0)?.encoded;
            let key = images.get(scene, texture.image)?;
            Some(Layer { image, key, picture: None, sampler: texture.sampler, seen: Seen::default() })
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

    /// Whether normals matter.
    pub(crate) const fn is_shaded(&self) -> bool {
        self.is_lit && self.lightmap.is_none()
    }

    /// Pixels of the two textures across and down.
    pub(crate) fn sizes(&self) -> [Vec2; 2] {
        let size = |layer: Option<&Layer<'_>>| {
            layer.map_or(Vec2::ONE, |layer| Vec2::from(size_of(layer.image).map(|side| side as f32)))
        };
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

impl Layer<'_> {
    fn at(&self, uv: Vec2, halved: usize) -> Vec4 {
        self.picture.as_ref().map_or(Vec4::ONE, |picture| picture.sample(uv, halved, self.sampler))
    }
}
