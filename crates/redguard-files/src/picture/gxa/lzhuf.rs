//! Decompresses LZHUF: LZSS with adaptive Huffman codes for literals and lengths. LHA calls the method `-lh1-`.
//!
//! A code below 256 is a byte. A greater code is a match of `code - 253` bytes, followed by its distance: 6 high bits from a
//! fixed prefix code, then 6 low bits stored verbatim. The window is 4096 bytes, initially all spaces.
//! Source: Haruyasu Yoshizaki, "LZHUF.C", 1988, and the description of LHarc's formats.

/// The window size: the largest match distance.
const WINDOW: usize = 4096;

/// The code of the shortest match, 3 bytes.
const SHORTEST_MATCH: usize = 256;

/// The number of codes: 256 bytes, and matches of 3 to 60 bytes.
const CODES: usize = 314;

/// The number of tree nodes: leaves and branches.
const NODES: usize = CODES * 2 - 1;

/// The root is the last node.
const ROOT: usize = NODES - 1;

/// If the count of the root reaches this limit, all counts are halved.
const MAX_COUNT: u32 = 0x8000;

/// Reads the bits of a byte slice, most significant bit first.
struct Bits<'a> {
    bytes: std::slice::Iter<'a, u8>,
    current: u8,
    left: u8,
}

impl Bits<'_> {
    /// Returns the next bit; `None` at the end.
    fn bit(&mut self) -> Option<usize> {
        if self.left == 0 {
            self.current = *self.bytes.next()?;
            self.left = 8;
        }
        self.left = self.left.saturating_sub(1);
        Some(usize::from(self.current >> self.left & 1))
    }

    /// Returns the next `count` bits as a number.
    fn bits(&mut self, count: u8) -> Option<usize> {
        (0..count).try_fold(0, |value, _| Some(value << 1 | self.bit()?))
    }
}

/// The child of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Child {
    /// A code.
    Leaf(usize),
    /// Two sibling nodes: this one and the next.
    Branch(usize),
}

/// A node of the tree.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The number of occurrences of the node's codes; nodes are sorted by count.
    count: u32,
    child: Child,
    /// The index of the parent; `None` for the root.
    parent: Option<usize>,
}

/// The adaptive tree: nodes in ascending order of their counts, siblings adjacent.
struct Tree {
    nodes: Vec<Node>,
    /// The leaf of each code.
    leaves: Vec<usize>,
}

impl Tree {
    fn new() -> Self {
        let leaf = |code| Node { count: 1, child: Child::Leaf(code), parent: None };
        let mut tree = Self { nodes: (0..CODES).map(leaf).collect(), leaves: (0..CODES).collect() };
        let mut first = 0_usize;
        while tree.nodes.len() < NODES {
            let count = tree.pair(first);
            tree.nodes.push(Node { count, child: Child::Branch(first), parent: None });
            first = first.saturating_add(2);
        }
        tree.update_parents();
        tree
    }

    fn count(&self, node: usize) -> Option<u32> {
        Some(self.nodes.get(node)?.count)
    }

    /// Returns the total count of two siblings.
    fn pair(&self, first: usize) -> u32 {
        let [one, other] = [first, first.saturating_add(1)].map(|node| self.count(node).unwrap_or_default());
        one.saturating_add(other)
    }

    /// Sets the parents of all nodes.
    fn update_parents(&mut self) {
        for node in 0..self.nodes.len() {
            self.update_children(node);
        }
    }

    /// Updates the back references of a node's children.
    fn update_children(&mut self, node: usize) {
        match self.nodes.get(node).map(|node| node.child) {
            Some(Child::Leaf(code)) => {
                if let Some(leaf) = self.leaves.get_mut(code) {
                    *leaf = node;
                }
            }
            Some(Child::Branch(first)) => {
                for node_below in self.nodes.iter_mut().skip(first).take(2) {
                    node_below.parent = Some(node);
                }
            }
            None => {}
        }
    }

    /// Reads a code and updates its count.
    fn read(&mut self, bits: &mut Bits) -> Option<usize> {
        let mut node = ROOT;
        loop {
            match self.nodes.get(node)?.child {
                Child::Branch(first) => node = first.saturating_add(bits.bit()?),
                Child::Leaf(code) => {
                    self.add(code);
                    return Some(code);
                }
            }
        }
    }

    /// Increments the counts along the path of a code and restores the order of nodes.
    fn add(&mut self, code: usize) {
        if self.count(ROOT) >= Some(MAX_COUNT) {
            self.halve();
        }
        let mut at = self.leaves.get(code).copied();
        while let Some(node) = at {
            at = self.increment_node(node);
        }
    }

    /// Increments the count of a node and swaps it with the last node whose count it exceeds. Returns its new parent.
    fn increment_node(&mut self, node: usize) -> Option<usize> {
        let entry = self.nodes.get_mut(node)?;
        entry.count = entry.count.saturating_add(1);
        let count = entry.count;
        let passed =
            self.nodes.iter().skip(node.saturating_add(1)).take_while(|other| other.count < count).count();
        let position = node.saturating_add(passed);
        if position != node {
            // Parents belong to positions: only the contents are swapped.
            let [parent, position_parent] =
                [node, position].map(|at| self.nodes.get(at).and_then(|node| node.parent));
            self.nodes.swap(node, position);
            for (at, parent) in [(node, parent), (position, position_parent)] {
                if let Some(node) = self.nodes.get_mut(at) {
                    node.parent = parent;
                }
                self.update_children(at);
            }
        }
        self.nodes.get(position)?.parent
    }

    /// Halves the counts of all leaves, rounding up, and rebuilds the tree from them in order.
    fn halve(&mut self) {
        self.nodes.retain(|node| matches!(node.child, Child::Leaf(_)));
        for leaf in &mut self.nodes {
            leaf.count = leaf.count.div_ceil(2);
        }
        let mut first = 0_usize;
        while self.nodes.len() < NODES {
            let count = self.pair(first);
            // After all nodes with the same or a lower count, and therefore after its own children.
            let position = self.nodes.partition_point(|node| node.count <= count);
            self.nodes.insert(position, Node { count, child: Child::Branch(first), parent: None });
            first = first.saturating_add(2);
        }
        self.update_parents();
        if let Some(root) = self.nodes.get_mut(ROOT) {
            root.parent = None;
        }
    }
}

/// Reads the distance of a match: 0 is the last byte.
fn distance(bits: &mut Bits) -> Option<usize> {
    // A prefix code of 64 values with 3 to 8 bits, sorted by length; determined by the first byte.
    const LENGTHS: [(usize, u8, usize); 6] =
        [(0x00, 3, 0), (0x20, 4, 1), (0x50, 5, 4), (0x90, 6, 12), (0xc0, 7, 24), (0xf0, 8, 48)];
    let byte = bits.bits(8)?;
    let (start, length, value) = LENGTHS.into_iter().rfind(|(start, ..)| *start <= byte)?;
    let high = value.saturating_add(byte.saturating_sub(start) >> 8_u8.saturating_sub(length));
    // Some of the 6 low bits are already in that byte.
    let more = length.saturating_sub(2);
    Some(high << 6 | (byte << more | bits.bits(more)?) & 0x3f)
}

/// Decompresses `count` bytes.
///
/// # Errors
/// Returns an error if the data ends early; the error is the number of bytes decompressed.
pub(super) fn unpack(packed: &[u8], count: usize) -> Result<Vec<u8>, usize> {
    let mut bits = Bits { bytes: packed.iter(), current: 0, left: 0 };
    let mut tree = Tree::new();
    let mut out = vec![b' '; WINDOW];
    let end = WINDOW.saturating_add(count);
    while out.len() < end {
        if unpack_code(&mut bits, &mut tree, &mut out).is_none() {
            return Err(out.len().saturating_sub(WINDOW));
        }
    }
    out.truncate(end);
    Ok(out.split_off(WINDOW))
}

/// Decodes one code; `None` at the end of the data.
fn unpack_code(bits: &mut Bits, tree: &mut Tree, out: &mut Vec<u8>) -> Option<()> {
    let code = tree.read(bits)?;
    if let Ok(byte) = u8::try_from(code) {
        out.push(byte);
        return Some(());
    }
    let length = code.saturating_sub(SHORTEST_MATCH).saturating_add(3);
    let distance = distance(bits)?.saturating_add(1);
    for _ in 0..length {
        let byte = *out.get(out.len().checked_sub(distance)?)?;
        out.push(byte);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use delharc::decode::{Decoder, Lh1Decoder};

    use super::unpack;

    /// Pseudo-random bits. Any bit sequence is a valid code sequence.
    fn noise(seed: u32, count: usize) -> Vec<u8> {
        let mut state = seed;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state.to_le_bytes()[3]
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn output_matches_another_decoder_over_several_halvings() {
        for seed in [1, 2, 3] {
            let packed = noise(seed, 200_000);
            let count = unpack(&packed, usize::MAX / 2).unwrap_err() - 60;
            assert!(count > 200_000);
            assert!(unpack(&packed, count).unwrap() == reference(&packed, count));
        }
    }

    #[test]
    fn exactly_the_requested_length_is_returned() {
        let packed = noise(4, 200);
        for count in 0..200 {
            assert_eq!(unpack(&packed, count), Ok(reference(&packed, count)));
        }
    }

    #[test]
    fn truncated_data_reports_the_decoded_length() {
        assert_eq!(unpack(&[], 1), Err(0));
        assert_eq!(unpack(&[0xff; 2], 100), Err(1));
    }

    fn reference(packed: &[u8], count: usize) -> Vec<u8> {
        let mut out = vec![0; count];
        Lh1Decoder::new(packed).fill_buffer(&mut out).unwrap();
        out
    }
}
