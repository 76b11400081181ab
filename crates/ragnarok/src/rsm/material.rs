//! How faces look: one material for each texture, sidedness and motion of the texture.
//!
//! Light falls on the model by its shade type: where none falls, materials are unlit. Colours of texture coordinates and the model's alpha
//! byte are never multiplied: the game shows nothing of them.

use std::collections::BTreeMap;

use ::scene::image::Alpha;
use ::scene::{AlphaMode, Material, MaterialId, Scene, Shading, Sidedness, TextureRef, UvTransform};
use asset::{Context, Report};
use serde_json::Map;

use super::normal::Shade;
use super::texture::{Textures, folded};
use super::{Mesh, Rsm};
use crate::rsm::Name;

/// Below this alpha nothing is drawn.
const CUTOFF: f32 = 0.5;

/// Faces of a mesh that look alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Look {
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

/// The materials of a scene in the making.
#[derive(Debug, Default)]
pub(super) struct Materials {
    textures: Textures,
    known: BTreeMap<Key, MaterialId>,
}

/// The texture that faces of a mesh mean by a number. The first is taken for one that is not there.
pub(super) fn texture_name<'a>(model: &'a Rsm, mesh: &'a Mesh, number: u16) -> Option<&'a Name> {
    let number = usize::from(number);
    let named = model.textures_of(mesh).nth(number).or_else(|| model.textures_of(mesh).next());
    let first = || model.textures.as_ref().and_then(|textures| textures.first());
    named.and_then(|name| name.or_else(first))
}

impl Materials {
    /// The material of some faces. `moved` is what becomes of the texture coordinates at first, where the texture moves.
    pub(super) fn get(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        (model, number): (&Rsm, usize),
        look: Look,
        moved: Option<UvTransform>,
        report: &mut Report,
    ) -> MaterialId {
        let name = model.meshes.get(number).and_then(|mesh| texture_name(model, mesh, look.texture));
        let key = Key {
            texture: name.map(folded),
            sides: look.sides,
            moving: moved.map(|_| (number, look.texture)),
        };
        if let Some(material) = self.known.get(&key) {
            return *material;
        }
        let shown = name.map(|name| {
            let field = format!("meshes[{number}].textures[{}]", look.texture);
            self.textures.get(scene, context, name, &field, report)
        });
        let mut extras = Map::new();
        extras.insert("texture".into(), serde_json::to_value(name).unwrap_or_default());
        let transform = moved.filter(|moved| *moved != UvTransform::default());
        let material = scene.add_material(Material {
            name: name.map_or_else(|| "no texture".into(), |name| name.text().into_owned()),
            base_color_texture: shown.map(|shown| TextureRef { transform, ..TextureRef::new(shown.texture) }),
            alpha: match shown.map_or(Alpha::Opaque, |shown| shown.alpha) {
                Alpha::Opaque => AlphaMode::Opaque,
                Alpha::Binary => AlphaMode::Mask(CUTOFF),
                Alpha::Possible | Alpha::Gradual => AlphaMode::Blend,
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
