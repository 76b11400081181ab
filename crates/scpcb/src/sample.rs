//! A small game folder.

use asset::Sink;
use record::Result;

/// Writes it.
///
/// # Errors
/// Those of the sink.
pub fn write(_sink: &mut dyn Sink) -> Result<()> {
    Ok(())
}
