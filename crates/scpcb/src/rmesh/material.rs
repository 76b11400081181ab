//! Materials of surfaces, with the blending of the game.
//!
//! Blitz3D blends in display space (the numbers on the screen); glTF multiplies in linear space. The game draws a surface unlit,
//! regardless of the lights in the room:
//!
//! - With a lightmap: `2 x diffuse x lightmap`. In linear space that is `2^2.2` times the product of the two, so the lightmap's
//!   intensity is `2^2.2`. The vertex color is ignored.
//! - Without a lightmap: `2 x diffuse x vertex color`, at most 1. The factor of the diffuse color becomes
//!   `COLOR_0 = linear(min(1, 2c))` on an unlit material.
//! - Transparent: `diffuse x vertex color`, with the texture's alpha, double-sided; a lightmap is ignored. If its texture is
//!   missing, the surface is opaque.
//!
//! Source: the game's room loader (version 1.3.11) and Blitz3D's texture blends.

use std::collections::BTreeMap;

use asset::{Context, Report};
use json::{Map, Value};
use scene::color::srgb_to_linear;
use scene::{AlphaMode, Lightmap, Material, MaterialId, Scene, Shading, Sidedness, TextureId, TextureRef};

use super::bump::BumpMaps;
use super::layout::{Surface, TextureKind, TextureSlot, Vertex};
use crate::ini::materials;

/// `2^2.2`: a factor of two in display space.
const DOUBLE_LINEAR: f32 = 4.594_793_4;

/// The blend mode of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Blend {
    /// `2 x diffuse x lightmap`.
    Lightmapped,
    /// `2 x diffuse x vertex color`.
    VertexLit,
    /// `diffuse x vertex color`, with alpha.
    Transparent,
}

impl Blend {
    /// The blend mode that the game uses, given which images were found.
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

/// The properties that distinguish materials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MaterialKey {
    pub(super) blend: Blend,
    pub(super) texture: Option<TextureId>,
    pub(super) lightmap: Option<TextureId>,
}

impl MaterialKey {
    /// The linear vertex colors; `None` if the game ignores them.
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

/// The materials of a scene being built, by their properties and texture names. The names are part of the key because all placeholders
/// look the same.
#[derive(Debug, Default)]
pub(super) struct Materials {
    known: BTreeMap<(MaterialKey, TextureSlot, TextureSlot), MaterialId>,
    bump_maps: BumpMaps,
}

impl Materials {
    pub(super) fn get(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        (surface, field): (&Surface, &str),
        material_key: MaterialKey,
        report: &mut Report,
    ) -> MaterialId {
        let key = (material_key, surface.texture.clone(), surface.lightmap.clone());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let mut material = material(context, surface, material_key);
        // Lights do not affect unlit materials, so bumps would be invisible.
        let texture = surface.texture.named().filter(|_| material.shading == Shading::Lit);
        if let Some(texture) = texture {
            let bumps = self.bump_maps.of(scene, context, &texture.text(), field, report);
            material.normal_texture = bumps.map(TextureRef::new);
        }
        let id = scene.add_material(material);
        self.known.insert(key, id);
        id
    }
}

/// The material of a surface with baked light.
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

fn material(context: &Context<'_>, surface: &Surface, material_key: MaterialKey) -> Material {
    let transparent = material_key.blend == Blend::Transparent;
    Material {
        name: name(surface, material_key),
        base_color_texture: material_key.texture.map(TextureRef::new),
        alpha: if transparent { AlphaMode::Blend } else { AlphaMode::Opaque },
        sidedness: if transparent { Sidedness::Double } else { Sidedness::Single },
        shading: if material_key.blend == Blend::Lightmapped { Shading::Lit } else { Shading::Unlit },
        lightmap: material_key
            .lightmap
            .map(|texture| Lightmap { texture: TextureRef::on_set(texture, 1), intensity: DOUBLE_LINEAR }),
        extras: extras(context, surface),
        ..Material::default()
    }
}

/// The file names of the texture and, for lit surfaces, the lightmap, even if it is not exported. Other programs drop the extras, but
/// keep the name.
fn name(surface: &Surface, material_key: MaterialKey) -> String {
    let texture = surface.texture.named().map_or_else(|| "no texture".to_owned(), ToString::to_string);
    match surface.lightmap.named().filter(|_| material_key.blend == Blend::Lightmapped) {
        Some(lightmap) => format!("{texture} + {lightmap}"),
        None => texture,
    }
}

/// The stored slots, and the texture's entry in the game's table of materials.
fn extras(context: &Context<'_>, surface: &Surface) -> Map<String, Value> {
    let slot = |slot: &TextureSlot| json::to_value(slot).unwrap_or_default();
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
    fn doubling_in_display_space_is_a_factor_of_2_to_the_2_2_in_linear_space() {
        assert!((DOUBLE_LINEAR - 2_f32.powf(2.2)).abs() < 1e-5);
    }

    #[test]
    fn vertex_light_is_doubled_in_display_space_and_clamped_to_white() {
        let material_key = MaterialKey { blend: Blend::VertexLit, texture: None, lightmap: None };
        let vertex = Vertex { color: [0, 51, 200], ..Vertex::default() };
        let colors = material_key.colors(&[vertex]).unwrap();
        assert_eq!(colors[0][0], 0.0);
        assert!((colors[0][1] - srgb_to_linear(0.4)).abs() < 1e-6);
        assert_eq!(colors[0][2..], [1.0, 1.0]);
    }
}
