//! The record as it was unpacked, which the manifest keeps: zlib in base64.

use std::io::{self, Read, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use record::Error;

use super::digest;

/// No longer record is kept.
const LONGEST: u64 = 256 << 20;

/// Compresses what is written somewhere else, too.
pub(super) struct Keeping {
    /// `None` where nothing is kept.
    out: Option<ZlibEncoder<Vec<u8>>>,
    length: u64,
}

impl Keeping {
    /// Keeps what is written, or does not.
    pub(super) fn new(is_kept: bool) -> Self {
        let out = is_kept.then(|| ZlibEncoder::new(Vec::new(), Compression::default()));
        Self { out, length: 0 }
    }

    /// Passes bytes on to another writer.
    pub(super) const fn and<'a>(&'a mut self, other: &'a mut dyn Write) -> Both<'a> {
        Both { kept: self, other }
    }

    /// What was kept.
    pub(super) fn finish(self) -> Result<Option<String>, Error> {
        let Some(out) = self.out.filter(|_| self.length <= LONGEST) else { return Ok(None) };
        Ok(Some(STANDARD.encode(out.finish()?)))
    }
}

/// Writes to another writer, and keeps it.
pub(super) struct Both<'a> {
    kept: &'a mut Keeping,
    other: &'a mut dyn Write,
}

impl Write for Both<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.other.write(bytes)?;
        let bytes = bytes.get(..written).unwrap_or(bytes);
        self.kept.length = self.kept.length.saturating_add(u64::try_from(written).unwrap_or(u64::MAX));
        if let Some(out) = self.kept.out.as_mut().filter(|_| self.kept.length <= LONGEST) {
            out.write_all(bytes)?;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.other.flush()
    }
}

/// The record that was kept; `None` if it does not have this digest.
pub(super) fn read(kept: &str, sha256: &str) -> Option<Vec<u8>> {
    let compressed = STANDARD.decode(kept).ok()?;
    let mut record = Vec::new();
    ZlibDecoder::new(&*compressed).take(LONGEST).read_to_end(&mut record).ok()?;
    (digest::of_bytes(&record) == sha256).then_some(record)
}
