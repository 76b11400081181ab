//! The original record in the manifest, compressed with zlib and encoded in base64.

use std::io::{self, Read, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use record::Error;

use super::digest;

/// Maximum length of a stored record in bytes.
const LONGEST: u64 = 256 << 20;

/// An encoder for the original record.
pub(super) struct OriginalEncoder {
    /// `None` if the record is not stored.
    out: Option<ZlibEncoder<Vec<u8>>>,
    length: u64,
}

impl OriginalEncoder {
    /// Creates an encoder that stores the record if `is_kept` is true.
    pub(super) fn new(is_kept: bool) -> Self {
        let out = is_kept.then(|| ZlibEncoder::new(Vec::new(), Compression::default()));
        Self { out, length: 0 }
    }

    /// Returns a writer that writes to `other` and to this encoder.
    pub(super) const fn tee<'a>(&'a mut self, other: &'a mut dyn Write) -> Tee<'a> {
        Tee { original: self, other }
    }

    /// Returns the encoded record, if it was stored.
    pub(super) fn finish(self) -> Result<Option<String>, Error> {
        let Some(out) = self.out.filter(|_| self.length <= LONGEST) else { return Ok(None) };
        Ok(Some(STANDARD.encode(out.finish()?)))
    }
}

/// A writer that writes to another writer and to an encoder.
pub(super) struct Tee<'a> {
    original: &'a mut OriginalEncoder,
    other: &'a mut dyn Write,
}

impl Write for Tee<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.other.write(bytes)?;
        let bytes = bytes.get(..written).unwrap_or(bytes);
        self.original.length =
            self.original.length.saturating_add(u64::try_from(written).unwrap_or(u64::MAX));
        if let Some(out) = self.original.out.as_mut().filter(|_| self.original.length <= LONGEST) {
            out.write_all(bytes)?;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.other.flush()
    }
}

/// Decodes the stored record; `None` if it does not have this digest.
pub(super) fn read(stored: &str, sha256: &str) -> Option<Vec<u8>> {
    let compressed = STANDARD.decode(stored).ok()?;
    let mut record = Vec::new();
    ZlibDecoder::new(&*compressed).take(LONGEST).read_to_end(&mut record).ok()?;
    (digest::of_bytes(&record) == sha256).then_some(record)
}
