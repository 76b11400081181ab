//! RGM: maps, with all objects in them and the data that scripts control. The visible contents are converted in [`world`](crate::world),
//! which declares the format.

pub mod assembled;
pub(crate) mod check;
mod entry;
mod layout;
mod list;
pub(crate) mod model;
pub(crate) mod name;
pub(crate) mod object;
pub(crate) mod placed;
pub(crate) mod resolved;
#[doc(hidden)]
pub mod script;
mod section_size;
pub(crate) mod sheet;
pub(crate) mod span;
mod surroundings;
#[cfg(test)]
mod tests;
pub(crate) mod unpack;
mod view;
pub(crate) mod warning;

use asset::Context;
use json::Document;
use record::{Result, read_whole, write_whole};

#[doc(hidden)]
pub use check::check_layout;
pub use entry::{DrawMode, Marker, Route, WalkMap, WalkNode};
pub use layout::{
    Attributes, Extra, Extras, Locations, Map, Object, Objects, Section, Sphere, Spheres, TextOffsets,
    Variables,
};
pub use object::{AnimationCommand, AnimationGroup, Hook, ModelEntry, ObjectSections};
pub use placed::{
    DrawModes, Flat, Flats, Light, Lights, Markers, Placement, Placements, Rope, Ropes, Size, Sizes, Static,
    Statics, WalkMaps,
};
pub use resolved::ActorTable;
#[doc(hidden)]
pub use unpack::{ScriptLexicon, for_scripts};
pub use warning::CODES;

use redguard_files::settings::def::GameNames;
use resolved::Resolved;
pub(crate) use surroundings::{FoundModel, Setting, Surroundings};

impl Map {
    /// Reads a map. Unknown sections and sections that do not fit their layout are kept.
    ///
    /// # Errors
    /// Returns an error if a section is truncated.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.is_empty() {
            return Err(record::Error::malformed("the file is empty").at(0));
        }
        read_whole(bytes, ())
    }

    /// Writes the map; an unchanged map is written byte for byte as it was read.
    ///
    /// # Errors
    /// Returns an error if a section has the tag `END `, or a list is longer than its count field allows.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Returns all fields, with their resolved form in a game.
    pub(crate) fn fields(&self, context: &Context<'_>) -> Document {
        let resolved = self.resolved(context);
        let assembled = self.assemble();
        Document::object(|out| {
            out.put("sections", &assembled.sections).put("end", &assembled.end);
            if !assembled.rest.is_empty() {
                out.put("rest", &assembled.rest);
            }
            drop(assembled);
            out.put("resolved", &resolved.root());
        })
    }

    /// Returns the resolved form of the map in a game.
    pub(crate) fn resolved(&self, context: &Context<'_>) -> Document {
        Resolved::new(self, GameNames::of_game(context), Surroundings::new(context)).document()
    }
}
