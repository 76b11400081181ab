//! Two typed files compared, field by field.

use std::hash::{DefaultHasher, Hash, Hasher};

use asset::{Error, Source};
use serde_json::{Map, Number, Value};

use super::align::{Lists, Step, align};
use super::bytes::first_difference;
use super::change::{Differences, What};
use crate::field::push_name;

/// A list of so many plain values or less is a point, a colour, a matrix: its items belong together by their number.
const POINT: usize = 16;

/// From so many hexadecimal digits on a text of nothing else is a run of bytes.
const RUN: usize = 33;

/// The member that stands for bytes kept elsewhere.
const BLOB: &str = "blob";

/// Bytes that a typed file only names.
pub trait Blobs {
    /// The bytes of this name, and a text that only equal bytes have.
    fn blob(&self, name: &str) -> Option<(Source, String)>;
}

/// Compares two typed files, each with the bytes that it names.
///
/// # Errors
/// When bytes cannot be read.
pub fn compare(
    (first, first_blobs): (&Value, &dyn Blobs),
    (second, second_blobs): (&Value, &dyn Blobs),
    differences: &mut Differences,
) -> Result<(), Error> {
    let sides = Sides { first: first_blobs, second: second_blobs };
    let mut walk = Walk { sides, path: String::new(), differences };
    walk.value(first, second)
}

/// Where each side has its bytes.
#[derive(Clone, Copy)]
struct Sides<'a> {
    first: &'a dyn Blobs,
    second: &'a dyn Blobs,
}

impl Sides<'_> {
    /// Whether two values are the same, to the bit.
    fn same(&self, first: &Value, second: &Value) -> bool {
        match (first, second) {
            (Value::Number(first), Value::Number(second)) => same_number(first, second),
            (Value::Array(first), Value::Array(second)) => {
                first.len() == second.len()
                    && first.iter().zip(second).all(|(first, second)| self.same(first, second))
            }
            (Value::Object(first_members), Value::Object(second_members)) => {
                if let (Some(first), Some(second)) = (blob(first, self.first), blob(second, self.second)) {
                    return first.1 == second.1;
                }
                let has = |(name, value): (&String, &Value)| {
                    second_members.get(name).is_some_and(|other| self.same(value, other))
                };
                first_members.len() == second_members.len() && first_members.iter().all(has)
            }
            (first, second) => first == second,
        }
    }

    /// How much two values have in common, from 0 to 100.
    fn alike(&self, first: &Value, second: &Value) -> u32 {
        let (same, all) = match (first, second) {
            (Value::Array(first), Value::Array(second)) => {
                let same = first.iter().zip(second).filter(|(first, second)| self.same(first, second));
                (same.count(), first.len().max(second.len()))
            }
            (Value::Object(first), Value::Object(second)) => {
                let same = first
                    .iter()
                    .filter(|(name, value)| second.get(*name).is_some_and(|other| self.same(value, other)));
                (same.count(), first.len().max(second.len()))
            }
            _ => (0, 1),
        };
        let percent = same.saturating_mul(100).checked_div(all).unwrap_or(0);
        u32::try_from(percent).unwrap_or(0)
    }
}

/// The bytes that a value stands for.
fn blob(value: &Value, blobs: &dyn Blobs) -> Option<(Source, String)> {
    let members = value.as_object().filter(|members| members.len() == 1)?;
    blobs.blob(members.get(BLOB)?.as_str()?)
}

/// A zero with a sign is another than one without.
fn same_number(first: &Number, second: &Number) -> bool {
    match (first.is_f64(), second.is_f64()) {
        (true, true) => first.as_f64().map(f64::to_bits) == second.as_f64().map(f64::to_bits),
        _ => first == second,
    }
}

/// The same for equal values.
fn digest(value: &Value, blobs: &dyn Blobs, hasher: &mut DefaultHasher) {
    match value {
        Value::Null => 0_u8.hash(hasher),
        Value::Bool(value) => (1_u8, value).hash(hasher),
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) => (2_u8, float.to_bits()).hash(hasher),
            None => (3_u8, number.as_i64(), number.as_u64()).hash(hasher),
        },
        Value::String(text) => (4_u8, text).hash(hasher),
        Value::Array(items) => {
            (5_u8, items.len()).hash(hasher);
            items.iter().for_each(|item| digest(item, blobs, hasher));
        }
        Value::Object(members) => {
            if let Some((_, bytes)) = blob(value, blobs) {
                (6_u8, bytes).hash(hasher);
                return;
            }
            // The order of members does not matter, so that of their digests must not either.
            let of_member = |(name, value): (&String, &Value)| {
                let mut own = DefaultHasher::new();
                name.hash(&mut own);
                digest(value, blobs, &mut own);
                own.finish()
            };
            let sum = members.iter().map(of_member).fold(0, u64::wrapping_add);
            (7_u8, sum).hash(hasher);
        }
    }
}

struct Walk<'a> {
    sides: Sides<'a>,
    path: String,
    differences: &'a mut Differences,
}

impl Walk<'_> {
    fn value(&mut self, first: &Value, second: &Value) -> Result<(), Error> {
        if let (Some(first), Some(second)) = (blob(first, self.sides.first), blob(second, self.sides.second))
        {
            return if first.1 == second.1 { Ok(()) } else { self.blobs(&first.0, &second.0) };
        }
        match (first, second) {
            (Value::Object(first), Value::Object(second)) => self.members(first, second),
            (Value::Array(first), Value::Array(second)) => self.items(first, second),
            (first, second) if self.sides.same(first, second) => Ok(()),
            (Value::String(first), Value::String(second)) if is_run(first) && is_run(second) => {
                let same =
                    first.bytes().zip(second.bytes()).take_while(|(first, second)| first == second).count();
                let bytes_of = |digits: usize| u64::try_from(digits / 2).unwrap_or(u64::MAX);
                self.differences.add(&self.path, || What::Bytes {
                    from_length: bytes_of(first.len()),
                    to_length: bytes_of(second.len()),
                    first_difference: bytes_of(same),
                });
                Ok(())
            }
            (first, second) => {
                self.differences
                    .add(&self.path, || What::Changed { from: first.clone(), to: second.clone() });
                Ok(())
            }
        }
    }

    fn blobs(&mut self, first: &Source, second: &Source) -> Result<(), Error> {
        let first_difference = first_difference(first, second)?.unwrap_or_else(|| first.len());
        let (from_length, to_length) = (first.len(), second.len());
        self.differences.add(&self.path, || What::Bytes { from_length, to_length, first_difference });
        Ok(())
    }

    fn members(&mut self, first: &Map<String, Value>, second: &Map<String, Value>) -> Result<(), Error> {
        for (name, value) in first {
            self.below(
                |path| push_name(path, name),
                |walk| match second.get(name) {
                    Some(other) => walk.value(value, other),
                    None => walk.removed(value),
                },
            )?;
        }
        for (name, value) in second.iter().filter(|(name, _)| !first.contains_key(*name)) {
            self.below(|path| push_name(path, name), |walk| walk.added(value))?;
        }
        Ok(())
    }

    fn items(&mut self, first: &[Value], second: &[Value]) -> Result<(), Error> {
        for step in self.align(first, second) {
            match step {
                Step::Both(from, to) => {
                    if let (Some(value), Some(other)) = (first.get(from), second.get(to)) {
                        self.below(|path| push_index(path, from), |walk| walk.value(value, other))?;
                    }
                }
                Step::First(at) => {
                    if let Some(value) = first.get(at) {
                        self.below(|path| push_index(path, at), |walk| walk.removed(value))?;
                    }
                }
                Step::Second(at) => {
                    if let Some(value) = second.get(at) {
                        self.below(|path| push_index(path, at), |walk| walk.added(value))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn align(&self, first: &[Value], second: &[Value]) -> Vec<Step> {
        let is_plain = |value: &Value| !value.is_array() && !value.is_object();
        let is_point = first.len() == second.len() && first.len() <= POINT && first.iter().all(is_plain);
        if is_point {
            return (0..first.len()).map(|at| Step::Both(at, at)).collect();
        }
        let digests = |items: &[Value], blobs: &dyn Blobs| -> Vec<u64> {
            let of_item = |item| {
                let mut hasher = DefaultHasher::new();
                digest(item, blobs, &mut hasher);
                hasher.finish()
            };
            items.iter().map(of_item).collect()
        };
        let (left, right) = (digests(first, self.sides.first), digests(second, self.sides.second));
        let both = |x: usize, y: usize| first.get(x).zip(second.get(y));
        let equal = |x: usize, y: usize| {
            left.get(x) == right.get(y)
                && both(x, y).is_some_and(|(first, second)| self.sides.same(first, second))
        };
        let alike =
            |x: usize, y: usize| both(x, y).map_or(0, |(first, second)| self.sides.alike(first, second));
        align(&Lists { first: first.len(), second: second.len(), equal: &equal, alike: &alike })
    }

    fn removed(&mut self, value: &Value) -> Result<(), Error> {
        self.differences.add(&self.path, || What::Removed { from: value.clone() });
        Ok(())
    }

    fn added(&mut self, value: &Value) -> Result<(), Error> {
        self.differences.add(&self.path, || What::Added { to: value.clone() });
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

fn push_index(path: &mut String, index: usize) {
    path.push_str(&format!("[{index}]"));
}

/// Whether a text is a run of bytes: many hexadecimal digits, two for each.
fn is_run(text: &str) -> bool {
    let digits = text.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit));
    digits && text.len() >= RUN && text.len().is_multiple_of(2)
}
