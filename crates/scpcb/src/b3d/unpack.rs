//! Unpacks a model to a folder and packs it again: every field is in the record.

use asset::{Context, Parts, Report, Unpacked};
use record::Result;

use super::B3d;

/// Writes the record with every field.
pub(super) fn unpack(
    model: &B3d,
    _context: &Context<'_>,
    parts: &mut Parts<'_>,
    _report: &mut Report,
) -> Result<()> {
    parts.typed(model)
}

/// Builds the model from the record.
pub(super) fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    let model: B3d = folder.typed()?;
    model.write()
}
