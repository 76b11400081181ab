//! Folder listings in which letter case does not matter, made when asked for and kept.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::layer::{EntryKind, Layer};
use crate::path::{GamePath, fold, split_extension};

/// One layer with what was listed of it so far.
#[derive(Debug)]
pub(super) struct ListedLayer {
    pub(super) layer: Arc<dyn Layer>,
    /// By the folded path of the folder. Only folders that exist are kept, so that names from files cannot fill it.
    listings: RwLock<HashMap<String, Arc<Listing>>>,
}

/// What stands in a folder, or in all folders whose paths differ only in letter case.
#[derive(Debug, Default)]
struct Listing(Vec<Listed>);

#[derive(Debug)]
struct Listed {
    folded_name: String,
    path: GamePath,
    kind: EntryKind,
}

impl Listing {
    /// The entries of one name, whatever the letter case, in the byte order of their paths.
    fn named<'a>(&'a self, folded_name: &'a str) -> impl Iterator<Item = &'a Listed> {
        let first = self.0.partition_point(|listed| listed.folded_name.as_str() < folded_name);
        self.0.iter().skip(first).take_while(move |listed| listed.folded_name == folded_name)
    }
}

impl ListedLayer {
    pub(super) fn new(layer: Arc<dyn Layer>) -> Self {
        Self { layer, listings: RwLock::default() }
    }

    /// The file at a path: the one spelled exactly so, else the one whose name is, else the first in byte order of those that
    /// differ in letter case.
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

    /// A file in a folder with this stem and one of these extensions; the first extension that is there counts.
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

    /// The paths of the files or folders in a folder, in the order of their folded names.
    pub(super) fn entries(&self, folder: &GamePath, kind: EntryKind) -> Vec<GamePath> {
        let Some(listing) = self.listing(&folder.folded()) else { return Vec::new() };
        let entries = listing.0.iter().filter(|listed| listed.kind == kind);
        entries.map(|listed| listed.path.clone()).collect()
    }

    /// The listing of all folders that have this folded path; `None` when there are none.
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

    /// The folders that have this folded path.
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

    /// A folder that cannot be read counts as empty.
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

/// The stem of a name that may be written with folders.
pub(super) fn stem_of(name: &str) -> &str {
    split_extension(bare(name)).0
}

/// A name without the folders it may be written with.
pub(super) fn bare(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}
