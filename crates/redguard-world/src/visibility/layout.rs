//! The layout of a visibility tree (`.PVO`): sections with a four-letter tag, a big-endian length and their bytes, as in maps. Numbers within them are
//! little-endian.
//!
//! Sources: redguard-preservation's documentation and what its authors found in the Glide program; UESP, "Mod:Redguard File Formats".

use record::{Bytes, Error, Raw, Reader, Record, Result};
use serde::{Deserialize, Serialize};

use asset::FixedText;

/// What stands for no list.
pub const NO_LIST: u32 = u32::MAX;

/// What stands for a child that was never made.
pub const NO_CHILD: u32 = u32::MAX - 1;

/// A visibility tree.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Visibility {
    /// The sections, in their order.
    #[record(until = is_closed, limit = MOST_SECTIONS)]
    pub sections: Vec<Section>,
    /// Whether `END ` follows.
    #[record(present = b"END ")]
    pub has_end: bool,
    /// The bytes of that section: none in valid files.
    #[record(when = has_end)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Ending>,
    /// Bytes after that: none in valid files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.0.is_empty()
}

/// More sections are not read. Files of the game have five.
const MOST_SECTIONS: usize = 1 << 12;

fn is_closed(reader: &Reader<'_>) -> Result<bool> {
    Ok(reader.is_at_end() || reader.rest().starts_with(b"END "))
}

/// What the section `END ` has behind its tag.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(order = big)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// Its bytes.
    #[record(count = u32)]
    pub data: Bytes,
}

/// A section.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(tag = FixedText<4>, length = u32, length_order = big)]
pub enum Section {
    /// OCTH: the size of the tree, and how many of everything there are.
    #[record(tag = *b"OCTH", when = length == Header::MIN_SIZE)]
    #[serde(rename = "OCTH")]
    Header(Header),
    /// OCTR: the nodes.
    #[record(tag = *b"OCTR", when = are_nodes(rest))]
    #[serde(rename = "OCTR")]
    Nodes(Nodes),
    /// PLST: what is seen, as runs of numbers.
    #[record(tag = *b"PLST", when = are_lists(rest))]
    #[serde(rename = "PLST")]
    Lists(Lists),
    /// MLST: the numbers of objects.
    #[record(tag = *b"MLST", when = length % 2 == 0)]
    #[serde(rename = "MLST")]
    Objects(Objects),
    /// PTCH: objects that are seen from a node besides.
    #[record(tag = *b"PTCH", when = length % Patch::MIN_SIZE == 0)]
    #[serde(rename = "PTCH")]
    Patches(Patches),
    /// Any other section, and one that does not fit its layout.
    #[record(unknown)]
    #[serde(rename = "other")]
    Other {
        /// Its four letters.
        #[record(check = not_the_end)]
        tag: FixedText<4>,
        /// Its bytes.
        data: Bytes,
    },
}

fn not_the_end(tag: &FixedText<4>) -> Result<()> {
    match &tag.0 {
        b"END " => Err(Error::usage("END is no section: what is behind it would not be read")),
        _ => Ok(()),
    }
}

/// OCTH.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// How deep the tree may be: 10.
    pub depth: u32,
    /// How many nodes there are.
    pub total_nodes: u32,
    /// How many of them have a list.
    pub leaf_nodes: u32,
    /// How many numbers of objects there are.
    pub object_count: u32,
    /// Zero.
    pub unused_10: u32,
    /// From the center of the tree to its sides, in world units: a power of 2.
    pub cell_size: u32,
    /// The center of the tree in world units, Y down.
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

/// A cell, and the eighths of it that are told apart.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Which eighths have a child: bit 0 of a number is greater Z, bit 1 greater Y, bit 2 greater X.
    pub child_mask: u8,
    /// Where the list of what is seen begins in PLST; [`NO_LIST`] where there is none.
    pub list: u32,
    /// Where each child begins in OCTR, from the lowest bit on; [`NO_CHILD`] for one that was never made.
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

/// What is seen from a cell.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// Its runs; the game reads the last one first.
    #[record(count = u8)]
    pub runs: Vec<Run>,
}

/// Numbers of objects that stand one behind the other.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// How many.
    pub count: u16,
    /// The place of the first in MLST.
    pub start: u32,
}

/// MLST.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Objects {
    /// Numbers of statics of the map; from their number on, of objects that scripts make visible.
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

/// An object that is seen from a node besides.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// Where the node begins in OCTR, divided by 5.
    pub node: u32,
    /// The number of the object.
    pub object: u16,
}

/// Bytes of a node in front of its children.
const NODE: usize = 5;

/// Whether the bytes are nodes and nothing else.
fn are_nodes(bytes: &[u8]) -> bool {
    let size = |mask: &u8| {
        let children = usize::try_from(mask.count_ones()).unwrap_or(usize::MAX);
        children.saturating_mul(4).saturating_add(NODE)
    };
    are_records(bytes, size)
}

/// Whether the bytes are lists and nothing else.
fn are_lists(bytes: &[u8]) -> bool {
    are_records(bytes, |count| usize::from(*count).saturating_mul(Run::MIN_SIZE).saturating_add(1))
}

/// Whether the bytes are records whose first byte says how long each is.
fn are_records(bytes: &[u8], size: impl Fn(&u8) -> usize) -> bool {
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        let Some(next) = rest.get(size(first)..) else { return false };
        rest = next;
    }
    true
}

impl Section {
    /// Its tag, and how many bytes it has behind its length.
    pub(super) fn tag_and_length(&self) -> ([u8; 4], usize) {
        let sum = |sizes: &mut dyn Iterator<Item = usize>| sizes.fold(0_usize, usize::saturating_add);
        match self {
            Self::Header(_) => (*b"OCTH", Header::MIN_SIZE),
            Self::Nodes(it) => (*b"OCTR", sum(&mut it.nodes.iter().map(Node::size))),
            Self::Lists(it) => (*b"PLST", sum(&mut it.lists.iter().map(List::size))),
            Self::Objects(it) => (*b"MLST", it.objects.len().saturating_mul(2)),
            Self::Patches(it) => (*b"PTCH", it.patches.len().saturating_mul(Patch::MIN_SIZE)),
            Self::Other { tag, data } => (tag.0, data.0.len()),
        }
    }
}

impl Node {
    /// How many bytes it takes.
    pub(super) const fn size(&self) -> usize {
        self.children.len().saturating_mul(4).saturating_add(NODE)
    }
}

impl List {
    /// How many bytes it takes.
    pub(super) fn size(&self) -> usize {
        self.runs.len().saturating_mul(Run::MIN_SIZE).saturating_add(1)
    }
}

impl Visibility {
    /// The first header.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.sections.iter().find_map(|section| match section {
            Section::Header(it) => Some(it),
            _ => None,
        })
    }

    /// The nodes of the first section that has them.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        let found = self.sections.iter().find_map(|section| match section {
            Section::Nodes(it) => Some(it.nodes.as_slice()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// The lists of the first section that has them.
    #[must_use]
    pub fn lists(&self) -> &[List] {
        let found = self.sections.iter().find_map(|section| match section {
            Section::Lists(it) => Some(it.lists.as_slice()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// The numbers of objects of the first section that has them.
    #[must_use]
    pub fn objects(&self) -> &[u16] {
        let found = self.sections.iter().find_map(|section| match section {
            Section::Objects(it) => Some(it.objects.as_slice()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// All patches.
    pub fn patches(&self) -> impl Iterator<Item = &Patch> {
        self.sections.iter().flat_map(|section| match section {
            Section::Patches(it) => it.patches.as_slice(),
            _ => &[],
        })
    }
}
