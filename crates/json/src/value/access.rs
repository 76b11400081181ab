//! Access to the contents of a value.

use std::ops;

use super::{Map, Number, Value};

/// The value that indexing returns for a missing member or item.
static NULL: Value = Value::Null;

/// The name of a member, or the index of an item.
pub trait ValueIndex {
    /// Returns the member or item.
    fn of<'v>(&self, value: &'v Value) -> Option<&'v Value>;

    /// Returns the member or item as a mutable reference.
    fn of_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value>;

    /// Returns the member or item as a mutable reference. A missing member is inserted.
    fn or_insert<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        self.of_mut(value)
    }
}

impl ValueIndex for usize {
    fn of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.as_array()?.get(*self)
    }

    fn of_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        value.as_array_mut()?.get_mut(*self)
    }
}

impl ValueIndex for str {
    fn of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.as_object()?.get(self)
    }

    fn of_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        value.as_object_mut()?.get_mut(self)
    }

    fn or_insert<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        if value.is_null() {
            *value = Value::Object(Map::new());
        }
        Some(value.as_object_mut()?.entry(self).or_insert(Value::Null))
    }
}

impl ValueIndex for String {
    fn of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.as_str().of(value)
    }

    fn of_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        self.as_str().of_mut(value)
    }

    fn or_insert<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        self.as_str().or_insert(value)
    }
}

impl<T: ValueIndex + ?Sized> ValueIndex for &T {
    fn of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        (**self).of(value)
    }

    fn of_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        (**self).of_mut(value)
    }

    fn or_insert<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        (**self).or_insert(value)
    }
}

/// Returns null if there is no such member or item.
impl<I: ValueIndex> ops::Index<I> for Value {
    type Output = Value;

    fn index(&self, index: I) -> &Value {
        index.of(self).unwrap_or(&NULL)
    }
}

/// A missing member is inserted.
///
/// # Panics
/// If there is no such item, or if the value is not an object.
impl<I: ValueIndex> ops::IndexMut<I> for Value {
    #[expect(clippy::panic, reason = "an index out of bounds is a bug of the caller, as with slices")]
    fn index_mut(&mut self, index: I) -> &mut Value {
        match index.or_insert(self) {
            Some(value) => value,
            None => panic!("the value has no such member or item"),
        }
    }
}

impl Value {
    /// Returns a member by name, or an item by index.
    #[must_use]
    pub fn get(&self, index: impl ValueIndex) -> Option<&Self> {
        index.of(self)
    }

    /// Returns a mutable reference to a member or an item.
    pub fn get_mut(&mut self, index: impl ValueIndex) -> Option<&mut Self> {
        index.of_mut(self)
    }

    /// Returns the value at a JSON Pointer (RFC 6901), such as `/sections/3/name`.
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<&Self> {
        steps(pointer)?.try_fold(self, |value, step| match value {
            Self::Object(members) => members.get(&step),
            Self::Array(items) => items.get(item_index(&step)?),
            _ => None,
        })
    }

    /// Like [`pointer`](Self::pointer), but returns a mutable reference.
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Self> {
        steps(pointer)?.try_fold(self, |value, step| match value {
            Self::Object(members) => members.get_mut(&step),
            Self::Array(items) => items.get_mut(item_index(&step)?),
            _ => None,
        })
    }

    /// Takes the value and leaves null in its place.
    #[must_use]
    pub fn take(&mut self) -> Self {
        std::mem::take(self)
    }

    /// Whether the value is null.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether the value is a string.
    #[must_use]
    pub const fn is_string(&self) -> bool {
        matches!(self, Self::String(_))
    }

    /// Whether the value is a number.
    #[must_use]
    pub const fn is_number(&self) -> bool {
        matches!(self, Self::Number(_))
    }

    /// Whether the value is a boolean.
    #[must_use]
    pub const fn is_boolean(&self) -> bool {
        matches!(self, Self::Bool(_))
    }

    /// Whether the value is a list.
    #[must_use]
    pub const fn is_array(&self) -> bool {
        matches!(self, Self::Array(_))
    }

    /// Whether the value is an object.
    #[must_use]
    pub const fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// Whether the value is an integer that fits into a `u64`.
    #[must_use]
    pub fn is_u64(&self) -> bool {
        self.as_u64().is_some()
    }

    /// Whether the value is an integer that fits into an `i64`.
    #[must_use]
    pub fn is_i64(&self) -> bool {
        self.as_i64().is_some()
    }

    /// Whether the value is a number that was written as a float.
    #[must_use]
    pub fn is_f64(&self) -> bool {
        self.number().is_some_and(Number::is_f64)
    }

    fn number(&self) -> Option<&Number> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The string, if the value is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The integer, if the value is one that fits into a `u64`.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.number()?.as_u64()
    }

    /// The integer, if the value is one that fits into an `i64`.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.number()?.as_i64()
    }

    /// The number as a float, if the value is a number.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        self.number()?.as_f64()
    }

    /// The boolean, if the value is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The items, if the value is a list.
    #[must_use]
    pub const fn as_array(&self) -> Option<&Vec<Self>> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The mutable items, if the value is a list.
    pub const fn as_array_mut(&mut self) -> Option<&mut Vec<Self>> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members, if the value is an object.
    #[must_use]
    pub const fn as_object(&self) -> Option<&Map<String, Self>> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The mutable members, if the value is an object.
    pub const fn as_object_mut(&mut self) -> Option<&mut Map<String, Self>> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }
}

/// Splits a JSON Pointer into its names and indices. `None` if it is invalid.
pub(crate) fn steps(pointer: &str) -> Option<impl Iterator<Item = String>> {
    let rest = match pointer {
        "" => None,
        pointer => Some(pointer.strip_prefix('/')?),
    };
    Some(
        rest.into_iter()
            .flat_map(|rest| rest.split('/'))
            .map(|step| step.replace("~1", "/").replace("~0", "~")),
    )
}

/// Parses the index of an item: digits, without a sign or a leading zero.
fn item_index(step: &str) -> Option<usize> {
    let is_plain = !step.starts_with('+') && (step == "0" || !step.starts_with('0'));
    step.parse().ok().filter(|_| is_plain)
}
