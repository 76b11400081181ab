//! What a map lays out, whichever version it is of.

use std::borrow::Cow;

use json::{Document, json};

use super::layout::{Piece, PlacedRoom};
use crate::string::BlitzString;

/// The rows of light and heavy containment unless a map says otherwise.
pub(super) const DEFAULT_ZONE_ROWS: [u8; 2] = [13, 7];

/// What the map creator writes if there is no author, and no description.
const NO_AUTHOR: &str = "[Unknown]";

/// A map without its version.
pub(super) struct Plan<'a> {
    pub(super) rooms: &'a [PlacedRoom],
    pub(super) forest: &'a [Piece],
    pub(super) tunnels: &'a [Piece],
    /// The first rows of light and of heavy containment.
    pub(super) zone_rows: [u8; 2],
    /// Author and description.
    pub(super) header: Option<(&'a BlitzString, &'a BlitzString)>,
    /// Bytes after the map.
    pub(super) rest: &'a [u8],
}

/// A part of the facility.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Zone {
    LightContainment,
    HeavyContainment,
    Entrance,
}

impl Zone {
    pub(super) const ALL: [Self; 3] = [Self::LightContainment, Self::HeavyContainment, Self::Entrance];

    /// The name, and the number that the game gives it.
    pub(super) const fn name(self) -> (&'static str, u8) {
        match self {
            Self::LightContainment => ("Light Containment Zone", 1),
            Self::HeavyContainment => ("Heavy Containment Zone", 2),
            Self::Entrance => ("Entrance Zone", 3),
        }
    }
}

impl<'a> Plan<'a> {
    /// Who made the map, if it says so.
    pub(super) fn author(&self) -> Option<Cow<'a, str>> {
        let author = self.header?.0.text();
        (!author.trim().is_empty() && author != NO_AUTHOR).then_some(author)
    }

    /// The first room of a name, in any letter case.
    pub(super) fn first(&self, name: &str) -> Option<&'a PlacedRoom> {
        self.rooms.iter().find(|room| room.room.text().eq_ignore_ascii_case(name))
    }

    /// The zone of a row, as the game has it.
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

    /// How many rooms each zone has, and the texts.
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
