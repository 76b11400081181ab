//! SHA-256 digests in hexadecimal.

use std::fmt::Write as _;
use std::io::{self, Write};

use json::Node;
use record::{Error, Source};
use sha2::{Digest, Sha256};

use super::blob::BlobNames;

/// Number of bytes that are read at a time.
const CHUNK: u64 = 1 << 20;

/// Returns the digest of bytes.
pub(super) fn of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns the digest of a source without loading it into memory.
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

/// Returns the digest of a JSON value, independent of white space.
pub(super) fn of_json(node: Node<'_>, names: &BlobNames) -> Result<String, Error> {
    let mut out = io::BufWriter::new(DigestWriter::new(io::sink()));
    node.write_as_read(&mut out, &|at| names.at(at))?;
    let digesting = out.into_inner().map_err(|error| Error::from(error.into_error()))?;
    Ok(digesting.finish())
}

/// A writer that passes bytes on and computes their digest.
pub(super) struct DigestWriter<W> {
    out: W,
    hasher: Sha256,
}

impl<W: Write> DigestWriter<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, hasher: Sha256::new() }
    }

    pub(super) fn finish(self) -> String {
        hex(&self.hasher.finalize())
    }
}

impl<W: Write> Write for DigestWriter<W> {
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
