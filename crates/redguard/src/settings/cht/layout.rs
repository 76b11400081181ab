//! What stands in `REDGUARD.CHT`: 64 numbers of four bytes, little-endian, of which the engine names thirteen.
//!
//! Sources: redguard-preservation's documentation of the cheats; the numbers of real files are arbitrary, not only 0 and 1.

use record::Record;
use serde::{Deserialize, Serialize};

use super::name::COUNT;

/// How long the file is.
pub const FILE_SIZE: usize = 256;

/// How many numbers stand behind those of the cheats.
pub const RESERVED: usize = 51;

/// The states of the cheats. Zero is off, every other number is on.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cheats {
    /// Nothing is kept switched on: it lists the others.
    pub oracle: u32,
    /// Shows the nodes that actors walk by.
    pub nodemarker: u32,
    /// Skips parts of what moves the player in a fight.
    pub moonraker: u32,
    /// Runs the tasks of actors.
    pub task: u32,
    /// Runs the animations of actors.
    pub animation: u32,
    /// Flies.
    pub magiccarpet: u32,
    /// Nothing is kept switched on: it writes this file.
    pub savecheats: u32,
    /// Keeps the player from dying.
    pub drevil: u32,
    /// Keeps actors other than the player from part of what they do.
    pub drno: u32,
    /// Keeps a torch from burning down.
    pub goldfinger: u32,
    /// Hardly anything.
    pub neversaydie: u32,
    /// Nothing.
    pub oddjob: u32,
    /// Goes up and down through surfaces.
    pub yeahbaby: u32,
    /// Zero: the engine stores 64 numbers and has no names for these.
    #[serde(with = "list")]
    pub reserved: [u32; RESERVED],
}

impl Cheats {
    /// The numbers in the order of [`CHEATS`](super::CHEATS).
    #[must_use]
    pub fn values(&self) -> [u32; COUNT] {
        [
            self.oracle,
            self.nodemarker,
            self.moonraker,
            self.task,
            self.animation,
            self.magiccarpet,
            self.savecheats,
            self.drevil,
            self.drno,
            self.goldfinger,
            self.neversaydie,
            self.oddjob,
            self.yeahbaby,
        ]
    }
}

impl Default for Cheats {
    /// All cheats as a new game has them: actors act and move, all else is off.
    fn default() -> Self {
        Self {
            oracle: 0,
            nodemarker: 0,
            moonraker: 0,
            task: 1,
            animation: 1,
            magiccarpet: 0,
            savecheats: 0,
            drevil: 0,
            drno: 0,
            goldfinger: 0,
            neversaydie: 0,
            oddjob: 0,
            yeahbaby: 0,
            reserved: [0; RESERVED],
        }
    }
}

/// An array as a list, which serde itself does for short ones only.
mod list {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Serialize, Serializer};

    use super::RESERVED;

    pub(super) fn serialize<S: Serializer>(
        numbers: &[u32; RESERVED],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        numbers.as_slice().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[u32; RESERVED], D::Error> {
        let numbers = Vec::<u32>::deserialize(deserializer)?;
        let found = numbers.len();
        numbers.try_into().map_err(|_| D::Error::custom(format!("{found} numbers where {RESERVED} stand")))
    }
}
