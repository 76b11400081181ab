//! Reading of materials.

use super::{Reader, bad, document, extras, finite, out_of_range};
use crate::{AlphaMode, Error, Lightmap, Material, Shading, Sidedness, TextureRef, UvTransform};

impl Reader<'_> {
    pub(super) fn materials(&mut self) -> Result<(), Error> {
        for (index, material) in self.document.materials.iter().enumerate() {
            let material = self.material(material, &format!("material {index}"))?;
            self.scene.materials.push(material);
        }
        Ok(())
    }

    fn material(&mut self, json: &document::Material, place: &str) -> Result<Material, Error> {
        let surface = &json.pbr_metallic_roughness;
        let roughness = surface.metallic_roughness_texture.iter().count();
        self.tally.add("metallic and roughness textures", roughness);
        self.tally.add("normal textures", json.normal_texture.iter().count());
        self.tally.add("occlusion textures", json.occlusion_texture.iter().count());
        let numbers = [
            &surface.base_color_factor[..],
            &json.emissive_factor,
            &[surface.metallic_factor, surface.roughness_factor, json.alpha_cutoff.unwrap_or_default()],
        ];
        finite(&numbers.concat(), || place.to_owned())?;
        Ok(Material {
            name: json.name.clone(),
            base_color: surface.base_color_factor,
            base_color_texture: self.texture_ref(surface.base_color_texture.as_ref(), place)?,
            emissive: json.emissive_factor,
            emissive_texture: self.texture_ref(json.emissive_texture.as_ref(), place)?,
            normal_texture: None,
            metallic: surface.metallic_factor,
            roughness: surface.roughness_factor,
            alpha: match json.alpha_mode.as_str() {
                "" | "OPAQUE" => AlphaMode::Opaque,
                "MASK" => AlphaMode::Mask(json.alpha_cutoff.unwrap_or(0.5)),
                "BLEND" => AlphaMode::Blend,
                other => return Err(bad(place, format!("unknown alpha mode {other:.20}"))),
            },
            sidedness: if json.double_sided { Sidedness::Double } else { Sidedness::Single },
            shading: if json.extensions.unlit.is_some() { Shading::Unlit } else { Shading::Lit },
            lightmap: self.lightmap(json, place)?,
            extras: extras(&json.extras, &mut self.tally),
        })
    }

    fn lightmap(&mut self, json: &document::Material, place: &str) -> Result<Option<Lightmap>, Error> {
        let place = format!("{place}, lightmap");
        let intensity = json.extensions.lightmap.as_ref().and_then(|info| info.intensity).unwrap_or(1.0);
        finite(&[intensity], || place.clone())?;
        let texture = self.texture_ref(json.extensions.lightmap.as_ref(), &place)?;
        Ok(texture.map(|texture| Lightmap { texture, intensity }))
    }

    /// Returns a material's reference to a texture; `None` if its image is not supported.
    fn texture_ref(
        &self,
        info: Option<&document::TextureInfo>,
        place: &str,
    ) -> Result<Option<TextureRef>, Error> {
        let Some(info) = info else { return Ok(None) };
        let texture = self
            .textures
            .get(info.index)
            .ok_or_else(|| out_of_range(format!("{place}, texture"), info.index, self.textures.len()))?;
        let transform = info.extensions.transform.as_ref();
        let moved = transform.map(|moved| UvTransform {
            offset: moved.offset,
            rotation: moved.rotation,
            scale: moved.scale,
        });
        if let Some(UvTransform { offset, rotation, scale }) = moved {
            finite(&[offset, scale, [rotation, 0.0]].concat(), || format!("{place}, texture transform"))?;
        }
        let uv_set = transform.and_then(|moved| moved.tex_coord).unwrap_or(info.tex_coord);
        Ok(texture.map(|texture| TextureRef { texture, uv_set, transform: moved }))
    }
}
