//! Converts materials, as shown by the game.
//!
//! Blitz3D uses the face color unless there is a texture. With a texture the color is white, whatever the file specifies, even if
//! the texture cannot be found. An alpha of 0 counts as 1; an alpha below 1 blends. Power, specular and emissive color are ignored,
//! and kept in `extras`. Textures of models in this format are loaded without their alpha, so a texture makes no material
//! transparent.

use std::collections::BTreeMap;

use asset::{Context, Report};
use json::{Value, json};
use scene::color::srgb_to_linear;
use scene::image::Alpha;
use scene::{AlphaMode, Material, MaterialId, Sampler, Scene, TextureRef};

use crate::model::texture::{Keying, Textures};
use crate::x::layout;
use crate::x::{XFile, warning};

/// The materials of a scene being built; only those that are used.
pub(super) struct Materials {
    textures: Textures,
    added: BTreeMap<Option<usize>, MaterialId>,
}

impl Materials {
    pub(super) fn new() -> Self {
        Self { textures: Textures::default(), added: BTreeMap::new() }
    }

    /// Returns the material at an index into [`XFile::materials`]; white if there is none.
    pub(super) fn get(
        &mut self,
        scene: &mut Scene,
        file: &XFile,
        context: Option<&Context<'_>>,
        index: Option<usize>,
        report: &mut Report,
    ) -> MaterialId {
        let found = index.and_then(|index| Some((index, file.materials.get(index)?)));
        let key = found.map(|(index, _)| index);
        if let Some(known) = self.added.get(&key) {
            return *known;
        }
        let material = match found {
            Some((index, material)) => self.make(scene, context, material, index, report),
            None => Material { name: "default".into(), ..Material::default() },
        };
        let id = scene.add_material(material);
        self.added.insert(key, id);
        id
    }

    fn make(
        &mut self,
        scene: &mut Scene,
        context: Option<&Context<'_>>,
        material: &layout::Material,
        index: usize,
        report: &mut Report,
    ) -> Material {
        let field = format!("materials[{index}]");
        let mut out = Material { name: material.name.clone().unwrap_or_default(), ..Material::default() };
        let [red, green, blue, alpha] = material.face_color;
        if !material.face_color.iter().all(|level| level.is_finite()) {
            let message = "the face color is not finite; using 0, and 1 for alpha";
            report.warn(&warning::NOT_FINITE, message).in_field(field.as_str());
        }
        let level = |level: f32| if level.is_finite() { srgb_to_linear(level.clamp(0.0, 1.0)) } else { 0.0 };
        let alpha = if alpha.is_finite() && alpha != 0.0 { alpha.clamp(0.0, 1.0) } else { 1.0 };
        out.base_color = [level(red), level(green), level(blue), alpha];
        if alpha < 1.0 {
            out.alpha = AlphaMode::Blend;
        }
        if material.texture.is_some() {
            out.base_color = [1.0, 1.0, 1.0, alpha];
        }
        if let (Some(name), Some(context)) = (material.texture_name(), context) {
            let at = format!("{field}.texture");
            // The alpha of an image is ignored in an opaque material anyway, so the file is used unchanged.
            let keying = if alpha < 1.0 { Keying::Solid } else { Keying::Alpha };
            let how = (keying, Sampler::default());
            let image = self.textures.get(scene, context, (name, &at), how, report);
            out.base_color_texture = Some(TextureRef::new(image.texture));
            if image.alpha != Alpha::Opaque {
                let message = format!("the alpha of \"{name:.80}\" is ignored, like in the game");
                report.warn(&crate::model::warning::TEXTURE_ALPHA, message).in_field(at);
            }
        }
        out.extras.insert("material".into(), extras(material));
        out
    }
}

/// Returns the properties that the game ignores, under the names of the specification.
pub(in crate::x) fn extras(material: &layout::Material) -> Value {
    let written = json::to_vec(material).unwrap_or_default();
    json::from_slice(&written).unwrap_or_else(|_| json!(null))
}
