//! Case-insensitive folder listings, which are created on first access and cached.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::layer::{EntryKind, Layer};
use crate::path::{GamePath, fold, split_extension};

/// A layer with its cached listings.
#[derive(Debug)]
pub(super) struct ListedLayer {
    pub(super) layer: Arc<dyn Layer>,
    /// Listings by the folded path of the folder. Only existing folders are cached, so names from files cannot fill the cache.
    listings: RwLock<HashMap<String, Arc<Listing>>>,
}

/// The entries of a folder, or of all folders whose paths differ only in letter case.
#[derive(Debug, Default)]
struct Listing(Vec<Listed>);

#[derive(Debug)]
struct Listed {
    folded_name: String,
    path: GamePath,
    kind: EntryKind,
}

impl Listing {
    /// Returns the entries with a name, ignoring letter case, in byte order of their paths.
    fn named<'a>(&'a self, folded_name: &'a str) -> impl Iterator<Item = &'a Listed> {
        let first = self.0.partition_point(|listed| listed.folded_name.as_str() < folded_name);
        self.0.iter().skip(first).take_while(move |listed| listed.folded_name == folded_name)
    }
}

impl ListedLayer {
    pub(super) fn new(layer: Arc<dyn Layer>) -> Self {
        Self { layer, listings: RwLock::default() }
    }

    /// Finds the file at a path: prefers an exact match of the path, then of the name, then the first match in byte order that
    /// differs in letter case.
    pub(super) fn file(&self, path: &GamePath) -> Option<GamePath> {
        let folded_name = fold(path.name());
        let listing = self.listing(&path.folder().folded())?;
        let files = || listing.named(&folded_name).filter(|listed| listed.kind == EntryKind::File);
        let found = files()
            .find(|listed| listed.path == *path)
            .or_else(|| files().find(|listed| listed.path.name() == path.name()))
            .or_else(|| files().next());
        found.map(|listed| listed.path.clone())
    }

    /// Finds a file in a folder by its stem and one of these extensions, in the order of the extensions.
    pub(super) fn stem(&self, folder: &GamePath, stem: &str, extensions: &[&str]) -> Option<GamePath> {
        let listing = self.listing(&folder.folded())?;
        extensions.iter().find_map(|extension| {
            let name = format!("{stem}.{extension}");
            let folded_name = fold(&name);
            let files = || listing.named(&folded_name).filter(|listed| listed.kind == EntryKind::File);
            let found = files().find(|listed| listed.path.name() == name).or_else(|| files().next());
            found.map(|listed| listed.path.clone())
        })
    }

    /// Returns the paths of the files or folders in a folder, in the order of their folded names.
    pub(super) fn entries(&self, folder: &GamePath, kind: EntryKind) -> Vec<GamePath> {
        let Some(listing) = self.listing(&folder.folded()) else { return Vec::new() };
        let entries = listing.0.iter().filter(|listed| listed.kind == kind);
        entries.map(|listed| listed.path.clone()).collect()
    }

    /// Returns the listing of all folders with this folded path; `None` if there are none.
    fn listing(&self, folded: &str) -> Option<Arc<Listing>> {
        let known = self.listings.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(listing) = known.get(folded) {
            return Some(Arc::clone(listing));
        }
        drop(known);
        let listing = Arc::new(self.list(&self.folders(folded)?));
        let mut known = self.listings.write().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(known.entry(folded.to_owned()).or_insert(listing)))
    }

    /// Returns the folders with this folded path.
    fn folders(&self, folded: &str) -> Option<Vec<GamePath>> {
        if folded.is_empty() {
            return Some(vec![GamePath::root()]);
        }
        let (above, name) = folded.rsplit_once('/').unwrap_or(("", folded));
        let above = self.listing(above)?;
        let folders: Vec<_> = above
            .named(name)
            .filter(|listed| listed.kind == EntryKind::Folder)
            .map(|listed| listed.path.clone())
            .collect();
        (!folders.is_empty()).then_some(folders)
    }

    /// Lists folders. A folder that cannot be read counts as empty.
    fn list(&self, folders: &[GamePath]) -> Listing {
        let mut out = Vec::new();
        for folder in folders {
            for entry in self.layer.list(folder).unwrap_or_default() {
                let Ok(path) = folder.join(&entry.name) else { continue };
                out.push(Listed { folded_name: fold(&entry.name), path, kind: entry.kind });
            }
        }
        out.sort_by(|a, b| (&a.folded_name, &a.path).cmp(&(&b.folded_name, &b.path)));
        Listing(out)
    }
}

/// Returns the stem of a name that may include folders.
pub(super) fn stem_of(name: &str) -> &str {
    split_extension(bare(name)).0
}

/// Returns a name without its folders.
pub(super) fn bare(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}
