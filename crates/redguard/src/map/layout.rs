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
    DrawModes(Box<DrawModes>),
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
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct TextOffsets {
    /// In bytes from the beginning of RAST.
    #[record(until = end)]
    pub offsets: Vec<u32>,
}

/// RAVA.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Variables {
    /// The values.
    #[record(until = end)]
    pub values: Vec<i32>,
}

/// RALC.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Locations {
    /// From the place of the object, in 1/256 of a world unit: X to the right, Y down, Z forward.
    #[record(until = end)]
    pub offsets: Vec<[i32; 3]>,
}

/// RAEX.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Extras {
    /// One for each object that has any.
    #[record(until = end)]
    pub records: Vec<Extra>,
}

/// What an object holds, and how it fights: 30 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
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
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Attributes {
    /// The block of each object; 0 is not set.
    #[record(until = end)]
    pub blocks: Vec<Raw<256>>,
}

/// RAVC.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Spheres {
    /// In the order of their objects.
    #[record(until = end)]
    pub records: Vec<Sphere>,
}

/// A sphere that others collide with: 9 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sphere {
    /// From the vertex.
    pub offset: [i8; 3],
    /// The vertex of the model that it follows.
    pub vertex: u16,
    /// In world units.
    pub radius: u32,
}

/// MPOB.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Placements {
    /// The placements. Each one takes the next block of variables of its object.
    #[record(count = u32)]
    pub records: Vec<Placement>,
}

/// An object that is placed: 66 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// Its number.
    pub id: u32,
    /// 1 an object, 2 a point, 3 a picture that acts, 4 an object with a light, 6 a light of the world.
    pub kind: u8,
    /// Whether it is there from the start.
    pub is_active: u8,
    /// The name of its object.
    pub object: FixedText<9>,
    /// Its model, where the object has none; cut to 9 characters.
    pub model: FixedText<9>,
    /// 1 for a model that does not move.
    pub has_mesh: u16,
    /// In 1/256 of a world unit: X to the right, Y down, Z forward.
    pub position: [i32; 3],
    /// Around X, Y and Z, 2048 for a turn.
    pub angles: [i32; 3],
    /// The bank of its picture times 128, and its number there.
    pub texture: u16,
    /// Of its light.
    pub intensity: i16,
    /// Of its light, in world units.
    pub radius: u16,
    /// The place of its model in a list that the game makes.
    pub mesh_slot: i16,
    /// The number of the world in WORLD.INI that it belongs to.
    pub world: u16,
    /// Of its light.
    pub color: [i16; 3],
}

/// MPSO.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Statics {
    /// The models.
    #[record(count = u32)]
    pub records: Vec<Static>,
}

/// A model that only stands there: 66 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Static {
    /// Its number.
    pub id: u32,
    /// The model.
    pub model: FixedText<12>,
    /// In world units: X to the right, Y down, Z forward.
    pub position: [i32; 3],
    /// The rows of a matrix, times 2^28: the place in the world is the matrix times that in the model.
    pub matrix: [i32; 9],
    /// 0. Not read by the game.
    pub unknown_40: u16,
}

/// MPRP.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Ropes {
    /// The ropes.
    #[record(count = u32)]
    pub records: Vec<Rope>,
}

/// A rope or a chain: 80 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Rope {
    /// Its number.
    pub id: u32,
    /// Where its first link is, in 1/256 of a world unit.
    pub position: [i32; 3],
    /// How it is turned, 2048 for a turn.
    pub angle: i32,
    /// Bits: 1 it is grabbed from one side only, 4 and 8 it does not swing, 16 something hangs at its end, 32 it begins in full swing.
    pub kind: i32,
    /// How far it swings.
    pub swing: i32,
    /// How fast; 199 where it is below 1.
    pub speed: i32,
    /// How many links it has.
    pub links: i16,
    /// What hangs at its end.
    pub end_model: FixedText<9>,
    /// The model of a link.
    pub link_model: FixedText<9>,
    /// The sounds of a slow, a middle and a fast swing; 0 for none.
    pub sounds: [i32; 3],
    /// 0; where the second word is not, the rope hangs lower by its length.
    pub unknown_40: Raw<16>,
}

/// MPSF.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Flats {
    /// The pictures.
    #[record(count = u32)]
    pub records: Vec<Flat>,
}

/// A picture that faces the camera: 24 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "unknown fields have no documentation")]
pub struct Flat {
    /// Its number.
    pub id: u32,
    pub unknown_04: i32,
    /// Its middle in world units: X to the right, Y down, Z forward.
    pub position: [i32; 3],
    /// The bank of its picture times 128, and its number there.
    pub texture: u16,
    pub unknown_16: i16,
}

/// MPSL.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Lights {
    /// The lights.
    #[record(count = u32)]
    pub records: Vec<Light>,
}

/// A light: 42 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "unknown fields have no documentation")]
pub struct Light {
    /// Its number; the game links lights here.
    pub id: u32,
    /// The number of the world in WORLD.INI that it belongs to.
    pub world: u32,
    /// In world units: X to the right, Y down, Z forward.
    pub position: [i32; 3],
    /// In world units.
    pub radius: i16,
    pub unknown_16: i16,
    /// Red, green and blue; negative ones darken.
    pub color: [i16; 3],
    pub unknown_1e: u8,
    /// 1 for a light that shines.
    pub is_active: u8,
    pub unknown_20: Raw<10>,
}

/// MPMK.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
#[record(check = Self::has_a_flag_each)]
pub struct Markers {
    /// In world units: X to the right, Y down, Z forward.
    #[record(before(count: u32 = positions.len()), count = count)]
    pub positions: Vec<[i32; 3]>,
    /// For each of them 1 if it can be used.
    #[record(count = count)]
    pub flags: Vec<u8>,
}

/// The position of a marker and its flag.
const MARKER_SIZE: usize = 13;

impl Markers {
    fn has_a_flag_each(&self) -> Result<()> {
        if self.positions.len() != self.flags.len() {
            let message = format!("{} markers have {} flags", self.positions.len(), self.flags.len());
            return Err(Error::usage(message).in_field("flags"));
        }
        Ok(())
    }
}

/// MPSZ.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct Sizes {
    /// The sizes that objects name by their number.
    #[record(until = end)]
    pub records: Vec<Size>,
}

/// The size of an object: 49 bytes, in world units.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// 0; the longest axis while the game runs.
    pub unknown_00: u8,
    /// From side to side.
    pub extent: [i32; 3],
    /// 0 in the game's maps.
    pub centre: [i32; 3],
    /// To the positive side.
    pub positive: [i32; 3],
    /// To the negative side.
    pub negative: [i32; 3],
}

/// WDNM.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct WalkMaps {
    /// The maps.
    #[record(count = u32)]
    pub records: Vec<WalkMap>,
}

/// Places that actors walk between.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct WalkMap {
    /// How many bytes follow.
    pub length: u32,
    /// The number of nodes.
    #[record(before(count: u32 = nodes.len()))]
    pub node_count: u32,
    /// In world units: X to the right, Y down, Z forward.
    pub position: [i32; 3],
    /// In world units.
    pub radius: u32,
    /// The nodes.
    #[record(count = count)]
    pub nodes: Vec<WalkNode>,
}

/// A place in a walk map.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "unknown fields have no documentation")]
pub struct WalkNode {
    /// How many bytes follow.
    pub length: u32,
    /// In world units, not from the place of the map.
    pub x: u16,
    /// Down.
    pub y: i16,
    /// Forward.
    pub z: u16,
    pub unknown_0a: u8,
    /// The ways to other nodes.
    #[record(count = u8)]
    pub routes: Vec<Route>,
}

/// A way to another node.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The number of the node.
    pub target: u16,
    /// The distance.
    pub cost: u16,
}

/// FLAT.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub struct DrawModes {
    /// How many records there are for each bank of textures.
    pub counts: [u16; 512],
    /// The records, in the order of the banks.
    #[record(until = end)]
    pub records: Vec<DrawMode>,
}

/// How a picture that faces the camera is drawn: 3 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawMode {
    /// The picture in its bank. The first record of a picture counts.
    pub image: u8,
    /// Bits that are added to 1.
    pub flags: u8,
    /// How solid it is, from 0 to 255.
    pub alpha: u8,
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

/// Whether the bytes are a count, and behind a head of so many bytes as many items.
fn counted(bytes: &[u8], head: usize, item: usize) -> bool {
    let (Some(count), Some(items)) = (number(bytes, 0), bytes.len().checked_sub(head)) else { return false };
    count.checked_mul(item) == Some(items)
}

/// A number of four bytes.
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let number = bytes.get(at..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*number)).ok()
}

/// Whether the bytes are walk maps and nothing else.
fn are_walk_maps(bytes: &[u8]) -> bool {
    /// The bytes of a map in front of its nodes, and of a node in front of its routes.
    const MAP: usize = 28;
    const NODE: usize = 12;
    let end = || {
        let mut at = 4_usize;
        for _ in 0..number(bytes, 0)? {
            let nodes = number(bytes, at.checked_add(8)?)?;
            at = at.checked_add(MAP)?;
            for _ in 0..nodes {
                let routes = usize::from(*bytes.get(at.checked_add(NODE)?.checked_sub(1)?)?);
                at = at.checked_add(NODE)?.checked_add(routes.checked_mul(4)?)?;
            }
        }
        Some(at)
    };
    end() == Some(bytes.len())
}

/// Whether the bytes are 512 counts and as many records.
fn are_draw_modes(bytes: &[u8]) -> bool {
    let Some((counts, records)) = bytes.split_at_checked(1024) else { return false };
    let (counts, _) = counts.as_chunks::<2>();
    let count = counts.iter().map(|count| usize::from(u16::from_le_bytes(*count))).sum::<usize>();
    count.checked_mul(DrawMode::MIN_SIZE) == Some(records.len())
}
