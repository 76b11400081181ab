//! The gallery: one page, `index.html`, that shows everything a conversion wrote.
//!
//! The page stands for itself: pictures, style and script are in it, and nothing is fetched from anywhere. Links to the written files
//! are relative, so that the folder can be moved. Whatever came from files or their names is escaped. The same outcome gives the same
//! bytes.

mod card;
mod escape;
mod page;
#[cfg(test)]
mod tests;
mod watch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use asset::{Error, FolderSink, Guard, Overwrite, Sink};
use render::Textures;

pub(crate) use watch::{Shot, Watch};

use crate::catalog::Catalog;
use crate::run::Run;

/// What the page is called.
const PAGE: &str = "index.html";

/// So many bytes of pictures and fonts stand in the page itself. Beyond that, pictures that were written are shown from their own files,
/// and drawn ones stand in the folder `gallery` beside the page.
const MOST_INSIDE: usize = 32 << 20;

/// Collects what is shown of each file while files are converted.
#[derive(Debug)]
pub(crate) struct Gallery {
    out: PathBuf,
    textures: Textures,
    shots: Mutex<BTreeMap<usize, Shot>>,
}

impl Gallery {
    /// A gallery for what is written into a folder.
    ///
    /// # Errors
    /// When its page must not be written: something stands there already, or it is an input.
    pub(crate) fn new(out: &Path, overwrite: Overwrite, guard: &Guard) -> Result<Self, Error> {
        let page = out.join(PAGE);
        let refused = |why: &str| Err(Error::usage(why).in_file(&page));
        if guard.protects(&page) {
            return refused("is an input, and inputs are never overwritten");
        }
        if overwrite == Overwrite::Refuse && asset::disk::link_metadata(&page).is_ok() {
            return refused("already exists");
        }
        Ok(Self { out: out.to_path_buf(), textures: Textures::new(), shots: Mutex::default() })
    }

    /// Looks at what one input becomes.
    pub(crate) fn watch(&self) -> Watch<'_> {
        Watch::new(&self.textures)
    }

    /// Keeps what is shown of one input.
    pub(crate) fn keep(&self, index: usize, shot: Shot) {
        self.shots.lock().unwrap_or_else(PoisonError::into_inner).insert(index, shot);
    }

    /// Where the page of a folder stands.
    pub(crate) fn page_of(out: &Path) -> PathBuf {
        out.join(PAGE)
    }

    /// Writes the page, unless nothing was written that it could show.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(
        self,
        run: &Run,
        names: &[String],
        catalog: Catalog,
        guard: &Arc<Guard>,
    ) -> Result<Option<PathBuf>, Error> {
        let shots = self.shots.into_inner().unwrap_or_else(PoisonError::into_inner);
        if shots.is_empty() {
            return Ok(None);
        }
        let made = page::make(run, names, &shots, catalog, &self.out, MOST_INSIDE);
        let mut sink = FolderSink::new(&self.out, Arc::clone(guard));
        sink.put(PAGE, made.html.as_bytes())?;
        for (name, bytes) in &made.beside {
            sink.put(name, bytes)?;
        }
        sink.finish()?;
        Ok(Some(Self::page_of(&self.out)))
    }
}
