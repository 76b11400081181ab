//! Zones of the map.

use record::Record;
use serde::{Deserialize, Serialize};

/// The first rows of the zones, and the features of a custom map.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Zones {
    /// First rows of light and of heavy containment.
    pub first_rows: [u8; 2],
    /// 1 if the map has a custom forest.
    pub custom_forest: u8,
    /// 1 if the map has custom maintenance tunnels.
    pub custom_tunnels: u8,
}
