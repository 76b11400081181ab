//! Long byte runs of a typed file, moved out of its JSON into blobs and back.

use asset::{Error, Parts, Unpacked};
use record::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The member by which JSON names the blob that holds the bytes.
const BLOB: &str = "blob";

/// Moves the bytes at a JSON pointer into a blob that is wished to be called `name`, and gives the name it got.
pub(crate) fn move_out(
    record: &mut Value,
    pointer: &str,
    name: &str,
    parts: &mut Parts<'_>,
) -> Result<String, Error> {
    let missing = || Error::usage(format!("the record has no bytes at {pointer}"));
    let place = record.pointer_mut(pointer).ok_or_else(missing)?;
    let bytes: Bytes = serde_json::from_value(place.take()).map_err(|_| missing())?;
    let name = parts.blob(name, &bytes)?;
    *place = json!({ BLOB: name });
    Ok(name)
}

/// Puts the bytes of every blob that the JSON names back into it.
pub(crate) fn move_in(record: &mut Value, folder: &Unpacked) -> Result<(), Error> {
    match record {
        Value::Array(items) => items.iter_mut().try_for_each(|item| move_in(item, folder)),
        Value::Object(members) => {
            if let (Some(Value::String(name)), 1) = (members.get(BLOB), members.len()) {
                let bytes = Bytes::from(folder.blob(name)?);
                *record = serde_json::to_value(bytes).unwrap_or_default();
                return Ok(());
            }
            members.values_mut().try_for_each(|member| move_in(member, folder))
        }
        _ => Ok(()),
    }
}

/// The typed file of a folder, its blobs put back.
pub(crate) fn typed<T: DeserializeOwned>(folder: &Unpacked) -> Result<T, Error> {
    let malformed = |error: serde_json::Error| Error::malformed(error.to_string()).in_file("record.json");
    let mut record: Value = serde_json::from_slice(&folder.record()?).map_err(malformed)?;
    move_in(&mut record, folder)?;
    serde_json::from_value(record).map_err(malformed)
}

/// A typed file as JSON.
pub(crate) fn to_record(typed: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(typed).map_err(|error| Error::usage(error.to_string()))
}

/// The name of the blob at a JSON pointer.
pub(crate) fn name_at<'a>(record: &'a Value, pointer: &str) -> Option<&'a str> {
    record.pointer(pointer)?.get(BLOB)?.as_str()
}
