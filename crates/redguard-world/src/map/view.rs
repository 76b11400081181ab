//! The record lists of a map, regardless of their position in the file. If several sections have the same tag, the first one is used.

use super::entry::{DrawMode, Marker, WalkMap, WalkNode};
use super::layout::{Map, Section};
use super::placed::{Flat, Light, Placement, Rope, Size, Static};

/// Defines the accessor of a record list.
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
        /// Returns the placements, in file order.
        placements, Placements, Placement
    );
    list!(
        /// Returns the static models.
        statics, Statics, Static
    );
    list!(
        /// Returns the ropes and chains.
        ropes, Ropes, Rope
    );
    list!(
        /// Returns the flats: billboards that face the camera.
        flats, Flats, Flat
    );
    list!(
        /// Returns the lights.
        lights, Lights, Light
    );
    list!(
        /// Returns the markers: positions that scripts reference by number.
        markers, Markers, Marker
    );
    list!(
        /// Returns the sizes, which objects reference by number.
        sizes, Sizes, Size
    );
    list!(
        /// Returns the walk maps: graphs of the paths of actors.
        walk_maps, WalkMaps, WalkMap
    );
    list!(
        /// Returns the draw modes of flats.
        draw_modes, DrawModes, DrawMode
    );
}

impl Map {
    /// Returns the draw flags and the opacity (up to 256) of a flat's image. If several records match the image, the first one is used;
    /// without a record, the image is opaque.
    #[must_use]
    pub fn draw_parameters(&self, bank: u16, image: u16) -> (u8, u16) {
        let mut modes = self.draw_modes().iter();
        let mode = modes.find(|mode| mode.texture_set == bank && u16::from(mode.image) == image);
        mode.map_or((1, 255), |mode| (mode.flags | 1, u16::from(mode.alpha).saturating_add(1)))
    }
}

impl Section {
    /// Returns the tag and the length in bytes.
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
                let maps = it.records.iter().map(|map| map.actual_length().saturating_add(4));
                (*b"WDNM", maps.fold(4, usize::saturating_add))
            }
            Self::DrawModes(it) => list(b"FLAT", 1024, it.records.len(), DrawMode::SIZE),
            Self::Other { tag, data } => (tag.0, data.len()),
        }
    }

    /// Returns the stored number of records, for sections that store it.
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
    /// Returns the number of bytes after the length field.
    pub(super) fn actual_length(&self) -> usize {
        let nodes = self.nodes.iter().map(|node| node.actual_length().saturating_add(4));
        nodes.fold(24, usize::saturating_add)
    }

    /// Returns the stored number of bytes after the length field.
    #[must_use]
    pub fn body_length(&self) -> u32 {
        self.length.unwrap_or_else(|| u32::try_from(self.actual_length()).unwrap_or(u32::MAX))
    }
}

impl WalkNode {
    /// Returns the number of bytes after the length field.
    pub(super) fn actual_length(&self) -> usize {
        self.routes.len().saturating_mul(4).saturating_add(8)
    }
}
