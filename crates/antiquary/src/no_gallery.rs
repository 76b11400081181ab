//! Replacement for the gallery when its feature is disabled: no conversion writes one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::convert::Observer;
use asset::{Error, Guard, Overwrite};

use crate::catalog::Catalog;
use crate::run::Run;

/// Never created.
#[derive(Debug)]
pub(crate) struct Gallery;

/// Gallery entry of one input: empty.
#[derive(Debug, Default)]
pub(crate) struct GalleryEntry {
    pub(crate) summary: String,
}

impl Gallery {
    pub(crate) fn new(
        _out: &Path,
        _inputs: usize,
        _overwrite: Overwrite,
        _guard: &Arc<Guard>,
    ) -> Result<Self, Error> {
        Ok(Self)
    }

    pub(crate) fn watch(&self) -> Watch {
        Watch
    }

    pub(crate) fn keep(&self, _index: usize, _shot: GalleryEntry) {}

    pub(crate) fn page_of(out: &Path) -> PathBuf {
        out.to_path_buf()
    }

    pub(crate) fn write(
        self,
        _run: &Run,
        _names: &[String],
        _catalog: Catalog,
        _guard: &Arc<Guard>,
    ) -> Result<Option<PathBuf>, Error> {
        Ok(None)
    }
}

/// Observer of a conversion that records nothing.
pub(crate) struct Watch;

impl Watch {
    pub(crate) fn into_entry(self) -> GalleryEntry {
        GalleryEntry::default()
    }
}

impl Observer for Watch {
    fn product(&mut self, _product: &scene::Product<'_>, _caption: Option<&str>) {}

    fn file(&mut self, _kind: Option<scene::ProductKind>, _bytes: &[u8]) {}
}

/// Galleries of earlier conversions are not read.
pub(crate) fn games_in(_out: &Path) -> Vec<String> {
    Vec::new()
}
