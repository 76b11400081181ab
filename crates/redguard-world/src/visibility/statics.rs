//! The statics of the map of a visibility tree.

use asset::Context;

use crate::map::Map;
use redguard_files::settings::ini::world::stem_of;

/// Name of the map next to a tree, and its number of statics.
pub(super) fn sibling_statics(context: &Context<'_>) -> Option<(String, usize)> {
    let place = context.location.as_ref()?;
    let name = format!("{}.RGM", stem_of(place.path().name()));
    let found = context.install.folder_of(place).find(&name).found()?;
    let read = || {
        let map = Map::read(&context.install.open(&found.location)?.read_all()?)?;
        Ok((map.statics().len(), 8))
    };
    let count = context.install.decoded(&found.location, "number of statics", read).ok()?;
    Some((found.location.path().name().to_owned(), *count))
}
