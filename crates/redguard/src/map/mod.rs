//! RGM: maps, with everything that stands in them and what scripts control.

mod layout;
mod object;
#[cfg(test)]
mod tests;

use record::{Result, read_whole, write_whole};

pub use layout::{
    Attributes, DrawMode, DrawModes, Extra, Extras, Flat, Flats, Light, Lights, Locations, Map, Markers,
    Object, Objects, Placement, Placements, Rope, Ropes, Route, Section, Size, Sizes, Sphere, Spheres,
    Static, Statics, TextOffsets, Variables, WalkMap, WalkMaps, WalkNode,
};
pub use object::{AnimationCommand, AnimationGroup, Hook, ModelEntry, ObjectSections};

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
