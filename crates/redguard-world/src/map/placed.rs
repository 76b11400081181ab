//! The layout of what stands in a map: placements, models, ropes, pictures, lights, markers, sizes, walk maps.

use record::{Raw, Record};
use serde::{Deserialize, Serialize};

use super::entry::{DrawMode, Marker, WalkMap};
use super::list;
use asset::FixedText;

/// MPOB.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placements {
    /// The placements. Each one takes the next block of variables of its object.
    #[record(count = u32)]
    pub records: Vec<Placement>,
}

/// An object that is placed: 66 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// Not in the file, but with it when it is edited: what the local variables of this instance of its object begin with.
    #[record(by = list::aside, inline)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variables: Option<Vec<i32>>,
}

/// MPSO.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statics {
    /// The models.
    #[record(count = u32)]
    pub records: Vec<Static>,
}

/// A model that only stands there: 66 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ropes {
    /// The ropes.
    #[record(count = u32)]
    pub records: Vec<Rope>,
}

/// A rope or a chain: 80 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flats {
    /// The pictures.
    #[record(count = u32)]
    pub records: Vec<Flat>,
}

/// A picture that faces the camera: 24 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lights {
    /// The lights.
    #[record(count = u32)]
    pub records: Vec<Light>,
}

/// A light: 42 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Markers {
    /// The markers. The file has all positions in front of all flags.
    #[record(by = list::markers)]
    pub records: Vec<Marker>,
}

/// MPSZ.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// The sizes that objects name by their number.
    #[record(until = end)]
    pub records: Vec<Size>,
}

/// The size of an object: 49 bytes, in world units.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// Not in the file, but with it when it is edited: the number by which objects name it.
    #[record(by = list::aside, inline)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i32>,
}

/// WDNM.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkMaps {
    /// The maps.
    #[record(by = list::walk_maps)]
    pub records: Vec<WalkMap>,
}

/// FLAT.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawModes {
    /// The records, in the order of their banks. The file has the number of records of each of 512 banks in front of them.
    #[record(by = list::draw_modes)]
    pub records: Vec<DrawMode>,
}
