//! A folder on disk as a layer.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use record::{Error, Source};

use super::{EntryKind, Layer, LayerEntry, decode_name};
use crate::charset::Charset;
use crate::disk;
use crate::path::GamePath;
use crate::walk::{LinkPolicy, Links};

/// A folder on disk.
pub struct FolderLayer {
    root: PathBuf,
    charset: Charset,
    links: LinkPolicy,
    /// Paths on disk of files whose names are not UTF-8, by their paths in the layer.
    renamed: Mutex<BTreeMap<GamePath, PathBuf>>,
}

impl FolderLayer {
    /// Creates a layer from a folder. File names that are not UTF-8 have the given character set.
    ///
    /// # Errors
    /// When the folder does not exist.
    pub fn new(root: &Path, charset: Charset) -> Result<Self, Error> {
        let in_root = |error: Error| error.in_file(root);
        let canonical = disk::canonical(root).map_err(|error| in_root(error.into()))?;
        if !disk::is_folder(&canonical) {
            return Err(in_root(Error::usage("not a folder")));
        }
        let links = LinkPolicy::new(Links::Inside, &canonical);
        Ok(Self { root: canonical, charset, links, renamed: Mutex::default() })
    }

    /// Sets the policy for symbolic links. By default, links that lead out of the folder are omitted.
    #[must_use]
    pub fn with_links(self, links: LinkPolicy) -> Self {
        Self { links, ..self }
    }

    /// Returns the location of a path on disk.
    fn on_disk(&self, path: &GamePath) -> PathBuf {
        let renamed = self.renamed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut disk = self.root.clone();
        if renamed.is_empty() {
            disk.extend(path.segments());
            return disk;
        }
        let mut known = GamePath::root();
        for segment in path.segments() {
            known = known.join(segment).unwrap_or_default();
            match renamed.get(&known) {
                Some(real) => disk.clone_from(real),
                None => disk.push(segment),
            }
        }
        disk
    }

    /// Returns the kind of a directory entry; `None` if it is neither a file nor a folder, or is a link that may not be followed.
    fn kind_of(&self, entry: &DirEntry) -> Option<EntryKind> {
        let mut kind = entry.file_type().ok()?;
        if kind.is_symlink() {
            let target = disk::canonical(&entry.path()).ok()?;
            if !self.links.allows(&target) {
                return None;
            }
            kind = disk::metadata(&target).ok()?.file_type();
        }
        match () {
            () if kind.is_file() => Some(EntryKind::File),
            () if kind.is_dir() => Some(EntryKind::Folder),
            () => None,
        }
    }
}

impl Layer for FolderLayer {
    fn title(&self) -> String {
        self.root.display().to_string()
    }

    fn list(&self, folder: &GamePath) -> Result<Vec<LayerEntry>, Error> {
        let at = self.on_disk(folder);
        let mut found = Vec::new();
        for entry in disk::entries(&at).map_err(|error| Error::from(error).in_file(&at))? {
            let entry = entry.map_err(|error| Error::from(error).in_file(&at))?;
            let Some(kind) = self.kind_of(&entry) else { continue };
            found.push((entry.file_name(), kind));
        }
        found.sort();
        let mut out = Vec::with_capacity(found.len());
        for (real, kind) in found {
            let name = decode_name(&real, self.charset);
            // A name that contains the other slash cannot be part of a path.
            let Ok(path) = folder.join(&name) else { continue };
            if path.name() != name {
                continue;
            }
            if real.to_str() != Some(&name) {
                let mut renamed = self.renamed.lock().unwrap_or_else(PoisonError::into_inner);
                renamed.entry(path).or_insert_with(|| at.join(&real));
            }
            out.push(LayerEntry { name, kind });
        }
        Ok(out)
    }

    fn open(&self, path: &GamePath) -> Result<Source, Error> {
        disk::open(&self.on_disk(path))
    }

    fn disk(&self) -> Option<&Path> {
        Some(&self.root)
    }

    fn file(&self, path: &GamePath) -> Option<PathBuf> {
        Some(self.on_disk(path))
    }
}

impl fmt::Debug for FolderLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FolderLayer({})", self.root.display())
    }
}
