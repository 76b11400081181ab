//! SHA-256, as text.

use std::fmt::Write;

use record::{Error, Source};
use sha2::{Digest, Sha256};

/// How much of a source is in memory at once.
const CHUNK: u64 = 1 << 20;

/// The digest of some bytes, in hex.
pub(super) fn of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The digest of a source, which is never in memory whole.
pub(super) fn of_source(source: &Source) -> Result<String, Error> {
    let mut hasher = Sha256::new();
    let mut at = 0;
    while at < source.len() {
        let end = at.saturating_add(CHUNK).min(source.len());
        hasher.update(&*source.read(at..end)?);
        at = end;
    }
    Ok(hex(&hasher.finalize()))
}

/// The digest of a JSON value: the same for the same value, however it is spaced.
pub(super) fn of_json(value: &serde_json::Value) -> String {
    of_bytes(value.to_string().as_bytes())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}
