//! Checks of all numbers and references before they are written.

use crate::error::not_finite;
pub(super) use crate::error::{forbidden, out_of_range};
use crate::{Error, error};

/// Refuses infinite numbers and NaN. `place` names the item.
pub(super) fn finite(values: &[f32], place: impl FnOnce() -> String) -> Result<(), Error> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(not_finite(place(), *value)),
        None => Ok(()),
    }
}

/// Like [`finite`], for a list of items; `place` names the list.
pub(super) fn all_finite<const N: usize>(
    items: &[[f32; N]],
    place: impl FnOnce() -> String,
) -> Result<(), Error> {
    // A finite number times zero is zero; the product of others is NaN. Branch-free, so that the compiler can
    // vectorize it.
    let sum = items.iter().fold([0.0_f32; N], |mut sum, item| {
        sum.iter_mut().zip(item).for_each(|(sum, value)| *sum += value * 0.0);
        sum
    });
    if sum == [0.0; N] {
        return Ok(());
    }
    match items.iter().enumerate().find(|(_, item)| !item.iter().all(|value| value.is_finite())) {
        Some((index, item)) => finite(item, || format!("{}[{index}]", place())),
        None => Ok(()),
    }
}

/// Refuses an index beyond the end of a list.
pub(super) fn in_range(index: usize, count: usize, place: impl FnOnce() -> String) -> Result<usize, Error> {
    if index < count { Ok(index) } else { Err(out_of_range(place(), index, count)) }
}

/// Refuses a list of another length.
pub(super) fn count(found: usize, expected: usize, place: impl FnOnce() -> String) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(error::count(place(), found, expected)) }
}

/// Refuses numbers outside a range, and NaN.
pub(super) fn within(
    value: f32,
    range: std::ops::RangeInclusive<f32>,
    place: impl FnOnce() -> String,
) -> Result<(), Error> {
    if !value.is_finite() {
        return Err(not_finite(place(), value));
    }
    if range.contains(&value) {
        return Ok(());
    }
    Err(forbidden(place(), format!("{value} is not between {} and {}", range.start(), range.end())))
}

/// Returns the name to write, or a generated name if it is empty.
pub(super) fn name(name: &str, kind: &str, index: usize) -> String {
    if name.is_empty() { format!("{kind} {index}") } else { name.to_owned() }
}

/// Returns the description of an object in messages.
pub(super) fn called(kind: &str, index: usize, name: &str) -> String {
    if name.is_empty() { format!("{kind} {index}") } else { format!("{kind} {index} {name:?}") }
}
