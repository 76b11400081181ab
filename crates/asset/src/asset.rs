//! A file that was opened, and what can be done with it whatever its format.

use std::any::Any;
use std::borrow::Cow;

use json::{Document, Map, Node, Step, Value};
use record::Error;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::change::{FieldChange, RecordChange};
use crate::context::Context;
use crate::items::Items;
use crate::product::{Products, Target};
use crate::report::Report;
use crate::typed_view::{self, UnitField};
use crate::unpack::Parts;

/// An opened file of any format.
pub trait Asset: Any + Send + Sync {
    /// What the file holds.
    fn describe(&self, detail: Detail) -> Description;

    /// Adds what other files of the game say of this one: the table that gives a room its name.
    fn describe_in_game(&self, context: &Context<'_>, description: &mut Description) {
        let _ = (context, description);
    }

    /// The items that it consists of. Those of a file that was built from a scene are compared with those of its original.
    fn items(&self) -> Items {
        Items::new()
    }

    /// Whether it is sound and whether what it names can be found. Everything amiss goes into the report.
    fn check(&self, context: &Context<'_>, report: &mut Report) {
        let _ = (context, report);
    }

    /// What the file can become. Nothing is made yet.
    ///
    /// # Errors
    /// When the file can become nothing.
    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>, Error> {
        let _ = (context, target);
        Err(Error::unsupported("this format does not support conversion"))
    }

    /// About how many bytes the scene takes that it becomes, where these are hundreds of megabytes: not many of those are made at once. 0 for others.
    fn scene_memory(&self) -> u64 {
        0
    }

    /// What is known of a place in it, given by its coordinates: a corner of a terrain, what is seen from a point. `None` where it has no places.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) when it has no such place.
    fn at(&self, context: &Context<'_>, place: &[f64]) -> Result<Option<Value>, Error> {
        let _ = (context, place);
        Ok(None)
    }

    /// The record that is [unpacked](Asset::unpack) as paths name its fields, where it is laid out otherwise: chunks within chunks, sections
    /// with their keys; or its [fields in other units](Asset::unit_fields). `None` where paths are those of the record.
    fn field_view(&self, record: Node<'_>) -> Option<Document> {
        let fields = self.unit_fields();
        (!fields.is_empty()).then(|| typed_view::view(record, fields))
    }

    /// The fields of its record that paths can name in other units.
    fn unit_fields(&self) -> &'static [UnitField] {
        &[]
    }

    /// The path in the record of a field that [descriptions](Asset::describe) show elsewhere, or that has a shorter name:
    /// `sections[14].records[2].texture` for `placements[2].texture`. Only asked for paths that lead to nothing in the record. An index may be
    /// `*`. `None` where there is no such field.
    fn field_alias(&self, record: Node<'_>, path: &str) -> Option<String> {
        let _ = (record, path);
        None
    }

    /// The changes of the record that make a change of a field in the [view](Asset::field_view), in order; `None` where there are none.
    fn record_change(
        &self,
        record: Node<'_>,
        way: &[Step<'_>],
        change: FieldChange<'_>,
    ) -> Option<Vec<RecordChange>> {
        typed_view::change(record, self.unit_fields(), way, change)
    }

    /// The path of the field that a part of its scene was made of, `entities[5]`, where that is known: so that what is picked in a picture can be
    /// shown as a field, and a field in the picture.
    fn origin(&self, part: ScenePart<'_>) -> Option<String> {
        let _ = part;
        None
    }

    /// Unpacks it into a folder for editing.
    ///
    /// # Errors
    /// When the format cannot be unpacked, or a part cannot be written.
    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<(), Error> {
        let _ = (context, parts, report);
        Err(Error::unsupported("this format does not support unpacking"))
    }
}

/// The index of an item as paths write it, in a list of a length: `-1` is the last one.
#[must_use]
pub fn item_index(text: &str, length: usize) -> Option<usize> {
    match text.strip_prefix('-') {
        Some(from_end) => length.checked_sub(from_end.parse().ok()?),
        None => text.parse().ok(),
    }
}

/// A part of a scene that was made of a file: a node, or a primitive of a mesh.
#[derive(Debug, Clone, Copy)]
pub struct ScenePart<'a> {
    /// What the node, or the mesh of the primitive, is called.
    pub name: &'a str,
    /// What is written as `extras`.
    pub extras: &'a Map<String, Value>,
}

impl ScenePart<'_> {
    /// A whole number among the extras.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u64> {
        self.extras.get(name)?.as_u64()
    }

    /// A text among the extras.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.extras.get(name)?.as_str()
    }
}

impl dyn Asset {
    /// The typed file, where it is of this type.
    #[must_use]
    pub fn typed<T: Asset>(&self) -> Option<&T> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }
}

/// How much of a file is described.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// Summary and counts.
    #[default]
    Brief,
    /// Every field.
    Full,
}

/// What a file holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Description {
    /// One line: `room, 14 surfaces, 6,532 triangles, 21 entities`.
    pub summary: String,
    /// Version or dialect, like `RoomMesh` or `v5.0`; empty when there is only one.
    pub dialect: String,
    /// What can be counted in it, in a fixed order; a scan sums them up.
    pub counts: Counts,
    /// The fields under the document's names; everything when [`Detail::Full`] was asked for, else null or an extract.
    #[serde(skip_serializing_if = "Document::is_null")]
    pub fields: Document,
    /// Paths of fields that follow from others, so they cannot be set: `resolved`, `effects[*].seconds`. Whatever is below such a path is derived, too;
    /// `*` means every field.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub derived: &'static [&'static str],
}

/// Named numbers in a fixed order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(Vec<(Cow<'static, str>, u64)>);

impl Counts {
    /// No counts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one more count; a name that is there already is added to.
    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, count: impl TryInto<u64>) -> Self {
        self.add(name, count.try_into().unwrap_or(u64::MAX));
        self
    }

    /// Adds to a count, which stands at the end if it is new.
    pub fn add(&mut self, name: impl Into<Cow<'static, str>>, count: u64) {
        let name = name.into();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => self.0.push((name, count)),
        }
    }

    /// Adds all of another's counts.
    pub fn add_all(&mut self, other: &Self) {
        for (name, count) in &other.0 {
            self.add(name.clone(), *count);
        }
    }

    /// One count; 0 when there is none of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> u64 {
        self.0.iter().find(|(known, _)| known == name).map_or(0, |(_, count)| *count)
    }

    /// Names and counts in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(name, count)| (name.as_ref(), *count))
    }

    /// Whether nothing is counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, count) in &self.0 {
            map.serialize_entry(name, count)?;
        }
        map.end()
    }
}
