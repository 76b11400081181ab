//! Opened archives, and archives as layers over a game folder.

mod layer;

use std::fmt;
use std::io::Write;

use files::sink::Output;
use record::{Error, Source};

pub use layer::{ArchiveLayer, share};

use crate::archive::{Archive, Change, EditMode, Entry, EntryChange, OpenContainer};
use crate::asset::Asset;
use crate::context::Context;
use crate::format::{AsArchive, Format};
use crate::report::Report;

/// An opened archive.
pub struct Container {
    asset: Box<dyn Asset>,
    as_archive: AsArchive,
}

impl Container {
    /// Opens an archive of a format.
    ///
    /// # Errors
    /// When the file cannot be read, is malformed, or is not an archive.
    pub fn open(format: &Format, source: &Source, report: &mut Report) -> Result<Self, Error> {
        if source.is_empty() {
            return Err(Error::malformed("the file is empty").at(0));
        }
        let asset = (format.open)(source, report)?;
        let as_archive = format.archive.map(|entries| entries.of);
        let Some(as_archive) = as_archive.filter(|as_archive| as_archive(&*asset).is_some()) else {
            return Err(not_an_archive(format));
        };
        report.locate(|visitor| format.trace(&*asset, source, visitor));
        Ok(Self { asset, as_archive })
    }

    /// The archive as a file of its format.
    #[must_use]
    pub fn asset(&self) -> &dyn Asset {
        &*self.asset
    }

    /// The archive of entries.
    ///
    /// # Errors
    /// When the file is not an archive.
    pub fn archive(&self) -> Result<&dyn Archive, Error> {
        (self.as_archive)(&*self.asset).ok_or_else(|| Error::usage("this file is not an archive"))
    }
}

/// The error for files of a format that are not archives.
#[must_use]
pub fn not_an_archive(format: &Format) -> Error {
    Error::unsupported(format!("`{}` files are not archives", format.id))
}

impl OpenContainer for Container {
    fn asset(&self) -> &dyn Asset {
        &*self.asset
    }
}

impl Archive for Container {
    fn count(&self) -> usize {
        self.archive().map_or(0, Archive::count)
    }

    fn entry(&self, index: usize) -> Option<Entry<'_>> {
        self.archive().ok()?.entry(index)
    }

    fn open(&self, index: usize) -> Result<Source, Error> {
        self.archive()?.open(index)
    }

    fn replace(
        &self,
        context: &Context<'_>,
        index: usize,
        name: &str,
        content: &Source,
        out: &mut dyn Write,
        report: &mut Report,
    ) -> Result<(), Error> {
        self.archive()?.replace(context, index, name, content, out, report)
    }

    fn edit(
        &self,
        context: &Context<'_>,
        changes: &[Change],
        mode: EditMode,
        out: &mut dyn Output,
        report: &mut Report,
    ) -> Result<Vec<EntryChange>, Error> {
        self.archive()?.edit(context, changes, mode, out, report)
    }
}

impl fmt::Debug for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Container({} entries)", self.count())
    }
}
