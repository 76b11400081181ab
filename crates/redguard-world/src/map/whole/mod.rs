//! A map as it is edited: each object with its own parts, wherever the file has them.
//!
//! What the objects of scripts consist of stands in a dozen sections, each object naming its part by offset and length. Here the parts stand in
//! their objects, and offsets, lengths and counts follow from them. A section whose bytes that would not give back is kept as bytes.

mod command;
pub(crate) mod gather;
pub(super) mod renumber;
mod spread;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use asset::FixedText;
use record::Bytes;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::layout::{Attributes, Extra, Extras, Locations, Map, Sphere, Spheres, TextOffsets, Variables};
use super::placed::{DrawModes, Flats, Lights, Markers, Placements, Ropes, Sizes, Statics, WalkMaps};

pub use command::WholeCommand;
pub(super) use gather::Gathered;

/// A map with whole objects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WholeMap {
    /// The sections in their order.
    pub sections: Vec<WholeSection>,
    /// Whether the file ends with `END `.
    pub end: bool,
    /// Bytes after that.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the sections of the map's layout")]
pub enum WholeSection {
    /// The objects with their parts.
    #[serde(rename = "RAHD")]
    Objects(WholeObjects),
    /// The place of a section that consists of parts of the objects.
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
    /// Its four letters.
    pub tag: FixedText<4>,
    /// The bytes in front of the parts, where they are not those that all maps have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<Bytes>,
    /// The bytes behind the parts.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub tail: Bytes,
    /// Of RAST: which texts it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<TextTable>,
}

/// Which texts are stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextTable {
    /// Each text of each object.
    Each,
    /// Equal ones once.
    Once,
    /// These, and what the objects have besides.
    List(Vec<String>),
}

/// RAHD with the parts of its objects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WholeObjects {
    /// 0x0037801B in 26 of the game's 27 maps. Not read by the game.
    pub word: u32,
    /// The objects.
    pub records: Vec<WholeObject>,
}

/// Something that scripts control, with all that is its own. Offsets, lengths and counts are there where they are not what follows from the
/// parts. The fields are those of [`Object`](super::Object).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields of the object's layout")]
#[rustfmt::skip]
pub struct WholeObject {
    pub name: FixedText<9>,
    pub unknown_00: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub instances: Option<i32>,
    pub unknown_11: u32,
    /// Another name, in lower case; an empty one is a lone NUL.
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
    #[serde(default, skip_serializing_if = "Option::is_none")] pub models: Option<Vec<WholeModel>>,
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
    #[serde(default, skip_serializing_if = "Option::is_none")] pub hook: Option<WholeHook>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub hook_length: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub hook_offset: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub locations: Option<Vec<[i32; 3]>>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub location_count: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub locations_length: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub locations_offset: Option<u32>,
    /// For each instance, where placements do not have them.
    #[serde(default, skip_serializing_if = "Option::is_none")] pub variables: Option<Vec<Vec<i32>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub variable_count: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub variables_length: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub variables_offset: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub variables_offset_again: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub spheres: Option<Vec<Sphere>>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub sphere_count: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub spheres_offset: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub animation_groups: Option<Vec<WholeGroup>>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub groups_offset: Option<u32>,
}

/// Attributes that are not 0, by their numbers. In JSON they have the names of the shipped game, or `attribute_N`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttributeMap(pub BTreeMap<u8, u8>);

/// A model of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WholeModel {
    /// The number by which animation commands name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i32>,
    /// `c` for a model with frames, `s` for one without, in either letter case.
    pub kind: char,
    /// Its file, from the folder of the game on.
    pub path: String,
    /// How many frames it has.
    pub frame_count: u8,
    /// How many faces it has. Not read by the game.
    pub face_count: u32,
}

/// What the game itself does for an object at each update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WholeHook {
    /// The number of the function.
    pub function: u16,
    /// Its arguments.
    pub arguments: Vec<HookArgument>,
}

/// An argument of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HookArgument {
    /// How it is stored, as in scripts: 7 is a number.
    pub opcode: u8,
    /// Its value.
    pub value: i32,
}

/// A group of animation commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WholeGroup {
    /// What it is for.
    pub number: u16,
    /// In its low byte for how many ticks a frame is shown.
    pub animation: u16,
    /// In its low byte 0 when it can be interrupted, 1 when it must come to its end, 2 when no panic follows.
    pub kind: u16,
    /// The commands.
    pub commands: Vec<WholeCommand>,
}

impl WholeMap {
    /// A map of these objects, with an empty list of everything else that all maps have, in the order of the game's maps.
    #[must_use]
    pub fn new(objects: Vec<WholeObject>) -> Self {
        let parts = |tag: &[u8; 4]| {
            let texts = (tag == b"RAST").then_some(TextTable::Once);
            WholeSection::Parts(PartSection {
                tag: FixedText(*tag),
                head: None,
                tail: Bytes::default(),
                texts,
            })
        };
        let word = 0x0037_801b;
        let mut sections = vec![
            WholeSection::Objects(WholeObjects { word, records: objects }),
            WholeSection::Other { tag: FixedText(*b"RAFS"), data: vec![0].into() },
        ];
        let tags = [
            b"RAST", b"RASB", b"RAVA", b"RASC", b"RAHK", b"RALC", b"RAEX", b"RAAT", b"RAAN", b"RAGR", b"RANM",
        ];
        sections.extend(tags.map(parts));
        sections.extend([
            WholeSection::Placements(Placements { records: Vec::new() }),
            WholeSection::Ropes(Ropes { records: Vec::new() }),
            WholeSection::Statics(Statics { records: Vec::new() }),
            WholeSection::Lights(Lights { records: Vec::new() }),
            WholeSection::Flats(Flats { records: Vec::new() }),
            WholeSection::Markers(Markers { records: Vec::new() }),
            WholeSection::Sizes(Sizes { records: Vec::new() }),
            WholeSection::WalkMaps(WalkMaps { records: Vec::new() }),
            WholeSection::DrawModes(DrawModes { records: Vec::new() }),
        ]);
        Self { sections, end: true, rest: Bytes::default() }
    }
}

impl WholeObject {
    /// An object of this name without any part: nothing is stale, and there are no sizes.
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

/// The name of an attribute.
pub(super) fn attribute_name(number: u8) -> String {
    let known = soup::Definitions::shipped().attribute(usize::from(number));
    known.map_or_else(|| format!("attribute_{number}"), str::to_owned)
}

fn attribute_number(name: &str) -> Option<u8> {
    let unnamed = || name.strip_prefix("attribute_")?.parse().ok();
    let known = soup::Definitions::shipped().attribute_number(name);
    known.and_then(|number| u8::try_from(number).ok()).or_else(unnamed)
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
    /// The map as it is edited.
    #[must_use]
    pub fn whole(&self) -> WholeMap {
        Gathered::of(self).whole(self)
    }
}
