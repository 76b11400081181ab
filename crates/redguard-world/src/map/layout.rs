//! The layout of a map (`.RGM`): sections with a four-letter tag, a big-endian length and their bytes, terminated by `END ` without a
//! length. Numbers within sections are little-endian.
//!
//! A section whose bytes do not fit its layout exactly is kept as [`Section::Other`]. The data of script objects (texts, code, models,
//! animation groups) is in separate sections, in which each [`Object`] references its part by offset and length; those sections are kept as
//! bytes here.
//!
//! Sources: UESP, "Mod:RGM File Format"; RGUnity/redguard-unity; redguard-mod-manager; redguard-preservation and its authors' findings in
//! the Glide program; measurements of bethesda-multitool on a retail install.

use record::{Bytes, Error, Raw, Record, Result};
use serde::{Deserialize, Serialize};

use super::entry::MARKER_SIZE;
use super::placed::{
    DrawModes, Flat, Flats, Light, Lights, Markers, Placement, Placements, Rope, Ropes, Size, Sizes, Static,
    Statics, WalkMaps,
};
use super::section_size::{are_draw_modes, are_walk_maps, counted};
use asset::FixedText;

/// A map.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
#[record(check = no_rest_without_end)]
pub struct Map {
    /// Sections in file order; a tag may repeat.
    #[record(until = &END || end, limit = MAX_SECTIONS)]
    pub sections: Vec<Section>,
    /// Whether the file ends with `END `.
    #[record(present = &END)]
    pub end: bool,
    /// Bytes after the end: four zeros in files of some editors.
    pub rest: Bytes,
}

/// The maximum number of sections. A map of the game has two dozen.
const MAX_SECTIONS: usize = 1 << 12;

const END: [u8; 4] = *b"END ";

/// A section.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
#[record(tag = FixedText<4>, length = u32, length_order = big)]
pub enum Section {
    /// RAHD: objects controlled by scripts.
    #[record(tag = *b"RAHD", when = counted(rest, 8, Object::MIN_SIZE))]
    Objects(Objects),
    /// RASB: for each text of an object, its offset in RAST.
    #[record(tag = *b"RASB", when = length % 4 == 0)]
    TextOffsets(TextOffsets),
    /// RAVA: initial values of local variables, after one value that is always 0: a block for each instance of an object.
    #[record(tag = *b"RAVA", when = length % 4 == 0)]
    Variables(Variables),
    /// RALC: locations of objects.
    #[record(tag = *b"RALC", when = length % 12 == 0)]
    Locations(Locations),
    /// RAEX: data of objects for held items and combat.
    #[record(tag = *b"RAEX", when = length % Extra::MIN_SIZE == 0)]
    Extras(Extras),
    /// RAAT: the attributes of objects, a block of 256 for each.
    #[record(tag = *b"RAAT", when = length % 256 == 0)]
    Attributes(Attributes),
    /// RAVC: collision spheres of large creatures.
    #[record(tag = *b"RAVC", when = length % Sphere::MIN_SIZE == 0)]
    Spheres(Spheres),
    /// MPOB: placements of objects.
    #[record(tag = *b"MPOB", when = counted(rest, 4, Placement::MIN_SIZE))]
    Placements(Placements),
    /// MPSO: static models.
    #[record(tag = *b"MPSO", when = counted(rest, 4, Static::MIN_SIZE))]
    Statics(Statics),
    /// MPRP: ropes.
    #[record(tag = *b"MPRP", when = counted(rest, 4, Rope::MIN_SIZE))]
    Ropes(Ropes),
    /// MPSF: flats, images that face the camera.
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
    /// WDNM: walk paths of actors.
    #[record(tag = *b"WDNM", when = are_walk_maps(rest))]
    WalkMaps(WalkMaps),
    /// FLAT: draw parameters of images.
    #[record(tag = *b"FLAT", when = are_draw_modes(rest))]
    DrawModes(DrawModes),
    /// Any other section: sections with the data of objects, unknown sections, and sections that do not fit their layout.
    #[record(unknown)]
    Other {
        /// Four-letter tag.
        #[record(check = not_the_end)]
        tag: FixedText<4>,
        /// Content.
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

/// An object controlled by scripts: 165 bytes. Its data is in other sections; offsets are relative to the start of their bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "unknown fields have no documentation")]
pub struct Object {
    pub unknown_00: u32,
    /// Name.
    pub name: FixedText<9>,
    /// Number of placements.
    pub instances: i32,
    /// 0; the number of instances while the game runs.
    pub unknown_11: u32,
    /// Length of its alias in RANM, in lowercase with a NUL; a length below 2 means no alias.
    pub alias_length: u32,
    /// Offset of the alias.
    pub alias_offset: u32,
    /// Offset of its attribute block in RAAT.
    pub attributes_offset: u32,
    /// Number of models in RAAN.
    pub model_count: u32,
    /// Size of the models in bytes.
    pub models_length: u32,
    /// Offset of the models.
    pub models_offset: u32,
    /// Highest number of an animation group.
    pub most_group: i32,
    /// Offset of its animation groups in RAGR.
    pub groups_offset: u32,
    pub unknown_35: u32,
    pub unknown_39: u32,
    pub unknown_3d: u32,
    /// Number of texts in RASB.
    pub text_count: u32,
    /// Size of the text offsets in bytes.
    pub texts_length: u32,
    /// Offset of the text offsets.
    pub texts_offset: u32,
    /// Size of its script in RASC in bytes.
    pub script_length: u32,
    /// Offset of the script.
    pub script_offset: u32,
    /// Entry point of the script, relative to its beginning.
    pub script_start: u32,
    /// Size of its native call in RAHK in bytes.
    pub hook_length: u32,
    /// Offset of the native call; 0 for none.
    pub hook_offset: u32,
    /// Number of locations in RALC.
    pub location_count: u32,
    /// Size of the locations in bytes.
    pub locations_length: u32,
    /// Offset of the locations.
    pub locations_offset: u32,
    /// Size of its data in RAEX in bytes.
    pub extra_length: u32,
    /// Offset of its data in RAEX.
    pub extra_offset: u32,
    /// Number of local variables of each instance in RAVA.
    pub variable_count: u32,
    /// Size of the variables of one instance in bytes.
    pub variables_length: u32,
    /// Offset of the variables.
    pub variables_offset: u32,
    /// Offset of the variables again.
    pub variables_offset_again: u32,
    /// Number of frames of its models.
    pub frame_count: u32,
    /// Row of its size in MPSZ; -1 for none.
    pub size: i32,
    /// Row of its size in combat; -1 for none.
    pub size_in_combat: i32,
    /// Row of its size when it is dead; -1 for none.
    pub size_when_dead: i32,
    /// 1 for an actor.
    pub is_actor: u16,
    /// `stat` of its extra data; -1 for none.
    pub unknown_97: i16,
    /// -1. Not read by the game.
    pub unknown_99: i16,
    /// Texture bank that replaces the banks of its animated models; 0 for none.
    pub texture_set: i16,
    /// Offset of its spheres in RAVC; -1 for none.
    pub spheres_offset: i32,
    /// Number of spheres.
    pub sphere_count: i32,
}

/// RASB.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextOffsets {
    /// Offsets in bytes from the beginning of RAST.
    #[record(until = end)]
    pub offsets: Vec<u32>,
}

/// RAVA.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variables {
    /// Values.
    #[record(until = end)]
    pub values: Vec<i32>,
}

/// RALC.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locations {
    /// Offsets from the position of the object, in 1/256 of a world unit: X right, Y down, Z forward.
    #[record(until = end)]
    pub offsets: Vec<[i32; 3]>,
}

/// RAEX.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extras {
    /// One record per object with extra data.
    #[record(until = end)]
    pub records: Vec<Extra>,
}

/// Data of an object for held items and combat: 30 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "unknown fields have no documentation")]
pub struct Extra {
    /// First vertex of the hand.
    pub grip0: i16,
    /// Second vertex of the hand.
    pub grip1: i16,
    /// First vertex of the scabbard.
    pub scabbard0: i16,
    /// Second vertex of the scabbard.
    pub scabbard1: i16,
    /// Number of frames of its models.
    pub frame_count: i16,
    /// Texture bank that replaces the banks of its animated models; 0 for none.
    pub texture_set: i16,
    /// Vertex that touches other objects.
    pub contact_vertex: i16,
    /// Contact radius.
    pub contact_radius: i16,
    /// First taunt in COMBAT.INI.
    pub taunt: i16,
    /// Scale of its sphere, times 256; 0 and below mean 256.
    pub sphere_scale: i16,
    /// Also stored in the object.
    pub stat: i16,
    pub unknown_16: i16,
    /// Minimum distance in combat.
    pub range_min: i16,
    /// Ideal distance in combat.
    pub range_ideal: i16,
    /// Maximum distance in combat.
    pub range_max: i16,
}

/// RAAT.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attributes {
    /// Attribute block of each object; 0 means unset.
    #[record(until = end)]
    pub blocks: Vec<Raw<256>>,
}

/// RAVC.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spheres {
    /// Spheres in the order of their objects.
    #[record(until = end)]
    pub records: Vec<Sphere>,
}

/// A collision sphere: 9 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sphere {
    /// Offset from the vertex.
    pub offset: [i8; 3],
    /// Index of the model's vertex that it follows.
    pub vertex: u16,
    /// Radius in world units.
    pub radius: u32,
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
