//! The tree in a form in which places are found fast.

use std::collections::{BTreeMap, BTreeSet};

use record::{Error, Result};

use super::layout::{Header, List, NO_CHILD, NO_LIST, Node, Visibility};

/// No node, or no list.
const NONE: u32 = u32::MAX;

/// Deeper walks end: no file has more levels than bits of a coordinate.
const DEEPEST: u32 = 64;

/// A visibility tree whose nodes and lists are found by their numbers.
#[derive(Debug, Clone)]
pub struct Tree {
    center: [i64; 3],
    size: i64,
    /// The numbers of each node's children.
    children: Vec<[u32; 8]>,
    /// Where each node begins in OCTR.
    offsets: Vec<u32>,
    /// Where the list of each node begins in PLST, as it says.
    list_offsets: Vec<u32>,
    /// The number of each node's list.
    lists: Vec<u32>,
    /// From where to where each list has its objects.
    spans: Vec<(usize, usize)>,
    /// The objects of all lists, in the order in which the game visits them.
    objects: Vec<u16>,
    /// Objects that are seen from nodes besides, by the number of the node.
    patches: BTreeMap<u32, Vec<u16>>,
}

/// A cube in which a node counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Its middle in world units, Y down.
    pub center: [i64; 3],
    /// From its middle to its sides.
    pub half: i64,
    /// How far below the root its node is.
    pub depth: u32,
    /// The number of the node.
    pub node: u32,
}

impl Cell {
    /// One of its eighths: bit 0 of the number is greater Z, bit 1 greater Y, bit 2 greater X.
    pub(super) fn child(&self, eighth: usize, node: u32) -> Self {
        let half = self.half / 2;
        let mut bits = [4, 2, 1].into_iter().zip(self.center);
        let center = std::array::from_fn(|_| {
            let (bit, center) = bits.next().unwrap_or_default();
            if eighth & bit != 0 { center.saturating_add(half) } else { center.saturating_sub(half) }
        });
        Self { center, half, depth: self.depth.saturating_add(1), node }
    }
}

/// What is seen from a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight<'a> {
    /// Whether the place lies in the tree. From beyond it everything is seen.
    pub is_inside: bool,
    /// Where the node begins in OCTR at which the walk ends.
    pub node_offset: u32,
    /// How far below the root that is.
    pub depth: u32,
    /// Where its list begins in PLST; [`NO_LIST`] where it has none.
    pub list_offset: u32,
    /// The objects in the order in which the game visits them; some are there twice.
    pub objects: &'a [u16],
    /// What is seen from the node besides.
    pub patched: &'a [u16],
    /// The number of the node.
    pub node: u32,
}

/// The numbers of objects in lists that share much take more memory than the file; beyond this they are left out.
pub(super) const MOST_OBJECTS: usize = 16 << 20;

impl Tree {
    /// The tree of a file; `None` where it has no header or no nodes. What is out of range leads nowhere.
    #[must_use]
    pub fn of(file: &Visibility) -> Option<Self> {
        let header: &Header = file.header()?;
        let nodes = file.nodes();
        if nodes.is_empty() {
            return None;
        }
        let offsets: Vec<u32> = starts(nodes.iter().map(Node::size));
        let list_starts = starts(file.lists().iter().map(List::size));
        let number = |offsets: &[u32], offset: u32| {
            offsets.binary_search(&offset).ok().and_then(|number| u32::try_from(number).ok()).unwrap_or(NONE)
        };
        let children = nodes.iter().map(|node| {
            let mut out = [NONE; 8];
            let mut words = node.children.iter();
            for (eighth, child) in out.iter_mut().enumerate() {
                if node.child_mask & 1_u8.wrapping_shl(u32::try_from(eighth).unwrap_or_default()) != 0 {
                    let word = words.next().copied().unwrap_or(NO_CHILD);
                    *child = if word >= NO_CHILD { NONE } else { number(&offsets, word) };
                }
            }
            out
        });
        let children = children.collect();
        let lists = nodes.iter().map(|node| number(&list_starts, node.list)).collect();
        let (mut objects, mut spans) = (Vec::new(), Vec::new());
        for list in file.lists() {
            let start = objects.len();
            for run in list.runs.iter().rev() {
                let from = usize::try_from(run.start).unwrap_or(usize::MAX);
                let run = file.objects().get(from..from.saturating_add(usize::from(run.count)));
                if objects.len() < MOST_OBJECTS {
                    objects.extend_from_slice(run.unwrap_or_default());
                }
            }
            spans.push((start, objects.len()));
        }
        let mut patches: BTreeMap<u32, Vec<u16>> = BTreeMap::new();
        for patch in file.patches() {
            // Nodes take five bytes at least, so that no two have the same number.
            let found = offsets.binary_search_by_key(&patch.node, |offset| offset / 5).ok();
            if let Some(node) = found.and_then(|found| u32::try_from(found).ok()) {
                patches.entry(node).or_default().push(patch.object);
            }
        }
        Some(Self {
            center: header.center.map(i64::from),
            size: header.cell_size.into(),
            children,
            list_offsets: nodes.iter().map(|node| node.list).collect(),
            offsets,
            lists,
            spans,
            objects,
            patches,
        })
    }

    /// What is seen from a place in world units, Y down.
    #[must_use]
    pub fn at(&self, place: [i32; 3]) -> Sight<'_> {
        self.walk(place, |_| ())
    }

    /// Where each node begins in OCTR that the walk to a place goes through, from the root on.
    #[must_use]
    pub fn path(&self, place: [i32; 3]) -> Vec<u32> {
        let mut out = Vec::new();
        self.walk(place, |node| out.push(self.offset(node)));
        out
    }

    fn offset(&self, node: u32) -> u32 {
        usize::try_from(node).ok().and_then(|node| self.offsets.get(node)).copied().unwrap_or_default()
    }

    fn walk(&self, place: [i32; 3], mut pass: impl FnMut(u32)) -> Sight<'_> {
        let place = place.map(i64::from);
        let is_inside = place
            .iter()
            .zip(self.center)
            .all(|(place, center)| place.abs_diff(center) <= self.size.unsigned_abs());
        let (mut center, mut half) = (self.center, self.size);
        let (mut node, mut depth) = (0_u32, 0_u32);
        pass(node);
        while depth < DEEPEST {
            let [x, y, z] = [0, 1, 2].map(|axis: usize| match (place.get(axis), center.get(axis)) {
                (Some(place), Some(center)) => place > center,
                _ => false,
            });
            let eighth = usize::from(z) | usize::from(y) << 1 | usize::from(x) << 2;
            let child = self.children_of(node).get(eighth).copied().unwrap_or(NONE);
            if child == NONE {
                break;
            }
            node = child;
            pass(node);
            depth = depth.saturating_add(1);
            half /= 2;
            for (center, is_beyond) in center.iter_mut().zip([x, y, z]) {
                *center = if is_beyond { center.saturating_add(half) } else { center.saturating_sub(half) };
            }
        }
        let number = usize::try_from(node).unwrap_or(usize::MAX);
        let list = self.lists.get(number).filter(|_| is_inside).and_then(|list| usize::try_from(*list).ok());
        let span = list.and_then(|list| self.spans.get(list)).copied();
        let objects = span.and_then(|(start, end)| self.objects.get(start..end));
        let patched = self.patches.get(&node).filter(|_| is_inside).map(Vec::as_slice);
        Sight {
            is_inside,
            node_offset: self.offset(node),
            depth,
            list_offset: self.list_offsets.get(number).copied().unwrap_or(NO_LIST),
            objects: objects.unwrap_or_default(),
            patched: patched.unwrap_or_default(),
            node,
        }
    }

    /// The cells of all nodes that have a list, in the order of the tree: a node that is shared has as many as places.
    ///
    /// # Errors
    /// When there are more than `most`, or the tree is deeper than any file's.
    pub fn cells(&self, most: usize) -> Result<Vec<Cell>> {
        self.places_of(most, |tree, node| {
            let list = usize::try_from(node).ok().and_then(|node| tree.lists.get(node));
            list.is_some_and(|list| *list != NONE)
        })
    }

    /// The same of all nodes.
    pub(super) fn all_cells(&self, most: usize) -> Result<Vec<Cell>> {
        self.places_of(most, |_, _| true)
    }

    fn places_of(&self, most: usize, is_meant: impl Fn(&Self, u32) -> bool) -> Result<Vec<Cell>> {
        let mut out = Vec::new();
        let root = Cell { center: self.center, half: self.size, depth: 0, node: 0 };
        let (mut stack, mut steps) = (vec![root], 0_usize);
        while let Some(cell) = stack.pop() {
            // Nodes without lists are fewer than those with them in any sound tree.
            steps = steps.saturating_add(1);
            if steps > most.saturating_mul(2) || cell.depth > DEEPEST {
                return Err(Error::limit(format!("the tree has more than {most} cells")));
            }
            if is_meant(self, cell.node) {
                out.push(cell);
            }
            let children = self.children_of(cell.node).into_iter().enumerate().rev();
            stack.extend(
                children.filter(|(_, child)| *child != NONE).map(|(eighth, child)| cell.child(eighth, child)),
            );
        }
        Ok(out)
    }

    fn children_of(&self, node: u32) -> [u32; 8] {
        let node = usize::try_from(node).ok().and_then(|node| self.children.get(node));
        node.copied().unwrap_or([NONE; 8])
    }

    /// How far below the root the deepest node is; the number of a node that is below itself where there is one.
    ///
    /// # Errors
    /// The number of that node.
    pub fn depth(&self) -> std::result::Result<u32, u32> {
        // The height of each node above its deepest descendant, once it is known; nodes on the way are marked.
        let mut heights: Vec<Option<u32>> = vec![None; self.children.len()];
        let mut on_way = vec![false; self.children.len()];
        let mut stack: Vec<(u32, usize)> = vec![(0, 0)];
        while let Some((node, next)) = stack.pop() {
            let index = usize::try_from(node).unwrap_or(usize::MAX);
            if let Some(mark) = on_way.get_mut(index) {
                *mark = true;
            }
            let children = self.children_of(node);
            if let Some((eighth, child)) =
                children.iter().enumerate().skip(next).find(|(_, child)| **child != NONE)
            {
                stack.push((node, eighth.saturating_add(1)));
                let child_index = usize::try_from(*child).unwrap_or(usize::MAX);
                if on_way.get(child_index) == Some(&true) {
                    return Err(node);
                }
                if heights.get(child_index).is_some_and(Option::is_none) {
                    stack.push((*child, 0));
                }
                continue;
            }
            let below = children.iter().filter_map(|child| {
                let child = usize::try_from(*child).ok()?;
                heights.get(child).copied().flatten()
            });
            let height = below.max().map_or(0, |height| height.saturating_add(1));
            if let (Some(slot), Some(mark)) = (heights.get_mut(index), on_way.get_mut(index)) {
                *slot = Some(height);
                *mark = false;
            }
        }
        Ok(heights.first().copied().flatten().unwrap_or_default())
    }
}

/// What is seen, each object once.
pub(super) fn seen(objects: &[u16]) -> BTreeSet<u16> {
    objects.iter().copied().collect()
}

/// Where records of these sizes begin.
pub(super) fn starts(sizes: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut next = 0_usize;
    let start = |size: usize| {
        let start = u32::try_from(next).unwrap_or(u32::MAX);
        next = next.saturating_add(size);
        start
    };
    sizes.map(start).collect()
}
