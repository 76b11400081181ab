//! Field-by-field comparison of two typed files.

use std::hash::{DefaultHasher, Hash, Hasher};

use asset::{Error, Source};
use json::{Content, List, Node, Object, push_member};

use super::align::{Lists, Step, align, may_align};
use super::bytes::first_difference;
use super::change::{ChangeKind, Differences};

/// Maximum length of a list of plain values that is treated as a point, a color or a matrix, whose items are paired by
/// index.
const POINT: usize = 16;

/// Minimum length of a string of hexadecimal digits that is treated as a byte array.
const RUN: usize = 33;

/// Name of the member that refers to bytes stored elsewhere.
const BLOB: &str = "blob";

/// Bytes that a typed file refers to.
pub trait Blobs {
    /// Whether there are no such bytes.
    fn is_empty(&self) -> bool;

    /// Returns the bytes of this name, and a digest that only equal bytes share.
    fn blob(&self, name: &str) -> Option<(Source, String)>;
}

/// Compares two typed files, each with the bytes it refers to. Neither is converted to values in memory.
///
/// # Errors
/// Fails if bytes cannot be read.
pub fn compare(
    (first, first_blobs): (Node<'_>, &dyn Blobs),
    (second, second_blobs): (Node<'_>, &dyn Blobs),
    differences: &mut Differences,
) -> Result<(), Error> {
    let sides = Sides { first: first_blobs, second: second_blobs };
    let mut walk = Walk { sides, path: String::new(), differences };
    walk.value(first, second)
}

/// The bytes of each side.
#[derive(Clone, Copy)]
struct Sides<'a> {
    first: &'a dyn Blobs,
    second: &'a dyn Blobs,
}

impl Sides<'_> {
    /// Whether two values are identical, bit for bit.
    fn same(&self, first: Node<'_>, second: Node<'_>) -> bool {
        if self.first.is_empty() && self.second.is_empty() {
            return first == second;
        }
        match (first.content(), second.content()) {
            (Content::List(first_items), Content::List(second_items)) => {
                first_items.len() == second_items.len()
                    && first_items
                        .iter()
                        .zip(second_items.iter())
                        .all(|(first, second)| self.same(first, second))
            }
            (Content::Object(first), Content::Object(second)) => {
                if let (Some(first), Some(second)) = (blob(first, self.first), blob(second, self.second)) {
                    return first.1 == second.1;
                }
                first.len() == second.len()
                    && pairs(first, second)
                        .all(|(_, value, other)| other.is_some_and(|other| self.same(value, other)))
            }
            _ => first == second,
        }
    }

    /// Returns the similarity of two values, from 0 to 100.
    fn similarity(&self, first: Node<'_>, second: Node<'_>) -> u32 {
        let (same, all) = match (first.content(), second.content()) {
            (Content::List(first), Content::List(second)) => {
                let same =
                    first.iter().zip(second.iter()).filter(|(first, second)| self.same(*first, *second));
                (same.count(), first.len().max(second.len()))
            }
            (Content::Object(first), Content::Object(second)) => {
                let same = pairs(first, second)
                    .filter(|(_, value, other)| other.is_some_and(|other| self.same(*value, other)));
                (same.count(), first.len().max(second.len()))
            }
            _ => (0, 1),
        };
        let percent = (same * 100).checked_div(all).unwrap_or(0);
        u32::try_from(percent).unwrap_or(0)
    }
}

/// Pairs each member of an object with the member of the same name in another. Usually both have them in the same order.
fn pairs<'a>(
    first: Object<'a>,
    second: Object<'a>,
) -> impl Iterator<Item = (&'a str, Node<'a>, Option<Node<'a>>)> {
    let mut others = second.iter();
    first.iter().map(move |(name, value)| {
        let next = others.next().filter(|(other, _)| *other == name);
        (name, value, next.map(|(_, other)| other).or_else(|| second.get(name)))
    })
}

/// Returns the bytes that an object refers to.
fn blob(members: Object<'_>, blobs: &dyn Blobs) -> Option<(Source, String)> {
    match (members.len(), members.iter().next()?) {
        (1, (BLOB, name)) => match name.content() {
            Content::Text(name) => blobs.blob(name),
            _ => None,
        },
        _ => None,
    }
}

/// Hashes a value; equal values have equal hashes.
fn digest(node: Node<'_>, blobs: &dyn Blobs, hasher: &mut DefaultHasher) {
    match node.content() {
        Content::Null => 0_u8.hash(hasher),
        Content::Bool(value) => (1_u8, value).hash(hasher),
        // A single-precision number is equal to the double with the same decimal digits.
        Content::Single(_) | Content::Double(_) => match node.to_double() {
            Some(double) => (2_u8, double.to_bits()).hash(hasher),
            None => 2_u8.hash(hasher),
        },
        Content::Unsigned(number) => (3_u8, number).hash(hasher),
        Content::Negative(number) => (4_u8, number).hash(hasher),
        Content::Text(text) => (5_u8, text).hash(hasher),
        Content::Bytes(bytes) => (6_u8, bytes).hash(hasher),
        Content::List(items) => {
            (7_u8, items.len()).hash(hasher);
            items.iter().for_each(|item| digest(item, blobs, hasher));
        }
        Content::Object(members) => {
            if let Some((_, bytes)) = blob(members, blobs) {
                (8_u8, bytes).hash(hasher);
                return;
            }
            // The order of members is ignored, so the combination of their digests must be commutative.
            let of_member = |(name, value): (&str, Node<'_>)| {
                let mut own = DefaultHasher::new();
                name.hash(&mut own);
                digest(value, blobs, &mut own);
                own.finish()
            };
            let sum = members.iter().map(of_member).fold(0, u64::wrapping_add);
            (9_u8, sum).hash(hasher);
        }
    }
}

struct Walk<'a> {
    sides: Sides<'a>,
    path: String,
    differences: &'a mut Differences,
}

impl Walk<'_> {
    fn value(&mut self, first: Node<'_>, second: Node<'_>) -> Result<(), Error> {
        if let (Some((name, first)), Some((other, second))) = (first.variant(), second.variant())
            && name == other
        {
            return self.value(first, second);
        }
        match (first.content(), second.content()) {
            (Content::Object(first_members), Content::Object(second_members))
                if first.variant().is_none() && second.variant().is_none() =>
            {
                let (first, second) = (first_members, second_members);
                match (blob(first, self.sides.first), blob(second, self.sides.second)) {
                    (Some(first), Some(second)) if first.1 == second.1 => Ok(()),
                    (Some(first), Some(second)) => self.blobs(&first.0, &second.0),
                    _ => self.members(first, second),
                }
            }
            (Content::List(first), Content::List(second)) => self.items(first, second),
            _ if first == second => Ok(()),
            (Content::Bytes(first), Content::Bytes(second)) if is_long(first) && is_long(second) => {
                let same = first.iter().zip(second).take_while(|(first, second)| first == second).count();
                self.run(first.len(), second.len(), same);
                Ok(())
            }
            (Content::Text(first), Content::Text(second)) if is_run(first) && is_run(second) => {
                let same =
                    first.bytes().zip(second.bytes()).take_while(|(first, second)| first == second).count();
                self.run(first.len() / 2, second.len() / 2, same / 2);
                Ok(())
            }
            _ => {
                self.differences.add(&self.path, || ChangeKind::Changed {
                    from: first.to_value(),
                    to: second.to_value(),
                });
                Ok(())
            }
        }
    }

    /// Reports bytes that differ.
    fn run(&mut self, from: usize, to: usize, same: usize) {
        let wide = |number: usize| number as u64;
        self.differences.add(&self.path, || ChangeKind::Bytes {
            from_length: wide(from),
            to_length: wide(to),
            first_difference: wide(same),
        });
    }

    fn blobs(&mut self, first: &Source, second: &Source) -> Result<(), Error> {
        let first_difference = first_difference(first, second)?.unwrap_or_else(|| first.len());
        let (from_length, to_length) = (first.len(), second.len());
        self.differences.add(&self.path, || ChangeKind::Bytes { from_length, to_length, first_difference });
        Ok(())
    }

    fn members(&mut self, first: Object<'_>, second: Object<'_>) -> Result<(), Error> {
        for (name, value, other) in pairs(first, second) {
            self.below(
                |path| push_member(path, name),
                |walk| match other {
                    Some(other) => walk.value(value, other),
                    None => walk.removed(value),
                },
            )?;
        }
        for (name, value, _) in pairs(second, first).filter(|(_, _, old)| old.is_none()) {
            self.below(|path| push_member(path, name), |walk| walk.added(value))?;
        }
        Ok(())
    }

    fn items(&mut self, first: List<'_>, second: List<'_>) -> Result<(), Error> {
        let is_point =
            first.len() == second.len() && first.len() <= POINT && !first.iter().any(Node::is_compound);
        let between = self.between(first, second);
        let start = between.start;
        if !is_point && !may_align(between.len(first), between.len(second)) {
            return self.by_index(first, second, start);
        }
        let (left, right) = (between.of(first), between.of(second));
        let steps = match is_point {
            true => (0..left.len()).map(|at| Step::Both(at, at)).collect(),
            false => self.align(&left, &right, between.end),
        };
        for step in steps {
            let (from, to) = match step {
                Step::Both(from, to) => {
                    (left.get(from).map(|node| (from, *node)), right.get(to).map(|node| (to, *node)))
                }
                Step::First(at) => (left.get(at).map(|node| (at, *node)), None),
                Step::Second(at) => (None, right.get(at).map(|node| (at, *node))),
            };
            let index = |at: usize| start + at;
            match (from, to) {
                (Some((at, value)), Some((_, other))) => {
                    self.below(|path| push_index(path, index(at)), |walk| walk.value(value, other))?;
                }
                (Some((at, value)), None) => {
                    self.below(|path| push_index(path, index(at)), |walk| walk.removed(value))?;
                }
                (None, Some((at, value))) => {
                    self.below(|path| push_index(path, index(at)), |walk| walk.added(value))?;
                }
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// Compares items of the same index.
    fn by_index(&mut self, first: List<'_>, second: List<'_>, start: usize) -> Result<(), Error> {
        let (mut left, mut right) = (first.iter().skip(start), second.iter().skip(start));
        for at in start.. {
            match (left.next(), right.next()) {
                (Some(value), Some(other)) if self.sides.same(value, other) => {}
                (Some(value), Some(other)) => {
                    self.below(|path| push_index(path, at), |walk| walk.value(value, other))?;
                }
                (Some(value), None) => self.below(|path| push_index(path, at), |walk| walk.removed(value))?,
                (None, Some(value)) => self.below(|path| push_index(path, at), |walk| walk.added(value))?,
                (None, None) => break,
            }
        }
        Ok(())
    }

    /// Returns the lengths of the common prefix and suffix of two lists.
    fn between(&self, first: List<'_>, second: List<'_>) -> CommonEnds {
        let shorter = first.len().min(second.len());
        let same = |(first, second): (Node<'_>, Node<'_>)| self.sides.same(first, second);
        let start = first.iter().zip(second.iter()).take_while(|pair| same(*pair)).count();
        if start == shorter {
            return CommonEnds { start, end: 0 };
        }
        // This also runs forward, because a list can only be read forward: it counts the equal pairs after the last
        // difference.
        let from = |list: List<'_>| list.len() - shorter;
        let pairs = first.iter().skip(from(first)).zip(second.iter().skip(from(second)));
        let end = pairs.fold(0_usize, |end, pair| if same(pair) { end + 1 } else { 0 });
        CommonEnds { start, end: end.min(shorter - start) }
    }

    /// Aligns items; `suffix` equal items follow in both lists.
    fn align(&self, first: &[Node<'_>], second: &[Node<'_>], suffix: usize) -> Vec<Step> {
        let digests = |items: &[Node<'_>], blobs: &dyn Blobs| -> Vec<u64> {
            let of_item = |item: &Node<'_>| {
                let mut hasher = DefaultHasher::new();
                digest(*item, blobs, &mut hasher);
                hasher.finish()
            };
            items.iter().map(of_item).collect()
        };
        let (left, right) = (digests(first, self.sides.first), digests(second, self.sides.second));
        let both = |x: usize, y: usize| first.get(x).copied().zip(second.get(y).copied());
        let equal = |x: usize, y: usize| {
            left.get(x) == right.get(y)
                && both(x, y).is_some_and(|(first, second)| self.sides.same(first, second))
        };
        let similarity =
            |x: usize, y: usize| both(x, y).map_or(0, |(first, second)| self.sides.similarity(first, second));
        align(&Lists {
            first: first.len(),
            second: second.len(),
            suffix,
            equal: &equal,
            similarity: &similarity,
        })
    }

    fn removed(&mut self, value: Node<'_>) -> Result<(), Error> {
        self.differences.add(&self.path, || ChangeKind::Removed { from: value.to_value() });
        Ok(())
    }

    fn added(&mut self, value: Node<'_>) -> Result<(), Error> {
        self.differences.add(&self.path, || ChangeKind::Added { to: value.to_value() });
        Ok(())
    }

    fn below(
        &mut self,
        step: impl FnOnce(&mut String),
        then: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let length = self.path.len();
        step(&mut self.path);
        let result = then(self);
        self.path.truncate(length);
        result
    }
}

/// Lengths of the common prefix and suffix of two lists.
struct CommonEnds {
    start: usize,
    end: usize,
}

impl CommonEnds {
    /// Returns the number of other items in one of the lists.
    fn len(&self, list: List<'_>) -> usize {
        list.len().saturating_sub(self.start).saturating_sub(self.end)
    }

    /// Returns the other items of one of the lists.
    fn of<'a>(&self, list: List<'a>) -> Vec<Node<'a>> {
        list.iter().skip(self.start).take(self.len(list)).collect()
    }
}

fn push_index(path: &mut String, index: usize) {
    path.push_str(&format!("[{index}]"));
}

/// Whether a text is a byte array: many hexadecimal digits, two per byte.
fn is_run(text: &str) -> bool {
    let digits = text.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit));
    digits && text.len() >= RUN && text.len().is_multiple_of(2)
}

/// Whether there are too many bytes to show.
fn is_long(bytes: &[u8]) -> bool {
    bytes.len() * 2 >= RUN
}
