//! A JSON value whose objects keep the order of their members.

mod access;
mod convert;
mod de;
mod map;
mod ser;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use record::{Error, Result};

pub(crate) use access::steps;

pub use access::ValueIndex;
pub use map::Map;
pub use serde_json::Number;

/// A JSON value, like the one of `serde_json` with two differences: objects keep the order of their members, and floats are
/// [read](super::from_slice) exactly. Both are independent of the features of `serde_json` that other crates enable.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub enum Value {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(String),
    /// A list.
    Array(Vec<Value>),
    /// An object.
    Object(Map<String, Value>),
}

/// Converts to a JSON value. A float that JSON cannot represent becomes null.
///
/// # Errors
/// [`Kind::Usage`](record::Kind::Usage) if JSON cannot represent the value: a map whose keys are neither strings nor numbers.
pub fn to_value<T: Serialize>(value: T) -> Result<Value> {
    let mut out = Value::Null;
    super::to_sink(&value, &mut out)?;
    Ok(out)
}

/// Converts a JSON value to a typed value.
///
/// # Errors
/// [`Kind::Malformed`](record::Kind::Malformed) if the value does not have the type `T`.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T> {
    T::deserialize(value).map_err(|error| Error::malformed(error.to_string()))
}

/// Writes JSON without whitespace, or indented by two spaces with `{:#}`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written =
            if f.alternate() { serde_json::to_string_pretty(self) } else { serde_json::to_string(self) };
        f.write_str(&written.map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Creates a [`Value`] from JSON syntax. Keys and values may be expressions.
///
/// ```
/// use antiquary_json::json;
///
/// let size = 3;
/// let value = json!({ "size": size, "names": ["a", null], "more": { "is": true } });
/// assert_eq!(value.to_string(), r#"{"size":3,"names":["a",null],"more":{"is":true}}"#);
/// ```
#[macro_export]
macro_rules! json {
    ($($json:tt)+) => {
        $crate::json_internal!($($json)+)
    };
}

/// The rules of [`json`], with the finished members and items before the remaining tokens.
#[doc(hidden)]
#[macro_export]
macro_rules! json_internal {
    // Items of a list: the finished ones in brackets, then the rest.
    (@list [$($done:expr,)*]) => { ::std::vec![$($done,)*] };
    (@list [$($done:expr,)*] null $(, $($rest:tt)*)?) => {
        $crate::json_internal!(@list [$($done,)* $crate::json_internal!(null),] $($($rest)*)?)
    };
    (@list [$($done:expr,)*] [$($list:tt)*] $(, $($rest:tt)*)?) => {
        $crate::json_internal!(@list [$($done,)* $crate::json_internal!([$($list)*]),] $($($rest)*)?)
    };
    (@list [$($done:expr,)*] {$($object:tt)*} $(, $($rest:tt)*)?) => {
        $crate::json_internal!(@list [$($done,)* $crate::json_internal!({$($object)*}),] $($($rest)*)?)
    };
    (@list [$($done:expr,)*] $next:expr $(, $($rest:tt)*)?) => {
        $crate::json_internal!(@list [$($done,)* $crate::json_internal!($next),] $($($rest)*)?)
    };
    // Members of an object: the map, the tokens of the key so far, then the rest.
    (@object $map:ident ()) => {};
    (@object $map:ident ($($key:tt)+) : null $(, $($rest:tt)*)?) => {
        $map.insert(($($key)+).into(), $crate::json_internal!(null));
        $crate::json_internal!(@object $map () $($($rest)*)?);
    };
    (@object $map:ident ($($key:tt)+) : [$($list:tt)*] $(, $($rest:tt)*)?) => {
        $map.insert(($($key)+).into(), $crate::json_internal!([$($list)*]));
        $crate::json_internal!(@object $map () $($($rest)*)?);
    };
    (@object $map:ident ($($key:tt)+) : {$($object:tt)*} $(, $($rest:tt)*)?) => {
        $map.insert(($($key)+).into(), $crate::json_internal!({$($object)*}));
        $crate::json_internal!(@object $map () $($($rest)*)?);
    };
    (@object $map:ident ($($key:tt)+) : $value:expr $(, $($rest:tt)*)?) => {
        $map.insert(($($key)+).into(), $crate::json_internal!($value));
        $crate::json_internal!(@object $map () $($($rest)*)?);
    };
    (@object $map:ident ($($key:tt)*) $next:tt $($rest:tt)*) => {
        $crate::json_internal!(@object $map ($($key)* $next) $($rest)*);
    };
    (null) => { $crate::Value::Null };
    ([$($list:tt)*]) => {
        $crate::Value::Array($crate::json_internal!(@list [] $($list)*))
    };
    ({}) => { $crate::Value::Object($crate::Map::new()) };
    ({$($object:tt)+}) => {{
        let mut map = $crate::Map::new();
        $crate::json_internal!(@object map () $($object)+);
        $crate::Value::Object(map)
    }};
    ($value:expr) => { $crate::to_value(&$value).unwrap_or_default() };
}
