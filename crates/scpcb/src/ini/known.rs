//! What other files may name: the rooms and events of the tables of a game.

use std::collections::BTreeMap;

use asset::Context;

use super::{of_install, rooms};

/// The path of the table of events in the game.
pub(crate) const EVENTS: &str = "Data/events.ini";

/// How many rooms the game reads of an event.
pub(crate) const EVENT_ROOMS: usize = 9;

/// The rooms of the table around a file.
pub(crate) struct RoomTable {
    /// Mesh paths by names in lower case.
    meshes: BTreeMap<String, Option<String>>,
}

impl RoomTable {
    /// `None` where there is no table.
    pub(crate) fn of_install(context: &Context<'_>) -> Option<Self> {
        let table = of_install(context, rooms::PATH)?;
        let mut meshes = BTreeMap::new();
        // The game takes the first of several with one name.
        for section in table.sections() {
            let mesh = section.get("mesh path").map(ToOwned::to_owned);
            meshes.entry(section.name.to_lowercase()).or_insert(mesh);
        }
        meshes.remove(rooms::AMBIENCE);
        Some(Self { meshes })
    }

    /// Whether there is a room of this name, in any letter case.
    pub(crate) fn has(&self, room: &str) -> bool {
        self.meshes.contains_key(&room.to_lowercase())
    }

    /// The file of a room; `None` for one that the table does not have, or has without a file.
    pub(crate) fn mesh(&self, room: &str) -> Option<&str> {
        self.meshes.get(&room.to_lowercase())?.as_deref()
    }
}

/// The events of the table around a file.
pub(crate) struct EventTable {
    /// The rooms of events, all in lower case.
    rooms: BTreeMap<String, Vec<String>>,
}

impl EventTable {
    /// `None` where there is no table.
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

    /// The rooms of an event, in lower case; `None` for one that the table does not have.
    pub(crate) fn rooms(&self, event: &str) -> Option<&[String]> {
        self.rooms.get(&event.to_lowercase()).map(Vec::as_slice)
    }
}
