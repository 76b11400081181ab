//! Detecting changes on disk.

use std::path::Path;
use std::time::UNIX_EPOCH;

use antiquary::files::disk;

/// Returns a stamp that changes whenever a file or folder does; empty if it does not exist.
pub(crate) fn stamp_of(path: &Path) -> String {
    let Ok(metadata) = disk::metadata(path) else { return String::new() };
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{:x}-{:x}", metadata.len(), changed.unwrap_or_default().as_nanos())
}
