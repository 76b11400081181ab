//! How surfaces look, as the game blends them.
//!
//! Blitz3D blends in display space (the numbers on the screen), glTF multiplies in linear light. The game draws a surface full
//! bright, whatever lights stand in the room:
//!
//! - with a lightmap: `2 x diffuse x lightmap`. In linear light that is `2^2.2` times the product of the two, so the lightmap's
//!   intensity is `2^2.2`. The vertex colour plays no part.
//! - without: `2 x diffuse x vertex colour`, at most 1. The factor of the diffuse becomes `COLOR_0 = linear(min(1, 2c))` on an unlit
//!   material.
//! - transparent: `diffuse x vertex colour`, with the texture's alpha, both sides drawn; a lightmap is ignored. If its texture is
//!   missing it is opaque.
//!
//! Source: the game's room loader (version 1.3.11) and Blitz3D's texture blends.

use std::collections::BTreeMap;

use asset::Context;
use scene::color::srgb_to_linear;
use scene::{AlphaMode, Lightmap, Material, MaterialId, Scene, Shading, Sidedness, TextureId, TextureRef};
use serde_json::{Map, Value};

use super::layout::{Surface, TextureKind, TextureSlot, Vertex};
use crate::ini::materials;

/// `2^2.2`: a factor of two in display space.
const TWICE: f32 = 4.594_793_4;

/// How a surface is blended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Blend {
    /// `2 x diffuse x lightmap`.
    Lightmapped,
    /// `2 x diffuse x vertex colour`.
    VertexLit,
    /// `diffuse x vertex colour`, with alpha.
    Transparent,
}

impl Blend {
    /// How the game blends a surface of which these images were found.
    pub(super) fn of(surface: &Surface, texture_found: bool, lightmap_found: bool) -> Self {
        if surface.texture.kind == TextureKind::TRANSPARENT && texture_found {
            Self::Transparent
        } else if lightmap_found {
            Self::Lightmapped
        } else {
            Self::VertexLit
        }
    }
}

/// What a surface is drawn with, once its images are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Look {
    pub(super) blend: Blend,
    pub(super) texture: Option<TextureId>,
    pub(super) lightmap: Option<TextureId>,
}

impl Look {
    /// What the vertex colours become, linear; nothing where the game does not show them.
    pub(super) fn colors(self, vertices: &[Vertex]) -> Option<Vec<[f32; 4]>> {
        let factor = match self.blend {
            Blend::Lightmapped => return None,
            Blend::VertexLit => 2.0,
            Blend::Transparent => 1.0,
        };
        let linear: Vec<f32> =
            (0..=255_u8).map(|level| srgb_to_linear((factor * f32::from(level) / 255.0).min(1.0))).collect();
        let channel = |level: u8| linear.get(usize::from(level)).copied().unwrap_or(1.0);
        Some(
            vertices
                .iter()
                .map(|Vertex { color: [r, g, b], .. }| [channel(*r), channel(*g), channel(*b), 1.0])
                .collect(),
        )
    }
}

/// The materials of a scene in the making: each look once for each pair of names, since images that are missing look alike.
#[derive(Debug, Default)]
pub(super) struct Materials {
    known: BTreeMap<(Look, TextureSlot, TextureSlot), MaterialId>,
}

impl Materials {
    pub(super) fn get(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        surface: &Surface,
        look: Look,
    ) -> MaterialId {
        let key = (look, surface.texture.clone(), surface.lightmap.clone());
        *self.known.entry(key).or_insert_with(|| scene.add_material(material(context, surface, look)))
    }
}

/// The material of a surface whose light is in its texture.
pub(super) fn baked(context: &Context<'_>, surface: &Surface, texture: TextureId) -> Material {
    let [texture_name, lightmap_name] =
        [&surface.texture, &surface.lightmap].map(|slot| slot.named().map(ToString::to_string));
    let names: Vec<String> = texture_name.into_iter().chain(lightmap_name).collect();
    Material {
        name: format!("{} (baked)", names.join(" + ")),
        base_color_texture: Some(TextureRef::new(texture)),
        shading: Shading::Unlit,
        extras: extras(context, surface),
        ..Material::default()
    }
}

fn material(context: &Context<'_>, surface: &Surface, look: Look) -> Material {
    let transparent = look.blend == Blend::Transparent;
    Material {
        name: name(surface, look),
        base_color_texture: look.texture.map(TextureRef::new),
        alpha: if transparent { AlphaMode::Blend } else { AlphaMode::Opaque },
        sidedness: if transparent { Sidedness::Double } else { Sidedness::Single },
        shading: if look.blend == Blend::Lightmapped { Shading::Lit } else { Shading::Unlit },
        lightmap: look
            .lightmap
            .map(|texture| Lightmap { texture: TextureRef::on_set(texture, 1), intensity: TWICE }),
        extras: extras(context, surface),
        ..Material::default()
    }
}

/// The texture's file name, and the lightmap's where there is one.
fn name(surface: &Surface, look: Look) -> String {
    let texture = surface.texture.named().map_or_else(|| "no texture".to_owned(), ToString::to_string);
    match surface.lightmap.named().filter(|_| look.lightmap.is_some()) {
        Some(lightmap) => format!("{texture} + {lightmap}"),
        None => texture,
    }
}

/// The slots as the file has them, and what the game's table of materials says of the texture.
fn extras(context: &Context<'_>, surface: &Surface) -> Map<String, Value> {
    let slot = |slot: &TextureSlot| serde_json::to_value(slot).unwrap_or_default();
    let mut extras = Map::new();
    extras.insert("texture".into(), slot(&surface.texture));
    extras.insert("lightmap".into(), slot(&surface.lightmap));
    let name = surface.texture.named().map(ToString::to_string).unwrap_or_default();
    if let Some(material) = materials::of_texture(context, &name) {
        extras.insert("material".into(), Value::Object(material));
    }
    extras
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_of_two_on_the_screen_is_two_to_the_2_2_in_linear_light() {
        assert!((TWICE - 2_f32.powf(2.2)).abs() < 1e-5);
    }

    #[test]
    fn vertex_light_is_doubled_on_the_screen_and_cut_at_white() {
        let look = Look { blend: Blend::VertexLit, texture: None, lightmap: None };
        let vertex = Vertex { color: [0, 51, 200], ..Vertex::default() };
        let colors = look.colors(&[vertex]).unwrap();
        assert_eq!(colors[0][0], 0.0);
        assert!((colors[0][1] - srgb_to_linear(0.4)).abs() < 1e-6);
        assert_eq!(colors[0][2..], [1.0, 1.0]);
    }
}
