//! The entries of lists that the file stores in several parts: markers, walk maps and draw modes.

use record::Record;
use serde::{Deserialize, Serialize};

/// A position that scripts reference by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marker {
    /// Position in world units: X right, Y down, Z forward.
    pub position: [i32; 3],
    /// 1 if the marker is usable.
    pub flag: u8,
}

/// The size of a marker's position and flag in bytes.
pub(super) const MARKER_SIZE: usize = 13;

/// A graph of positions between which actors walk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkMap {
    /// Stored number of bytes after this field, if it is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u32>,
    /// First stored number of nodes, if it differs from the one that the game uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_count: Option<u32>,
    /// Position in world units: X right, Y down, Z forward.
    pub position: [i32; 3],
    /// Radius in world units.
    pub radius: u32,
    /// The nodes.
    pub nodes: Vec<WalkNode>,
}

/// A node of a walk map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "unknown fields have no documentation")]
pub struct WalkNode {
    /// Number by which routes reference the node. Only in the editable form, not in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u16>,
    /// Stored number of bytes after this field, if it is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u32>,
    /// Position in world units, not relative to the walk map: X right and Z forward (both unsigned), Y down.
    pub position: [i32; 3],
    pub unknown_0a: u8,
    /// Routes to other nodes, at most 255.
    pub routes: Vec<Route>,
}

/// A route to another node.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// Number of the target node.
    pub target: u16,
    /// Distance.
    pub cost: u16,
}

/// The draw parameters of a flat's image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawMode {
    /// Texture bank, from 0 to 511.
    pub texture_set: u16,
    /// Image in the bank. If several records have the same image, the first one is used.
    pub image: u8,
    /// Draw flags; the game also sets bit 0.
    pub flags: u8,
    /// Opacity, from 0 to 255.
    pub alpha: u8,
}

impl DrawMode {
    /// Size in the file in bytes.
    pub(super) const SIZE: usize = 3;
}
