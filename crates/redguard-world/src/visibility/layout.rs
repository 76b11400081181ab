//! Layout of a visibility tree (`.PVO`): sections with a four-letter tag, a big-endian length and their data, as in maps. Numbers in the
//! data are little-endian.
//!
//! Sources: redguard-preservation's documentation and its authors' findings about the Glide program; UESP, "Mod:Redguard File Formats".

use record::{Bytes, Error, Raw, Record, Result};
use serde::{Deserialize, Serialize};

use asset::FixedText;

/// Marker of a missing list.
pub const NO_LIST: u32 = u32::MAX;

/// Marker of a child that was never created.
pub const NO_CHILD: u32 = u32::MAX - 1;

/// A visibility tree.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Visibility {
    /// Sections, in file order.
    #[record(until = b"END " || end, limit = MAX_SECTIONS)]
    pub sections: Vec<Section>,
    /// Whether the section `END ` follows.
    #[record(present = b"END ")]
    pub has_end: bool,
    /// Data of the section `END `: none in valid files.
    #[record(when = has_end)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Ending>,
    /// Bytes after the end: none in valid files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.0.is_empty()
}

/// Maximum number of sections. Files of the game have five.
const MAX_SECTIONS: usize = 1 << 12;

/// Data of the section `END ` after its tag.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(order = big)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// Bytes of the section.
    #[record(count = u32)]
    pub data: Bytes,
}

/// A section.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(tag = FixedText<4>, length = u32, length_order = big)]
pub enum Section {
    /// OCTH: the size of the tree, and the number of nodes, lists and objects.
    #[record(tag = *b"OCTH", when = length == Header::MIN_SIZE)]
    #[serde(rename = "OCTH")]
    Header(Header),
    /// OCTR: the nodes.
    #[record(tag = *b"OCTR", when = are_nodes(rest))]
    #[serde(rename = "OCTR")]
    Nodes(Nodes),
    /// PLST: lists of visible objects, as runs of numbers.
    #[record(tag = *b"PLST", when = are_lists(rest))]
    #[serde(rename = "PLST")]
    Lists(Lists),
    /// MLST: numbers of objects.
    #[record(tag = *b"MLST", when = length % 2 == 0)]
    #[serde(rename = "MLST")]
    Objects(Objects),
    /// PTCH: additional objects that are visible from a node.
    #[record(tag = *b"PTCH", when = length % Patch::MIN_SIZE == 0)]
    #[serde(rename = "PTCH")]
    Patches(Patches),
    /// Any other section, or a section that does not fit its layout.
    #[record(unknown)]
    #[serde(rename = "other")]
    Other {
        /// Four-letter tag.
        #[record(check = not_the_end)]
        tag: FixedText<4>,
        /// Bytes of the section.
        data: Bytes,
    },
}

fn not_the_end(tag: &FixedText<4>) -> Result<()> {
    match &tag.0 {
        b"END " => Err(Error::usage("END cannot be a section: data after it would not be read")),
        _ => Ok(()),
    }
}

/// OCTH.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Maximum depth of the tree: 10.
    pub depth: u32,
    /// Number of nodes.
    pub total_nodes: u32,
    /// Number of nodes with a list.
    pub leaf_nodes: u32,
    /// Number of object numbers.
    pub object_count: u32,
    /// Zero.
    pub unused_10: u32,
    /// Distance from the center of the tree to its sides, in world units: a power of 2.
    pub cell_size: u32,
    /// Center of the tree in world units, Y down.
    pub center: [i32; 3],
    /// Zeros.
    pub unused_24: Raw<16>,
}

/// OCTR.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nodes {
    /// The nodes; the first one is the root.
    #[record(until = end)]
    pub nodes: Vec<Node>,
}

/// A cell, and those of its octants that have a separate node.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Octants that have a child: bit 0 of an octant index is greater Z, bit 1 greater Y, bit 2 greater X.
    pub child_mask: u8,
    /// Offset of the list of visible objects in PLST; [`NO_LIST`] if there is none.
    pub list: u32,
    /// Offset of each child in OCTR, from the lowest bit on; [`NO_CHILD`] for a child that was never created.
    #[record(count = child_mask.count_ones())]
    pub children: Vec<u32>,
}

/// PLST.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lists {
    /// The lists.
    #[record(until = end)]
    pub lists: Vec<List>,
}

/// Objects visible from a cell.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// Runs of the list; the game reads the last one first.
    #[record(count = u8)]
    pub runs: Vec<Run>,
}

/// A sequence of consecutive object numbers in MLST.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Number of objects.
    pub count: u16,
    /// Index of the first object in MLST.
    pub start: u32,
}

/// MLST.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Objects {
    /// Numbers of statics of the map; numbers after the statics belong to objects that scripts make visible.
    #[record(until = end)]
    pub objects: Vec<u16>,
}

/// PTCH.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patches {
    /// The patches.
    #[record(until = end)]
    pub patches: Vec<Patch>,
}

/// An additional object that is visible from a node.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// Offset of the node in OCTR, divided by 5.
    pub node: u32,
    /// Number of the object.
    pub object: u16,
}

/// Size of a node without its children, in bytes.
const NODE: usize = 5;

/// Whether the bytes consist of complete nodes.
fn are_nodes(bytes: &[u8]) -> bool {
    let size = |mask: &u8| {
        let children = usize::try_from(mask.count_ones()).unwrap_or(usize::MAX);
        children.saturating_mul(4).saturating_add(NODE)
    };
    are_records(bytes, size)
}

/// Whether the bytes consist of complete lists.
fn are_lists(bytes: &[u8]) -> bool {
    are_records(bytes, |count| usize::from(*count).saturating_mul(Run::MIN_SIZE).saturating_add(1))
}

/// Whether the bytes consist of complete records whose sizes are determined by their first bytes.
fn are_records(bytes: &[u8], size: impl Fn(&u8) -> usize) -> bool {
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        let Some(next) = rest.get(size(first)..) else { return false };
        rest = next;
    }
    true
}

impl Section {
    /// Tag of the section, and the size of its data in bytes.
    pub(super) fn tag_and_length(&self) -> ([u8; 4], usize) {
        let sum = |sizes: &mut dyn Iterator<Item = usize>| sizes.fold(0_usize, usize::saturating_add);
        match self {
            Self::Header(_) => (*b"OCTH", Header::MIN_SIZE),
            Self::Nodes(content) => (*b"OCTR", sum(&mut content.nodes.iter().map(Node::size))),
            Self::Lists(content) => (*b"PLST", sum(&mut content.lists.iter().map(List::size))),
            Self::Objects(content) => (*b"MLST", content.objects.len().saturating_mul(2)),
            Self::Patches(content) => (*b"PTCH", content.patches.len().saturating_mul(Patch::MIN_SIZE)),
            Self::Other { tag, data } => (tag.0, data.0.len()),
        }
    }
}

impl Node {
    /// Size in bytes.
    pub(super) const fn size(&self) -> usize {
        self.children.len().saturating_mul(4).saturating_add(NODE)
    }
}

impl List {
    /// Size in bytes.
    pub(super) fn size(&self) -> usize {
        self.runs.len().saturating_mul(Run::MIN_SIZE).saturating_add(1)
    }
}

impl Visibility {
    /// The first header.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.sections.iter().find_map(|section| match section {
            Section::Header(content) => Some(content),
            _ => None,
        })
    }

    /// Nodes of the first section of nodes.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        let found = self.sections.iter().find_map(|section| match section {
            Section::Nodes(content) => Some(content.nodes.as_slice()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// Lists of the first section of lists.
    #[must_use]
    pub fn lists(&self) -> &[List] {
        let found = self.sections.iter().find_map(|section| match section {
            Section::Lists(content) => Some(content.lists.as_slice()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// Object numbers of the first section of objects.
    #[must_use]
    pub fn objects(&self) -> &[u16] {
        let found = self.sections.iter().find_map(|section| match section {
            Section::Objects(content) => Some(content.objects.as_slice()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// All patches.
    pub fn patches(&self) -> impl Iterator<Item = &Patch> {
        self.sections.iter().flat_map(|section| match section {
            Section::Patches(content) => content.patches.as_slice(),
            _ => &[],
        })
    }
}
