//! An opened file of any format, and the operations that all formats share.

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
    /// Returns a summary of the contents.
    fn describe(&self, detail: Detail) -> Description;

    /// Adds facts that are stored in other files of the game, such as the name of a room from a table.
    fn describe_in_game(&self, context: &Context<'_>, description: &mut Description) {
        let _ = (context, description);
    }

    /// Returns the items that the file consists of. They are used to find items of the original that are missing in a file built
    /// from a scene.
    fn items(&self) -> Items {
        Items::new()
    }

    /// Checks whether the file is valid and whether its references resolve. Defects are added to the report.
    fn check(&self, context: &Context<'_>, report: &mut Report) {
        let _ = (context, report);
    }

    /// Returns the products that the file can be converted to. They are computed on demand.
    ///
    /// # Errors
    /// When the file cannot be converted.
    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>, Error> {
        let _ = (context, target);
        Err(Error::unsupported("this format does not support conversion"))
    }

    /// Estimated memory of the scene that the file converts to, in bytes. 0 unless it is hundreds of megabytes: few of those
    /// scenes are built at the same time.
    fn scene_memory(&self) -> u64 {
        0
    }

    /// Returns details about a position in the file, given by its coordinates: a vertex of a terrain, the objects visible from a
    /// point. `None` if the file has no positions.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) when it has no such position.
    fn at(&self, context: &Context<'_>, coordinates: &[f64]) -> Result<Option<Value>, Error> {
        let _ = (context, coordinates);
        Ok(None)
    }

    /// Returns the [unpacked](Asset::unpack) record in the layout that field paths use, where it differs from the record: chunks
    /// within chunks, sections by their keys, or [fields in other units](Asset::unit_fields). `None` if paths address the record
    /// directly.
    fn field_view(&self, record: Node<'_>) -> Option<Document> {
        let fields = self.unit_fields();
        (!fields.is_empty()).then(|| typed_view::view(record, fields))
    }

    /// Fields of the record that paths can address in other units.
    fn unit_fields(&self) -> &'static [UnitField] {
        &[]
    }

    /// Returns the path in the record of a field that [descriptions](Asset::describe) show elsewhere or under a shorter name:
    /// `sections[14].records[2].texture` for `placements[2].texture`. Called only for paths that do not resolve in the record. An
    /// index may be `*`. `None` if there is no such field.
    fn field_alias(&self, record: Node<'_>, path: &str) -> Option<String> {
        let _ = (record, path);
        None
    }

    /// Returns the changes of the record that are equivalent to a change of a field in the [view](Asset::field_view), in order.
    /// `None` if there are none.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) when the file cannot hold the value; the message contains the reason.
    fn record_change(
        &self,
        record: Node<'_>,
        way: &[Step<'_>],
        change: FieldChange<'_>,
    ) -> Result<Option<Vec<RecordChange>>, Error> {
        Ok(typed_view::change(record, self.unit_fields(), way, change))
    }

    /// Returns the path of the field that a part of the scene was built from, such as `entities[5]`, or `None` if it is unknown.
    /// It links objects picked in the viewer to their fields and back.
    fn origin(&self, part: ScenePart<'_>) -> Option<String> {
        let _ = part;
        None
    }

    /// Unpacks the file into a folder for editing.
    ///
    /// # Errors
    /// When the format cannot be unpacked, or one of its parts cannot be written.
    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<(), Error> {
        let _ = (context, parts, report);
        Err(Error::unsupported("this format does not support unpacking"))
    }
}

/// Parses an item index as written in a path, for a list of `length` items. `-1` is the last item.
#[must_use]
pub fn item_index(text: &str, length: usize) -> Option<usize> {
    match text.strip_prefix('-') {
        Some(from_end) => length.checked_sub(from_end.parse().ok()?),
        None => text.parse().ok(),
    }
}

/// A part of a scene that was built from a file: a node, or a primitive of a mesh.
#[derive(Debug, Clone, Copy)]
pub struct ScenePart<'a> {
    /// Name of the node, or of the primitive's mesh.
    pub name: &'a str,
    /// Contents of `extras`.
    pub extras: &'a Map<String, Value>,
}

impl ScenePart<'_> {
    /// Returns an unsigned integer from the extras.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u64> {
        self.extras.get(name)?.as_u64()
    }

    /// Returns a string from the extras.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.extras.get(name)?.as_str()
    }
}

impl dyn Asset {
    /// Returns the file as a `T`, or `None` if it has another type.
    #[must_use]
    pub fn typed<T: Asset>(&self) -> Option<&T> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }
}

/// The level of detail of a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// Summary and counts.
    #[default]
    Brief,
    /// Every field.
    Full,
}

/// A summary of a file's contents.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Description {
    /// One-line summary: `room, 14 surfaces, 6,532 triangles, 21 entities`.
    pub summary: String,
    /// Version or dialect, such as `RoomMesh` or `v5.0`; empty if there is only one.
    pub dialect: String,
    /// Counts of the contents in a fixed order; `scan` adds them up.
    pub counts: Counts,
    /// Field values under their documented names: all fields for [`Detail::Full`], otherwise null or an excerpt.
    #[serde(skip_serializing_if = "Document::is_null")]
    pub fields: Document,
    /// Paths of fields that are computed from others and cannot be set: `resolved`, `effects[*].seconds`. All fields below such a
    /// path are computed, too. `*` means every field.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub derived: &'static [&'static str],
}

/// Named numbers in a fixed order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(Vec<(Cow<'static, str>, u64)>);

impl Counts {
    /// Creates an empty list of counts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the counts with one more; a count of the same name is increased.
    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, count: impl TryInto<u64>) -> Self {
        self.add(name, count.try_into().unwrap_or(u64::MAX));
        self
    }

    /// Adds to a count. A new count is appended.
    pub fn add(&mut self, name: impl Into<Cow<'static, str>>, count: u64) {
        let name = name.into();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => self.0.push((name, count)),
        }
    }

    /// Adds all counts of `other`.
    pub fn add_all(&mut self, other: &Self) {
        for (name, count) in &other.0 {
            self.add(name.clone(), *count);
        }
    }

    /// Returns a count, or 0 if the name is unknown.
    #[must_use]
    pub fn get(&self, name: &str) -> u64 {
        self.0.iter().find(|(known, _)| known == name).map_or(0, |(_, count)| *count)
    }

    /// Iterates over names and counts in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(name, count)| (name.as_ref(), *count))
    }

    /// Whether there are no counts.
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
