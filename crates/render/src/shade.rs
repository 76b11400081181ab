//! Shading: the color of a surface at a point.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};

use crate::pose::Pose;
use crate::shape::Shape;
use crate::texture::{ImageKeys, Picture, Textures, size_of};
use scene::{AlphaMode, Encoded, Material, MaterialId, Sampler, Scene, Shading, TextureId};

/// Ambient light from above and from below.
const SKY: f32 = 0.72;
const GROUND: f32 = 0.34;
/// Light from next to the camera.
const LAMP: f32 = 0.42;
/// Minimum light in lightmaps, so that dark areas are visible.
const FILL: f32 = 0.045;

/// The surfaces of all materials of a scene.
#[derive(Debug)]
pub(crate) struct Surfaces<'a> {
    by_material: Vec<Option<Surface<'a>>>,
    plain: Surface<'a>,
}

/// The appearance of one material.
#[derive(Debug)]
pub(crate) struct Surface<'a> {
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
    /// Key of the image.
    key: u128,
    /// The decoded image, once the required size is known.
    picture: Option<Arc<Picture>>,
    sampler: Sampler,
    uses: LevelUses,
}

/// Areas of the picture covered by uses of a texture at mipmap levels 0, 1, 2 and so on; the last entry includes all
/// higher levels.
#[derive(Debug, Default)]
struct LevelUses([f64; 4]);

/// Fraction of the area that may be less sharp than possible.
const UNSHARP_FRACTION: f64 = 1.0 / 32.0;

impl LevelUses {
    fn add(&mut self, mip_level: usize, area: f64) {
        self.0[mip_level.min(self.0.len() - 1)] += area;
    }

    /// Returns the lowest mipmap level of almost all uses.
    fn mip_level(&self) -> usize {
        let threshold = self.0.iter().sum::<f64>() * UNSHARP_FRACTION;
        let mut sum = 0.0;
        let is_too_much = |area: &f64| {
            sum += area;
            sum > threshold
        };
        self.0.iter().position(is_too_much).unwrap_or_default()
    }
}

/// The properties of a surface at a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SurfacePoint {
    pub(crate) uv: Vec2,
    pub(crate) light_uv: Vec2,
    pub(crate) color: Vec4,
    /// Unit normal, towards the camera.
    pub(crate) normal: Vec3,
    /// Mipmap levels of the textures.
    pub(crate) mip_level: [usize; 2],
}

impl<'a> Surfaces<'a> {
    /// Returns the surfaces of all materials in use.
    pub(crate) fn of(scene: &'a Scene, pose: &Pose, shape: &Shape, images: &ImageKeys) -> Self {
        let mut by_material: Vec<Option<Surface<'_>>> = Vec::new();
        by_material.resize_with(scene.materials.len(), || None);
        for (id, material) in shape.materials(scene) {
            if let Some(slot) = by_material.get_mut(id.0) {
                *slot = Some(Surface::of(scene, pose, id, material, images));
            }
        }
        Self { by_material, plain: Surface::plain() }
    }

    /// Returns the surface of a material.
    pub(crate) fn get(&self, material: Option<MaterialId>) -> &Surface<'a> {
        let found = material.and_then(|id| self.by_material.get(id.0)).and_then(Option::as_ref);
        found.unwrap_or(&self.plain)
    }

    /// Whether any opaque material has a texture with holes.
    pub(crate) fn have_alpha_masks(&self) -> bool {
        self.by_material.iter().flatten().any(|surface| matches!(surface.alpha, AlphaMode::Mask(_)))
    }

    /// Records the area of a triangle and the mipmap levels of the two textures of its material.
    pub(crate) fn record_use(&mut self, material: Option<MaterialId>, mip_level: [usize; 2], area: f64) {
        let found = material.and_then(|id| self.by_material.get_mut(id.0)).and_then(Option::as_mut);
        let Some(surface) = found else { return };
        let layers = [surface.texture.as_mut(), surface.lightmap.as_mut().map(|(layer, _)| layer)];
        for (layer, mip_level) in layers.into_iter().zip(mip_level) {
            layer.into_iter().for_each(|layer| layer.uses.add(mip_level, area));
        }
    }

    /// Decodes the textures at the required size. Textures that cannot be decoded are removed.
    pub(crate) fn load(&mut self, textures: &Textures) {
        for surface in self.by_material.iter_mut().flatten() {
            let load = |layer: &mut Layer<'_>| {
                layer.picture = textures.get(layer.image, layer.key, layer.uses.mip_level());
                layer.picture.is_some()
            };
            surface.texture.take_if(|layer| !load(layer));
            surface.lightmap.take_if(|(layer, _)| !load(layer));
            surface.emissive_texture.take_if(|layer| !load(layer));
        }
    }
}

impl<'a> Surface<'a> {
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
            Some(Layer { image, key, picture: None, sampler: texture.sampler, uses: LevelUses::default() })
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

    /// Whether shading depends on normals.
    pub(crate) const fn is_shaded(&self) -> bool {
        self.is_lit && self.lightmap.is_none()
    }

    /// Returns the sizes of the two textures in pixels.
    pub(crate) fn sizes(&self) -> [Vec2; 2] {
        let size = |layer: Option<&Layer<'_>>| {
            layer.map_or(Vec2::ONE, |layer| Vec2::from(size_of(layer.image).map(|side| side as f32)))
        };
        [size(self.texture.as_ref()), size(self.lightmap.as_ref().map(|(layer, _)| layer))]
    }

    /// Returns the alpha at a point.
    pub(crate) fn alpha_at(&self, uv: Vec2, color: Vec4, mip_level: usize) -> f32 {
        let texture = self.texture.as_ref().map_or(1.0, |layer| layer.at(uv, mip_level).w);
        texture * self.base.w * color.w
    }

    /// Returns linear color and alpha at a point.
    pub(crate) fn at(&self, point: &SurfacePoint, light: Vec3) -> Vec4 {
        let mut out = self.base * point.color;
        if let Some(layer) = &self.texture {
            out *= layer.at(point.uv, point.mip_level[0]);
        }
        if let Some((layer, intensity)) = &self.lightmap {
            let baked = layer.at(point.light_uv, point.mip_level[1]).truncate() * *intensity + FILL;
            out = (out.truncate() * baked).extend(out.w);
        } else if self.is_lit {
            let hemisphere = GROUND + (SKY - GROUND) * (point.normal.y * 0.5 + 0.5);
            let lamp = LAMP * point.normal.dot(light).max(0.0);
            out = (out.truncate() * (hemisphere + lamp)).extend(out.w);
        }
        let mut glow = self.emissive;
        if let Some(layer) = &self.emissive_texture {
            glow *= layer.at(point.uv, point.mip_level[0]).truncate();
        }
        let alpha = if self.alpha == AlphaMode::Blend { out.w.clamp(0.0, 1.0) } else { 1.0 };
        (out.truncate() + glow).max(Vec3::ZERO).extend(alpha)
    }
}

impl Layer<'_> {
    fn at(&self, uv: Vec2, mip_level: usize) -> Vec4 {
        self.picture.as_ref().map_or(Vec4::ONE, |picture| picture.sample(uv, mip_level, self.sampler))
    }
}
