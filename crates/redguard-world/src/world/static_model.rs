//! Statics: models without behavior.

use json::{Map as Members, Value, json};
use record::Result;
use scene::{Instance, MeshId, Node, NodeId};

use super::builder::{Group, SceneBuilder, packed};
use super::layer::Layer;
use crate::engine::light::ModelKind;
use crate::engine::rotation::Orientation;
use crate::map::resolved::{Matrix, asset_stem, static_rotation};
use crate::map::warning;
use crate::model::rob::Collision;

/// The kind, rotation and position of a model in the world.
pub(super) struct PlacedModel<'s> {
    pub(super) kind: ModelKind,
    pub(super) rotation: &'s Matrix,
    /// In world units.
    pub(super) origin: [f64; 3],
}

impl PlacedModel<'_> {
    fn orientation(&self) -> Orientation {
        Orientation(self.rotation.map(|row| row.map(crate::number::single)))
    }
}

impl SceneBuilder<'_> {
    pub(super) fn statics(&mut self, layer: NodeId) -> Result<()> {
        let mut missing = Missing::new("static", "statics");
        let has_collision_layer = Layer::Collision.is_enabled(self.context);
        for (index, it) in self.map.statics().iter().enumerate() {
            let model = it.model.text();
            let stem = asset_stem(&model);
            let name = format!("S{index:03}_{model}");
            let rotation = static_rotation(&it.matrix);
            let placed = PlacedModel {
                kind: ModelKind::Static,
                rotation: &rotation,
                origin: it.position.map(f64::from),
            };
            let mesh = self.placed_mesh(&stem, &placed)?;
            let is_missing = mesh.is_none();
            if is_missing {
                missing.add(&model);
            }
            let mesh = mesh.flatten();
            let nested = self.rotated(&name, &rotation, self.position(it.position));
            if let (Some(mesh), None, Some(groups)) = (mesh, &nested.inner, &mut self.groups) {
                let Node { translation, rotation, scale, .. } = nested.outer;
                let group = groups.entry(mesh).or_default();
                group.model.clone_from(&model);
                group.instances.push(Instance { translation, rotation, scale });
                group.indices.push(index);
                group.ids.push(it.id);
                continue;
            }
            let mut extras = Members::new();
            extras.insert("layer".into(), "statics".into());
            extras.insert("index".into(), index.into());
            extras.insert("id".into(), it.id.into());
            if is_missing {
                extras.insert("unresolved".into(), model.clone().into());
            }
            let header = self.around.model(&stem).and_then(|found| found.header);
            let collision = header.map_or(Collision::Faces, |header| header.collision());
            if collision != Collision::Faces {
                extras.insert("collides_as".into(), collision.name().into());
            }
            self.add(layer, nested, &name, |node| {
                node.mesh = mesh;
                // The collision layer has the shapes with which the game collides.
                let is_solid = collision != Collision::None && !has_collision_layer;
                node.body = mesh.filter(|_| is_solid).map(|_| scene::Body::Solid);
                node.packed_extras = packed(&extras);
            });
        }
        for (mesh, group) in self.groups.take().into_iter().flatten() {
            self.group(layer, mesh, group);
        }
        missing.report(self.report);
        Ok(())
    }

    /// Adds one node for all statics of a mesh.
    fn group(&mut self, layer: NodeId, mesh: MeshId, group: Group) {
        let mut node = Node::named(format!("S_{}", group.model));
        node.mesh = Some(mesh);
        node.packed_extras =
            packed(&json!({ "layer": "statics", "indices": group.indices, "ids": group.ids }));
        let node = self.scene.add_child(layer, node);
        self.scene.instances.insert(node, group.instances);
    }

    /// Returns the mesh of a placed model. The outer `None` means that there is no such model, the inner `None` that it has no valid face.
    pub(super) fn placed_mesh(
        &mut self,
        stem: &str,
        placed: &PlacedModel<'_>,
    ) -> Result<Option<Option<MeshId>>> {
        let Some(loaded) = self.library.by_name(stem, self.report) else { return Ok(None) };
        self.lit_mesh(&loaded, None, placed).map(Some)
    }

    /// Returns the mesh of a model, with vertex colors if its light is baked.
    pub(super) fn lit_mesh(
        &mut self,
        loaded: &super::library::LoadedModel,
        bank: Option<u16>,
        placed: &PlacedModel<'_>,
    ) -> Result<Option<MeshId>> {
        let Some(illumination) = &self.illumination else {
            return self.library.mesh(&mut self.scene, loaded, bank, None, self.report);
        };
        let Some(model) = loaded.model() else { return Ok(None) };
        let origin = placed.origin.map(crate::number::single);
        let light = illumination.of_model(placed.kind, model, origin, &placed.orientation());
        let materials = self.library.materials(model.version())?;
        let colors: Vec<[u8; 3]> = (0..=255).map(|index| materials.palette_color(index)).collect();
        let palette = |index: u8| colors.get(usize::from(index)).copied().unwrap_or_default();
        self.library.mesh(
            &mut self.scene,
            loaded,
            bank,
            Some(&|corner| light.of(corner, &palette)),
            self.report,
        )
    }
}

/// Missing models, each with its number of uses.
pub(super) struct Missing {
    one: &'static str,
    many: &'static str,
    counts: std::collections::BTreeMap<String, usize>,
}

impl Missing {
    /// Reports missing images, which are identified by bank and number.
    pub(super) fn report_pictures(self, report: &mut asset::Report) {
        for (picture, count) in self.counts {
            let records = asset::counted(count, self.one, self.many);
            let shows = if count == 1 { "shows" } else { "show" };
            report.warn(
                &warning::PICTURE,
                format!("{records} {shows} the image {picture}, which was not found"),
            );
        }
    }

    pub(super) const fn new(one: &'static str, many: &'static str) -> Self {
        Self { one, many, counts: std::collections::BTreeMap::new() }
    }

    pub(super) fn add(&mut self, model: &str) {
        let count = self.counts.entry(model.to_owned()).or_default();
        *count = count.saturating_add(1);
    }

    pub(super) fn report(self, report: &mut asset::Report) {
        for (model, count) in self.counts {
            let records = asset::counted(count, self.one, self.many);
            let has = if count == 1 { "has" } else { "have" };
            report.warn(&warning::MODEL, format!("{records} {has} the model {model}, which was not found"));
        }
    }
}

/// Returns the names of missing models or images, for the extras of a node.
pub(super) fn unresolved(names: &[String]) -> Option<Value> {
    match names {
        [] => None,
        [name] => Some(name.clone().into()),
        names => Some(names.to_vec().into()),
    }
}
