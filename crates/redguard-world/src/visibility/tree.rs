//! The tree in a form that allows fast lookups of positions.

use std::collections::{BTreeMap, BTreeSet};

use record::{Error, Result};

use super::layout::{Header, List, NO_CHILD, NO_LIST, Node, Visibility};

/// Marker of a missing node or list.
const NONE: u32 = u32::MAX;

/// Maximum depth of a walk: no file has more levels than a coordinate has bits.
const MAX_DEPTH: u32 = 64;

/// A visibility tree whose nodes and lists are indexed.
#[derive(Debug, Clone)]
pub struct Tree {
    center: [i64; 3],
    size: i64,
    /// Indices of each node's children.
    children: Vec<[u32; 8]>,
    /// Offset of each node in OCTR.
    offsets: Vec<u32>,
    /// Stored offset of the list of each node in PLST.
    list_offsets: Vec<u32>,
    /// Index of each node's list.
    lists: Vec<u32>,
    /// Range of each list in `objects`.
    spans: Vec<(usize, usize)>,
    /// Objects of all lists, in the order in which the game visits them.
    objects: Vec<u16>,
    /// Additional objects that are visible from nodes, by node index.
    patches: BTreeMap<u32, Vec<u16>>,
}

/// The cube of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Center in world units, Y down.
    pub center: [i64; 3],
    /// Distance from the center to the sides.
    pub half: i64,
    /// Depth of the node; 0 for the root.
    pub depth: u32,
    /// Index of the node.
    pub node: u32,
}

impl Cell {
    /// One of the eight octants: bit 0 of the index is greater Z, bit 1 greater Y, bit 2 greater X.
    pub(super) fn child(&self, octant: usize, node: u32) -> Self {
        let half = self.half / 2;
        let mut bits = [4, 2, 1].into_iter().zip(self.center);
        let center = std::array::from_fn(|_| {
            let (bit, center) = bits.next().unwrap_or_default();
            if octant & bit != 0 { center.saturating_add(half) } else { center.saturating_sub(half) }
        });
        Self { center, half, depth: self.depth.saturating_add(1), node }
    }
}

/// Objects visible from a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibleSet<'a> {
    /// Whether the position is in the tree. Outside the tree all objects are visible.
    pub is_inside: bool,
    /// Offset in OCTR of the deepest node that contains the position.
    pub node_offset: u32,
    /// Depth of the node; 0 for the root.
    pub depth: u32,
    /// Offset of the node's list in PLST; [`NO_LIST`] if it has none.
    pub list_offset: u32,
    /// Objects in the order in which the game visits them, with possible duplicates.
    pub objects: &'a [u16],
    /// Additional objects that are visible from the node.
    pub patched: &'a [u16],
    /// Index of the node.
    pub node: u32,
}

/// Maximum number of objects of all lists: lists that share runs can take more memory than the file. Further objects are left out.
pub(super) const MAX_OBJECTS: usize = 16 << 20;

impl Tree {
    /// Builds the tree of a file; `None` if it has no header or no nodes. References out of range are ignored.
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
            for (octant, child) in out.iter_mut().enumerate() {
                if node.child_mask & 1_u8.wrapping_shl(u32::try_from(octant).unwrap_or_default()) != 0 {
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
                if objects.len() < MAX_OBJECTS {
                    objects.extend_from_slice(run.unwrap_or_default());
                }
            }
            spans.push((start, objects.len()));
        }
        let mut patches: BTreeMap<u32, Vec<u16>> = BTreeMap::new();
        for patch in file.patches() {
            // Nodes take at least five bytes, so that no two have the same number.
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

    /// Objects visible from a position in world units, Y down.
    #[must_use]
    pub fn at(&self, position: [i32; 3]) -> VisibleSet<'_> {
        self.walk(position, |_| ())
    }

    /// Offsets in OCTR of the nodes on the path to a position, from the root.
    #[must_use]
    pub fn path(&self, position: [i32; 3]) -> Vec<u32> {
        let mut out = Vec::new();
        self.walk(position, |node| out.push(self.offset(node)));
        out
    }

    fn offset(&self, node: u32) -> u32 {
        usize::try_from(node).ok().and_then(|node| self.offsets.get(node)).copied().unwrap_or_default()
    }

    fn walk(&self, position: [i32; 3], mut visit: impl FnMut(u32)) -> VisibleSet<'_> {
        let position = position.map(i64::from);
        let is_inside = position
            .iter()
            .zip(self.center)
            .all(|(position, center)| position.abs_diff(center) <= self.size.unsigned_abs());
        let (mut center, mut half) = (self.center, self.size);
        let (mut node, mut depth) = (0_u32, 0_u32);
        visit(node);
        while depth < MAX_DEPTH {
            let [x, y, z] = [0, 1, 2].map(|axis: usize| match (position.get(axis), center.get(axis)) {
                (Some(position), Some(center)) => position > center,
                _ => false,
            });
            let octant = usize::from(z) | usize::from(y) << 1 | usize::from(x) << 2;
            let child = self.children_of(node).get(octant).copied().unwrap_or(NONE);
            if child == NONE {
                break;
            }
            node = child;
            visit(node);
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
        VisibleSet {
            is_inside,
            node_offset: self.offset(node),
            depth,
            list_offset: self.list_offsets.get(number).copied().unwrap_or(NO_LIST),
            objects: objects.unwrap_or_default(),
            patched: patched.unwrap_or_default(),
            node,
        }
    }

    /// The cells of all nodes that have a list, in the order of the tree; a shared node has several cells.
    ///
    /// # Errors
    /// When there are more than `max` cells, or the tree is too deep.
    pub fn cells(&self, max: usize) -> Result<Vec<Cell>> {
        self.collect_cells(max, |tree, node| {
            let list = usize::try_from(node).ok().and_then(|node| tree.lists.get(node));
            list.is_some_and(|list| *list != NONE)
        })
    }

    /// Like [`cells`](Self::cells), for all nodes.
    pub(super) fn all_cells(&self, max: usize) -> Result<Vec<Cell>> {
        self.collect_cells(max, |_, _| true)
    }

    fn collect_cells(&self, max: usize, includes: impl Fn(&Self, u32) -> bool) -> Result<Vec<Cell>> {
        let mut out = Vec::new();
        let root = Cell { center: self.center, half: self.size, depth: 0, node: 0 };
        let (mut stack, mut steps) = (vec![root], 0_usize);
        while let Some(cell) = stack.pop() {
            // In a valid tree, nodes without lists are fewer than nodes with lists.
            steps = steps.saturating_add(1);
            if steps > max.saturating_mul(2) || cell.depth > MAX_DEPTH {
                return Err(Error::limit(format!("the tree has more than {max} cells")));
            }
            if includes(self, cell.node) {
                out.push(cell);
            }
            let children = self.children_of(cell.node).into_iter().enumerate().rev();
            stack.extend(
                children.filter(|(_, child)| *child != NONE).map(|(octant, child)| cell.child(octant, child)),
            );
        }
        Ok(out)
    }

    fn children_of(&self, node: u32) -> [u32; 8] {
        let node = usize::try_from(node).ok().and_then(|node| self.children.get(node));
        node.copied().unwrap_or([NONE; 8])
    }

    /// Depth of the deepest node; 0 for the root.
    ///
    /// # Errors
    /// The index of a node that is its own ancestor.
    pub fn depth(&self) -> std::result::Result<u32, u32> {
        // Height of each finished node above its deepest descendant; nodes on the current path are marked.
        let mut heights: Vec<Option<u32>> = vec![None; self.children.len()];
        let mut on_path = vec![false; self.children.len()];
        let mut stack: Vec<(u32, usize)> = vec![(0, 0)];
        while let Some((node, next)) = stack.pop() {
            let index = usize::try_from(node).unwrap_or(usize::MAX);
            if let Some(mark) = on_path.get_mut(index) {
                *mark = true;
            }
            let children = self.children_of(node);
            if let Some((octant, child)) =
                children.iter().enumerate().skip(next).find(|(_, child)| **child != NONE)
            {
                stack.push((node, octant.saturating_add(1)));
                let child_index = usize::try_from(*child).unwrap_or(usize::MAX);
                if on_path.get(child_index) == Some(&true) {
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
            if let (Some(slot), Some(mark)) = (heights.get_mut(index), on_path.get_mut(index)) {
                *slot = Some(height);
                *mark = false;
            }
        }
        Ok(heights.first().copied().flatten().unwrap_or_default())
    }
}

/// The distinct visible objects.
pub(super) fn seen(objects: &[u16]) -> BTreeSet<u16> {
    objects.iter().copied().collect()
}

/// Offsets of consecutive records with these sizes.
pub(super) fn starts(sizes: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut next = 0_usize;
    let start = |size: usize| {
        let start = u32::try_from(next).unwrap_or(u32::MAX);
        next = next.saturating_add(size);
        start
    };
    sizes.map(start).collect()
}
