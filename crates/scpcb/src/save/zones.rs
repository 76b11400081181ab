//! The zones of the map.

use record::Record;
use serde::{Deserialize, Serialize};

/// Where the zones begin, and what a custom map has.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Zones {
    /// The first rows of light and of heavy containment.
    pub first_rows: [u8; 2],
    /// 1 when the map has a forest of its own.
    pub custom_forest: u8,
    /// 1 when the map has maintenance tunnels of its own.
    pub custom_tunnels: u8,
}
