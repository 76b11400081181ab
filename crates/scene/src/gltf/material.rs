//! Writing of materials.

use std::collections::BTreeSet;

use super::{
    check::{called, finite, forbidden, in_range, name, within},
    draft::Draft,
    schema::{
        Empty, Material as MaterialJson, MaterialExtensions, Surface, TextureInfo, TextureInfoExtensions,
        TextureTransform,
    },
};
use crate::{
    AlphaMode, Error, Lightmap, Material, MaterialId, Shading, Sidedness, Target, TextureRef, Track,
    UvTransform,
};

const UNLIT: &str = "KHR_materials_unlit";
const LIGHTMAP: &str = "MOZ_lightmap";
const TEXTURE_TRANSFORM: &str = "KHR_texture_transform";

/// The alpha cutoff if none is written.
const DEFAULT_CUTOFF: f32 = 0.5;

impl<'a> Draft<'a> {
    /// Writes all materials, keeping their indices.
    pub(super) fn materials(&mut self) -> Result<(), Error> {
        let tracks = self.scene.animations.iter().flat_map(|animation| &animation.tracks);
        let animated: BTreeSet<Target> = tracks.flat_map(Track::targets).collect();
        for (index, material) in self.scene.materials.iter().enumerate() {
            let place = called("material", index, &material.name);
            let mut json = self.material(index, material, &place)?;
            self.declare_animated(&mut json, material, MaterialId(index), &animated);
            self.document.materials.push(json);
        }
        Ok(())
    }

    /// Writes properties that an animation points to, even if they have default values.
    fn declare_animated(
        &mut self,
        json: &mut MaterialJson<'_>,
        material: &Material,
        id: MaterialId,
        animated: &BTreeSet<Target>,
    ) {
        let surface = &mut json.pbr_metallic_roughness;
        if animated.contains(&Target::MaterialBaseColor(id)) {
            surface.base_color_factor = Some(material.base_color);
        }
        let moves =
            [Target::MaterialUvOffset(id), Target::MaterialUvRotation(id), Target::MaterialUvScale(id)];
        if let (Some(json), Some(texture)) = (&mut surface.base_color_texture, material.base_color_texture)
            && moves.iter().any(|target| animated.contains(target))
        {
            json.extensions = Some(self.transform(texture.transform.unwrap_or_default()));
        }
    }

    fn material(
        &mut self,
        index: usize,
        material: &'a Material,
        place: &str,
    ) -> Result<MaterialJson<'a>, Error> {
        for channel in material.base_color {
            within(channel, 0.0..=1.0, || format!("{place}, base_color"))?;
        }
        for channel in material.emissive {
            within(channel, 0.0..=1.0, || format!("{place}, emissive"))?;
        }
        within(material.metallic, 0.0..=1.0, || format!("{place}, metallic"))?;
        within(material.roughness, 0.0..=1.0, || format!("{place}, roughness"))?;
        let (alpha_mode, alpha_cutoff) = match material.alpha {
            AlphaMode::Opaque => (None, None),
            AlphaMode::Blend => (Some("BLEND"), None),
            AlphaMode::Mask(cutoff) => {
                within(cutoff, 0.0..=f32::MAX, || format!("{place}, alpha cutoff"))?;
                (Some("MASK"), (cutoff != DEFAULT_CUTOFF).then_some(cutoff))
            }
        };
        Ok(MaterialJson {
            name: name(&material.name, "material", index),
            pbr_metallic_roughness: Surface {
                base_color_factor: (material.base_color != [1.0; 4]).then_some(material.base_color),
                base_color_texture: self.texture(material.base_color_texture, place)?,
                metallic_factor: material.metallic,
                roughness_factor: material.roughness,
            },
            normal_texture: self.texture(material.normal_texture, place)?,
            emissive_texture: self.texture(material.emissive_texture, place)?,
            emissive_factor: (material.emissive != [0.0; 3]).then_some(material.emissive),
            alpha_mode,
            alpha_cutoff,
            double_sided: material.sidedness == Sidedness::Double,
            extensions: self.material_extensions(material, place)?,
            extras: &material.extras,
        })
    }

    fn material_extensions(
        &mut self,
        material: &Material,
        place: &str,
    ) -> Result<Option<MaterialExtensions>, Error> {
        match (material.shading, &material.lightmap) {
            (Shading::Lit, None) => Ok(None),
            (Shading::Unlit, None) => {
                self.extensions.insert(UNLIT);
                Ok(Some(MaterialExtensions { unlit: Some(Empty {}), lightmap: None }))
            }
            (Shading::Unlit, Some(_)) => Err(forbidden(place, "an unlit material cannot have a lightmap")),
            (Shading::Lit, Some(Lightmap { texture, intensity })) => {
                within(*intensity, 0.0..=f32::MAX, || format!("{place}, lightmap intensity"))?;
                self.extensions.insert(LIGHTMAP);
                let mut lightmap = self.texture(Some(*texture), place)?;
                if let Some(lightmap) = &mut lightmap {
                    lightmap.intensity = Some(*intensity);
                }
                Ok(Some(MaterialExtensions { unlit: None, lightmap }))
            }
        }
    }

    fn texture(&mut self, texture: Option<TextureRef>, place: &str) -> Result<Option<TextureInfo>, Error> {
        let Some(texture) = texture else {
            return Ok(None);
        };
        let index = in_range(texture.texture.0, self.scene.textures.len(), || format!("{place}, texture"))?;
        let transform = texture.transform.unwrap_or_default();
        let UvTransform { offset, rotation, scale } = transform;
        finite(&[offset, scale, [rotation, 0.0]].concat(), || format!("{place}, texture transform"))?;
        let extensions = (transform != UvTransform::default()).then(|| self.transform(transform));
        Ok(Some(TextureInfo { index, tex_coord: texture.uv_set, intensity: None, extensions }))
    }

    fn transform(&mut self, UvTransform { offset, rotation, scale }: UvTransform) -> TextureInfoExtensions {
        self.extensions.insert(TEXTURE_TRANSFORM);
        TextureInfoExtensions { transform: TextureTransform { offset, rotation, scale } }
    }
}
