//! The statics of the map that belongs to a visibility tree.

use asset::Context;

use crate::map::Map;
use redguard_files::settings::ini::world::stem_of;

/// The map beside a tree, and how many statics it has.
pub(super) fn statics_beside(context: &Context<'_>) -> Option<(String, usize)> {
    let place = context.location.as_ref()?;
    let name = format!("{}.RGM", stem_of(place.path().name()));
    let found = context.install.beside(place).find(&name).found()?;
    let read = || {
        let map = Map::read(&context.install.open(&found.location)?.read_all()?)?;
        Ok((map.statics().len(), 8))
    };
    let count = context.install.decoded(&found.location, "number of statics", read).ok()?;
    Some((found.location.path().name().to_owned(), *count))
}
