//! The gallery: a page, `index.html`, that shows all outputs of a conversion, or several pages if there are many.
//!
//! The pages are self-contained: style and script are embedded, and so are the pictures as long as they are few. Beyond
//! that, pictures, further pages and the search index are stored in the folder `gallery` next to the first page. Links to
//! the written files are relative, so that the folder can be moved. Everything from files or their names is escaped. The
//! same outcome results in the same bytes.

mod card;
mod escape;
mod page;
mod pictures;
mod search;
mod section;
#[cfg(test)]
mod tests;
mod watch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use asset::{Error, FolderSink, Guard, Overwrite, Sink};

pub(crate) use watch::{GalleryEntry, Watch};

use crate::catalog::Catalog;
use crate::run::Run;
use pictures::Pictures;
use section::Shown;

/// File name of the first page.
const PAGE: &str = "index.html";
/// Folder of all other files.
const FOLDER: &str = "gallery";

/// Maximum total size in bytes of the pictures and fonts that are embedded in pages. Encoding enlarges them by a third, and
/// no page should exceed two million bytes.
const EMBEDDED_BYTES: usize = 1 << 20;

/// A page lists its games within this many bytes.
const HEAD: u64 = 1 << 10;

/// Returns the ids of the games whose converted files the gallery in a folder shows; empty if there is no gallery.
pub(crate) fn games_in(out: &Path) -> Vec<String> {
    let head = files::disk::open(&out.join(PAGE)).and_then(|page| Ok(page.head(HEAD)?.into_owned()));
    let head = String::from_utf8_lossy(&head.unwrap_or_default()).into_owned();
    let games = head
        .split_once("<meta name=\"antiquary-games\" content=\"")
        .and_then(|(_, rest)| rest.split_once('"'));
    games.map_or_else(Vec::new, |(ids, _)| ids.split_whitespace().map(ToOwned::to_owned).collect())
}

/// Collects the gallery entries while files are converted.
#[derive(Debug)]
pub(crate) struct Gallery {
    out: PathBuf,
    pictures: Pictures,
    entries: Mutex<BTreeMap<usize, GalleryEntry>>,
}

impl Gallery {
    /// Creates a gallery for the outputs of this many inputs in a folder.
    ///
    /// # Errors
    /// Fails if its page must not be written because it already exists or is an input.
    pub(crate) fn new(
        out: &Path,
        inputs: usize,
        overwrite: Overwrite,
        guard: &Arc<Guard>,
    ) -> Result<Self, Error> {
        let page = out.join(PAGE);
        if guard.protects(&page) {
            return Err(Error::usage("is an input, and inputs are never overwritten").in_file(&page));
        }
        for path in [page, out.join(FOLDER)] {
            if overwrite == Overwrite::Refuse && files::disk::link_metadata(&path).is_ok() {
                return Err(Error::usage("already exists").in_file(&path));
            }
        }
        let pictures = Pictures::new(out.to_path_buf(), Arc::clone(guard), inputs, EMBEDDED_BYTES);
        Ok(Self { out: out.to_path_buf(), pictures, entries: Mutex::default() })
    }

    /// Returns the observer for one input.
    pub(crate) fn watch(&self) -> Watch<'_> {
        Watch::new(&self.pictures)
    }

    /// Stores the gallery entry of one input.
    pub(crate) fn keep(&self, index: usize, entry: GalleryEntry) {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).insert(index, entry);
    }

    /// Returns the path of the page in a folder.
    pub(crate) fn page_of(out: &Path) -> PathBuf {
        out.join(PAGE)
    }

    /// Writes the pages one after another, unless there is nothing to show. `names` are the display names of the inputs, in
    /// the order of the outcomes.
    ///
    /// # Errors
    /// Fails if the pages cannot be written.
    pub(crate) fn write(
        self,
        run: &Run,
        names: &[String],
        catalog: Catalog,
        guard: &Arc<Guard>,
    ) -> Result<Option<PathBuf>, Error> {
        let entries = self.entries.into_inner().unwrap_or_else(PoisonError::into_inner);
        let sources = self.pictures.into_sources()?;
        if entries.is_empty() {
            return Ok(None);
        }
        let shown = Shown { run, names, entries: &entries, catalog, out: &self.out, sources: &sources };
        let mut sink = FolderSink::new(&self.out, Arc::clone(guard));
        page::write_all(&shown, &mut |name, text| sink.put(name, text.as_bytes()))?;
        sink.finish()?;
        Ok(Some(Self::page_of(&self.out)))
    }
}
