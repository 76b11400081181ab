//! Materials of faces: one for each combination of texture, sidedness and texture animation.
//!
//! Materials are unlit if the shade type is none. Colors of texture coordinates and the model's alpha byte are not applied, because the
//! game ignores them.

use std::collections::BTreeMap;

use ::scene::image::Alpha;
use ::scene::{AlphaMode, Material, MaterialId, Scene, Shading, Sidedness, TextureRef, UvTransform};
use asset::{Context, Report};
use json::Map;

use super::Rsm;
use super::normal::Shade;
use super::texture::{Textures, folded};
use crate::rsm::Name;

/// Key in the extras of a material for the digest of its image, which exists in the game.
pub(super) const DIGEST: &str = "image_digest";

/// Alpha below which nothing is drawn.
const CUTOFF: f32 = 0.5;

/// The properties of a face that determine its material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FaceMaterial {
    /// Texture index of the faces.
    pub(super) texture: u16,
    pub(super) sides: Sidedness,
}

/// Key of a material. An animated texture belongs to a single mesh.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    texture: Option<String>,
    sides: Sidedness,
    /// The mesh and the texture index of its faces, if the texture is animated.
    moving: Option<(usize, u16)>,
}

/// The materials of a scene being built.
#[derive(Debug, Default)]
pub(super) struct Materials {
    textures: Textures,
    known: BTreeMap<Key, MaterialId>,
}

/// Returns the texture with an index of a mesh, and the field that contains its name. An invalid index selects the mesh's first texture,
/// otherwise the model's first one.
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
    /// Returns the material of faces. `moved` is the initial transform of the texture coordinates, if the texture is animated.
    pub(super) fn get(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        (model, number): (&Rsm, usize),
        face_material: FaceMaterial,
        moved: Option<UvTransform>,
        report: &mut Report,
    ) -> MaterialId {
        let named = texture_of(model, number, face_material.texture);
        let name = named.as_ref().map(|(name, _)| *name);
        let key = Key {
            texture: name.map(folded),
            sides: face_material.sides,
            moving: moved.map(|_| (number, face_material.texture)),
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
            sidedness: face_material.sides,
            shading: if Shade::of(model) == Shade::None { Shading::Unlit } else { Shading::Lit },
            extras,
            ..Material::default()
        });
        self.known.insert(key, material);
        material
    }
}
