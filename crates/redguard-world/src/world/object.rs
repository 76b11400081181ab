//! Placements: what scripts control.

use std::rc::Rc;

use json::{Map as Members, Value, json};
use record::Result;
use scene::{Node, NodeId};

use super::lamp::Lamp;
use super::library::{MOST_MODELS, bank_of};
use super::maker::{Maker, packed};
use super::part::{Part, Parts, Stand};
use super::picture::Picture;
use super::still::{Missing, Standing, unresolved};
use crate::engine::light::Body;
use crate::map::resolved::{FRACTION, asset_stem, rotation, texture};
use crate::map::{ModelEntry, Object, Placement, warning};

/// A placement that is a picture that faces the camera.
const SPRITE: u8 = 3;

/// The attribute of actors that are lit once and that visibility trees know.
const STILL_ATTRIBUTE: usize = 122;

impl Maker<'_> {
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
        let of = self.cast.object(self.map, index);
        let attribute = of.and_then(|(_, object)| sections.attributes(object)?.get(STILL_ATTRIBUTE).copied());
        let origin = it.position.map(|number| f64::from(number) / FRACTION);
        let standing = |is_still: bool| Standing {
            body: match is_still {
                true => Body::StillActor { attribute_122: attribute.unwrap_or_default().into() },
                false => Body::AnimatedActor,
            },
            rotation: &matrix,
            origin,
        };
        let mut extras = extras(index, it);
        let mut lost: Vec<String> = Vec::new();
        let mut node = Node::default();
        let mut shown: Vec<Part> = Vec::new();
        let models = of.map(|(number, object)| self.models_of(number, object)).unwrap_or_default();
        match of {
            Some((_, object)) if !models.is_empty() => {
                if let Some(bank) = bank_of(object) {
                    extras.insert("texture_override".into(), bank.into());
                }
                shown = self.parts_of(object, &models, &standing(is_still(object, &models)))?;
                // What the others lack stands at their own nodes.
                lost.extend(shown.first().and_then(|part| part.unresolved.clone()));
                let others = shown.iter().skip(1).filter_map(|part| part.unresolved.as_deref());
                others.for_each(|model| missing.add(model));
            }
            // The game shows no model for the name of an object alone.
            _ if it.model.bytes().is_empty() => {}
            _ => {
                let model = it.model.text();
                match self.standing_mesh(&asset_stem(&model), &standing(true))? {
                    Some(mesh) => node.mesh = mesh,
                    None => lost.push(model),
                }
            }
        }
        lost.iter().for_each(|model| missing.add(model));
        if it.kind == SPRITE {
            let (bank, image) = texture(it.texture);
            let picture = Picture::of(self.map, bank, image);
            match self.picture(&picture)? {
                Some(mesh) => node.mesh = Some(mesh),
                None => lost.push(format!("{bank}/{image}")),
            }
            extras.insert("billboard".into(), true.into());
        }
        if let Some(lost) = unresolved(&lost) {
            extras.insert("unresolved".into(), lost);
        }
        if let Some(lamp) = Lamp::of_placement(it, self.setting.world_shown()) {
            node.light = lamp.add(&mut self.scene, &name, self.options.scale);
        }
        if let Some(part) = shown.first() {
            node.mesh = part.mesh;
        }
        let nested = self.turned(&name, &matrix, self.fine_place(it.position));
        // Several models of an object stand side by side below a node of their own, the first one at that of the record.
        let group = (shown.len() > 1).then(|| {
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
        for part in &mut shown {
            part.node = match group {
                Some(group) if part.index > 0 => self.scene.add_child(group, part.as_node()),
                _ => added,
            };
        }
        self.stands.push(Stand {
            placement: index,
            node: group.unwrap_or(added),
            parts: shown.clone(),
            frames: models.iter().map(|it| it.frame_count).collect(),
        });
        if let (Some((number, _)), false) = (of, shown.is_empty()) {
            let parts = self.parts.entry(number);
            parts.or_insert_with(|| Parts::new(&models)).add(shown);
        }
        Ok(())
    }

    /// The models of an object, read once. Of hostile maps, in which many objects name the same long list, not all are.
    fn models_of(&mut self, number: usize, object: &Object) -> Rc<Vec<ModelEntry>> {
        if let Some(known) = self.models.get(&number) {
            return Rc::clone(known);
        }
        let count = usize::try_from(object.model_count).unwrap_or(usize::MAX);
        let models = match self.models_left.checked_sub(count) {
            Some(left) => {
                self.models_left = left;
                self.map.object_sections().models(object).unwrap_or_default()
            }
            None => {
                let message = format!(
                    "the objects have more than {MOST_MODELS} models; those of {} are left out",
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

    /// The models of an object, each as a part of it. When there are too many parts already, only the first one.
    fn parts_of(
        &mut self,
        object: &Object,
        models: &[ModelEntry],
        standing: &Standing<'_>,
    ) -> Result<Vec<Part>> {
        let bank = bank_of(object);
        let count = if self.models_left >= models.len() { models.len() } else { 1 };
        self.models_left = self.models_left.saturating_sub(count);
        let mut out = Vec::with_capacity(count);
        for (index, entry) in models.iter().take(count).enumerate() {
            let stem = asset_stem(&entry.path);
            let found = self.library.of_object(&entry.path, &stem, self.report);
            let (mesh, frames) = match &found {
                Some(found) => {
                    let frames = found.model().map_or(0, crate::model::Model::frame_count);
                    (self.lit_mesh(found, bank, standing)?, frames)
                }
                None => (None, 0),
            };
            let unresolved = found.is_none().then(|| entry.path.clone());
            out.push(Part { node: NodeId(0), mesh, frames, stem, index, unresolved });
        }
        Ok(out)
    }
}

/// Whether an object has one model that is not animated: no animation group, and no second frame.
fn is_still(object: &Object, models: &[ModelEntry]) -> bool {
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
