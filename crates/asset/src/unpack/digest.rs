//! SHA-256, as text.

use std::fmt::Write as _;
use std::io::{self, Write};

use json::Node;
use record::{Error, Source};
use sha2::{Digest, Sha256};

use super::blob::BlobNames;

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
pub(super) fn of_json(node: Node<'_>, names: &BlobNames) -> Result<String, Error> {
    let mut out = io::BufWriter::new(Digesting::new(io::sink()));
    node.write_as_read(&mut out, &|at| names.at(at))?;
    let digesting = out.into_inner().map_err(|error| Error::from(error.into_error()))?;
    Ok(digesting.finish())
}

/// Passes bytes on, and knows the digest of all.
pub(super) struct Digesting<W> {
    out: W,
    hasher: Sha256,
}

impl<W: Write> Digesting<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, hasher: Sha256::new() }
    }

    pub(super) fn finish(self) -> String {
        hex(&self.hasher.finalize())
    }
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(bytes.get(..written).unwrap_or(bytes));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}
