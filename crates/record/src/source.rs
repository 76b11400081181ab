//! Where bytes come from: a slice in memory, or a file read at positions.

use std::borrow::Cow;
use std::fmt;
#[cfg(feature = "fs")]
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::{Error, Result};

/// The bytes of one file, or of one part of a file. Cheap to clone.
///
/// A file is read only where it is asked for, so one of several gigabytes costs no more than what is read of it.
#[derive(Clone)]
pub struct Source {
    bytes: Bytes,
    /// Where this source starts within `bytes`.
    start: u64,
    length: u64,
}

/// Bytes that are made when they are asked for, like those of a packed file.
pub trait ReadAt: Send + Sync {
    /// The bytes of a range, which lies within them.
    ///
    /// # Errors
    /// When they cannot be made, or are too many at once.
    fn read_at(&self, range: Range<u64>) -> Result<Vec<u8>>;
}

#[derive(Clone)]
enum Bytes {
    Memory(Arc<[u8]>),
    Made(Arc<dyn ReadAt>),
    #[cfg(feature = "fs")]
    File(Arc<File>),
    /// A file that is opened for each read.
    #[cfg(feature = "fs")]
    Path(Arc<Path>),
}

impl Source {
    /// Bytes that are in memory already.
    #[must_use]
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let length = length_of(&bytes);
        Self { bytes: Bytes::Memory(bytes), start: 0, length }
    }

    /// So many bytes that are made when they are asked for.
    #[must_use]
    pub fn made(bytes: Arc<dyn ReadAt>, length: u64) -> Self {
        Self { bytes: Bytes::Made(bytes), start: 0, length }
    }

    /// A file on disk, read where asked.
    ///
    /// # Errors
    /// [`Kind::Io`](crate::Kind::Io) when it cannot be opened, or when it is not a regular file;
    /// [`Kind::Unsupported`](crate::Kind::Unsupported) without the feature `fs`.
    #[cfg(not(feature = "fs"))]
    pub fn open(path: &Path) -> Result<Self> {
        Err(Error::unsupported("opening files requires the feature `fs`").in_file(path))
    }

    /// A file on disk, read where asked.
    ///
    /// # Errors
    /// [`Kind::Io`](crate::Kind::Io) when it cannot be opened, or when it is not a regular file;
    /// [`Kind::Unsupported`](crate::Kind::Unsupported) without the feature `fs`.
    #[cfg(feature = "fs")]
    pub fn open(path: &Path) -> Result<Self> {
        let open = || -> Result<Self> {
            let file = File::open(path)?;
            let about = file.metadata()?;
            if !about.is_file() {
                return Err(Error::new(crate::Kind::Io, "not a regular file"));
            }
            Ok(Self { length: about.len(), bytes: Bytes::File(Arc::new(file)), start: 0 })
        };
        open().map_err(|error| error.in_file(path))
    }

    /// The same, but the file is opened for each read and not kept open: for thousands of files at once. One that is shorter by then
    /// cannot be read.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn open_for_each_read(path: &Path) -> Result<Self> {
        let source = Self::open(path)?;
        #[cfg(feature = "fs")]
        let source = Self { bytes: Bytes::Path(Arc::from(path)), ..source };
        Ok(source)
    }

    /// How many bytes there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Whether there are no bytes at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// A part of this source as a source of its own; its offsets start at 0 again.
    ///
    /// # Errors
    /// [`Kind::Malformed`](crate::Kind::Malformed) when the range does not lie within the source.
    pub fn part(&self, range: Range<u64>) -> Result<Self> {
        self.check(&range)?;
        let start = self.start.checked_add(range.start).ok_or_else(|| self.outside(&range))?;
        Ok(Self { bytes: self.bytes.clone(), start, length: range.end.saturating_sub(range.start) })
    }

    /// Reads a range: borrowed from memory, or read from the file.
    ///
    /// # Errors
    /// [`Kind::Malformed`](crate::Kind::Malformed) when the range does not lie within the source,
    /// [`Kind::Io`](crate::Kind::Io) when the file cannot be read.
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
            Bytes::Made(bytes) => {
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

    /// Reads everything.
    ///
    /// # Errors
    /// [`Kind::Io`](crate::Kind::Io) when the file cannot be read.
    pub fn read_all(&self) -> Result<Cow<'_, [u8]>> {
        self.read(0..self.length)
    }

    /// Reads the first bytes, at most `count` of them: what a probe looks at.
    ///
    /// # Errors
    /// [`Kind::Io`](crate::Kind::Io) when the file cannot be read.
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
        let what = match self.bytes {
            Bytes::Memory(_) => "memory",
            Bytes::Made(_) => "made bytes",
            #[cfg(feature = "fs")]
            Bytes::File(_) | Bytes::Path(_) => "file",
        };
        write!(f, "Source({} bytes of {what} from {:#x})", self.length, self.start)
    }
}

impl From<Vec<u8>> for Source {
    fn from(bytes: Vec<u8>) -> Self {
        Self::from_bytes(bytes)
    }
}

/// The length of a slice; a slice in memory is never longer than a `u64` can say.
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
    fn each(bytes: &[u8]) -> [Source; 3] {
        let path =
            std::env::temp_dir().join(format!("antiquary-source-{}-{}", std::process::id(), bytes.len()));
        File::create(&path).unwrap().write_all(bytes).unwrap();
        let file = Source::open(&path).unwrap();
        [Source::from_bytes(bytes), file, Source::open_for_each_read(&path).unwrap()]
    }

    #[test]
    fn memory_and_file_sources_read_the_same() {
        for source in each(b"0123456789") {
            assert_eq!(source.len(), 10);
            assert_eq!(&*source.read(2..5).unwrap(), b"234");
            assert_eq!(&*source.head(100).unwrap(), b"0123456789");
            let part = source.part(3..8).unwrap();
            assert_eq!(&*part.read_all().unwrap(), b"34567");
            assert_eq!(&*part.part(1..3).unwrap().read_all().unwrap(), b"45");
        }
    }

    #[test]
    fn a_range_outside_the_source_is_refused() {
        for source in each(b"01234") {
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
