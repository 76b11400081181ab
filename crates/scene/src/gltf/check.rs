//! What every number and reference has to pass before it is written.

use crate::error::not_finite;
pub(super) use crate::error::{forbidden, out_of_range};
use crate::{Error, error};

/// Refuses numbers that are infinite or not numbers. `place` names the item.
pub(super) fn finite(values: &[f32], place: impl FnOnce() -> String) -> Result<(), Error> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(not_finite(place(), *value)),
        None => Ok(()),
    }
}

/// The same for a list of items; `place` names the list.
pub(super) fn all_finite<const N: usize>(
    items: &[[f32; N]],
    place: impl FnOnce() -> String,
) -> Result<(), Error> {
    // Times zero is zero for every number, and none for the others. Without branches, so that many are looked at at once.
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

/// Refuses a place beyond the end of a list.
pub(super) fn in_range(index: usize, count: usize, place: impl FnOnce() -> String) -> Result<usize, Error> {
    if index < count { Ok(index) } else { Err(out_of_range(place(), index, count)) }
}

/// Refuses a list of another length.
pub(super) fn count(found: usize, expected: usize, place: impl FnOnce() -> String) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(error::count(place(), found, expected)) }
}

/// Refuses a number outside a range, or not a number.
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

/// The name to write: nothing stays without one.
pub(super) fn name(name: &str, kind: &str, index: usize) -> String {
    if name.is_empty() { format!("{kind} {index}") } else { name.to_owned() }
}

/// What a thing is called in messages.
pub(super) fn called(kind: &str, index: usize, name: &str) -> String {
    if name.is_empty() { format!("{kind} {index}") } else { format!("{kind} {index} {name:?}") }
}
