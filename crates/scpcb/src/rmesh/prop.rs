//! The models in a room: looked up as in the game, and converted to one shared mesh per model.
//!
//! The game merges all parts of a prop into one static mesh, so bones and animation are ignored.

use std::collections::BTreeMap;

use asset::{Context, Location, Lookup, Report};
use scene::{MeshId, Primitive, Scene};

use super::class::Model;
use super::layout::Entity;
use super::{prop_model, warning};
use crate::nested;
use crate::string::BlitzString;
use asset::counted;

/// Extensions of models, tried in this order if a name has no extension or the file does not exist.
const EXTENSIONS: &[&str] = &["x", "b3d", "3ds", "obj"];

/// Looks up a model as the game does: in the game's folder of props, or for a room outside of a game in a `Props` folder next to it.
pub(super) fn look_up(context: &Context<'_>, name: &str) -> Lookup {
    match context.install.folder("GFX/map/Props").reference(name, EXTENSIONS) {
        Lookup::Found(found) => Lookup::Found(found),
        _ => context.reference(&format!("Props/{name}"), EXTENSIONS),
    }
}

/// The props of a scene, one mesh each.
#[derive(Debug, Default)]
pub(super) struct Props {
    /// By lowercase name. A missing file is reported once.
    locations: BTreeMap<String, Option<Location>>,
    /// By file and facing.
    meshes: BTreeMap<(Location, Facing), Option<MeshId>>,
    /// Number of props with notes, and the total number of notes.
    noted: usize,
    notes: u64,
}

/// Whether the entity's scale mirrors the prop. The game shows it inside out, but glTF flips the winding order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Facing {
    Out,
    In,
}

impl Facing {
    fn of(size: [f32; 3]) -> Self {
        let mirrors = size.iter().filter(|factor| **factor < 0.0).count();
        if mirrors.is_multiple_of(2) { Self::Out } else { Self::In }
    }
}

impl Props {
    /// The mesh of an entity, in meters; `None` if it is not a prop, or its file is missing or unreadable.
    pub(super) fn mesh(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        entity: &Entity,
        field: &str,
        report: &mut Report,
    ) -> Option<MeshId> {
        let Entity::Model(Model { file, scale, .. }) = entity else { return None };
        let location = self.locate(context, file, &format!("{field}.file"), report)?;
        let key = (location, Facing::of(*scale));
        if let Some(known) = self.meshes.get(&key) {
            return *known;
        }
        let mesh = self.load(scene, context, &key, &file.text(), field, report);
        self.meshes.insert(key, mesh);
        mesh
    }

    fn locate(
        &mut self,
        context: &Context<'_>,
        file: &BlitzString,
        field: &str,
        report: &mut Report,
    ) -> Option<Location> {
        if file.is_empty() {
            return None;
        }
        let name = file.text();
        let key = name.to_lowercase();
        if let Some(known) = self.locations.get(&key) {
            return known.clone();
        }
        let reference = warning::reference(warning::PROP, &name, field);
        let found = reference.resolve(look_up(context, &name), report).map(|found| found.location);
        self.locations.insert(key, found.clone());
        found
    }

    /// Reports the number of notes on props.
    pub(super) fn warn(&self, report: &mut Report) {
        if self.notes > 0 {
            let props = counted(self.noted, "prop", "props");
            let message = format!(
                "{} on {props}; convert them on their own to see the notes",
                counted(self.notes, "note", "notes")
            );
            report.warn(&warning::PROP_NOTE, message);
        }
    }

    fn load(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        (location, facing): &(Location, Facing),
        name: &str,
        field: &str,
        report: &mut Report,
    ) -> Option<MeshId> {
        let reference = warning::reference(warning::PROP, name, field);
        let model = prop_model::load(context, location)
            .inspect_err(|error| reference.report_unreadable(error, report))
            .ok()?;
        let is_first = !self.meshes.keys().any(|(known, _)| known == location);
        if is_first {
            let notes =
                nested::report(&model.found, &format!("prop \"{name}\""), &warning::PROP_LOSS, field, report);
            self.noted = self.noted.saturating_add(usize::from(notes > 0));
            self.notes = self.notes.saturating_add(notes);
        }
        let mesh = scene.add_static_copy(&model.scene);
        if let Some(mesh) = mesh.and_then(|mesh| scene.meshes.get_mut(mesh.0)) {
            // The prop's name, because several rooms may share the prop.
            mesh.source = Some(location.path().name().to_owned());
            if *facing == Facing::In {
                mesh.primitives.iter_mut().for_each(Primitive::flip_winding);
            }
        }
        if mesh.is_none() {
            let message = format!("prop \"{name}\" has no geometry");
            report.warn(&warning::PROP_LOSS, message).in_field(field);
        }
        mesh
    }
}
