//! Whether something on disk was changed.

use std::path::Path;
use std::time::UNIX_EPOCH;

use antiquary::files::disk;

/// Another text for a file or a folder whenever it was changed; an empty one for what is not there.
pub(crate) fn stamp_of(path: &Path) -> String {
    let Ok(metadata) = disk::metadata(path) else { return String::new() };
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{:x}-{:x}", metadata.len(), changed.unwrap_or_default().as_nanos())
}
