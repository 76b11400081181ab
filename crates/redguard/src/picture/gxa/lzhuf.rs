//! LZHUF, unpacked: LZSS whose literals and lengths are adaptive Huffman codes. LHA calls it `-lh1-`.
//!
//! A code below 256 is a byte. A greater one is a match of `code - 253` bytes, and how far behind them it starts follows: 6 low bits as they
//! are, above them 6 bits from a fixed prefix code. The window is 4096 bytes, all spaces at first.
//! Source: Haruyasu Yoshizaki, "LZHUF.C", 1988, and the description of LHarc's formats.

/// How far behind a match can start.
const WINDOW: usize = 4096;

/// The code of the shortest match, 3 bytes.
const SHORTEST_MATCH: usize = 256;

/// Codes: 256 bytes, and matches of 3 to 60 bytes.
const CODES: usize = 314;

/// Nodes of the tree: leaves and branches.
const NODES: usize = CODES * 2 - 1;

/// The root is the last node.
const ROOT: usize = NODES - 1;

/// When the root was counted so often, all counts are halved.
const MOST: u32 = 0x8000;

/// The bits of a byte string, highest first.
struct Bits<'a> {
    bytes: std::slice::Iter<'a, u8>,
    current: u8,
    left: u8,
}

impl Bits<'_> {
    /// The next bit; none at the end.
    fn bit(&mut self) -> Option<usize> {
        if self.left == 0 {
            self.current = *self.bytes.next()?;
            self.left = 8;
        }
        self.left = self.left.saturating_sub(1);
        Some(usize::from(self.current >> self.left & 1))
    }

    /// So many bits as a number.
    fn bits(&mut self, count: u8) -> Option<usize> {
        (0..count).try_fold(0, |value, _| Some(value << 1 | self.bit()?))
    }
}

/// What stands below a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    /// A code.
    Leaf(usize),
    /// Two nodes: this one and the next.
    Branch(usize),
}

/// A node of the tree.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// How often its codes were read; nodes are sorted by it.
    count: u32,
    below: Below,
    /// None above the root.
    parent: Option<usize>,
}

/// The adaptive tree: nodes in ascending order of their counts, siblings side by side.
struct Tree {
    nodes: Vec<Node>,
    /// Where each code's leaf is.
    leaves: Vec<usize>,
}

impl Tree {
    fn new() -> Self {
        let leaf = |code| Node { count: 1, below: Below::Leaf(code), parent: None };
        let mut tree = Self { nodes: (0..CODES).map(leaf).collect(), leaves: (0..CODES).collect() };
        let mut first = 0_usize;
        while tree.nodes.len() < NODES {
            let count = tree.pair(first);
            tree.nodes.push(Node { count, below: Below::Branch(first), parent: None });
            first = first.saturating_add(2);
        }
        tree.link();
        tree
    }

    fn count(&self, node: usize) -> Option<u32> {
        Some(self.nodes.get(node)?.count)
    }

    /// How often the codes of two siblings were read.
    fn pair(&self, first: usize) -> u32 {
        let [one, other] = [first, first.saturating_add(1)].map(|node| self.count(node).unwrap_or_default());
        one.saturating_add(other)
    }

    /// Writes down what is above each node.
    fn link(&mut self) {
        for node in 0..self.nodes.len() {
            self.adopt(node);
        }
    }

    /// What stands below a node learns where that node is.
    fn adopt(&mut self, node: usize) {
        match self.nodes.get(node).map(|node| node.below) {
            Some(Below::Leaf(code)) => {
                if let Some(leaf) = self.leaves.get_mut(code) {
                    *leaf = node;
                }
            }
            Some(Below::Branch(first)) => {
                for child in self.nodes.iter_mut().skip(first).take(2) {
                    child.parent = Some(node);
                }
            }
            None => {}
        }
    }

    /// Reads a code, and counts it.
    fn read(&mut self, bits: &mut Bits) -> Option<usize> {
        let mut node = ROOT;
        loop {
            match self.nodes.get(node)?.below {
                Below::Branch(first) => node = first.saturating_add(bits.bit()?),
                Below::Leaf(code) => {
                    self.add(code);
                    return Some(code);
                }
            }
        }
    }

    /// Counts a code in all nodes above it, and moves those that are out of order now.
    fn add(&mut self, code: usize) {
        if self.count(ROOT) >= Some(MOST) {
            self.halve();
        }
        let mut at = self.leaves.get(code).copied();
        while let Some(node) = at {
            at = self.add_one(node);
        }
    }

    /// Counts one node: it changes places with the last of those whose count it passes. Gives the node above its new place.
    fn add_one(&mut self, node: usize) -> Option<usize> {
        let entry = self.nodes.get_mut(node)?;
        entry.count = entry.count.saturating_add(1);
        let count = entry.count;
        let passed =
            self.nodes.iter().skip(node.saturating_add(1)).take_while(|other| other.count < count).count();
        let place = node.saturating_add(passed);
        if place != node {
            // Parents belong to places: only what stands there changes.
            let [parent, place_parent] =
                [node, place].map(|at| self.nodes.get(at).and_then(|node| node.parent));
            self.nodes.swap(node, place);
            for (at, parent) in [(node, parent), (place, place_parent)] {
                if let Some(node) = self.nodes.get_mut(at) {
                    node.parent = parent;
                }
                self.adopt(at);
            }
        }
        self.nodes.get(place)?.parent
    }

    /// Halves the counts of all leaves, rounding up, and builds the tree anew from them in their order.
    fn halve(&mut self) {
        self.nodes.retain(|node| matches!(node.below, Below::Leaf(_)));
        for leaf in &mut self.nodes {
            leaf.count = leaf.count.div_ceil(2);
        }
        let mut first = 0_usize;
        while self.nodes.len() < NODES {
            let count = self.pair(first);
            // Behind everything that was read as often or less. Nothing goes before its own children: they are no greater.
            let place = self.nodes.partition_point(|node| node.count <= count);
            self.nodes.insert(place, Node { count, below: Below::Branch(first), parent: None });
            first = first.saturating_add(2);
        }
        self.link();
        if let Some(root) = self.nodes.get_mut(ROOT) {
            root.parent = None;
        }
    }
}

/// How far behind the last byte a match starts: 0 is the last byte itself.
fn distance(bits: &mut Bits) -> Option<usize> {
    // A prefix code of 64 values in 3 to 8 bits, those of one length in ascending order; known by its first byte.
    const LENGTHS: [(usize, u8, usize); 6] =
        [(0x00, 3, 0), (0x20, 4, 1), (0x50, 5, 4), (0x90, 6, 12), (0xc0, 7, 24), (0xf0, 8, 48)];
    let byte = bits.bits(8)?;
    let (start, length, value) = LENGTHS.into_iter().rfind(|(start, ..)| *start <= byte)?;
    let high = value.saturating_add(byte.saturating_sub(start) >> 8_u8.saturating_sub(length));
    // Of the 6 low bits some are in that byte already.
    let more = length.saturating_sub(2);
    Some(high << 6 | (byte << more | bits.bits(more)?) & 0x3f)
}

/// Unpacks `count` bytes.
///
/// # Errors
/// When the packed bytes end before: how many bytes came out of them.
pub(super) fn unpack(packed: &[u8], count: usize) -> Result<Vec<u8>, usize> {
    let mut bits = Bits { bytes: packed.iter(), current: 0, left: 0 };
    let mut tree = Tree::new();
    let mut out = vec![b' '; WINDOW];
    let whole = WINDOW.saturating_add(count);
    while out.len() < whole {
        if unpack_code(&mut bits, &mut tree, &mut out).is_none() {
            return Err(out.len().saturating_sub(WINDOW));
        }
    }
    out.truncate(whole);
    Ok(out.split_off(WINDOW))
}

/// Unpacks one code; none when the bits end.
fn unpack_code(bits: &mut Bits, tree: &mut Tree, out: &mut Vec<u8>) -> Option<()> {
    let code = tree.read(bits)?;
    if let Ok(byte) = u8::try_from(code) {
        out.push(byte);
        return Some(());
    }
    let length = code.saturating_sub(SHORTEST_MATCH).saturating_add(3);
    let behind = distance(bits)?.saturating_add(1);
    for _ in 0..length {
        let byte = *out.get(out.len().checked_sub(behind)?)?;
        out.push(byte);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use delharc::decode::{Decoder, Lh1Decoder};

    use super::unpack;

    /// Bits that look random; whatever they are, they are codes.
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
    fn it_agrees_with_another_reader_far_enough_that_counts_are_halved_several_times() {
        for seed in [1, 2, 3] {
            let packed = noise(seed, 200_000);
            let count = unpack(&packed, usize::MAX / 2).unwrap_err() - 60;
            assert!(count > 200_000);
            assert!(unpack(&packed, count).unwrap() == reference(&packed, count));
        }
    }

    #[test]
    fn each_length_of_output_is_exact() {
        let packed = noise(4, 200);
        for count in 0..200 {
            assert_eq!(unpack(&packed, count), Ok(reference(&packed, count)));
        }
    }

    #[test]
    fn packed_bytes_that_end_early_say_how_far_they_went() {
        assert_eq!(unpack(&[], 1), Err(0));
        assert_eq!(unpack(&[0xff; 2], 100), Err(1));
    }

    fn reference(packed: &[u8], count: usize) -> Vec<u8> {
        let mut out = vec![0; count];
        Lh1Decoder::new(packed).fill_buffer(&mut out).unwrap();
        out
    }
}
