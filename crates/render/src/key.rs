//! Hash keys of everything that determines a rendered picture.

use twox_hash::XxHash3_128;

use crate::shape::{Corner, Shape, Triangle};
use crate::texture::ImageKeys;
use crate::{PoseTime, RenderOptions};
use scene::{AlphaMode, Filter, Material, MaterialId, Scene, Shading, TextureRef, Wrap};

/// A hash of all inputs, computed incrementally.
#[derive(Default)]
pub(crate) struct Key(XxHash3_128);

impl Key {
    pub(crate) fn finish(&self) -> u128 {
        self.0.finish_128()
    }

    pub(crate) fn options(&mut self, options: &RenderOptions) {
        let RenderOptions { width, height, backdrop, moment, framing: _ } = options;
        self.0.write(&width.to_le_bytes());
        self.0.write(&height.to_le_bytes());
        self.0.write(backdrop.as_flattened());
        match moment {
            PoseTime::Rest => self.0.write(&[0]),
            PoseTime::Begin => self.0.write(&[1]),
            PoseTime::At(clip, time) => {
                self.count(*clip);
                self.floats(&[*time]);
            }
        }
    }

    /// Adds the minimum visible height, if any; keys without it are unchanged.
    pub(crate) fn frame(&mut self, frame: Option<f32>) {
        if let Some(frame) = frame {
            self.floats(&[frame]);
        }
    }

    pub(crate) fn shape(&mut self, shape: &Shape) {
        self.count(shape.corners.len());
        for Corner { position, normal, uv, light_uv, color } in &shape.corners {
            let [x, y, z] = position.to_array();
            let [across, up, back] = normal.to_array();
            let ([u, v], [light_u, light_v]) = (uv.to_array(), light_uv.to_array());
            let [red, green, blue, alpha] = *color;
            let all = [x, y, z, across, up, back, u, v, light_u, light_v, red, green, blue, alpha];
            self.0.write(all.map(f32::to_le_bytes).as_flattened());
        }
        self.count(shape.triangles.len());
        for Triangle { corners, material, is_double } in &shape.triangles {
            let material = material.map_or(u64::MAX, |MaterialId(id)| id as u64);
            let [a, b, c] = corners.map(u64::from);
            let all = [a, b, c, material, u64::from(*is_double)];
            self.0.write(all.map(u64::to_le_bytes).as_flattened());
        }
    }

    /// Adds the appearance of a material, whose base color may be animated.
    pub(crate) fn surface(
        &mut self,
        scene: &Scene,
        images: &ImageKeys,
        material: &Material,
        base_color: [f32; 4],
    ) {
        self.floats(&base_color);
        self.floats(&material.emissive);
        let (alpha, cutoff) = match material.alpha {
            AlphaMode::Opaque => (0, 0.0),
            AlphaMode::Mask(cutoff) => (1, cutoff),
            AlphaMode::Blend => (2, 0.0),
        };
        let light = material.lightmap;
        self.floats(&[cutoff, light.map_or(0.0, |light| light.intensity)]);
        self.numbers(&[alpha, u64::from(material.shading == Shading::Lit)]);
        for slot in [material.base_color_texture, light.map(|light| light.texture), material.emissive_texture]
        {
            self.texture(scene, images, slot);
        }
    }

    /// Adds the content and the sampling of a texture. Texture coordinates are part of the corners.
    fn texture(&mut self, scene: &Scene, images: &ImageKeys, slot: Option<TextureRef>) {
        let texture = slot.and_then(|slot| scene.textures.get(slot.texture.0));
        let key = texture.and_then(|texture| images.get(scene, texture.image));
        let (Some(texture), Some(key)) = (texture, key) else { return self.numbers(&[0]) };
        let wrap = |wrap: Wrap| match wrap {
            Wrap::Repeat => 1,
            Wrap::Clamp => 2,
            Wrap::Mirror => 3,
        };
        let sampler = texture.sampler;
        let near = u64::from(sampler.mag == Filter::Nearest);
        self.numbers(&[wrap(sampler.wrap_u), wrap(sampler.wrap_v), near]);
        self.0.write(&key.to_le_bytes());
    }

    fn count(&mut self, count: usize) {
        self.numbers(&[count as u64]);
    }

    fn numbers(&mut self, numbers: &[u64]) {
        numbers.iter().for_each(|number| self.0.write(&number.to_le_bytes()));
    }

    fn floats(&mut self, floats: &[f32]) {
        floats.iter().for_each(|float| self.0.write(&float.to_le_bytes()));
    }
}
