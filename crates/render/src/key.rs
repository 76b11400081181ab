//! A key of all that decides what a picture shows.

use twox_hash::XxHash3_128;

use crate::shape::{Corner, Shape, Triangle};
use crate::texture::ImageKeys;
use crate::{PoseTime, RenderOptions};
use scene::{AlphaMode, Filter, Material, MaterialId, Scene, Shading, TextureRef, Wrap};

/// Takes in everything, piece by piece.
#[derive(Default)]
pub(crate) struct Key(XxHash3_128);

impl Key {
    pub(crate) fn finish(&self) -> u128 {
        self.0.finish_128()
    }

    pub(crate) fn look(&mut self, look: &RenderOptions) {
        let RenderOptions { width, height, backdrop, moment, framing: _ } = look;
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

    /// How much the picture takes in at least; pictures that fit are as they were without.
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

    /// How a material looks; its base color may be animated.
    pub(crate) fn paint(
        &mut self,
        scene: &Scene,
        images: &ImageKeys,
        material: &Material,
        base_color: [f32; 4],
    ) {
        self.floats(&base_color);
        self.floats(&material.emissive);
        let (alpha, bar) = match material.alpha {
            AlphaMode::Opaque => (0, 0.0),
            AlphaMode::Mask(bar) => (1, bar),
            AlphaMode::Blend => (2, 0.0),
        };
        let light = material.lightmap;
        self.floats(&[bar, light.map_or(0.0, |light| light.intensity)]);
        self.numbers(&[alpha, u64::from(material.shading == Shading::Lit)]);
        for slot in [material.base_color_texture, light.map(|light| light.texture), material.emissive_texture]
        {
            self.texture(scene, images, slot);
        }
    }

    /// What a texture shows and how it is read. Where it lies is in the corners.
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
