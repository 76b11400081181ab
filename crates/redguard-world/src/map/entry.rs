//! The entries of the lists that the file keeps in parts: markers, walk maps and how pictures are drawn.

use record::Record;
use serde::{Deserialize, Serialize};

/// A place that scripts name by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marker {
    /// In world units: X to the right, Y down, Z forward.
    pub position: [i32; 3],
    /// 1 if it can be used.
    pub flag: u8,
}

/// The position of a marker and its flag.
pub(super) const MARKER_SIZE: usize = 13;

/// Places that actors walk between.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkMap {
    /// How many bytes follow, where that is not true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u32>,
    /// The number of nodes in front of the one that counts, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_count: Option<u32>,
    /// In world units: X to the right, Y down, Z forward.
    pub position: [i32; 3],
    /// In world units.
    pub radius: u32,
    /// The nodes.
    pub nodes: Vec<WalkNode>,
}

/// A place in a walk map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "unknown fields have no documentation")]
pub struct WalkNode {
    /// Not in the file, but with it when it is edited: the number by which routes name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u16>,
    /// How many bytes follow, where that is not true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u32>,
    /// In world units, not from the place of the map: X to the right and Z forward without a sign, Y down.
    pub position: [i32; 3],
    pub unknown_0a: u8,
    /// The ways to other nodes, at most 255.
    pub routes: Vec<Route>,
}

/// A way to another node.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// The number of the node.
    pub target: u16,
    /// The distance.
    pub cost: u16,
}

/// How a picture that faces the camera is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawMode {
    /// The bank of textures, from 0 to 511.
    pub texture_set: u16,
    /// The picture in its bank. The first record of a picture counts.
    pub image: u8,
    /// Bits that are added to 1.
    pub flags: u8,
    /// How solid it is, from 0 to 255.
    pub alpha: u8,
}

impl DrawMode {
    /// Its bytes in the file.
    pub(super) const SIZE: usize = 3;
}
