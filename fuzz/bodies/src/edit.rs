//! A file is unpacked, values of its record are edited, and it is packed again or refused. If the packed file can be read, it can be
//! unpacked and packed to the same bytes.
//!
//! Parts: the file, then edits of six bytes each: the index of the value (two bytes), the operation (one) and its operands (three).

use antiquary::json::{Map, Number, Value};
use antiquary::{Error, Format, Source};

use crate::part::split;
use crate::subject::{assert_round_trip, formats, open, pack, unpack_record};

/// Maximum number of edits.
const MAX_EDITS: usize = 16;

pub(crate) fn run(input: &[u8]) {
    let mut parts = split(input);
    let file = parts.next().unwrap_or_default();
    let edits = parts.next().unwrap_or_default();
    for format in formats() {
        // Errors while unpacking are the subject of `roundtrip`.
        let _ = edit_file(format, file, edits);
    }
}

fn edit_file(format: &'static Format, file: &[u8], edits: &[u8]) -> Result<(), Error> {
    let source = Source::from(file.to_vec());
    if format.pack.is_none() {
        return Ok(());
    }
    let Some(asset) = open(format, &source) else { return Ok(()) };
    let unpacked = unpack_record(format, &*asset, &source)?;
    let mut record: Value = antiquary::json::from_slice(&unpacked.record()?).expect("our own JSON");
    let before = record.to_string();
    for edit in edits.as_chunks::<6>().0.iter().take(MAX_EDITS) {
        apply(&mut record, *edit);
    }
    // Compare texts, because as values 0 equals -0.
    let record = record.to_string();
    let is_edited = record != before;
    let unpacked = unpacked.with_record(record.into_bytes())?;
    let Some(packed) = pack(format, &unpacked) else {
        assert!(is_edited, "{}: an unchanged record is refused", format.id);
        return Ok(());
    };
    if !is_edited {
        assert!(packed == file, "{}: an unchanged record is packed to a different file", format.id);
    }
    assert_round_trip(format, &packed);
    Ok(())
}

/// Edits one value.
fn apply(record: &mut Value, [low, high, kind, rest @ ..]: [u8; 6]) {
    let count = count(record);
    let wanted = usize::from(u16::from_le_bytes([low, high]));
    let mut left = wanted.checked_rem(count).unwrap_or_default();
    if let Some(value) = nth(record, &mut left) {
        change(value, kind, rest);
    }
}

/// The number of values, including lists and objects.
fn count(value: &Value) -> usize {
    let below: usize = match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    };
    below.saturating_add(1)
}

/// The value with the index `left`, in depth-first order.
fn nth<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left = left.saturating_sub(1);
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, left)),
        Value::Object(fields) => fields.values_mut().find_map(|field| nth(field, left)),
        _ => None,
    }
}

/// Boundaries of integer types.
const NUMBERS: [i64; 16] = [
    0,
    1,
    -1,
    127,
    128,
    255,
    256,
    32_767,
    32_768,
    65_535,
    65_536,
    2_147_483_647,
    -2_147_483_648,
    4_294_967_295,
    i64::MAX,
    i64::MIN,
];

fn change(value: &mut Value, kind: u8, rest: [u8; 3]) {
    let [first, second, third] = rest;
    let small = i32::from_le_bytes([first, second, third, 0]);
    match kind % 16 {
        0 => *value = NUMBERS.get(usize::from(first % 16)).copied().unwrap_or_default().into(),
        1 => *value = small.into(),
        2 => *value = Number::from_f64(f64::from(small) / 256.0).map_or(Value::Null, Value::Number),
        3 => *value = Value::Null,
        4 => *value = (first & 1 == 1).into(),
        5 => *value = Value::Array(Vec::new()),
        6 => *value = Value::Object(Map::new()),
        // Floats that are not finite are written as their bits, bytes as hex.
        7 => *value = format!("0x7f{first:02x}{second:02x}{third:02x}").into(),
        8 => *value = format!("{first:02x}").repeat(usize::from(second)).into(),
        9 => *value = String::from_utf8_lossy(&rest).repeat(usize::from(third)).into(),
        10 => remove(value, first),
        11 => duplicate(value, first),
        12 => swap(value, first, second),
        13 => rename(value, first),
        14 => shorten(value, first),
        _ => negate(value),
    }
}

fn remove(value: &mut Value, which: u8) {
    match value {
        Value::Array(items) => {
            if let Some(at) = usize::from(which).checked_rem(items.len()) {
                items.remove(at);
            }
        }
        Value::Object(fields) => {
            let name =
                usize::from(which).checked_rem(fields.len()).and_then(|at| fields.keys().nth(at).cloned());
            name.and_then(|name| fields.shift_remove(&name));
        }
        _ => {}
    }
}

/// Appends a copy of an item to its list.
fn duplicate(value: &mut Value, which: u8) {
    let Value::Array(items) = value else { return };
    let Some(at) = usize::from(which).checked_rem(items.len()) else { return };
    let item = items.get(at).cloned();
    items.extend(item);
}

fn swap(value: &mut Value, first: u8, second: u8) {
    let Value::Array(items) = value else { return };
    let at = |number: u8| usize::from(number).checked_rem(items.len());
    if let (Some(first), Some(second)) = (at(first), at(second)) {
        items.swap(first, second);
    }
}

fn rename(value: &mut Value, which: u8) {
    let Value::Object(fields) = value else { return };
    let name = usize::from(which).checked_rem(fields.len()).and_then(|at| fields.keys().nth(at).cloned());
    let Some((name, field)) = name.and_then(|name| fields.shift_remove(&name).map(|field| (name, field)))
    else {
        return;
    };
    fields.insert(format!("{name}_"), field);
}

fn shorten(value: &mut Value, which: u8) {
    match value {
        Value::String(text) => {
            let keep = usize::from(which).checked_rem(text.chars().count()).unwrap_or_default();
            *text = text.chars().take(keep).collect();
        }
        Value::Array(items) => {
            items.truncate(usize::from(which).checked_rem(items.len()).unwrap_or_default());
        }
        _ => {}
    }
}

fn negate(value: &mut Value) {
    if let Some(number) = value.as_i64() {
        *value = number.wrapping_neg().into();
    } else if let Some(number) = value.as_f64() {
        *value = Number::from_f64(-number).map_or(Value::Null, Value::Number);
    }
}
