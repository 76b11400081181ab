//! The contents of a map, independent of its version.

use std::borrow::Cow;

use json::{Document, json};

use super::layout::{Piece, PlacedRoom};
use crate::string::BlitzString;

/// Default first rows of light and heavy containment.
pub(super) const DEFAULT_ZONE_ROWS: [u8; 2] = [13, 7];

/// Placeholder of the map creator for maps without an author.
const NO_AUTHOR: &str = "[Unknown]";

/// The contents of a map.
pub(super) struct Plan<'a> {
    pub(super) rooms: &'a [PlacedRoom],
    pub(super) forest: &'a [Piece],
    pub(super) tunnels: &'a [Piece],
    /// First rows of light and heavy containment.
    pub(super) zone_rows: [u8; 2],
    /// Author and description.
    pub(super) header: Option<(&'a BlitzString, &'a BlitzString)>,
    /// Bytes after the map.
    pub(super) rest: &'a [u8],
}

/// A zone of the facility.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Zone {
    LightContainment,
    HeavyContainment,
    Entrance,
}

impl Zone {
    pub(super) const ALL: [Self; 3] = [Self::LightContainment, Self::HeavyContainment, Self::Entrance];

    /// Returns the name, and the number in the game.
    pub(super) const fn name(self) -> (&'static str, u8) {
        match self {
            Self::LightContainment => ("Light Containment Zone", 1),
            Self::HeavyContainment => ("Heavy Containment Zone", 2),
            Self::Entrance => ("Entrance Zone", 3),
        }
    }
}

impl<'a> Plan<'a> {
    /// Returns the author of the map, if it has one.
    pub(super) fn author(&self) -> Option<Cow<'a, str>> {
        let author = self.header?.0.text();
        (!author.trim().is_empty() && author != NO_AUTHOR).then_some(author)
    }

    /// Returns the first room with a name, ignoring case.
    pub(super) fn first(&self, name: &str) -> Option<&'a PlacedRoom> {
        self.rooms.iter().find(|room| room.room.text().eq_ignore_ascii_case(name))
    }

    /// Returns the zone of a row, as in the game.
    pub(super) const fn zone(&self, row: u8) -> Zone {
        let [light, heavy] = self.zone_rows;
        if row < heavy {
            Zone::Entrance
        } else if row < light {
            Zone::HeavyContainment
        } else {
            Zone::LightContainment
        }
    }

    /// Returns author, description, and the number of rooms in each zone.
    pub(super) fn brief(&self) -> Document {
        Document::object(|out| {
            if let Some((author, description)) = self.header {
                out.put("author", author);
                out.put("description", description);
            }
            for zone in Zone::ALL {
                let rooms = self.rooms.iter().filter(|room| self.zone(room.y) == zone).count();
                out.put(zone.name().0, &json!(rooms));
            }
        })
    }
}
