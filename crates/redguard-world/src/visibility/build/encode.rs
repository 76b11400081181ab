//! Encodes the statics visible from each cell as a file: lists that share runs, and a tree that stores equal branches once.

use std::collections::HashMap;

use glam::Vec3A;
use record::{Bytes, Error, Raw, Result};

use super::cell::NONE;
use super::cells::Cells;
use super::merge::{Region, merged};
use super::propagate::VisibleSets;
use super::scenery::Scenery;
use crate::visibility::layout::{
    Ending, Header, List, Lists, NO_LIST, Node, Nodes, Objects, Patch, Patches, Run, Section, Visibility,
};
use crate::visibility::tree::starts;

/// Depth in the header: the value in all files of the game.
const DEPTH: u32 = 10;

/// Maximum number of runs of a list.
const MAX_RUNS: usize = 255;

/// Minimum length of a run of the common order; shorter runs take more bytes than the separate numbers.
const MIN_RUN: usize = 3;

/// Number of previous lists to search for a subset of a list.
const LOOK_BACK: usize = 24;

/// Size of the encoded lists.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Costs {
    /// Bytes of lists and numbers if each cell had a separate list.
    pub(super) plain: u64,
    /// Bytes of lists and numbers in the file.
    pub(super) shared: u64,
}

/// Encodes sets of statics as lists.
struct Encoder {
    /// Index of each static in the common order.
    ranks: Vec<u32>,
    /// Contents of MLST: first the common order, then other sequences.
    objects: Vec<u16>,
    lists: Vec<List>,
    /// Index of the list of each encoded set.
    indices: HashMap<Vec<u32>, u32>,
    /// The most recent sets, as indices in the common order, with the indices of their lists.
    recent: Vec<(Vec<u32>, u32)>,
    /// Start of each additional sequence in MLST.
    sequences: HashMap<Vec<u16>, u32>,
    /// Run in every list: objects that scripts make visible.
    secondary_run: Option<Run>,
}

/// Order in which statics that are close to each other have close indices: along a space-filling curve.
fn common_order(scenery: &Scenery, cells: &Cells) -> Vec<u32> {
    let corner = cells.corner();
    let spread_bits = |number: f32| {
        let number = super::number::floor(number / 64.0).unwrap_or_default();
        let number = u64::try_from(number).unwrap_or_default();
        (0_u32..16)
            .fold(0_u64, |sum, bit| sum | (number.wrapping_shr(bit) & 1).wrapping_shl(bit.saturating_mul(3)))
    };
    let curve_index = |middle: Vec3A| {
        let [x, y, z] = (middle - corner).to_array().map(spread_bits);
        x << 2 | y << 1 | z
    };
    let mut order: Vec<(u64, u32)> = (0_u32..)
        .zip(&scenery.bodies)
        .map(|(number, body)| (curve_index((body.min + body.max) * 0.5), number))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, number)| number).collect()
}

impl Encoder {
    fn new(order: &[u32], secondary: &[u16]) -> Result<Self> {
        let mut ranks = vec![0; order.len()];
        for (rank, number) in (0_u32..).zip(order) {
            if let Some(slot) = usize::try_from(*number).ok().and_then(|number| ranks.get_mut(number)) {
                *slot = rank;
            }
        }
        let number = |number: &u32| {
            u16::try_from(*number)
                .map_err(|_| Error::limit("too many statics for a visibility tree (limit: 65,536)"))
        };
        let mut objects: Vec<u16> = order.iter().map(number).collect::<Result<_>>()?;
        let count = u16::try_from(secondary.len()).unwrap_or(u16::MAX);
        let start = u32::try_from(objects.len()).unwrap_or(u32::MAX);
        objects.extend_from_slice(secondary);
        let secondary_run = (count > 0).then_some(Run { count, start });
        Ok(Self {
            ranks,
            objects,
            lists: Vec::new(),
            indices: HashMap::new(),
            recent: Vec::new(),
            sequences: HashMap::new(),
            secondary_run,
        })
    }

    /// Returns the index of the list of a set.
    fn list(&mut self, set: impl Iterator<Item = u32>) -> u32 {
        let rank =
            |number: u32| usize::try_from(number).ok().and_then(|number| self.ranks.get(number)).copied();
        let mut set: Vec<u32> = set.filter_map(rank).collect();
        set.sort_unstable();
        if let Some(number) = self.indices.get(&set) {
            return *number;
        }
        let runs = self.cheapest(&set);
        let number = u32::try_from(self.lists.len()).unwrap_or(u32::MAX);
        self.lists.push(List { runs });
        if self.recent.len() >= LOOK_BACK {
            self.recent.remove(0);
        }
        self.recent.push((set.clone(), number));
        self.indices.insert(set, number);
        number
    }

    /// Finds the cheapest runs of a set: either a recent list of a subset and the remaining statics, or new runs.
    fn cheapest(&mut self, set: &[u32]) -> Vec<Run> {
        let separate = SplitSet::of(set);
        let mut best: Option<(usize, Vec<Run>, SplitSet)> = None;
        for (other, number) in &self.recent {
            let Some(rest) = without(set, other) else { continue };
            let list = usize::try_from(*number).ok().and_then(|number| self.lists.get(number));
            let Some(runs) = list.map(|list| &list.runs) else { continue };
            let split = SplitSet::of(&rest);
            let cost = runs.len().saturating_mul(6).saturating_add(split.cost());
            if cost < best.as_ref().map_or_else(|| separate.cost(), |(cost, ..)| *cost) {
                best = Some((cost, runs.clone(), split));
            }
        }
        let (mut runs, split) = match best {
            Some((_, runs, split)) => (runs, split),
            None => (self.secondary_run.into_iter().collect(), separate),
        };
        let is_too_long = split.runs.len().saturating_add(runs.len()).saturating_add(1) > MAX_RUNS;
        let split = if is_too_long { SplitSet { runs: Vec::new(), rest: set.to_vec() } } else { split };
        if is_too_long {
            runs = self.secondary_run.into_iter().collect();
        }
        runs.extend(split.runs);
        runs.extend(self.sequence(&split.rest));
        runs
    }

    /// Returns a run of MLST with these statics, given as indices in the common order.
    fn sequence(&mut self, ranks: &[u32]) -> Option<Run> {
        let object =
            |rank: &u32| usize::try_from(*rank).ok().and_then(|rank| self.objects.get(rank)).copied();
        let objects: Vec<u16> = ranks.iter().filter_map(object).collect();
        let count = u16::try_from(objects.len()).unwrap_or(u16::MAX);
        if objects.is_empty() {
            return None;
        }
        if let Some(start) = self.sequences.get(&objects) {
            return Some(Run { count, start: *start });
        }
        let start = u32::try_from(self.objects.len()).unwrap_or(u32::MAX);
        self.objects.extend_from_slice(&objects);
        self.sequences.insert(objects, start);
        Some(Run { count, start })
    }
}

/// Removes the elements of another set from a sorted set; `None` if the other set is not a subset.
fn without(set: &[u32], other: &[u32]) -> Option<Vec<u32>> {
    if other.len() > set.len() {
        return None;
    }
    let mut others = other.iter().peekable();
    let rest = set.iter().copied().filter(|number| others.next_if_eq(&number).is_none()).collect();
    others.peek().is_none().then_some(rest)
}

/// A set split into runs of the common order and remaining elements.
struct SplitSet {
    runs: Vec<Run>,
    rest: Vec<u32>,
}

impl SplitSet {
    fn of(set: &[u32]) -> Self {
        let mut out = Self { runs: Vec::new(), rest: Vec::new() };
        for run in set.chunk_by(|one, next| one.checked_add(1) == Some(*next)) {
            match (run, u16::try_from(run.len())) {
                ([start, ..], Ok(count)) if run.len() >= MIN_RUN => {
                    out.runs.push(Run { count, start: *start });
                }
                _ => out.rest.extend_from_slice(run),
            }
        }
        out
    }

    /// Size in bytes.
    fn cost(&self) -> usize {
        let rest = if self.rest.is_empty() { 0 } else { self.rest.len().saturating_mul(2).saturating_add(6) };
        self.runs.len().saturating_mul(6).saturating_add(rest)
    }
}

/// A branch of the tree: its list, and the indices of its octants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Branch {
    list: u32,
    children: [u32; 8],
}

impl Branch {
    const fn leaf(list: u32) -> Self {
        Self { list, children: [NONE; 8] }
    }
}

/// Distinct branches.
#[derive(Default)]
struct Branches {
    all: Vec<Branch>,
    indices: HashMap<Branch, u32>,
}

impl Branches {
    fn add(&mut self, branch: Branch) -> u32 {
        if let Some(number) = self.indices.get(&branch) {
            return *number;
        }
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(branch.clone());
        self.indices.insert(branch, number);
        number
    }

    fn get(&self, number: u32) -> Option<&Branch> {
        self.all.get(usize::try_from(number).ok()?)
    }

    /// Returns the index of the branch of a region; `None` if the region needs no branch.
    fn of(&mut self, region: &Region, encoder: &mut Encoder) -> Option<u32> {
        match region {
            Region::Empty | Region::Buried => None,
            // An empty list and a missing list are equivalent: if no static is visible, the game draws all.
            Region::Uniform(set) if set.objects.is_empty() => None,
            Region::Uniform(set) => {
                let list = encoder.list(set.objects.iter().copied().map(u32::from));
                Some(self.add(Branch::leaf(list)))
            }
            Region::Divided(sequences) => {
                let mut children = [NONE; 8];
                for (child, region) in children.iter_mut().zip(sequences.iter()) {
                    *child = self.of(region, encoder).unwrap_or(NONE);
                }
                let [first, rest @ ..] = children;
                let is_same = rest.iter().all(|child| *child == first);
                match is_same {
                    true if first == NONE => None,
                    true if self.get(first)?.children == [NONE; 8] => Some(first),
                    _ => Some(self.add(Branch { list: NO_LIST, children })),
                }
            }
        }
    }

    /// Returns the nodes from the root, in breadth-first order.
    fn nodes(&self, root: u32) -> Result<Vec<Node>> {
        let mut order = vec![root];
        let mut ranks: HashMap<u32, usize> = HashMap::from([(root, 0)]);
        let mut next = 0;
        while let Some(branch) = order.get(next).and_then(|number| self.get(*number)) {
            for child in branch.children.into_iter().filter(|child| *child != NONE) {
                ranks.entry(child).or_insert_with(|| {
                    order.push(child);
                    order.len().saturating_sub(1)
                });
            }
            next = next.saturating_add(1);
        }
        let size = |number: &u32| {
            let children = self
                .get(*number)
                .map_or(0, |branch| branch.children.iter().filter(|child| **child != NONE).count());
            children.saturating_mul(4).saturating_add(5)
        };
        let offsets = starts(order.iter().map(size));
        let offset = |child: &u32| ranks.get(child).and_then(|rank| offsets.get(*rank)).copied();
        let node = |number: &u32| {
            let branch = self.get(*number).ok_or_else(|| Error::malformed("a branch has no index"))?;
            let present = || branch.children.iter().filter(|child| **child != NONE);
            let bits = (0_u32..).zip(&branch.children).filter(|(_, child)| **child != NONE);
            Ok(Node {
                child_mask: bits.fold(0, |mask, (octant, _)| mask | 1_u8.wrapping_shl(octant)),
                list: branch.list,
                children: present().filter_map(offset).collect(),
            })
        };
        order.iter().map(node).collect()
    }
}

/// Encodes the visible statics of cells as a file. Objects with the `secondary` numbers are visible from everywhere. Cells are merged if
/// that adds at most the fraction `slack` of statics.
///
/// # Errors
/// When no static is visible from any cell, or there are too many statics for the file format.
pub(super) fn encode(
    scenery: &Scenery,
    cells: &Cells,
    visible_sets: &VisibleSets,
    secondary: &[u16],
    slack: f64,
) -> Result<(Visibility, Costs)> {
    let mut encoder = Encoder::new(&common_order(scenery, cells), secondary)?;
    let mut costs = Costs::default();
    for seen in visible_sets.iter().filter(|seen| !seen.is_empty()) {
        let count = seen.len().saturating_add(secondary.len());
        let bytes = u64::try_from(count).unwrap_or(u64::MAX).saturating_mul(2).saturating_add(7);
        costs.plain = costs.plain.saturating_add(bytes);
    }
    let mut branches = Branches::default();
    let Some(root) = branches.of(&merged(cells, visible_sets, slack), &mut encoder) else {
        return Err(Error::unsupported("no static is visible from any cell"));
    };
    let offsets = starts(encoder.lists.iter().map(List::size));
    let mut nodes = branches.nodes(root)?;
    for node in nodes.iter_mut().filter(|node| node.list != NO_LIST) {
        let offset = usize::try_from(node.list).ok().and_then(|list| offsets.get(list));
        node.list = offset.copied().unwrap_or(NO_LIST);
    }
    let count = |count: usize| u32::try_from(count).map_err(|_| Error::limit("the tree is too large"));
    let header = Header {
        depth: DEPTH,
        total_nodes: count(nodes.len())?,
        leaf_nodes: count(nodes.iter().filter(|node| node.list != NO_LIST).count())?,
        object_count: count(encoder.objects.len())?,
        unused_10: 0,
        cell_size: cells.half,
        center: cells.center,
        unused_24: Raw([0; 16]),
    };
    let size = |sizes: &mut dyn Iterator<Item = usize>| {
        sizes.fold(0_u64, |sum, size| sum.saturating_add(u64::try_from(size).unwrap_or(u64::MAX)))
    };
    costs.shared = size(&mut encoder.lists.iter().map(List::size))
        .saturating_add(size(&mut encoder.objects.iter().map(|_| 2)));
    let sections = vec![
        Section::Header(header),
        Section::Nodes(Nodes { nodes }),
        Section::Lists(Lists { lists: encoder.lists }),
        Section::Objects(Objects { objects: encoder.objects }),
    ];
    let end = Some(Ending { data: Bytes::default() });
    Ok((Visibility { sections, has_end: true, end, rest: Bytes::default() }, costs))
}

/// Appends a section of patches.
pub(super) fn add_patches(file: &mut Visibility, patches: Vec<Patch>) {
    if !patches.is_empty() {
        file.sections.push(Section::Patches(Patches { patches }));
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    use super::*;

    /// Decodes a list.
    fn decoded(encoder: &Encoder, number: u32) -> BTreeSet<u16> {
        let list = &encoder.lists[number as usize];
        assert!(list.runs.len() <= MAX_RUNS);
        let run = |run: &Run| &encoder.objects[run.start as usize..][..usize::from(run.count)];
        list.runs.iter().flat_map(run).copied().collect()
    }

    proptest! {
        #[test]
        fn decodes_the_sets_it_encodes(
            sets in vec(btree_set(0_u32..400, 0..120), 1..40),
            secondary in 0_u16..3,
        ) {
            let order: Vec<u32> = (0..400).rev().collect();
            let more: Vec<u16> = (400..400 + secondary).collect();
            let mut encoder = Encoder::new(&order, &more).unwrap();
            for set in sets {
                let number = encoder.list(set.iter().copied());
                let expected = set.iter().map(|number| *number as u16).chain(more.iter().copied()).collect();
                prop_assert_eq!(decoded(&encoder, number), expected);
                prop_assert_eq!(encoder.list(set.into_iter()), number);
            }
        }
    }

    #[test]
    fn limits_a_list_to_255_runs() {
        let order: Vec<u32> = (0..2000).collect();
        let mut encoder = Encoder::new(&order, &[]).unwrap();
        // 400 runs of four numbers, each followed by a gap.
        let set: BTreeSet<u32> = (0..2000).filter(|number| number % 5 != 4).collect();
        let number = encoder.list(set.iter().copied());
        assert_eq!(decoded(&encoder, number).len(), set.len());
        // A superset refers to the same list.
        let more = encoder.list((0..2000).filter(|number| number % 5 != 4 || *number > 1900));
        assert_eq!(encoder.lists[more as usize].runs.len(), 2);
    }
}
