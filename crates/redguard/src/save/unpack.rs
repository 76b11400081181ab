//! A saved game as a folder to edit: slot, flags and items stand in the record by name, all else in blobs.

use asset::{Error, Parts, Report, Unpacked};
use record::{Result, json};
use serde_json::Value;

use super::item::ItemNames;
use super::layout::{Chunk, Save};
use crate::blob;

/// Bytes of other chunks stay in the record while they are fewer.
const SHORT: usize = 64;

/// The member that tells people which item a record is; it does not stand in the file.
const NAME: &str = "name";

pub(super) fn unpack(save: &Save, names: Option<&ItemNames>, parts: &mut Parts<'_>) -> Result<()> {
    let mut record = blob::to_record(save)?;
    for (place, chunk) in save.chunks.iter().enumerate() {
        match chunk {
            Chunk::Other { tag, data } if data.len() > SHORT => {
                let name = format!("{place:02}-{}.bin", tag.0.escape_ascii());
                blob::move_out(&mut record, &format!("/chunks/{place}/Other/data"), &name, parts)?;
            }
            Chunk::Items(_) => {
                for (number, item) in items(&mut record, place).enumerate() {
                    if let Some(name) = names.and_then(|names| names.get(number)) {
                        put_first(item, name);
                    }
                }
            }
            _ => {}
        }
    }
    if save.rest.len() > SHORT {
        blob::move_out(&mut record, "/rest", "rest.bin", parts)?;
    }
    parts.record(json::to_vec(&record)?)
}

/// The records of the items in a chunk.
fn items(record: &mut Value, place: usize) -> impl Iterator<Item = &mut Value> {
    let list = record.pointer_mut(&format!("/chunks/{place}/SVIT/records"));
    list.and_then(Value::as_array_mut).into_iter().flatten()
}

/// The name stands in front of the numbers.
fn put_first(item: &mut Value, name: &str) {
    let Some(fields) = item.as_object_mut() else { return };
    let old = std::mem::take(fields);
    fields.insert(NAME.into(), name.into());
    fields.extend(old);
}

pub(super) fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    let malformed = |error: serde_json::Error| Error::malformed(error.to_string()).in_file("record.json");
    let mut record: Value = serde_json::from_slice(&folder.record()?).map_err(malformed)?;
    let count = record.pointer("/chunks").and_then(Value::as_array).map_or(0, Vec::len);
    for place in 0..count {
        items(&mut record, place).filter_map(Value::as_object_mut).for_each(|item| drop(item.remove(NAME)));
    }
    blob::move_in(&mut record, folder)?;
    let save: Save = serde_json::from_value(record).map_err(malformed)?;
    save.write()
}
