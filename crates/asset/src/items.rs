//! The named items of a file, which are used to report items that an edit dropped.

use std::collections::BTreeMap;
use std::fmt::Debug;

/// Maximum number of names in a message.
const MOST_NAMED: usize = 8;

/// Items of several kinds: meshes, textures, frames.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Items(Vec<Item>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    kind: &'static str,
    /// Name in messages.
    name: String,
    identity: Identity,
}

/// The key by which an item is found in another file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Identity {
    Name,
    /// The name of its list, and its contents. Its only name is its index, which changes when other items are dropped.
    Content(String, String),
}

/// Items of one kind that another file does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MissingItems {
    /// Kind of the items, such as `frames`.
    pub kind: &'static str,
    /// Names of the items.
    pub names: Vec<String>,
    /// Number of items of this kind before the edit.
    pub before: usize,
}

impl Items {
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the list with added items that have names.
    #[must_use]
    pub fn with_named<T: Into<String>>(
        mut self,
        kind: &'static str,
        names: impl IntoIterator<Item = T>,
    ) -> Self {
        self.0.extend(names.into_iter().map(|name| {
            let name: String = name.into();
            let name = if name.is_empty() { "(unnamed)".to_owned() } else { format!("\"{name}\"") };
            Item { kind, name, identity: Identity::Name }
        }));
        self
    }

    /// Returns the list with added items that have no names. They are numbered from 0 and are matched by their contents; changed
    /// items are matched by their order.
    #[must_use]
    pub fn with_numbered(
        mut self,
        kind: &'static str,
        noun: &str,
        contents: impl IntoIterator<Item = impl Debug>,
    ) -> Self {
        self.0.extend(contents.into_iter().enumerate().map(|(number, content)| {
            let identity = Identity::Content(noun.to_owned(), format!("{content:?}"));
            Item { kind, name: format!("{noun} {number}"), identity }
        }));
        self
    }

    /// Whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the items that `other` does not have, by kind.
    #[must_use]
    pub fn missing_from(&self, other: &Self) -> Vec<MissingItems> {
        let mut exact: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        for item in &other.0 {
            let count = exact.entry(item.key()).or_default();
            *count = count.saturating_add(1);
        }
        let mut unmatched: Vec<&Item> = Vec::new();
        for item in &self.0 {
            match exact.get_mut(&item.key()).filter(|count| **count > 0) {
                Some(count) => *count = count.saturating_sub(1),
                None => unmatched.push(item),
            }
        }
        // The remaining items of each list in `other` were changed.
        let mut changed: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for ((kind, list, _), count) in exact.into_iter().filter(|((_, list, _), _)| !list.is_empty()) {
            let sum = changed.entry((kind, list)).or_default();
            *sum = sum.saturating_add(count);
        }
        let mut out: Vec<MissingItems> = Vec::new();
        for item in unmatched {
            let (kind, list, _) = item.key();
            if let Some(count) = changed.get_mut(&(kind, list)).filter(|count| **count > 0) {
                *count = count.saturating_sub(1);
                continue;
            }
            match out.iter_mut().find(|missing| missing.kind == item.kind) {
                Some(missing) => missing.names.push(item.name.clone()),
                None => {
                    let before = self.0.iter().filter(|other| other.kind == item.kind).count();
                    out.push(MissingItems { kind: item.kind, names: vec![item.name.clone()], before });
                }
            }
        }
        out
    }
}

impl Item {
    /// The kind, the list and the key of the item.
    fn key(&self) -> (&str, &str, &str) {
        match &self.identity {
            Identity::Name => (self.kind, "", &self.name),
            Identity::Content(list, content) => (self.kind, list, content),
        }
    }
}

/// Joins the first few names: `a, b, c and 5 more`.
#[must_use]
pub fn first_few(names: &[String]) -> String {
    let more = names.len().saturating_sub(MOST_NAMED);
    let first = names.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(before: &Items, now: &Items) -> Vec<(&'static str, String)> {
        let missing = before.missing_from(now);
        missing.into_iter().map(|missing| (missing.kind, first_few(&missing.names))).collect()
    }

    #[test]
    fn reports_missing_named_items_once_for_each_occurrence() {
        let before =
            Items::new().with_named("meshes", ["sail", "mill", "sail", ""]).with_named("clips", ["a"]);
        let now = Items::new().with_named("meshes", ["wing", "sail", "mill"]).with_named("clips", ["a"]);
        assert_eq!(missing(&before, &now), [("meshes", "\"sail\", (unnamed)".to_owned())]);
        assert_eq!(before.missing_from(&now)[0].before, 4);
        assert!(before.missing_from(&before).is_empty());
    }

    #[test]
    fn matches_numbered_items_by_contents_and_changed_ones_by_order() {
        let list = |contents: &[u8]| Items::new().with_numbered("spheres", "sphere", contents.to_vec());
        let named = |before: &[u8], now: &[u8]| missing(&list(before), &list(now));
        assert_eq!(named(&[1, 2, 3], &[1, 3]), [("spheres", "sphere 1".to_owned())]);
        assert_eq!(named(&[1, 2, 3], &[9, 3]), [("spheres", "sphere 1".to_owned())]);
        assert!(named(&[1, 2, 3], &[4, 5, 6]).is_empty());
        let many: Vec<u8> = (0..10).collect();
        assert!(named(&many, &[])[0].1.ends_with("sphere 7 and 2 more"));
    }

    #[test]
    fn compares_each_list_of_a_kind_separately() {
        let both = |a: &[u8], b: &[u8]| {
            let items = Items::new().with_numbered("spheres", "HUT: sphere", a.to_vec());
            items.with_numbered("spheres", "INN: sphere", b.to_vec())
        };
        let found = missing(&both(&[1, 2], &[3]), &both(&[2], &[4, 5]));
        assert_eq!(found, [("spheres", "HUT: sphere 0".to_owned())]);
    }
}
