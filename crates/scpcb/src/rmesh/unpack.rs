//! A room as a folder to edit, and back.

use asset::{Parts, Report, Unpacked};
use record::{Result, json};

use super::RMesh;

/// Writes every field into the record.
pub(super) fn unpack(room: &RMesh, parts: &mut Parts<'_>) -> Result<()> {
    parts.record(json::to_vec(room)?)
}

/// Writes the room from the record.
pub(super) fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    let room: RMesh = json::from_slice(&folder.record()?).map_err(|error| error.in_file("record.json"))?;
    room.write()
}
