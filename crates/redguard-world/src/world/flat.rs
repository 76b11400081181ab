//! Flats: billboards of a map.

use json::{Map as Members, Value};
use record::Result;
use scene::{Mesh, MeshId, Node, NodeId, Primitive, Sidedness};

use super::billboard::{Billboard, rectangle};
use super::builder::{SceneBuilder, packed};
use super::static_model::Missing;
use crate::axes::UNITS_PER_METER;
use crate::map::resolved::texture;
use crate::model::scene::{DrawStyle, Sampling, textured_color};
use crate::model::{FaceTexture, Version};
use crate::number::single;

impl SceneBuilder<'_> {
    pub(super) fn flats(&mut self, layer: NodeId) -> Result<()> {
        let mut missing = Missing::new("flat", "flats");
        for (index, it) in self.map.flats().iter().enumerate() {
            let (bank, image) = texture(it.texture);
            let billboard = Billboard::of(self.map, bank, image);
            let mesh = self.billboard(&billboard)?;
            let mut node = Node { mesh, ..Node::named(format!("F{index:03}_{bank}/{image}")) };
            node.translation = self.position(it.position);
            let mut extras = Members::new();
            for (key, value) in [
                ("layer", Value::from("flats")),
                ("index", index.into()),
                ("id", it.id.into()),
                ("billboard", true.into()),
                ("texture_id", bank.into()),
                ("image_id", image.into()),
                ("draw_flags", billboard.look.flags.into()),
                ("alpha", billboard.look.alpha.into()),
            ] {
                extras.insert(key.into(), value);
            }
            if mesh.is_none() {
                let name = format!("{bank}/{image}");
                extras.insert("unresolved".into(), name.clone().into());
                missing.add(&name);
            }
            node.packed_extras = packed(&extras);
            self.scene.add_child(layer, node);
        }
        missing.report_pictures(self.report);
        Ok(())
    }

    /// Returns the mesh of a billboard: a rectangle around its center that faces forward, as the game turns it to the camera. `None` if
    /// there is no such image.
    pub(super) fn billboard(&mut self, billboard: &Billboard) -> Result<Option<MeshId>> {
        if let Some(cached) = self.billboards.get(billboard) {
            return Ok(*cached);
        }
        let mesh = self.new_billboard(billboard)?;
        self.billboards.insert(*billboard, mesh);
        Ok(mesh)
    }

    fn new_billboard(&mut self, billboard: &Billboard) -> Result<Option<MeshId>> {
        let Billboard { bank, image, look } = *billboard;
        let Some(size) = self.around.image_size(bank, image) else { return Ok(None) };
        let style = DrawStyle {
            keyed: true,
            sampling: Sampling::Nearest,
            alpha: look.is_blended().then(|| u8::try_from(look.alpha).unwrap_or(u8::MAX)),
            sidedness: Sidedness::Double,
            shading: self.library.shading(),
        };
        let texture = FaceTexture::Image { bank, image };
        let materials = self.library.materials(Version::V4_0)?;
        let material = materials.surface(&mut self.scene, texture, style).material;
        let half = size.map(|side| single(side) / 2.0 / UNITS_PER_METER * self.options.scale);
        let colors = self.illumination.as_ref().map(|illumination| {
            let light = look.light(&illumination.world).clamp(0, 255);
            vec![textured_color([u8::try_from(light).unwrap_or(u8::MAX); 3]); 4]
        });
        let mesh = Mesh {
            name: format!("{bank}/{image}"),
            primitives: vec![Primitive { material: Some(material), colors, ..rectangle(half, look.edges()) }],
            ..Mesh::default()
        };
        Ok(Some(self.scene.add_mesh(mesh)))
    }
}
