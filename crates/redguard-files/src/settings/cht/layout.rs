//! The layout of `REDGUARD.CHT`: 64 little-endian 32-bit numbers, thirteen of which have names in the engine.
//!
//! Sources: redguard-preservation's documentation of the cheats; observed that numbers in real files are not limited to 0 and 1.

use record::Record;
use serde::{Deserialize, Serialize};

use super::name::COUNT;

/// The size of the file in bytes.
pub const FILE_SIZE: usize = 256;

/// The number of unnamed numbers after the cheats.
pub const RESERVED: usize = 51;

/// The cheat states. Zero is off, any other number is on.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cheats {
    /// A command without a state that lists the other cheats.
    pub oracle: u32,
    /// Shows the path nodes of actors.
    pub nodemarker: u32,
    /// Skips parts of the player's movement in combat.
    pub moonraker: u32,
    /// Runs the tasks of actors.
    pub task: u32,
    /// Runs the animations of actors.
    pub animation: u32,
    /// Lets the player fly.
    pub magiccarpet: u32,
    /// A command without a state that writes this file.
    pub savecheats: u32,
    /// Prevents the player from dying.
    pub drevil: u32,
    /// Disables part of the behavior of other actors.
    pub drno: u32,
    /// Prevents torches from burning down.
    pub goldfinger: u32,
    /// Almost no effect.
    pub neversaydie: u32,
    /// No effect.
    pub oddjob: u32,
    /// Moves the player up and down through surfaces.
    pub yeahbaby: u32,
    /// Zero. The engine stores 64 numbers, but has no names for these.
    #[serde(with = "list")]
    pub reserved: [u32; RESERVED],
}

impl Cheats {
    /// Returns the numbers in the order of [`CHEATS`](super::CHEATS).
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
    /// Returns the states of a new game: tasks and animations are on, everything else is off.
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

/// Serializes and deserializes a long array as a list; serde only supports short arrays.
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
        numbers
            .try_into()
            .map_err(|_| D::Error::custom(format!("expected {RESERVED} numbers, found {found}")))
    }
}
