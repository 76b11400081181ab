//! How faces look: one material for each texture, sidedness and motion of the texture.
//!
//! Light falls on the model by its shade type: where none falls, materials are unlit. Colors of texture coordinates and the model's alpha
//! byte are never multiplied: the game shows nothing of them.

use std::collections::BTreeMap;

use ::scene::image::Alpha;
use ::scene::{AlphaMode, Material, MaterialId, Scene, Shading, Sidedness, TextureRef, UvTransform};
use asset::{Context, Report};
use json::Map;

use super::Rsm;
use super::normal::Shade;
use super::texture::{Textures, folded};
use crate::rsm::Name;

/// The key in the extras of a material for the digest of its image, which the game has.
pub(super) const DIGEST: &str = "image_digest";

/// Below this alpha nothing is drawn.
const CUTOFF: f32 = 0.5;

/// Faces of a mesh that look alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FaceMaterial {
    /// The number that the faces give.
    pub(super) texture: u16,
    pub(super) sides: Sidedness,
}

/// Whose material it is: a texture moves with one mesh alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    texture: Option<String>,
    sides: Sidedness,
    /// The mesh and the number that its faces give, where the texture moves.
    moving: Option<(usize, u16)>,
}

/// The materials of a scene being built.
#[derive(Debug, Default)]
pub(super) struct Materials {
    textures: Textures,
    known: BTreeMap<Key, MaterialId>,
}

/// The texture that the faces of a mesh name by a number, and the field that has its name. A number that the mesh does not have stands
/// for its first texture, or else the model's first.
fn texture_of(model: &Rsm, number: usize, slot: u16) -> Option<(&Name, String)> {
    let mesh = model.meshes.get(number)?;
    let of_model = |index: usize| Some((model.textures.as_ref()?.get(index)?, format!("textures[{index}]")));
    let own = mesh.textures.iter().flatten().enumerate();
    let own = own.map(|(slot, name)| Some((name, format!("meshes[{number}].textures[{slot}]"))));
    let indices = mesh.texture_indices.iter().flatten();
    let mut all = own.chain(indices.map(|index| of_model(usize::try_from(*index).ok()?))).enumerate();
    let first = all.next()?.1;
    let named = match slot {
        0 => first,
        _ => all.find(|(at, _)| *at == usize::from(slot)).map_or(first, |(_, named)| named),
    };
    named.or_else(|| of_model(0))
}

impl Materials {
    /// The material of some faces. `moved` is what becomes of the texture coordinates at first, where the texture moves.
    pub(super) fn get(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        (model, number): (&Rsm, usize),
        look: FaceMaterial,
        moved: Option<UvTransform>,
        report: &mut Report,
    ) -> MaterialId {
        let named = texture_of(model, number, look.texture);
        let name = named.as_ref().map(|(name, _)| *name);
        let key = Key {
            texture: name.map(folded),
            sides: look.sides,
            moving: moved.map(|_| (number, look.texture)),
        };
        if let Some(material) = self.known.get(&key) {
            return *material;
        }
        let loaded =
            named.as_ref().map(|(name, field)| self.textures.get(scene, context, name, field, report));
        let mut extras = Map::new();
        extras.insert("texture".into(), json::to_value(name).unwrap_or_default());
        let digest = loaded.and_then(|loaded| loaded.digest(scene));
        extras.extend(digest.map(|digest| (DIGEST.into(), digest.into())));
        let transform = moved.filter(|moved| *moved != UvTransform::default());
        let material = scene.add_material(Material {
            name: name.map_or_else(|| "no texture".into(), |name| name.text().into_owned()),
            base_color_texture: loaded
                .map(|loaded| TextureRef { transform, ..TextureRef::new(loaded.texture) }),
            alpha: match loaded.map_or(Alpha::Opaque, |loaded| loaded.alpha) {
                Alpha::Opaque => AlphaMode::Opaque,
                Alpha::Binary => AlphaMode::Mask(CUTOFF),
                Alpha::Possible | Alpha::Blended => AlphaMode::Blend,
            },
            sidedness: look.sides,
            shading: if Shade::of(model) == Shade::None { Shading::Unlit } else { Shading::Lit },
            extras,
            ..Material::default()
        });
        self.known.insert(key, material);
        material
    }
}
