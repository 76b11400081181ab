//! RGM: maps, with everything that stands in them and what scripts control.

mod fits;
mod layout;
mod object;
mod placed;
#[cfg(test)]
mod tests;

use record::{Result, read_whole, write_whole};

pub use layout::{
    Attributes, Extra, Extras, Locations, Map, Object, Objects, Section, Sphere, Spheres, TextOffsets,
    Variables,
};
pub use object::{AnimationCommand, AnimationGroup, Hook, ModelEntry, ObjectSections};
pub use placed::{
    DrawMode, DrawModes, Flat, Flats, Light, Lights, Markers, Placement, Placements, Rope, Ropes, Route,
    Size, Sizes, Static, Statics, WalkMap, WalkMaps, WalkNode,
};

impl Map {
    /// Reads a map. Unknown sections, and those that do not fit their layout, are kept.
    ///
    /// # Errors
    /// When a section is truncated.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the map; an unchanged one gives the bytes it was read from.
    ///
    /// # Errors
    /// When a section has the tag `END `, or a list is longer than its count can say.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }
}
