//! A room of another dialect as the closest plain room, and what the plain room lacks.

use std::borrow::Cow;

use asset::Report;
use record::Bytes;

use crate::rmesh::entity::Classes;
use crate::rmesh::layout::{Entity, InvisibleSurface, Surface, TriggerBox};
use crate::rmesh::{Header, RMesh};
use crate::string::BlitzString;

/// The closest plain room, and what it lacks.
pub(super) struct Approximation {
    /// All surfaces, with render-only ones last; each entity as the closest plain class.
    pub(super) room: RMesh,
    /// For each entity its original form; `None` if it is the same in a plain room.
    pub(super) originals: Vec<Option<OriginalEntity>>,
    /// Number of surfaces, at the end of the list, that do not stop the player.
    pub(super) render_only: usize,
    /// For each surface the normals of its vertices as stored, if the dialect has normals.
    pub(super) normals: Option<Vec<Vec<[f32; 3]>>>,
}

/// An entity as the closest plain one.
pub(super) struct ApproximatedEntity {
    plain: Entity,
    original: Option<OriginalEntity>,
}

/// The original form of an approximated entity.
pub(super) struct OriginalEntity {
    pub(super) class: String,
    /// Its transform, if the plain class stores less.
    pub(super) transform: Option<EntityTransform>,
    /// The fields that a plain room loses.
    pub(super) lost: &'static str,
}

/// The transform of an entity.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntityTransform {
    pub(super) position: [f32; 3],
    /// Pitch, yaw and roll in degrees.
    pub(super) rotation: [f32; 3],
    /// Scale factors, if the class has them.
    pub(super) scale: Option<[f32; 3]>,
}

impl ApproximatedEntity {
    /// An entity that is the same in a plain room.
    pub(super) fn exact(plain: Entity) -> Self {
        Self { plain, original: None }
    }

    /// An entity with a similar plain one, which lacks `lost`.
    pub(super) fn similar<E: Classes>(entity: &E, plain: Entity, lost: &'static str) -> Self {
        Self { plain, original: Some(OriginalEntity { lost, ..OriginalEntity::of(entity) }) }
    }

    /// Sets the transform, for a plain class that does not store all of it.
    pub(super) fn at(mut self, transform: EntityTransform) -> Self {
        if let Some(original) = &mut self.original {
            original.transform = Some(transform);
        }
        self
    }

    /// An entity without a plain counterpart, with its position and rotation.
    pub(super) fn unsupported<E: Classes>(entity: &E, position: [f32; 3], rotation: [f32; 3]) -> Self {
        let original = OriginalEntity {
            transform: Some(EntityTransform { position, rotation, scale: None }),
            ..OriginalEntity::of(entity)
        };
        let class = BlitzString::from(&*original.class);
        Self { plain: Entity::Custom(class, Bytes::default()), original: Some(original) }
    }
}

impl ApproximatedEntity {
    /// The plain entity, and the original form if it differs.
    pub(super) fn into_parts(self) -> (Entity, Option<OriginalEntity>) {
        (self.plain, self.original)
    }
}

impl OriginalEntity {
    fn of<E: Classes>(entity: &E) -> Self {
        Self { class: entity.class().into_owned(), transform: None, lost: "" }
    }
}

impl Approximation {
    /// Creates an approximation; unread sections become empty.
    pub(super) fn new(
        surfaces: Vec<Surface>,
        collision: Option<Vec<InvisibleSurface>>,
        triggers: Option<Vec<TriggerBox>>,
        rest: Bytes,
        entities_approximated: impl Iterator<Item = ApproximatedEntity>,
    ) -> Self {
        let (entities, originals) =
            entities_approximated.map(|approximate| (approximate.plain, approximate.original)).unzip();
        let triggers = triggers.filter(|triggers| !triggers.is_empty());
        let room = RMesh {
            header: if triggers.is_some() { Header::HasTriggerBox } else { Header::RoomMesh },
            surfaces,
            collision: Some(collision.unwrap_or_default()),
            triggers,
            entities: Some(entities),
            unread_entities: 0,
            rest,
        };
        Self { room, originals, render_only: 0, normals: None }
    }

    /// Number of surfaces that stop the player if they are opaque.
    pub(super) fn solid_surfaces(&self) -> usize {
        self.room.surfaces.len().saturating_sub(self.render_only)
    }

    /// The class of each entity, as named by the dialect.
    pub(super) fn classes(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.room.entities().iter().zip(&self.originals).map(|(plain, original)| match original {
            Some(original) => original.class.as_str().into(),
            None => plain.class(),
        })
    }

    /// Converts the field paths of a report on the plain room to those of the dialect, which has a separate field for render-only
    /// surfaces.
    pub(super) fn renamed(&self, found: Report) -> Report {
        if self.render_only == 0 {
            return found;
        }
        let mut report = Report::new();
        for warning in &found {
            let path = self.renamed_path(&warning.path);
            let noted = report.warn(warning.code, warning.message.as_str()).in_field(path);
            if let Some(offset) = warning.offset {
                noted.at(offset);
            }
        }
        report
    }

    fn renamed_path(&self, path: &str) -> String {
        let index_and_rest = path.strip_prefix("surfaces[").and_then(|rest| rest.split_once(']'));
        let index = index_and_rest.and_then(|(index, rest)| Some((index.parse::<usize>().ok()?, rest)));
        match index.and_then(|(index, rest)| Some((index.checked_sub(self.solid_surfaces())?, rest))) {
            Some((index, rest)) => format!("render_surfaces[{index}]{rest}"),
            None => path.to_owned(),
        }
    }
}
