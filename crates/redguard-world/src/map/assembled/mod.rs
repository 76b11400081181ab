//! The editable form of a map: each object contains its data, which the file stores in several sections.
//!
//! The file stores the data of script objects in a dozen sections; each object references its parts by offset and length. In this form, the
//! parts are in their objects, and offsets, lengths and counts are derived from them. A section whose bytes could not be reproduced this
//! way is kept as bytes.

pub(crate) mod collect;
pub(crate) mod command;
pub(super) mod renumber;
mod split;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use asset::FixedText;
use record::Bytes;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::layout::{Attributes, Extra, Extras, Locations, Map, Sphere, Spheres, TextOffsets, Variables};
use super::placed::{DrawModes, Flats, Lights, Markers, Placements, Ropes, Sizes, Statics, WalkMaps};

pub(super) use collect::PartLayout;
pub use command::AssembledCommand;

/// A map whose objects contain their data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssembledMap {
    /// Sections in file order.
    pub sections: Vec<AssembledSection>,
    /// Whether the file ends with `END `.
    pub end: bool,
    /// Bytes after the end.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the sections of the map's layout")]
pub enum AssembledSection {
    /// Objects with their data.
    #[serde(rename = "RAHD")]
    Objects(AssembledObjects),
    /// The position of a section that consists of parts of the objects.
    #[serde(rename = "parts")]
    Parts(PartSection),
    #[serde(rename = "MPOB")]
    Placements(Placements),
    #[serde(rename = "MPSO")]
    Statics(Statics),
    #[serde(rename = "MPRP")]
    Ropes(Ropes),
    #[serde(rename = "MPSF")]
    Flats(Flats),
    #[serde(rename = "MPSL")]
    Lights(Lights),
    #[serde(rename = "MPMK")]
    Markers(Markers),
    #[serde(rename = "MPSZ")]
    Sizes(Sizes),
    #[serde(rename = "WDNM")]
    WalkMaps(WalkMaps),
    #[serde(rename = "FLAT")]
    DrawModes(DrawModes),
    #[serde(rename = "RASB")]
    TextOffsets(TextOffsets),
    #[serde(rename = "RAVA")]
    Variables(Variables),
    #[serde(rename = "RALC")]
    Locations(Locations),
    #[serde(rename = "RAEX")]
    Extras(Extras),
    #[serde(rename = "RAAT")]
    Attributes(Attributes),
    #[serde(rename = "RAVC")]
    Spheres(Spheres),
    /// Any other section.
    Other { tag: FixedText<4>, data: Bytes },
}

/// A section that consists of parts of the objects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartSection {
    /// Four-letter tag.
    pub tag: FixedText<4>,
    /// Bytes before the parts, if they differ from those in all maps of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<Bytes>,
    /// Bytes after the parts.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub tail: Bytes,
    /// Stored texts (RAST only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<TextTable>,
}

/// The texts that a text table stores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextTable {
    /// Each text of each object.
    Each,
    /// Equal texts once.
    Once,
    /// These texts, followed by any other texts of the objects.
    List(Vec<String>),
}

/// RAHD with the parts of its objects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssembledObjects {
    /// 0x0037801B in 26 of the game's 27 maps. Not read by the game.
    pub word: u32,
    /// The objects.
    pub records: Vec<AssembledObject>,
}

/// An object controlled by scripts, with all its data. Offsets, lengths and counts are present only if they differ from those derived from
/// the data. The fields correspond to those of [`Object`](super::Object).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields of the object's layout")]
#[rustfmt::skip]
pub struct AssembledObject {
    pub name: FixedText<9>,
    pub unknown_00: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub instances: Option<i32>,
    pub unknown_11: u32,
    /// Alias in lowercase; an empty one is a single NUL.
    #[serde(default, skip_serializing_if = "Option::is_none")] pub alias: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub alias_length: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub alias_offset: Option<u32>,
    pub is_actor: u16,
    pub size: i32,
    pub size_in_combat: i32,
    pub size_when_dead: i32,
    pub frame_count: u32,
    pub texture_set: i16,
    pub most_group: i32,
    pub unknown_35: u32,
    pub unknown_39: u32,
    pub unknown_3d: u32,
    pub unknown_97: i16,
    pub unknown_99: i16,
    /// Attributes that are not 0, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")] pub attributes: Option<AttributeMap>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub attributes_offset: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub extra: Option<Extra>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub extra_length: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub extra_offset: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub models: Option<Vec<AssembledModel>>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub model_count: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub models_length: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub models_offset: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub texts: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub text_count: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub texts_length: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub texts_offset: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub script: Option<Bytes>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub script_length: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub script_offset: Option<u32>,
    pub script_start: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub hook: Option<AssembledHook>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub hook_length: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub hook_offset: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub locations: Option<Vec<[i32; 3]>>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub location_count: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub locations_length: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub locations_offset: Option<u32>,
    /// For each instance, if the placements do not contain them.
    #[serde(default, skip_serializing_if = "Option::is_none")] pub variables: Option<Vec<Vec<i32>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub variable_count: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub variables_length: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub variables_offset: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub variables_offset_again: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub spheres: Option<Vec<Sphere>>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub sphere_count: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub spheres_offset: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub animation_groups: Option<Vec<AssembledGroup>>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub groups_offset: Option<u32>,
}

/// Nonzero attributes by number. In JSON, they have the names of the shipped game, or `attribute_N`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttributeMap(pub BTreeMap<u8, u8>);

/// A model of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssembledModel {
    /// Number by which animation commands reference it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i32>,
    /// `c` for a model with frames, `s` for one without (case-insensitive).
    pub kind: char,
    /// Path relative to the game's folder.
    pub path: String,
    /// Number of frames.
    pub frame_count: u8,
    /// Number of faces. Not read by the game.
    pub face_count: u32,
}

/// A native call of the game for an object at each update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssembledHook {
    /// Number of the function.
    pub function: u16,
    /// Arguments.
    pub arguments: Vec<HookArgument>,
}

/// An argument of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HookArgument {
    /// Operand opcode, as in scripts: 7 is a number.
    pub opcode: u8,
    /// Value.
    pub value: i32,
}

/// A group of animation commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssembledGroup {
    /// Purpose: an index into the group names of the game.
    pub number: u16,
    /// Ticks per frame in the low byte.
    pub animation: u16,
    /// Low byte: 0 if it can be interrupted, 1 if it must play to its end, 2 if no panic follows.
    pub kind: u16,
    /// The commands.
    pub commands: Vec<AssembledCommand>,
}

impl AssembledMap {
    /// Creates a map of these objects, with empty lists for everything else that all maps have, in the order of the game's maps.
    #[must_use]
    pub fn new(objects: Vec<AssembledObject>) -> Self {
        let parts = |tag: &[u8; 4]| {
            let texts = (tag == b"RAST").then_some(TextTable::Once);
            AssembledSection::Parts(PartSection {
                tag: FixedText(*tag),
                head: None,
                tail: Bytes::default(),
                texts,
            })
        };
        let word = 0x0037_801b;
        let mut sections = vec![
            AssembledSection::Objects(AssembledObjects { word, records: objects }),
            AssembledSection::Other { tag: FixedText(*b"RAFS"), data: vec![0].into() },
        ];
        let tags = [
            b"RAST", b"RASB", b"RAVA", b"RASC", b"RAHK", b"RALC", b"RAEX", b"RAAT", b"RAAN", b"RAGR", b"RANM",
        ];
        sections.extend(tags.map(parts));
        sections.extend([
            AssembledSection::Placements(Placements { records: Vec::new() }),
            AssembledSection::Ropes(Ropes { records: Vec::new() }),
            AssembledSection::Statics(Statics { records: Vec::new() }),
            AssembledSection::Lights(Lights { records: Vec::new() }),
            AssembledSection::Flats(Flats { records: Vec::new() }),
            AssembledSection::Markers(Markers { records: Vec::new() }),
            AssembledSection::Sizes(Sizes { records: Vec::new() }),
            AssembledSection::WalkMaps(WalkMaps { records: Vec::new() }),
            AssembledSection::DrawModes(DrawModes { records: Vec::new() }),
        ]);
        Self { sections, end: true, rest: Bytes::default() }
    }
}

impl AssembledObject {
    /// Creates an object with this name without any data: no derived field is overridden, and it has no sizes.
    #[must_use]
    pub fn new(name: FixedText<9>) -> Self {
        let none = -1;
        Self {
            name,
            size: none,
            size_in_combat: none,
            size_when_dead: none,
            most_group: none,
            unknown_97: -1,
            unknown_99: -1,
            ..Self::default()
        }
    }
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

/// Returns the name of an attribute.
pub(super) fn attribute_name(number: u8) -> String {
    let name = soup::Definitions::shipped().attribute(usize::from(number));
    name.map_or_else(|| format!("attribute_{number}"), str::to_owned)
}

fn attribute_number(name: &str) -> Option<u8> {
    let unnamed = || name.strip_prefix("attribute_")?.parse().ok();
    let named = soup::Definitions::shipped().attribute_number(name);
    named.and_then(|number| u8::try_from(number).ok()).or_else(unnamed)
}

impl Serialize for AttributeMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(number, value)| (attribute_name(*number), value)))
    }
}

impl<'de> Deserialize<'de> for AttributeMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let named = BTreeMap::<String, u8>::deserialize(deserializer)?;
        let numbered = |(name, value): (String, u8)| match attribute_number(&name) {
            Some(number) => Ok((number, value)),
            None => Err(D::Error::custom(format!(
                "unknown attribute \"{name}\" (attribute_0 to attribute_255 have no names)"
            ))),
        };
        named.into_iter().map(numbered).collect::<Result<_, _>>().map(Self)
    }
}

impl Map {
    /// Returns the editable form of the map.
    #[must_use]
    pub fn assemble(&self) -> AssembledMap {
        PartLayout::of(self).assemble(self)
    }
}
