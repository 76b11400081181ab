//! The layout of a map (`.RGM`): sections with a four-letter tag, a big-endian length and their bytes, terminated by `END ` without a length.
//! Numbers within sections are little-endian.
//!
//! A section whose bytes do not fit its layout exactly is kept as [`Section::Other`]. What the objects of scripts share (texts, code, models,
//! animation groups) stands in sections of its own, in which each [`Object`] names its part by offset and length: those sections are kept as
//! bytes here.
//!
//! Sources: UESP, "Mod:RGM File Format"; RGUnity/redguard-unity; redguard-mod-manager; redguard-preservation and what its authors found in the
//! Glide program; measurements of bethesda-multitool on a retail install.

use record::{Bytes, Error, Raw, Reader, Record, Result};
use serde::{Deserialize, Serialize};

use super::entry::MARKER_SIZE;
use super::fits::{are_draw_modes, are_walk_maps, counted};
use super::placed::{
    DrawModes, Flat, Flats, Light, Lights, Markers, Placement, Placements, Rope, Ropes, Size, Sizes, Static,
    Statics, WalkMaps,
};
use asset::FixedText;

/// A map.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
#[record(check = no_rest_without_end)]
pub struct Map {
    /// The sections, in their order; a tag may repeat.
    #[record(until = is_closed, limit = MOST_SECTIONS)]
    pub sections: Vec<Section>,
    /// Whether the file ends with `END `.
    #[record(present = &END)]
    pub end: bool,
    /// Bytes after that: four zeros in files of some editors.
    pub rest: Bytes,
}

/// More sections are not read. A map of the game has two dozen.
const MOST_SECTIONS: usize = 1 << 12;

const END: [u8; 4] = *b"END ";

/// A section.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
#[record(tag = FixedText<4>, length = u32, length_order = big)]
pub enum Section {
    /// RAHD: what scripts control.
    #[record(tag = *b"RAHD", when = counted(rest, 8, Object::MIN_SIZE))]
    Objects(Objects),
    /// RASB: for each text of an object, where it begins in RAST.
    #[record(tag = *b"RASB", when = length % 4 == 0)]
    TextOffsets(TextOffsets),
    /// RAVA: the values that local variables begin with, behind one that is always 0: a block for each instance of an object.
    #[record(tag = *b"RAVA", when = length % 4 == 0)]
    Variables(Variables),
    /// RALC: places of objects.
    #[record(tag = *b"RALC", when = length % 12 == 0)]
    Locations(Locations),
    /// RAEX: what objects hold, and how they fight.
    #[record(tag = *b"RAEX", when = length % Extra::MIN_SIZE == 0)]
    Extras(Extras),
    /// RAAT: the attributes of objects, a block of 256 for each.
    #[record(tag = *b"RAAT", when = length % 256 == 0)]
    Attributes(Attributes),
    /// RAVC: spheres that large creatures collide with.
    #[record(tag = *b"RAVC", when = length % Sphere::MIN_SIZE == 0)]
    Spheres(Spheres),
    /// MPOB: objects that are placed.
    #[record(tag = *b"MPOB", when = counted(rest, 4, Placement::MIN_SIZE))]
    Placements(Placements),
    /// MPSO: models that only stand there.
    #[record(tag = *b"MPSO", when = counted(rest, 4, Static::MIN_SIZE))]
    Statics(Statics),
    /// MPRP: ropes.
    #[record(tag = *b"MPRP", when = counted(rest, 4, Rope::MIN_SIZE))]
    Ropes(Ropes),
    /// MPSF: pictures that face the camera.
    #[record(tag = *b"MPSF", when = counted(rest, 4, Flat::MIN_SIZE))]
    Flats(Flats),
    /// MPSL: lights.
    #[record(tag = *b"MPSL", when = counted(rest, 4, Light::MIN_SIZE))]
    Lights(Lights),
    /// MPMK: markers.
    #[record(tag = *b"MPMK", when = counted(rest, 4, MARKER_SIZE))]
    Markers(Markers),
    /// MPSZ: sizes of objects.
    #[record(tag = *b"MPSZ", when = length % Size::MIN_SIZE == 0)]
    Sizes(Sizes),
    /// WDNM: where actors can walk.
    #[record(tag = *b"WDNM", when = are_walk_maps(rest))]
    WalkMaps(WalkMaps),
    /// FLAT: how pictures are drawn.
    #[record(tag = *b"FLAT", when = are_draw_modes(rest))]
    DrawModes(DrawModes),
    /// Any other section: those in which objects have parts of their own, unknown ones, and those that do not fit their layout.
    #[record(unknown)]
    Other {
        /// Its four letters.
        #[record(check = not_the_end)]
        tag: FixedText<4>,
        /// Its bytes.
        data: Bytes,
    },
}

/// RAHD.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Objects {
    /// 0x0037801B in 26 of the game's 27 maps. Not read by the game.
    #[record(before(count: u32 = records.len()))]
    pub word: u32,
    /// The objects; the first 24 are the same in all maps.
    #[record(count = count)]
    pub records: Vec<Object>,
}

/// Something that scripts control: 165 bytes. Its parts stand in other sections; offsets count from the beginning of their bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "unknown fields have no documentation")]
pub struct Object {
    pub unknown_00: u32,
    /// Its name.
    pub name: FixedText<9>,
    /// How often it is placed.
    pub instances: i32,
    /// 0; counts instances while the game runs.
    pub unknown_11: u32,
    /// Its alias in RANM, in lower case with a NUL; there is none where that is shorter than 2.
    pub alias_length: u32,
    /// Where the alias begins.
    pub alias_offset: u32,
    /// Its block of attributes in RAAT.
    pub attributes_offset: u32,
    /// How many models it has in RAAN.
    pub model_count: u32,
    /// How many bytes they take.
    pub models_length: u32,
    /// Where they begin.
    pub models_offset: u32,
    /// The greatest number of an animation group.
    pub most_group: i32,
    /// Its animation groups in RAGR.
    pub groups_offset: u32,
    pub unknown_35: u32,
    pub unknown_39: u32,
    pub unknown_3d: u32,
    /// How many texts it has in RASB.
    pub text_count: u32,
    /// How many bytes their offsets take.
    pub texts_length: u32,
    /// Where they begin.
    pub texts_offset: u32,
    /// How many bytes its script has in RASC.
    pub script_length: u32,
    /// Where the script begins.
    pub script_offset: u32,
    /// Where it starts to run, from its beginning.
    pub script_start: u32,
    /// How many bytes its native call takes in RAHK.
    pub hook_length: u32,
    /// Where that is; 0 for none.
    pub hook_offset: u32,
    /// How many places it has in RALC.
    pub location_count: u32,
    /// How many bytes they take.
    pub locations_length: u32,
    /// Where they begin.
    pub locations_offset: u32,
    /// How many bytes it has in RAEX.
    pub extra_length: u32,
    /// Where they begin.
    pub extra_offset: u32,
    /// How many local variables each instance has in RAVA.
    pub variable_count: u32,
    /// How many bytes those of one instance take.
    pub variables_length: u32,
    /// Where they begin.
    pub variables_offset: u32,
    /// The same.
    pub variables_offset_again: u32,
    /// How many frames its models have.
    pub frame_count: u32,
    /// Its row of sizes in MPSZ; -1 for none.
    pub size: i32,
    /// The same in combat.
    pub size_in_combat: i32,
    /// The same when it is dead.
    pub size_when_dead: i32,
    /// 1 for an actor.
    pub is_actor: u16,
    /// The member `stat` of its extra data; -1 for none.
    pub unknown_97: i16,
    /// -1. Not read by the game.
    pub unknown_99: i16,
    /// The bank of textures that replaces those of its animated models; 0 for none.
    pub texture_set: i16,
    /// Its spheres in RAVC; -1 for none.
    pub spheres_offset: i32,
    /// How many there are.
    pub sphere_count: i32,
}

/// RASB.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextOffsets {
    /// In bytes from the beginning of RAST.
    #[record(until = end)]
    pub offsets: Vec<u32>,
}

/// RAVA.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variables {
    /// The values.
    #[record(until = end)]
    pub values: Vec<i32>,
}

/// RALC.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locations {
    /// From the place of the object, in 1/256 of a world unit: X to the right, Y down, Z forward.
    #[record(until = end)]
    pub offsets: Vec<[i32; 3]>,
}

/// RAEX.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extras {
    /// One for each object that has any.
    #[record(until = end)]
    pub records: Vec<Extra>,
}

/// What an object holds, and how it fights: 30 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "unknown fields have no documentation")]
pub struct Extra {
    /// The first vertex of the hand.
    pub grip0: i16,
    /// The second one.
    pub grip1: i16,
    /// The first vertex of the scabbard.
    pub scabbard0: i16,
    /// The second one.
    pub scabbard1: i16,
    /// How many frames its models have.
    pub frame_count: i16,
    /// The bank of textures that replaces those of its animated models; 0 for none.
    pub texture_set: i16,
    /// The vertex that touches others.
    pub contact_vertex: i16,
    /// How far that reaches.
    pub contact_radius: i16,
    /// Its first taunt in COMBAT.INI.
    pub taunt: i16,
    /// By how much its sphere is larger, times 256; 256 where it is 0 or less.
    pub sphere_scale: i16,
    /// Kept in the object too.
    pub stat: i16,
    pub unknown_16: i16,
    /// The least distance in combat.
    pub range_min: i16,
    /// The best distance.
    pub range_ideal: i16,
    /// The greatest distance.
    pub range_max: i16,
}

/// RAAT.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attributes {
    /// The block of each object; 0 is not set.
    #[record(until = end)]
    pub blocks: Vec<Raw<256>>,
}

/// RAVC.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spheres {
    /// In the order of their objects.
    #[record(until = end)]
    pub records: Vec<Sphere>,
}

/// A sphere that others collide with: 9 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sphere {
    /// From the vertex.
    pub offset: [i8; 3],
    /// The vertex of the model that it follows.
    pub vertex: u16,
    /// In world units.
    pub radius: u32,
}

fn is_closed(reader: &Reader<'_>) -> Result<bool> {
    Ok(reader.is_at_end() || reader.rest().starts_with(&END))
}

fn no_rest_without_end(map: &Map) -> Result<()> {
    if !map.end && !map.rest.is_empty() {
        return Err(Error::usage("rest must be empty without an END tag").in_field("rest"));
    }
    Ok(())
}

fn not_the_end(tag: &FixedText<4>) -> Result<()> {
    if tag.0 == END { Err(Error::usage("a section cannot have the tag END")) } else { Ok(()) }
}
