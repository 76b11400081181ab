//! A room of another dialect as the plain room it comes closest to, and what it has beyond that.

use std::borrow::Cow;

use asset::Report;
use record::Bytes;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::rmesh::entity::Classes;
use crate::rmesh::layout::{Entity, InvisibleSurface, Surface, TriggerBox};
use crate::rmesh::{Header, RMesh, node};
use crate::string::BlitzString;

/// The plain room, and what is not in it.
pub(super) struct Likeness {
    /// All surfaces, those that are only seen last; each entity as the plain class it comes closest to.
    pub(super) room: RMesh,
    /// For each entity what is the dialect's own; nothing where it is that of a plain room.
    pub(super) own: Vec<Option<Own>>,
    /// How many of the surfaces, the last ones, do not stop the player.
    pub(super) render_only: usize,
    /// For each surface the normals of its vertices as they are written, when the dialect has some.
    pub(super) normals: Option<Vec<Vec<[f32; 3]>>>,
}

/// An entity as a plain one.
pub(super) struct Stand {
    like: Entity,
    own: Option<Own>,
}

/// What an entity has that a plain one has not.
pub(super) struct Own {
    pub(super) class: String,
    /// Class and fields under the dialect's own names, for the entity's node.
    pub(super) extras: Map<String, Value>,
    /// Where it stands and how it is turned (pitch, yaw and roll in degrees), when the plain class does not say.
    pub(super) place: Option<([f32; 3], [f32; 3])>,
    /// What is lost in a plain room.
    pub(super) lost: &'static str,
}

impl Stand {
    /// An entity that is a plain one.
    pub(super) fn same(like: Entity) -> Self {
        Self { like, own: None }
    }

    /// An entity that a plain one can stand for, without what is `lost`.
    pub(super) fn like<E: Classes + Serialize>(entity: &E, like: Entity, lost: &'static str) -> Self {
        Self { like, own: Some(Own { lost, ..Own::of(entity) }) }
    }

    /// An entity that has no like in a plain room, at a place and turned.
    pub(super) fn unlike<E: Classes + Serialize>(entity: &E, position: [f32; 3], rotation: [f32; 3]) -> Self {
        let own = Own { place: Some((position, rotation)), ..Own::of(entity) };
        let class = BlitzString::from(&*own.class);
        Self { like: Entity::Custom(class, Bytes::default()), own: Some(own) }
    }
}

impl Own {
    fn of<E: Classes + Serialize>(entity: &E) -> Self {
        Self { class: entity.class().into_owned(), extras: node::extras(entity), place: None, lost: "" }
    }
}

impl Likeness {
    /// A room of these parts; what could not be read is taken as empty.
    pub(super) fn new(
        surfaces: Vec<Surface>,
        collision: Option<Vec<InvisibleSurface>>,
        triggers: Option<Vec<TriggerBox>>,
        rest: Bytes,
        stands: impl Iterator<Item = Stand>,
    ) -> Self {
        let (entities, own) = stands.map(|stand| (stand.like, stand.own)).unzip();
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

    /// The class of each entity, in the dialect's own words.
    pub(super) fn classes(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.room.entities().iter().zip(&self.own).map(|(like, own)| match own {
            Some(own) => own.class.as_str().into(),
            None => like.class(),
        })
    }

    /// What was said of the plain room, said of the dialect's: its second list of surfaces has a name of its own.
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
