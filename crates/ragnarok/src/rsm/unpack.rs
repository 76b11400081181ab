//! Unpacking a model to a folder, and packing it again.
//!
//! `version` in `record.json` is the version to write. Changing it converts the model.

use asset::{Context, Parts, Report, Unpacked};
use record::{Error, Result};
use serde::{Deserialize, Serialize};

use super::{Rsm, Version};

/// The context of the record's fields.
#[derive(Debug, Serialize, Deserialize)]
struct Read {
    /// The version of the unpacked model.
    version: Version,
}

/// Writes every field to the record.
pub(super) fn unpack(
    model: &Rsm,
    _context: &Context<'_>,
    parts: &mut Parts<'_>,
    _report: &mut Report,
) -> Result<()> {
    parts.context(&Read { version: model.version })?;
    parts.typed(model)
}

/// Writes the model from the record, in the version of the record.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let in_record = |error: Error| error.in_file("record.json");
    let model: Rsm = folder.typed()?;
    let Read { version: read_as } = folder.context()?;
    if model.version == read_as {
        return model.write().map_err(in_record);
    }
    if !folder.is_record_edited() {
        let message = format!(
            "the record has version {}, the manifest {read_as}; to write another version, change it in record.json",
            model.version
        );
        return Err(Error::usage(message).in_field("version"));
    }
    let wanted = model.version;
    let before = Rsm { version: read_as, ..model };
    // If the other fields have been changed too, the record is already in the new version.
    if before.write().is_err() {
        return Rsm { version: wanted, ..before }.write().map_err(in_record);
    }
    before.to_version(wanted, report).write()
}
