//! The models that stand in a room: found as the game finds them, and shown as one mesh however often they stand there.
//!
//! The game joins all parts of a prop into one mesh at rest, so bones and animation play no part here.

use std::collections::BTreeMap;

use asset::{Context, Lookup, Place, Report, Severity, Warning};
use scene::{MeshId, Primitive, Scene};

use super::layout::Entity;
use super::{still, warning};
use crate::string::BlitzString;
use asset::counted;
use asset::reference::Reference;

/// The extensions of models, tried in this order for a name without one or with one that is not there.
const EXTENSIONS: &[&str] = &["x", "b3d"];

/// Looks a model up as the game does: in its folder of props, or in one beside a room that stands outside a game.
pub(super) fn look_up(context: &Context<'_>, name: &str) -> Lookup {
    match context.install.folder("GFX/map/Props").reference(name, EXTENSIONS) {
        Lookup::Found(found) => Lookup::Found(found),
        _ => context.reference(&format!("Props/{name}"), EXTENSIONS),
    }
}

/// The props of a scene in the making: each one mesh.
#[derive(Debug, Default)]
pub(super) struct Props {
    /// By name in small letters. What is missing is told once.
    places: BTreeMap<String, Option<Place>>,
    /// By place, and whether it is seen mirrored.
    meshes: BTreeMap<(Place, Facing), Option<MeshId>>,
    /// How many props have something worth knowing, and how much it is.
    noted: usize,
    notes: u64,
}

/// Whether the entity's own size turns the prop inside out. The game lets that be seen; glTF would turn the triangles back.
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
    /// The mesh of an entity, in metres; nothing when it is no prop, or its file is missing or cannot be read.
    pub(super) fn mesh(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        entity: &Entity,
        field: &str,
        report: &mut Report,
    ) -> Option<MeshId> {
        let Entity::Model { file, scale, .. } = entity else { return None };
        let place = self.place(context, file, &format!("{field}.file"), report)?;
        let key = (place, Facing::of(*scale));
        if let Some(known) = self.meshes.get(&key) {
            return *known;
        }
        let mesh = self.made(scene, context, &key, &file.text(), field, report);
        self.meshes.insert(key, mesh);
        mesh
    }

    fn place(
        &mut self,
        context: &Context<'_>,
        file: &BlitzString,
        field: &str,
        report: &mut Report,
    ) -> Option<Place> {
        if file.is_empty() {
            return None;
        }
        let name = file.text();
        let key = name.to_lowercase();
        if let Some(known) = self.places.get(&key) {
            return known.clone();
        }
        let reference = Reference { noun: "prop", name: &name, field, codes: &warning::PROP };
        let found = reference.resolve(look_up(context, &name), report).map(|found| found.place);
        self.places.insert(key, found.clone());
        found
    }

    /// Tells that there is more to know of the props.
    pub(super) fn tell(&self, report: &mut Report) {
        if self.notes > 0 {
            let props = counted(self.noted, "prop", "props");
            let message = format!(
                "{} worth knowing of {props}: converting one alone tells it",
                counted(self.notes, "thing", "things")
            );
            report.warn(&warning::PROP_NOTE, message);
        }
    }

    fn made(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        (place, facing): &(Place, Facing),
        name: &str,
        field: &str,
        report: &mut Report,
    ) -> Option<MeshId> {
        let reference = Reference { noun: "prop", name, field, codes: &warning::PROP };
        let still =
            still::still(context, place).inspect_err(|error| reference.tell_bad(error, report)).ok()?;
        let is_first = !self.meshes.keys().any(|(known, _)| known == place);
        if is_first {
            let notes = tell(&still.told, name, field, report);
            self.noted = self.noted.saturating_add(usize::from(notes > 0));
            self.notes = self.notes.saturating_add(notes);
        }
        let mesh = scene.add_still(&still.scene);
        if let (Facing::In, Some(mesh)) = (facing, mesh.and_then(|mesh| scene.meshes.get_mut(mesh.0))) {
            mesh.primitives.iter_mut().for_each(Primitive::turn_over);
        }
        if mesh.is_none() {
            let message = format!("prop \"{name}\" has nothing that can be shown");
            report.warn(&warning::PROP_LOSS, message).in_field(field);
        }
        mesh
    }
}

/// Tells what is amiss with a prop: the first of each kind, and how much more there is. Mere notes are counted.
fn tell(told: &Report, name: &str, field: &str, report: &mut Report) -> u64 {
    let mut first: BTreeMap<&str, &Warning> = BTreeMap::new();
    for warning in told.iter().filter(|warning| warning.code.severity > Severity::Note) {
        first.entry(warning.code.id).or_insert(warning);
    }
    for Warning { code, message, .. } in first.into_values() {
        let more = match told.count_of(code).saturating_sub(1) {
            0 => String::new(),
            more => format!(" (and {more} more like it)"),
        };
        let message = format!("prop \"{name}\": {message}{more}");
        report.warn(&warning::PROP_LOSS, message).in_field(field);
    }
    told.count(Severity::Note)
}
