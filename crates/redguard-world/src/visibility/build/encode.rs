//! What is seen from cells as a file: lists that share their parts, and a tree in which equal branches stand once.

use std::collections::HashMap;

use glam::Vec3A;
use record::{Bytes, Error, Raw, Result};

use super::cell::NONE;
use super::cells::Cells;
use super::merge::{Part, merged};
use super::scenery::Scenery;
use super::sight::Sights;
use crate::visibility::layout::{
    Ending, Header, List, Lists, NO_LIST, Node, Nodes, Objects, Patch, Patches, Run, Section, Visibility,
};
use crate::visibility::tree::starts;

/// How deep trees may be: what all files of the game say.
const DEPTH: u32 = 10;

/// The most runs of a list.
const MOST_RUNS: usize = 255;

/// Shorter runs of the common order cost more than the numbers themselves.
const LEAST_RUN: usize = 3;

/// So many lists before a list are looked at for one that is a part of it.
const LOOK_BACK: usize = 24;

/// What the file costs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Costs {
    /// Bytes of lists and numbers where each cell would have a list of its own.
    pub(super) plain: u64,
    /// Bytes of lists and numbers as they are.
    pub(super) shared: u64,
}

/// The lists of sets of statics.
struct Encoder {
    /// The place of each static in the common order.
    places: Vec<u32>,
    /// MLST: the common order first.
    objects: Vec<u16>,
    lists: Vec<List>,
    /// Sets whose lists there are, and the numbers of those.
    known: HashMap<Vec<u32>, u32>,
    /// The last sets, as places in the common order, with the numbers of their lists.
    last: Vec<(Vec<u32>, u32)>,
    /// Parts of MLST by what they hold.
    parts: HashMap<Vec<u16>, u32>,
    /// What is in each list besides: objects that scripts make visible.
    always: Option<Run>,
}

/// The order in which statics that stand near each other stand near each other: along a curve through all of them.
fn common_order(scenery: &Scenery, cells: &Cells) -> Vec<u32> {
    let corner = cells.corner();
    let spread = |number: f32| {
        let number = super::number::floor(number / 64.0).unwrap_or_default();
        let number = u64::try_from(number).unwrap_or_default();
        (0_u32..16)
            .fold(0_u64, |sum, bit| sum | (number.wrapping_shr(bit) & 1).wrapping_shl(bit.saturating_mul(3)))
    };
    let place = |middle: Vec3A| {
        let [x, y, z] = (middle - corner).to_array().map(spread);
        x << 2 | y << 1 | z
    };
    let mut order: Vec<(u64, u32)> = (0_u32..)
        .zip(&scenery.bodies)
        .map(|(number, body)| (place((body.least + body.most) * 0.5), number))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, number)| number).collect()
}

impl Encoder {
    fn new(order: &[u32], secondary: &[u16]) -> Result<Self> {
        let mut places = vec![0; order.len()];
        for (place, number) in (0_u32..).zip(order) {
            if let Some(slot) = usize::try_from(*number).ok().and_then(|number| places.get_mut(number)) {
                *slot = place;
            }
        }
        let number = |number: &u32| {
            u16::try_from(*number).map_err(|_| Error::limit("a tree has numbers for 65,536 statics at most"))
        };
        let mut objects: Vec<u16> = order.iter().map(number).collect::<Result<_>>()?;
        let count = u16::try_from(secondary.len()).unwrap_or(u16::MAX);
        let start = u32::try_from(objects.len()).unwrap_or(u32::MAX);
        objects.extend_from_slice(secondary);
        let always = (count > 0).then_some(Run { count, start });
        Ok(Self {
            places,
            objects,
            lists: Vec::new(),
            known: HashMap::new(),
            last: Vec::new(),
            parts: HashMap::new(),
            always,
        })
    }

    /// The number of the list of a set.
    fn list(&mut self, set: impl Iterator<Item = u32>) -> u32 {
        let place =
            |number: u32| usize::try_from(number).ok().and_then(|number| self.places.get(number)).copied();
        let mut set: Vec<u32> = set.filter_map(place).collect();
        set.sort_unstable();
        if let Some(number) = self.known.get(&set) {
            return *number;
        }
        let runs = self.cheapest(&set);
        let number = u32::try_from(self.lists.len()).unwrap_or(u32::MAX);
        self.lists.push(List { runs });
        if self.last.len() >= LOOK_BACK {
            self.last.remove(0);
        }
        self.last.push((set.clone(), number));
        self.known.insert(set, number);
        number
    }

    /// The runs of a set: those of a set that is a part of it and what is left, or all anew.
    fn cheapest(&mut self, set: &[u32]) -> Vec<Run> {
        let alone = Pieces::of(set);
        let mut best: Option<(usize, Vec<Run>, Pieces)> = None;
        for (other, number) in &self.last {
            let Some(rest) = without(set, other) else { continue };
            let list = usize::try_from(*number).ok().and_then(|number| self.lists.get(number));
            let Some(runs) = list.map(|list| &list.runs) else { continue };
            let pieces = Pieces::of(&rest);
            let cost = runs.len().saturating_mul(6).saturating_add(pieces.cost());
            if cost < best.as_ref().map_or_else(|| alone.cost(), |(cost, ..)| *cost) {
                best = Some((cost, runs.clone(), pieces));
            }
        }
        let (mut runs, pieces) = match best {
            Some((_, runs, pieces)) => (runs, pieces),
            None => (self.always.into_iter().collect(), alone),
        };
        let whole = pieces.runs.len().saturating_add(runs.len()).saturating_add(1) > MOST_RUNS;
        let pieces = if whole { Pieces { runs: Vec::new(), rest: set.to_vec() } } else { pieces };
        if whole {
            runs = self.always.into_iter().collect();
        }
        runs.extend(pieces.runs);
        runs.extend(self.part(&pieces.rest));
        runs
    }

    /// A run of MLST with these statics, by their places in the common order.
    fn part(&mut self, places: &[u32]) -> Option<Run> {
        let object =
            |place: &u32| usize::try_from(*place).ok().and_then(|place| self.objects.get(place)).copied();
        let objects: Vec<u16> = places.iter().filter_map(object).collect();
        let count = u16::try_from(objects.len()).unwrap_or(u16::MAX);
        if objects.is_empty() {
            return None;
        }
        if let Some(start) = self.parts.get(&objects) {
            return Some(Run { count, start: *start });
        }
        let start = u32::try_from(self.objects.len()).unwrap_or(u32::MAX);
        self.objects.extend_from_slice(&objects);
        self.parts.insert(objects, start);
        Some(Run { count, start })
    }
}

/// What is in a sorted set and not in another one; `None` where the other is no part of it.
fn without(set: &[u32], other: &[u32]) -> Option<Vec<u32>> {
    if other.len() > set.len() {
        return None;
    }
    let mut others = other.iter().peekable();
    let rest = set.iter().copied().filter(|number| others.next_if_eq(&number).is_none()).collect();
    others.peek().is_none().then_some(rest)
}

/// A set as runs of the common order, and what is in none.
struct Pieces {
    runs: Vec<Run>,
    rest: Vec<u32>,
}

impl Pieces {
    fn of(set: &[u32]) -> Self {
        let mut out = Self { runs: Vec::new(), rest: Vec::new() };
        for run in set.chunk_by(|one, next| one.checked_add(1) == Some(*next)) {
            match (run, u16::try_from(run.len())) {
                ([start, ..], Ok(count)) if run.len() >= LEAST_RUN => {
                    out.runs.push(Run { count, start: *start });
                }
                _ => out.rest.extend_from_slice(run),
            }
        }
        out
    }

    /// Bytes that it takes.
    fn cost(&self) -> usize {
        let rest = if self.rest.is_empty() { 0 } else { self.rest.len().saturating_mul(2).saturating_add(6) };
        self.runs.len().saturating_mul(6).saturating_add(rest)
    }
}

/// A branch of the tree: its list, and the numbers of its eighths.
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

/// Branches, each once.
#[derive(Default)]
struct Branches {
    all: Vec<Branch>,
    known: HashMap<Branch, u32>,
}

impl Branches {
    fn add(&mut self, branch: Branch) -> u32 {
        if let Some(number) = self.known.get(&branch) {
            return *number;
        }
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(branch.clone());
        self.known.insert(branch, number);
        number
    }

    fn get(&self, number: u32) -> Option<&Branch> {
        self.all.get(usize::try_from(number).ok()?)
    }

    /// The number of the branch of a part of the cube; `None` where nothing is told apart.
    fn of(&mut self, part: &Part, encoder: &mut Encoder) -> Option<u32> {
        match part {
            Part::Nothing | Part::Buried => None,
            // From where nothing is seen, all is shown: an empty list would say the same.
            Part::Whole(set) if set.objects.is_empty() => None,
            Part::Whole(set) => {
                let list = encoder.list(set.objects.iter().copied().map(u32::from));
                Some(self.add(Branch::leaf(list)))
            }
            Part::Divided(parts) => {
                let mut children = [NONE; 8];
                for (child, part) in children.iter_mut().zip(parts.iter()) {
                    *child = self.of(part, encoder).unwrap_or(NONE);
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

    /// The nodes from the root on, each in front of those that it is the first to name, and the number of each branch among them.
    fn nodes(&self, root: u32) -> Result<Vec<Node>> {
        let mut order = vec![root];
        let mut places: HashMap<u32, usize> = HashMap::from([(root, 0)]);
        let mut next = 0;
        while let Some(branch) = order.get(next).and_then(|number| self.get(*number)) {
            for child in branch.children.into_iter().filter(|child| *child != NONE) {
                places.entry(child).or_insert_with(|| {
                    order.push(child);
                    order.len().saturating_sub(1)
                });
            }
            next = next.saturating_add(1);
        }
        let size = |number: &u32| {
            let children =
                self.get(*number).map_or(0, |it| it.children.iter().filter(|child| **child != NONE).count());
            children.saturating_mul(4).saturating_add(5)
        };
        let offsets = starts(order.iter().map(size));
        let offset = |child: &u32| places.get(child).and_then(|place| offsets.get(*place)).copied();
        let node = |number: &u32| {
            let branch = self.get(*number).ok_or_else(|| Error::malformed("a branch without a number"))?;
            let present = || branch.children.iter().filter(|child| **child != NONE);
            let bits = (0_u32..).zip(&branch.children).filter(|(_, child)| **child != NONE);
            Ok(Node {
                child_mask: bits.fold(0, |mask, (eighth, _)| mask | 1_u8.wrapping_shl(eighth)),
                list: branch.list,
                children: present().filter_map(offset).collect(),
            })
        };
        order.iter().map(node).collect()
    }
}

/// Makes a file of what is seen from cells. Objects with the `secondary` numbers are seen from everywhere. Cells become one where that shows at most the share
/// `slack` more.
///
/// # Errors
/// When nothing is seen from anywhere, or there are more statics than the file has numbers for.
pub(super) fn encode(
    scenery: &Scenery,
    cells: &Cells,
    sights: &Sights,
    secondary: &[u16],
    slack: f64,
) -> Result<(Visibility, Costs)> {
    let mut encoder = Encoder::new(&common_order(scenery, cells), secondary)?;
    let mut costs = Costs::default();
    for seen in sights.iter().filter(|seen| !seen.is_empty()) {
        let count = seen.len().saturating_add(secondary.len());
        let bytes = u64::try_from(count).unwrap_or(u64::MAX).saturating_mul(2).saturating_add(7);
        costs.plain = costs.plain.saturating_add(bytes);
    }
    let mut branches = Branches::default();
    let Some(root) = branches.of(&merged(cells, sights, slack), &mut encoder) else {
        return Err(Error::unsupported("no static is seen from anywhere near"));
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

/// Puts patches behind everything.
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

    /// What a list says.
    fn told(encoder: &Encoder, number: u32) -> BTreeSet<u16> {
        let list = &encoder.lists[number as usize];
        assert!(list.runs.len() <= MOST_RUNS);
        let run = |run: &Run| &encoder.objects[run.start as usize..][..usize::from(run.count)];
        list.runs.iter().flat_map(run).copied().collect()
    }

    proptest! {
        #[test]
        fn lists_say_what_they_were_made_of(
            sets in vec(btree_set(0_u32..400, 0..120), 1..40),
            secondary in 0_u16..3,
        ) {
            let order: Vec<u32> = (0..400).rev().collect();
            let more: Vec<u16> = (400..400 + secondary).collect();
            let mut encoder = Encoder::new(&order, &more).unwrap();
            for set in sets {
                let number = encoder.list(set.iter().copied());
                let expected = set.iter().map(|number| *number as u16).chain(more.iter().copied()).collect();
                prop_assert_eq!(told(&encoder, number), expected);
                prop_assert_eq!(encoder.list(set.into_iter()), number);
            }
        }
    }

    #[test]
    fn a_list_has_at_most_255_runs() {
        let order: Vec<u32> = (0..2000).collect();
        let mut encoder = Encoder::new(&order, &[]).unwrap();
        // 400 runs of four with a gap behind each.
        let set: BTreeSet<u32> = (0..2000).filter(|number| number % 5 != 4).collect();
        let number = encoder.list(set.iter().copied());
        assert_eq!(told(&encoder, number).len(), set.len());
        // More of the same builds on it.
        let more = encoder.list((0..2000).filter(|number| number % 5 != 4 || *number > 1900));
        assert_eq!(encoder.lists[more as usize].runs.len(), 2);
    }
}
