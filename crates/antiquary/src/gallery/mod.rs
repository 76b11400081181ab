//! The gallery: one page, `index.html`, that shows everything a conversion wrote; or several, when there is much to show.
//!
//! The pages need nothing from elsewhere: style and script are in them, and so are the pictures while they are few. Beyond that,
//! pictures, further pages and what is needed to search in all of them stand in the folder `gallery` beside the first page. Links to
//! the written files are relative, so that the folder can be moved. Whatever came from files or their names is escaped. The same
//! outcome gives the same bytes.

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

pub(crate) use watch::{Shot, Watch};

use crate::catalog::Catalog;
use crate::run::Run;
use pictures::Pictures;
use section::Shown;

/// What the first page is called.
const PAGE: &str = "index.html";
/// The folder of everything else.
const FOLDER: &str = "gallery";

/// So many bytes of pictures and fonts stand in the pages themselves. They become a third longer there, and no page is to have more than
/// two million.
const ROOM: usize = 1 << 20;

/// A page names its games within this many bytes.
const HEAD: u64 = 1 << 10;

/// The ids of the games whose converted files the gallery in a folder shows; none without a gallery.
pub(crate) fn games_in(out: &Path) -> Vec<String> {
    let head = files::disk::open(&out.join(PAGE)).and_then(|page| Ok(page.head(HEAD)?.into_owned()));
    let head = String::from_utf8_lossy(&head.unwrap_or_default()).into_owned();
    let games = head
        .split_once("<meta name=\"antiquary-games\" content=\"")
        .and_then(|(_, rest)| rest.split_once('"'));
    games.map_or_else(Vec::new, |(ids, _)| ids.split_whitespace().map(ToOwned::to_owned).collect())
}

/// Collects what is shown of each file while files are converted.
#[derive(Debug)]
pub(crate) struct Gallery {
    out: PathBuf,
    pictures: Pictures,
    shots: Mutex<BTreeMap<usize, Shot>>,
}

impl Gallery {
    /// A gallery for what so many inputs become in a folder.
    ///
    /// # Errors
    /// When its page must not be written: something stands there already, or it is an input.
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
        let pictures = Pictures::new(out.to_path_buf(), Arc::clone(guard), inputs, ROOM);
        Ok(Self { out: out.to_path_buf(), pictures, shots: Mutex::default() })
    }

    /// Looks at what one input becomes.
    pub(crate) fn watch(&self) -> Watch<'_> {
        Watch::new(&self.pictures)
    }

    /// Keeps what is shown of one input.
    pub(crate) fn keep(&self, index: usize, shot: Shot) {
        self.shots.lock().unwrap_or_else(PoisonError::into_inner).insert(index, shot);
    }

    /// Where the page of a folder stands.
    pub(crate) fn page_of(out: &Path) -> PathBuf {
        out.join(PAGE)
    }

    /// Writes the pages, one after another, unless nothing was written that they could show. `names` are the inputs as they are shown,
    /// in the order of the outcomes.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn write(
        self,
        run: &Run,
        names: &[String],
        catalog: Catalog,
        guard: &Arc<Guard>,
    ) -> Result<Option<PathBuf>, Error> {
        let shots = self.shots.into_inner().unwrap_or_else(PoisonError::into_inner);
        let sources = self.pictures.into_sources()?;
        if shots.is_empty() {
            return Ok(None);
        }
        let shown = Shown { run, names, shots: &shots, catalog, out: &self.out, sources: &sources };
        let mut sink = FolderSink::new(&self.out, Arc::clone(guard));
        page::write_all(&shown, &mut |name, text| sink.put(name, text.as_bytes()))?;
        sink.finish()?;
        Ok(Some(Self::page_of(&self.out)))
    }
}
