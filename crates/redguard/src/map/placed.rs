//! The layout of what stands in a map: placements, models, ropes, pictures, lights, markers, sizes, walk maps.

use record::{Error, Raw, Record, Result};

use asset::FixedText;

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
pub(super) const MARKER_SIZE: usize = 13;

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
