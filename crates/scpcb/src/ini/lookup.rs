//! Lookup of rooms and events in the tables of a game, for references in other files.

use std::collections::BTreeMap;

use asset::Context;

use super::{of_install, rooms};

/// Path of the table of events in the game.
pub(crate) const EVENTS: &str = "Data/events.ini";

/// Maximum number of rooms that the game reads for an event.
pub(crate) const EVENT_ROOMS: usize = 9;

/// The rooms in the table of a game.
pub(crate) struct RoomTable {
    /// Mesh paths by name in lowercase.
    meshes: BTreeMap<String, Option<String>>,
}

impl RoomTable {
    /// Returns `None` if there is no table.
    pub(crate) fn of_install(context: &Context<'_>) -> Option<Self> {
        let table = of_install(context, rooms::PATH)?;
        let mut meshes = BTreeMap::new();
        // Of several with one name, the game uses the first one.
        for section in table.sections() {
            let mesh = section.get("mesh path").map(ToOwned::to_owned);
            meshes.entry(section.name.to_lowercase()).or_insert(mesh);
        }
        meshes.remove(rooms::AMBIENCE);
        Some(Self { meshes })
    }

    /// Whether there is a room with this name, ignoring case.
    pub(crate) fn has(&self, room: &str) -> bool {
        self.meshes.contains_key(&room.to_lowercase())
    }

    /// Returns the mesh file of a room; `None` for a room that is not in the table, or has no file there.
    pub(crate) fn mesh(&self, room: &str) -> Option<&str> {
        self.meshes.get(&room.to_lowercase())?.as_deref()
    }
}

/// The events in the table of a game.
pub(crate) struct EventTable {
    /// Rooms by event, all in lowercase.
    rooms: BTreeMap<String, Vec<String>>,
}

impl EventTable {
    /// Returns `None` if there is no table.
    pub(crate) fn of_install(context: &Context<'_>) -> Option<Self> {
        let table = of_install(context, EVENTS)?;
        let mut rooms = BTreeMap::new();
        for section in table.sections() {
            let of_event = (1..=EVENT_ROOMS).filter_map(|number| section.get(&format!("room{number}")));
            let of_event = of_event.map(str::to_lowercase).collect();
            rooms.entry(section.name.to_lowercase()).or_insert(of_event);
        }
        Some(Self { rooms })
    }

    /// Returns the rooms of an event, in lowercase; `None` for an event that is not in the table.
    pub(crate) fn rooms(&self, event: &str) -> Option<&[String]> {
        self.rooms.get(&event.to_lowercase()).map(Vec::as_slice)
    }
}
