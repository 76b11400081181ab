//! Copies the materials, textures and images that a part of one scene needs to another scene.

use std::collections::BTreeMap;

use crate::{Image, ImageId, Lightmap, Material, MaterialId, Scene, TextureId, TextureRef};

/// The objects that were copied from one scene to another.
pub(crate) struct Importer<'a> {
    from: &'a Scene,
    materials: BTreeMap<MaterialId, MaterialId>,
    textures: BTreeMap<TextureId, TextureId>,
}

impl<'a> Importer<'a> {
    pub(crate) fn new(from: &'a Scene) -> Self {
        Self { from, materials: BTreeMap::new(), textures: BTreeMap::new() }
    }

    pub(crate) fn material(&mut self, id: MaterialId, to: &mut Scene) -> Option<MaterialId> {
        if let Some(known) = self.materials.get(&id) {
            return Some(*known);
        }
        let mut material: Material = self.from.materials.get(id.0)?.clone();
        let mut import = |slot: Option<TextureRef>| {
            let slot = slot?;
            Some(TextureRef { texture: self.texture(slot.texture, to)?, ..slot })
        };
        material.base_color_texture = import(material.base_color_texture);
        material.emissive_texture = import(material.emissive_texture);
        material.normal_texture = import(material.normal_texture);
        material.lightmap = material
            .lightmap
            .and_then(|lightmap| Some(Lightmap { texture: import(Some(lightmap.texture))?, ..lightmap }));
        let imported = match to.materials.iter().position(|known| *known == material) {
            Some(index) => MaterialId(index),
            None => to.add_material(material),
        };
        self.materials.insert(id, imported);
        Some(imported)
    }

    fn texture(&mut self, id: TextureId, to: &mut Scene) -> Option<TextureId> {
        if let Some(known) = self.textures.get(&id) {
            return Some(*known);
        }
        let mut texture = self.from.textures.get(id.0)?.clone();
        texture.image = import_image(self.from.images.get(texture.image.0)?, to);
        let imported = match to.textures.iter().position(|known| *known == texture) {
            Some(index) => TextureId(index),
            None => to.add_texture(texture),
        };
        self.textures.insert(id, imported);
        Some(imported)
    }
}

pub(crate) fn import_image(image: &Image, to: &mut Scene) -> ImageId {
    match to.images.iter().position(|known| known == image) {
        Some(index) => ImageId(index),
        None => to.add_image(image.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Encoded, image::placeholder};

    #[test]
    fn different_images_with_the_same_name_are_kept() {
        let image = |name: &str, pixel: u8| Image {
            name: name.into(),
            encoded: Encoded { bytes: vec![pixel].into(), ..placeholder("").encoded },
        };
        let mut to = Scene::new("room");
        let first = import_image(&image("a.png", 1), &mut to);
        assert_ne!(import_image(&image("a.png", 2), &mut to), first);
        assert_eq!(import_image(&image("a.png", 1), &mut to), first);
    }
}
