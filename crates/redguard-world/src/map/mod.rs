//! RGM: maps, with everything that stands in them and what scripts control. What the game shows of them is in [`world`](crate::world), which
//! declares the format.

pub(crate) mod check;
mod entry;
mod fits;
mod layout;
mod list;
pub(crate) mod model;
pub(crate) mod name;
pub(crate) mod object;
pub(crate) mod placed;
pub(crate) mod resolved;
#[doc(hidden)]
pub mod script;
pub(crate) mod sheet;
pub(crate) mod span;
mod surroundings;
#[cfg(test)]
mod tests;
pub(crate) mod unpack;
mod view;
pub(crate) mod warning;
pub mod whole;

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
pub use resolved::Cast;
#[doc(hidden)]
pub use unpack::{NamesOfScripts, for_scripts};
pub use warning::CODES;

use redguard_files::settings::def::GameNames;
use resolved::Resolved;
pub(crate) use surroundings::{FoundModel, Setting, Surroundings};

impl Map {
    /// Reads a map. Unknown sections, and those that do not fit their layout, are kept.
    ///
    /// # Errors
    /// When a section is truncated.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.is_empty() {
            return Err(record::Error::malformed("the file is empty").at(0));
        }
        read_whole(bytes, ())
    }

    /// Writes the map; an unchanged one gives the bytes it was read from.
    ///
    /// # Errors
    /// When a section has the tag `END `, or a list is longer than its count can say.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// All fields, and what they mean in a game.
    pub(crate) fn fields(&self, context: &Context<'_>) -> Document {
        let resolved = self.resolved(context);
        let whole = self.whole();
        Document::object(|out| {
            out.put("sections", &whole.sections).put("end", &whole.end);
            if !whole.rest.is_empty() {
                out.put("rest", &whole.rest);
            }
            drop(whole);
            out.put("resolved", &resolved.root());
        })
    }

    /// What a map means in a game.
    pub(crate) fn resolved(&self, context: &Context<'_>) -> Document {
        Resolved::new(self, GameNames::of_game(context), Surroundings::new(context)).document()
    }
}
