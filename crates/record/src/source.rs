//! Byte sources: a slice in memory, a file that is read at offsets, or bytes that are produced on demand.

use std::borrow::Cow;
use std::fmt;
#[cfg(feature = "fs")]
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::{Error, Result};

/// The bytes of a file, or of a part of a file. Cheap to clone.
///
/// Only the requested ranges of a file are read, so a file of several gigabytes costs no more than the ranges that are used.
#[derive(Clone)]
pub struct Source {
    bytes: Bytes,
    /// Offset of this source within `bytes`.
    start: u64,
    length: u64,
}

/// Bytes that are produced on demand, such as the contents of a compressed file.
pub trait ReadAt: Send + Sync {
    /// Returns the bytes of a range, which must be within the source.
    ///
    /// # Errors
    /// If the bytes cannot be produced, or if the range is too long.
    fn read_at(&self, range: Range<u64>) -> Result<Vec<u8>>;
}

#[derive(Clone)]
enum Bytes {
    Memory(Arc<[u8]>),
    OnDemand(Arc<dyn ReadAt>),
    #[cfg(feature = "fs")]
    File(Arc<File>),
    /// A file that is opened for each read.
    #[cfg(feature = "fs")]
    Path(Arc<Path>),
}

impl Source {
    /// Creates a source from bytes in memory.
    #[must_use]
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let length = length_of(&bytes);
        Self { bytes: Bytes::Memory(bytes), start: 0, length }
    }

    /// Creates a source of `length` bytes that are produced on demand.
    #[must_use]
    pub fn on_demand(bytes: Arc<dyn ReadAt>, length: u64) -> Self {
        Self { bytes: Bytes::OnDemand(bytes), start: 0, length }
    }

    /// Opens a file on disk, which is read on demand.
    ///
    /// # Errors
    /// [`Kind::Io`](crate::Kind::Io) if it cannot be opened, or if it is not a regular file;
    /// [`Kind::Unsupported`](crate::Kind::Unsupported) without the feature `fs`.
    #[cfg(not(feature = "fs"))]
    pub fn open(path: &Path) -> Result<Self> {
        Err(Error::unsupported("opening files requires the feature `fs`").in_file(path))
    }

    /// Opens a file on disk, which is read on demand.
    ///
    /// # Errors
    /// [`Kind::Io`](crate::Kind::Io) if it cannot be opened, or if it is not a regular file;
    /// [`Kind::Unsupported`](crate::Kind::Unsupported) without the feature `fs`.
    #[cfg(feature = "fs")]
    pub fn open(path: &Path) -> Result<Self> {
        let open = || -> Result<Self> {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            if !metadata.is_file() {
                return Err(Error::new(crate::Kind::Io, "not a regular file"));
            }
            Ok(Self { length: metadata.len(), bytes: Bytes::File(Arc::new(file)), start: 0 })
        };
        open().map_err(|error| error.in_file(path))
    }

    /// Like [`Source::open`], but the file is opened for each read and not kept open. Suitable for thousands of files at once. If the file
    /// has become shorter, reading fails.
    ///
    /// # Errors
    /// Same as [`Source::open`].
    pub fn open_for_each_read(path: &Path) -> Result<Self> {
        let source = Self::open(path)?;
        #[cfg(feature = "fs")]
        let source = Self { bytes: Bytes::Path(Arc::from(path)), ..source };
        Ok(source)
    }

    /// Length in bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Whether the source has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns a part of this source as a separate source, whose offsets start at 0.
    ///
    /// # Errors
    /// [`Kind::Malformed`](crate::Kind::Malformed) if the range is not within the source.
    pub fn part(&self, range: Range<u64>) -> Result<Self> {
        self.check(&range)?;
        let start = self.start.checked_add(range.start).ok_or_else(|| self.outside(&range))?;
        Ok(Self { bytes: self.bytes.clone(), start, length: range.end.saturating_sub(range.start) })
    }

    /// Reads a range. Bytes in memory are borrowed.
    ///
    /// # Errors
    /// [`Kind::Malformed`](crate::Kind::Malformed) if the range is not within the source,
    /// [`Kind::Io`](crate::Kind::Io) if the file cannot be read.
    pub fn read(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>> {
        self.check(&range)?;
        let outside = || self.outside(&range);
        let start = self.start.checked_add(range.start).ok_or_else(outside)?;
        let length = usize::try_from(range.end.saturating_sub(range.start)).map_err(|_| outside())?;
        match &self.bytes {
            Bytes::Memory(bytes) => {
                let from = usize::try_from(start).map_err(|_| outside())?;
                let to = from.checked_add(length).ok_or_else(outside)?;
                bytes.get(from..to).map(Cow::Borrowed).ok_or_else(outside)
            }
            Bytes::OnDemand(bytes) => {
                let end = start.checked_add(range.end.saturating_sub(range.start)).ok_or_else(outside)?;
                bytes.read_at(start..end).map(Cow::Owned)
            }
            #[cfg(feature = "fs")]
            Bytes::File(file) => {
                let mut out = vec![0; length];
                read_at(file, &mut out, start)?;
                Ok(Cow::Owned(out))
            }
            #[cfg(feature = "fs")]
            Bytes::Path(path) => {
                let mut out = vec![0; length];
                let read =
                    File::open(path).map_err(Error::from).and_then(|file| read_at(&file, &mut out, start));
                read.map_err(|error| error.in_file(path))?;
                Ok(Cow::Owned(out))
            }
        }
    }

    /// Reads the entire source.
    ///
    /// # Errors
    /// [`Kind::Io`](crate::Kind::Io) if the file cannot be read.
    pub fn read_all(&self) -> Result<Cow<'_, [u8]>> {
        self.read(0..self.length)
    }

    /// Reads the first bytes, at most `count` of them. Used for detecting formats.
    ///
    /// # Errors
    /// [`Kind::Io`](crate::Kind::Io) if the file cannot be read.
    pub fn head(&self, count: u64) -> Result<Cow<'_, [u8]>> {
        self.read(0..count.min(self.length))
    }

    fn check(&self, range: &Range<u64>) -> Result<()> {
        if range.start > range.end || range.end > self.length {
            return Err(self.outside(range));
        }
        Ok(())
    }

    fn outside(&self, range: &Range<u64>) -> Error {
        Error::malformed(format!(
            "bytes {:#x}..{:#x} are outside the file, which has {} bytes",
            range.start, range.end, self.length
        ))
        .at(range.start.min(self.length))
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.bytes {
            Bytes::Memory(_) => "memory",
            Bytes::OnDemand(_) => "on-demand data",
            #[cfg(feature = "fs")]
            Bytes::File(_) | Bytes::Path(_) => "file",
        };
        write!(f, "Source({} bytes of {kind} from {:#x})", self.length, self.start)
    }
}

impl From<Vec<u8>> for Source {
    fn from(bytes: Vec<u8>) -> Self {
        Self::from_bytes(bytes)
    }
}

/// The length of a slice as a `u64`, which is large enough for any slice in memory.
pub(crate) fn length_of(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

#[cfg(all(feature = "fs", unix))]
fn read_at(file: &File, out: &mut [u8], offset: u64) -> Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, offset).map_err(Error::from)
}

#[cfg(all(feature = "fs", windows))]
fn read_at(file: &File, mut out: &mut [u8], mut offset: u64) -> Result<()> {
    use std::os::windows::fs::FileExt;
    while !out.is_empty() {
        let read = file.seek_read(out, offset)?;
        if read == 0 {
            return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into());
        }
        out = out.get_mut(read..).unwrap_or_default();
        offset = offset.saturating_add(u64::try_from(read).unwrap_or(0));
    }
    Ok(())
}

#[cfg(all(feature = "fs", not(any(unix, windows))))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> Result<()> {
    Err(Error::unsupported("reading files at an offset is not supported on this platform"))
}

#[cfg(all(test, feature = "fs"))]
mod tests {
    use super::*;
    use std::io::Write;

    #[expect(clippy::unwrap_used, reason = "a test may panic")]
    fn sources(bytes: &[u8]) -> [Source; 3] {
        let path =
            std::env::temp_dir().join(format!("antiquary-source-{}-{}", std::process::id(), bytes.len()));
        File::create(&path).unwrap().write_all(bytes).unwrap();
        let file = Source::open(&path).unwrap();
        [Source::from_bytes(bytes), file, Source::open_for_each_read(&path).unwrap()]
    }

    #[test]
    fn memory_and_file_sources_read_the_same() {
        for source in sources(b"0123456789") {
            assert_eq!(source.len(), 10);
            assert_eq!(&*source.read(2..5).unwrap(), b"234");
            assert_eq!(&*source.head(100).unwrap(), b"0123456789");
            let part = source.part(3..8).unwrap();
            assert_eq!(&*part.read_all().unwrap(), b"34567");
            assert_eq!(&*part.part(1..3).unwrap().read_all().unwrap(), b"45");
        }
    }

    #[test]
    fn refuses_a_range_outside_the_source() {
        for source in sources(b"01234") {
            let error = source.read(3..6).unwrap_err();
            assert_eq!(
                error.to_string(),
                "bytes 0x3..0x6 are outside the file, which has 5 bytes, at offset 0x3"
            );
            assert!(source.part(1..4).unwrap().read(0..4).is_err());
            #[expect(clippy::reversed_empty_ranges, reason = "a hostile range")]
            let reversed = 4..2;
            assert!(source.read(reversed).is_err());
        }
    }
}
