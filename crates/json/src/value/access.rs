//! What is in a value.

use std::ops;

use super::{Map, Number, Value};

/// The value that indexing returns for a missing member or item.
static NULL: Value = Value::Null;

/// The name of a member, or the number of an item.
pub trait ValueIndex {
    /// What it leads to.
    fn of<'v>(&self, value: &'v Value) -> Option<&'v Value>;

    /// What it leads to, to be changed.
    fn of_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value>;

    /// What it leads to; a member that is not there is made.
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

/// Null where there is no such member or item.
impl<I: ValueIndex> ops::Index<I> for Value {
    type Output = Value;

    fn index(&self, index: I) -> &Value {
        index.of(self).unwrap_or(&NULL)
    }
}

/// A member that is not there is made.
///
/// # Panics
/// Where there is no such item, and where the value is no object.
impl<I: ValueIndex> ops::IndexMut<I> for Value {
    #[expect(clippy::panic, reason = "an index that leads nowhere is a bug of the caller, as with lists")]
    fn index_mut(&mut self, index: I) -> &mut Value {
        match index.or_insert(self) {
            Some(value) => value,
            None => panic!("the value has no such member or item"),
        }
    }
}

impl Value {
    /// A member by its name, or an item by its number.
    #[must_use]
    pub fn get(&self, index: impl ValueIndex) -> Option<&Self> {
        index.of(self)
    }

    /// A member or an item, to be changed.
    pub fn get_mut(&mut self, index: impl ValueIndex) -> Option<&mut Self> {
        index.of_mut(self)
    }

    /// The value that a JSON Pointer (RFC 6901) leads to: `/sections/3/name`.
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<&Self> {
        steps(pointer)?.try_fold(self, |value, step| match value {
            Self::Object(members) => members.get(&step),
            Self::Array(items) => items.get(item_number(&step)?),
            _ => None,
        })
    }

    /// The same, to be changed.
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Self> {
        steps(pointer)?.try_fold(self, |value, step| match value {
            Self::Object(members) => members.get_mut(&step),
            Self::Array(items) => items.get_mut(item_number(&step)?),
            _ => None,
        })
    }

    /// Takes the value and leaves null.
    #[must_use]
    pub fn take(&mut self) -> Self {
        std::mem::take(self)
    }

    /// Whether it is null.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether it is a string.
    #[must_use]
    pub const fn is_string(&self) -> bool {
        matches!(self, Self::String(_))
    }

    /// Whether it is a number.
    #[must_use]
    pub const fn is_number(&self) -> bool {
        matches!(self, Self::Number(_))
    }

    /// Whether it is true or false.
    #[must_use]
    pub const fn is_boolean(&self) -> bool {
        matches!(self, Self::Bool(_))
    }

    /// Whether it is a list.
    #[must_use]
    pub const fn is_array(&self) -> bool {
        matches!(self, Self::Array(_))
    }

    /// Whether it is an object.
    #[must_use]
    pub const fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// Whether it is a whole number of 0 or more.
    #[must_use]
    pub fn is_u64(&self) -> bool {
        self.as_u64().is_some()
    }

    /// Whether it is a whole number that fits into 64 bits with a sign.
    #[must_use]
    pub fn is_i64(&self) -> bool {
        self.as_i64().is_some()
    }

    /// Whether it is a number that was written as a float.
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

    /// The string, if it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The whole number of 0 or more, if it is one.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.number()?.as_u64()
    }

    /// The whole number, if it is one that fits.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.number()?.as_i64()
    }

    /// The number, if it is one.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        self.number()?.as_f64()
    }

    /// True or false, if it is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The items, if it is a list.
    #[must_use]
    pub const fn as_array(&self) -> Option<&Vec<Self>> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The items, to be changed.
    pub const fn as_array_mut(&mut self) -> Option<&mut Vec<Self>> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members, if it is an object.
    #[must_use]
    pub const fn as_object(&self) -> Option<&Map<String, Self>> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The members, to be changed.
    pub const fn as_object_mut(&mut self) -> Option<&mut Map<String, Self>> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }
}

/// The names and numbers of a JSON Pointer; `None` where it is none.
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

/// A number of an item: digits, without a sign or a zero in front.
fn item_number(step: &str) -> Option<usize> {
    let is_plain = !step.starts_with('+') && (step == "0" || !step.starts_with('0'));
    step.parse().ok().filter(|_| is_plain)
}
