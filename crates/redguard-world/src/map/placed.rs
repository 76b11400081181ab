//! The layout of the records of a map: placements, statics, ropes, flats, lights, markers, sizes, walk maps.

use record::{Raw, Record};
use serde::{Deserialize, Serialize};

use super::entry::{DrawMode, Marker, WalkMap};
use super::list;
use asset::FixedText;

/// MPOB.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placements {
    /// Placements. Each one uses the next block of variables of its object.
    #[record(count = u32)]
    pub records: Vec<Placement>,
}

/// A placement of an object: 66 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Number of the placement.
    pub id: u32,
    /// Kind: 1 object, 2 point, 3 billboard with behavior, 4 object with a light, 6 light of the world.
    pub kind: u8,
    /// Whether it is present from the start.
    pub is_active: u8,
    /// Name of its object.
    pub object: FixedText<9>,
    /// Its model, if the object has none; truncated to 9 characters.
    pub model: FixedText<9>,
    /// 1 for a static model.
    pub has_mesh: u16,
    /// Position in 1/256 of a world unit: X right, Y down, Z forward.
    pub position: [i32; 3],
    /// Rotation around X, Y and Z, 2048 per turn.
    pub angles: [i32; 3],
    /// Texture bank times 128, plus the image in the bank.
    pub texture: u16,
    /// Intensity of its light.
    pub intensity: i16,
    /// Radius of its light, in world units.
    pub radius: u16,
    /// Index of its model in a list that the game builds.
    pub mesh_slot: i16,
    /// Number of its world in WORLD.INI.
    pub world: u16,
    /// Color of its light: red, green and blue.
    pub color: [i16; 3],
    /// Initial values of the local variables of this instance of its object. Only in the editable form, not in the file.
    #[record(by = list::unstored, inline)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variables: Option<Vec<i32>>,
}

/// MPSO.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statics {
    /// Models.
    #[record(count = u32)]
    pub records: Vec<Static>,
}

/// A static model: 66 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Static {
    /// Number of the static.
    pub id: u32,
    /// Name of the model.
    pub model: FixedText<12>,
    /// Position in world units: X right, Y down, Z forward.
    pub position: [i32; 3],
    /// Row-major rotation matrix, times 2^28: the world position is the matrix times the model position.
    pub matrix: [i32; 9],
    /// 0. Not read by the game.
    pub unknown_40: u16,
}

/// MPRP.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ropes {
    /// Ropes.
    #[record(count = u32)]
    pub records: Vec<Rope>,
}

/// A rope or a chain: 80 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rope {
    /// Number of the rope.
    pub id: u32,
    /// Position of its first link, in 1/256 of a world unit.
    pub position: [i32; 3],
    /// Rotation around the vertical axis, 2048 per turn.
    pub angle: i32,
    /// Bits: 1 can be grabbed from one side only, 4 and 8 does not swing, 16 has an end model, 32 starts at full swing.
    pub kind: i32,
    /// Amplitude of the swing.
    pub swing: i32,
    /// Speed of the swing; values below 1 mean 199.
    pub speed: i32,
    /// Number of links.
    pub links: i16,
    /// Model at its end.
    pub end_model: FixedText<9>,
    /// Model of a link.
    pub link_model: FixedText<9>,
    /// Sounds of a slow, a medium and a fast swing; 0 for none.
    pub sounds: [i32; 3],
    /// 0; if the second word is nonzero, the rope hangs lower by its length.
    pub unknown_40: Raw<16>,
}

/// MPSF.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flats {
    /// Flats.
    #[record(count = u32)]
    pub records: Vec<Flat>,
}

/// An image that faces the camera: 24 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "unknown fields have no documentation")]
pub struct Flat {
    /// Number of the flat.
    pub id: u32,
    pub unknown_04: i32,
    /// Center in world units: X right, Y down, Z forward.
    pub position: [i32; 3],
    /// Texture bank times 128, plus the image in the bank.
    pub texture: u16,
    pub unknown_16: i16,
}

/// MPSL.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lights {
    /// Lights.
    #[record(count = u32)]
    pub records: Vec<Light>,
}

/// A light: 42 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "unknown fields have no documentation")]
pub struct Light {
    /// Number of the light; the game uses the field to link lights.
    pub id: u32,
    /// Number of its world in WORLD.INI.
    pub world: u32,
    /// Position in world units: X right, Y down, Z forward.
    pub position: [i32; 3],
    /// Radius in world units.
    pub radius: i16,
    pub unknown_16: i16,
    /// Red, green and blue; negative values darken.
    pub color: [i16; 3],
    pub unknown_1e: u8,
    /// 1 for a light that is on.
    pub is_active: u8,
    pub unknown_20: Raw<10>,
}

/// MPMK.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Markers {
    /// Markers. The file stores all positions before all flags.
    #[record(by = list::markers)]
    pub records: Vec<Marker>,
}

/// MPSZ.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Sizes, which objects reference by number.
    #[record(until = end)]
    pub records: Vec<Size>,
}

/// The size of an object: 49 bytes, in world units.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// 0; the longest axis while the game runs.
    pub unknown_00: u8,
    /// Size from side to side.
    pub extent: [i32; 3],
    /// Center; 0 in the game's maps.
    pub centre: [i32; 3],
    /// Extent to the positive side.
    pub positive: [i32; 3],
    /// Extent to the negative side.
    pub negative: [i32; 3],
    /// Number by which objects reference the size. Only in the editable form, not in the file.
    #[record(by = list::unstored, inline)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i32>,
}

/// WDNM.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkMaps {
    /// Walk maps.
    #[record(by = list::walk_maps)]
    pub records: Vec<WalkMap>,
}

/// FLAT.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawModes {
    /// Records, in the order of their banks. The file stores the number of records of each of 512 banks before them.
    #[record(by = list::draw_modes)]
    pub records: Vec<DrawMode>,
}
