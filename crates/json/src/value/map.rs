//! The members of an object, in insertion order.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};

use indexmap::IndexMap;
use indexmap::map::{Entry, IntoIter, Iter, IterMut, Keys, Values, ValuesMut};

use super::Value;

/// The members of an object, in insertion order. Two objects are equal if they have the same members in any order.
#[derive(Clone, Default)]
pub struct Map<K, V>(IndexMap<K, V>)
where
    K: Hash + Eq;

impl Map<String, Value> {
    /// Creates an object without members.
    #[must_use]
    pub fn new() -> Self {
        Self(IndexMap::new())
    }

    /// Creates an object without members, with capacity for `count` members.
    #[must_use]
    pub fn with_capacity(count: usize) -> Self {
        Self(IndexMap::with_capacity(count))
    }

    /// Number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the object has no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the value of a member.
    #[must_use]
    pub fn get<Q: ?Sized + Hash + Eq>(&self, name: &Q) -> Option<&Value>
    where
        String: Borrow<Q>,
    {
        self.0.get(name)
    }

    /// Returns a mutable reference to the value of a member.
    pub fn get_mut<Q: ?Sized + Hash + Eq>(&mut self, name: &Q) -> Option<&mut Value>
    where
        String: Borrow<Q>,
    {
        self.0.get_mut(name)
    }

    /// Whether the object has a member with this name.
    #[must_use]
    pub fn contains_key<Q: ?Sized + Hash + Eq>(&self, name: &Q) -> bool
    where
        String: Borrow<Q>,
    {
        self.0.contains_key(name)
    }

    /// Sets a member. A new member is added at the end. Returns the previous value.
    pub fn insert(&mut self, name: String, value: Value) -> Option<Value> {
        self.0.insert(name, value)
    }

    /// Removes a member and moves the last member to its position.
    pub fn remove<Q: ?Sized + Hash + Eq>(&mut self, name: &Q) -> Option<Value>
    where
        String: Borrow<Q>,
    {
        self.0.swap_remove(name)
    }

    /// Removes a member and keeps the order of the others.
    pub fn shift_remove<Q: ?Sized + Hash + Eq>(&mut self, name: &Q) -> Option<Value>
    where
        String: Borrow<Q>,
    {
        self.0.shift_remove(name)
    }

    /// Returns the entry of a member, which may not exist yet.
    pub fn entry(&mut self, name: impl Into<String>) -> Entry<'_, String, Value> {
        self.0.entry(name.into())
    }

    /// Iterates over the names and values.
    pub fn iter(&self) -> Iter<'_, String, Value> {
        self.0.iter()
    }

    /// Iterates over the names and mutable values.
    pub fn iter_mut(&mut self) -> IterMut<'_, String, Value> {
        self.0.iter_mut()
    }

    /// Iterates over the names.
    pub fn keys(&self) -> Keys<'_, String, Value> {
        self.0.keys()
    }

    /// Iterates over the values.
    pub fn values(&self) -> Values<'_, String, Value> {
        self.0.values()
    }

    /// Iterates over the mutable values.
    pub fn values_mut(&mut self) -> ValuesMut<'_, String, Value> {
        self.0.values_mut()
    }

    /// Converts to an iterator over the values.
    pub fn into_values(self) -> indexmap::map::IntoValues<String, Value> {
        self.0.into_values()
    }

    /// Keeps only the members for which `keep` returns `true`.
    pub fn retain(&mut self, keep: impl FnMut(&String, &mut Value) -> bool) {
        self.0.retain(keep);
    }

    /// Moves all members of another object to the end of this one.
    pub fn append(&mut self, other: &mut Self) {
        self.0.append(&mut other.0);
    }
}

impl PartialEq for Map<String, Value> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Map<String, Value> {}

impl Hash for Map<String, Value> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut members: Vec<_> = self.iter().collect();
        members.sort_by_key(|(name, _)| *name);
        members.hash(state);
    }
}

impl fmt::Debug for Map<String, Value> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromIterator<(String, Value)> for Map<String, Value> {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

impl Extend<(String, Value)> for Map<String, Value> {
    fn extend<I: IntoIterator<Item = (String, Value)>>(&mut self, members: I) {
        self.0.extend(members);
    }
}

impl IntoIterator for Map<String, Value> {
    type Item = (String, Value);
    type IntoIter = IntoIter<String, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Map<String, Value> {
    type Item = (&'a String, &'a Value);
    type IntoIter = Iter<'a, String, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Map<String, Value> {
    type Item = (&'a String, &'a mut Value);
    type IntoIter = IterMut<'a, String, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl std::ops::Index<&str> for Map<String, Value> {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&Value::Null)
    }
}

/// A missing member is inserted.
impl std::ops::IndexMut<&str> for Map<String, Value> {
    fn index_mut(&mut self, name: &str) -> &mut Value {
        self.entry(name).or_insert(Value::Null)
    }
}
