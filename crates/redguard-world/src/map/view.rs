//! The lists of a map, wherever they stand in it. Of several sections with one tag the first counts.

use super::entry::{DrawMode, Marker, WalkMap, WalkNode};
use super::layout::{Map, Section};
use super::placed::{Flat, Light, Placement, Rope, Size, Static};

/// A list of a map.
macro_rules! list {
    ($(#[$doc:meta])* $name:ident, $section:ident, $item:ty) => {
        $(#[$doc])*
        #[must_use]
        pub fn $name(&self) -> &[$item] {
            let found = self.sections.iter().find_map(|section| match section {
                Section::$section(list) => Some(list.records.as_slice()),
                _ => None,
            });
            found.unwrap_or_default()
        }
    };
}

impl Map {
    list!(
        /// What is placed, in its order.
        placements, Placements, Placement
    );
    list!(
        /// Models that only stand there.
        statics, Statics, Static
    );
    list!(
        /// Ropes and chains.
        ropes, Ropes, Rope
    );
    list!(
        /// Pictures that face the camera.
        flats, Flats, Flat
    );
    list!(
        /// Lights.
        lights, Lights, Light
    );
    list!(
        /// Places that scripts name by their numbers.
        markers, Markers, Marker
    );
    list!(
        /// The sizes that objects name by their numbers.
        sizes, Sizes, Size
    );
    list!(
        /// Places that actors walk between.
        walk_maps, WalkMaps, WalkMap
    );
    list!(
        /// How pictures that face the camera are drawn.
        draw_modes, DrawModes, DrawMode
    );
}

impl Map {
    /// How the game draws a picture that faces the camera: its bits, and how solid it is (up to 256). Of several records of a picture the first
    /// counts; without one it is opaque.
    #[must_use]
    pub fn drawn(&self, bank: u16, image: u16) -> (u8, u16) {
        let mut modes = self.draw_modes().iter();
        let mode = modes.find(|mode| mode.texture_set == bank && u16::from(mode.image) == image);
        mode.map_or((1, 255), |mode| (mode.flags | 1, u16::from(mode.alpha).saturating_add(1)))
    }
}

impl Section {
    /// Its tag, and how many bytes it has.
    pub(super) fn tag_and_length(&self) -> ([u8; 4], usize) {
        let list = |tag: &[u8; 4], head: usize, count: usize, size: usize| {
            (*tag, count.saturating_mul(size).saturating_add(head))
        };
        match self {
            Self::Objects(it) => list(b"RAHD", 8, it.records.len(), 165),
            Self::TextOffsets(it) => list(b"RASB", 0, it.offsets.len(), 4),
            Self::Variables(it) => list(b"RAVA", 0, it.values.len(), 4),
            Self::Locations(it) => list(b"RALC", 0, it.offsets.len(), 12),
            Self::Extras(it) => list(b"RAEX", 0, it.records.len(), 30),
            Self::Attributes(it) => list(b"RAAT", 0, it.blocks.len(), 256),
            Self::Spheres(it) => list(b"RAVC", 0, it.records.len(), 9),
            Self::Placements(it) => list(b"MPOB", 4, it.records.len(), 66),
            Self::Statics(it) => list(b"MPSO", 4, it.records.len(), 66),
            Self::Ropes(it) => list(b"MPRP", 4, it.records.len(), 80),
            Self::Flats(it) => list(b"MPSF", 4, it.records.len(), 24),
            Self::Lights(it) => list(b"MPSL", 4, it.records.len(), 42),
            Self::Markers(it) => list(b"MPMK", 4, it.records.len(), 13),
            Self::Sizes(it) => list(b"MPSZ", 0, it.records.len(), 49),
            Self::WalkMaps(it) => {
                let maps = it.records.iter().map(|map| map.true_length().saturating_add(4));
                (*b"WDNM", maps.fold(4, usize::saturating_add))
            }
            Self::DrawModes(it) => list(b"FLAT", 1024, it.records.len(), DrawMode::SIZE),
            Self::Other { tag, data } => (tag.0, data.len()),
        }
    }

    /// How many records it says it has, where it says so.
    pub(super) fn count(&self) -> Option<usize> {
        Some(match self {
            Self::Objects(it) => it.records.len(),
            Self::Placements(it) => it.records.len(),
            Self::Statics(it) => it.records.len(),
            Self::Ropes(it) => it.records.len(),
            Self::Flats(it) => it.records.len(),
            Self::Lights(it) => it.records.len(),
            Self::Markers(it) => it.records.len(),
            Self::WalkMaps(it) => it.records.len(),
            _ => return None,
        })
    }
}

impl WalkMap {
    /// How many bytes follow its length.
    pub(super) fn true_length(&self) -> usize {
        let nodes = self.nodes.iter().map(|node| node.true_length().saturating_add(4));
        nodes.fold(24, usize::saturating_add)
    }

    /// How many bytes follow, as the file says.
    #[must_use]
    pub fn body_length(&self) -> u32 {
        self.length.unwrap_or_else(|| u32::try_from(self.true_length()).unwrap_or(u32::MAX))
    }
}

impl WalkNode {
    /// How many bytes follow its length.
    pub(super) fn true_length(&self) -> usize {
        self.routes.len().saturating_mul(4).saturating_add(8)
    }
}
