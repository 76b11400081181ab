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
    /// All surfaces, those that are only seen last; each entity as the plain class it comes closest to.
    pub(super) room: RMesh,
    /// For each entity its original form; `None` if a plain room has the same.
    pub(super) own: Vec<Option<OriginalEntity>>,
    /// How many of the surfaces, the last ones, do not stop the player.
    pub(super) render_only: usize,
    /// For each surface the normals of its vertices as they are written, when the dialect has some.
    pub(super) normals: Option<Vec<Vec<[f32; 3]>>>,
}

/// An entity as the closest plain one.
pub(super) struct ApproximatedEntity {
    like: Entity,
    own: Option<OriginalEntity>,
}

/// The original form of an entity that is approximated.
pub(super) struct OriginalEntity {
    pub(super) class: String,
    /// Where it is, if the plain class does not say all of it.
    pub(super) place: Option<Place>,
    /// What a plain room loses.
    pub(super) lost: &'static str,
}

/// Where an entity is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) position: [f32; 3],
    /// Pitch, yaw and roll in degrees.
    pub(super) rotation: [f32; 3],
    /// Scale factors, if it has some.
    pub(super) scale: Option<[f32; 3]>,
}

impl ApproximatedEntity {
    /// An entity that plain rooms have too.
    pub(super) fn exact(like: Entity) -> Self {
        Self { like, own: None }
    }

    /// An entity with a similar plain one, which lacks what is `lost`.
    pub(super) fn like<E: Classes>(entity: &E, like: Entity, lost: &'static str) -> Self {
        Self { like, own: Some(OriginalEntity { lost, ..OriginalEntity::of(entity) }) }
    }

    /// The same entity, of which the plain one does not say where it is turned to.
    pub(super) fn at(mut self, place: Place) -> Self {
        if let Some(own) = &mut self.own {
            own.place = Some(place);
        }
        self
    }

    /// An entity without a plain counterpart, with its position and rotation.
    pub(super) fn unsupported<E: Classes>(entity: &E, position: [f32; 3], rotation: [f32; 3]) -> Self {
        let own = OriginalEntity {
            place: Some(Place { position, rotation, scale: None }),
            ..OriginalEntity::of(entity)
        };
        let class = BlitzString::from(&*own.class);
        Self { like: Entity::Custom(class, Bytes::default()), own: Some(own) }
    }
}

impl ApproximatedEntity {
    /// The plain entity, and the original form if that is another one.
    pub(super) fn into_parts(self) -> (Entity, Option<OriginalEntity>) {
        (self.like, self.own)
    }
}

impl OriginalEntity {
    fn of<E: Classes>(entity: &E) -> Self {
        Self { class: entity.class().into_owned(), place: None, lost: "" }
    }
}

impl Approximation {
    /// A room of these parts; unread parts are empty.
    pub(super) fn new(
        surfaces: Vec<Surface>,
        collision: Option<Vec<InvisibleSurface>>,
        triggers: Option<Vec<TriggerBox>>,
        rest: Bytes,
        entities_approximated: impl Iterator<Item = ApproximatedEntity>,
    ) -> Self {
        let (entities, own) =
            entities_approximated.map(|approximate| (approximate.like, approximate.own)).unzip();
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
        Self { room, own, render_only: 0, normals: None }
    }

    /// How many of the surfaces stop the player when they are opaque.
    pub(super) fn solid_surfaces(&self) -> usize {
        self.room.surfaces.len().saturating_sub(self.render_only)
    }

    /// The class of each entity, as named by the dialect.
    pub(super) fn classes(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.room.entities().iter().zip(&self.own).map(|(like, own)| match own {
            Some(own) => own.class.as_str().into(),
            None => like.class(),
        })
    }

    /// A report on the plain room with the field paths of the dialect: its second list of surfaces is a separate field.
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
        let parts = path.strip_prefix("surfaces[").and_then(|rest| rest.split_once(']'));
        let index = parts.and_then(|(index, rest)| Some((index.parse::<usize>().ok()?, rest)));
        match index.and_then(|(index, rest)| Some((index.checked_sub(self.solid_surfaces())?, rest))) {
            Some((index, rest)) => format!("render_surfaces[{index}]{rest}"),
            None => path.to_owned(),
        }
    }
}
