//! Placements: objects controlled by scripts.

use std::rc::Rc;

use json::{Map as Members, Value, json};
use record::Result;
use scene::{Node, NodeId};

use super::billboard::Billboard;
use super::builder::{SceneBuilder, packed};
use super::library::{MAX_MODELS, bank_of};
use super::part::{Part, Parts, PoseTrack};
use super::point_light::PointLight;
use super::static_model::{Missing, PlacedModel, unresolved};
use crate::engine::light::ModelKind;
use crate::map::resolved::{FRACTION, asset_stem, rotation, texture};
use crate::map::{ModelEntry, Object, Placement, warning};

/// The kind of a placement that is a billboard.
const SPRITE: u8 = 3;

/// The attribute of actors with baked light that visibility trees contain.
const BAKED_ATTRIBUTE: usize = 122;

impl SceneBuilder<'_> {
    pub(super) fn objects(&mut self, layer: NodeId) -> Result<()> {
        let mut missing = Missing::new("placement", "placements");
        for (index, it) in self.map.placements().iter().enumerate() {
            self.object(layer, index, it, &mut missing)?;
        }
        missing.report(self.report);
        Ok(())
    }

    fn object(&mut self, layer: NodeId, index: usize, it: &Placement, missing: &mut Missing) -> Result<()> {
        let name = format!("B_{index:03}_{}", it.object.text());
        let sections = self.map.object_sections();
        let matrix = rotation(it.angles);
        let of = self.actors.object(self.map, index);
        let attribute = of.and_then(|(_, object)| sections.attributes(object)?.get(BAKED_ATTRIBUTE).copied());
        let origin = it.position.map(|number| f64::from(number) / FRACTION);
        let placed = |is_static: bool| PlacedModel {
            kind: match is_static {
                true => ModelKind::StaticActor { attribute_122: attribute.unwrap_or_default().into() },
                false => ModelKind::AnimatedActor,
            },
            rotation: &matrix,
            origin,
        };
        let mut extras = extras(index, it);
        let mut missing_names: Vec<String> = Vec::new();
        let mut node = Node::default();
        let mut object_parts: Vec<Part> = Vec::new();
        let models = of.map(|(number, object)| self.models_of(number, object)).unwrap_or_default();
        match of {
            Some((_, object)) if !models.is_empty() => {
                if let Some(bank) = bank_of(object) {
                    extras.insert("texture_override".into(), bank.into());
                }
                object_parts = self.parts_of(object, &models, &placed(is_static(object, &models)))?;
                // The missing paths of the other models are in the extras of their nodes.
                missing_names.extend(object_parts.first().and_then(|part| part.unresolved.clone()));
                let others = object_parts.iter().skip(1).filter_map(|part| part.unresolved.as_deref());
                others.for_each(|model| missing.add(model));
            }
            // The game shows no model for an object name alone.
            _ if it.model.bytes().is_empty() => {}
            _ => {
                let model = it.model.text();
                match self.placed_mesh(&asset_stem(&model), &placed(true))? {
                    Some(mesh) => node.mesh = mesh,
                    None => missing_names.push(model),
                }
            }
        }
        missing_names.iter().for_each(|model| missing.add(model));
        if it.kind == SPRITE {
            let (bank, image) = texture(it.texture);
            let billboard = Billboard::of(self.map, bank, image);
            match self.billboard(&billboard)? {
                Some(mesh) => node.mesh = Some(mesh),
                None => missing_names.push(format!("{bank}/{image}")),
            }
            extras.insert("billboard".into(), true.into());
        }
        if let Some(missing_names) = unresolved(&missing_names) {
            extras.insert("unresolved".into(), missing_names);
        }
        if let Some(light) = PointLight::of_placement(it, self.setting.world_shown()) {
            node.light = light.add(&mut self.scene, &name, self.options.scale);
        }
        if let Some(part) = object_parts.first() {
            node.mesh = part.mesh;
        }
        let nested = self.rotated(&name, &matrix, self.fine_position(it.position));
        // Several models of an object are siblings below a separate node; the first one is in the record's node.
        let group = (object_parts.len() > 1).then(|| {
            let group = Node { name: format!("{name} models"), ..nested.outer.clone() };
            self.scene.add_child(layer, group)
        });
        let finish = |to: &mut Node| {
            (to.mesh, to.light) = (node.mesh, node.light);
            to.packed_extras = packed(&extras);
        };
        let added = match group {
            Some(group) => {
                let mut inner = Node::named(name);
                finish(&mut inner);
                self.scene.add_child(group, inner)
            }
            None => self.add(layer, nested, &name, finish),
        };
        for part in &mut object_parts {
            part.node = match group {
                Some(group) if part.index > 0 => self.scene.add_child(group, part.as_node()),
                _ => added,
            };
        }
        self.pose_tracks.push(PoseTrack {
            placement: index,
            node: group.unwrap_or(added),
            parts: object_parts.clone(),
            frames: models.iter().map(|it| it.frame_count).collect(),
        });
        if let (Some((number, _)), false) = (of, object_parts.is_empty()) {
            let parts = self.parts.entry(number);
            parts.or_insert_with(|| Parts::new(&models)).add(object_parts);
        }
        Ok(())
    }

    /// Returns the models of an object, read once. A limit protects against hostile maps, in which many objects reference the same long
    /// list.
    fn models_of(&mut self, number: usize, object: &Object) -> Rc<Vec<ModelEntry>> {
        if let Some(cached) = self.models.get(&number) {
            return Rc::clone(cached);
        }
        let count = usize::try_from(object.model_count).unwrap_or(usize::MAX);
        let models = match self.remaining_models.checked_sub(count) {
            Some(left) => {
                self.remaining_models = left;
                self.map.object_sections().models(object).unwrap_or_default()
            }
            None => {
                let message = format!(
                    "the objects have more than {MAX_MODELS} models; the models of {} are skipped",
                    object.name
                );
                self.report.warn(&warning::CORNERS, message);
                Vec::new()
            }
        };
        let models = Rc::new(models);
        self.models.insert(number, Rc::clone(&models));
        models
    }

    /// Returns the models of an object as its parts. When the limit of parts is reached, returns only the first one.
    fn parts_of(
        &mut self,
        object: &Object,
        models: &[ModelEntry],
        placed: &PlacedModel<'_>,
    ) -> Result<Vec<Part>> {
        let bank = bank_of(object);
        let count = if self.remaining_models >= models.len() { models.len() } else { 1 };
        self.remaining_models = self.remaining_models.saturating_sub(count);
        let mut out = Vec::with_capacity(count);
        for (index, entry) in models.iter().take(count).enumerate() {
            let stem = asset_stem(&entry.path);
            let found = self.library.of_object(&entry.path, &stem, self.report);
            let (mesh, frames) = match &found {
                Some(found) => {
                    let frames = found.model().map_or(0, crate::model::Model::frame_count);
                    (self.lit_mesh(found, bank, placed)?, frames)
                }
                None => (None, 0),
            };
            let unresolved = found.is_none().then(|| entry.path.clone());
            out.push(Part { node: NodeId(0), mesh, frames, stem, index, unresolved });
        }
        Ok(out)
    }
}

/// Whether an object has exactly one model without animation: no animation group and no second frame.
fn is_static(object: &Object, models: &[ModelEntry]) -> bool {
    models.len() == 1 && object.most_group < 0 && object.frame_count < 2
}

fn extras(index: usize, it: &Placement) -> Members<String, Value> {
    let extras = json!({
        "layer": "objects", "index": index, "id": it.id, "script": it.object.text(), "kind": it.kind, "active": it.is_active,
        "world_index": it.world,
    });
    match extras {
        Value::Object(extras) => extras,
        _ => Members::new(),
    }
}
