//! Files that several outputs of a run refer to; each is written once.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::disk;

/// Name of the folder of shared files.
pub(super) const FOLDER: &str = "shared";

/// Number of hexadecimal digits of the hash at the end of shared file names.
const HASH_LENGTH: usize = 32;

/// The shared files of a run.
#[derive(Debug)]
pub struct SharedFiles {
    /// Folder of all outputs.
    pub(super) out: PathBuf,
    /// Files by name; `None` for a file that is being written or could not be written.
    files: Mutex<HashMap<String, Arc<Mutex<Option<SharedFile>>>>>,
    /// Whether this run created the output folder for them.
    is_out_new: AtomicBool,
}

/// A shared file that an output requested.
#[derive(Debug, Clone, Copy)]
pub(super) struct SharedFile {
    bytes: u64,
    /// Whether this run wrote it.
    is_new: bool,
    /// Whether an output that refers to it was written.
    is_referenced: bool,
}

impl SharedFile {
    /// Creates a file that no output refers to yet.
    pub(super) const fn unreferenced(bytes: u64, is_new: bool) -> Self {
        Self { bytes, is_new, is_referenced: false }
    }
}

impl SharedFiles {
    /// Creates an empty set of files for the folder `shared` of an output folder. Files are written on demand.
    #[must_use]
    pub fn new(out: impl Into<PathBuf>) -> Self {
        Self { out: out.into(), files: Mutex::default(), is_out_new: AtomicBool::new(false) }
    }

    /// Returns the folder of the files.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.out.join(FOLDER)
    }

    /// Splits the path of a shared file, as written in an output, into the path to the output folder (`../`) and the file name.
    /// Returns `None` for other paths.
    #[must_use]
    pub fn parse(path: &str) -> Option<(&str, &str)> {
        let (folder, name) = path.rsplit_once('/')?;
        let above = folder.strip_suffix(FOLDER)?;
        let is_above = above.split_inclusive('/').all(|part| part == "../");
        let hash = name.rsplit_once('.')?.0.rsplit_once('-')?.1;
        let is_hash = hash.len() == HASH_LENGTH && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
        (is_above && is_hash && !name.contains('\\')).then_some((above, name))
    }

    /// Returns the number of shared files, and their total size in bytes.
    #[must_use]
    pub fn count(&self) -> (u64, u64) {
        let files = lock(&self.files);
        files
            .values()
            .filter_map(|file| lock(file).filter(|known| known.is_referenced))
            .fold((0, 0), |(files, bytes): (u64, u64), known| {
                (files.saturating_add(1), bytes.saturating_add(known.bytes))
            })
    }

    /// Returns the entry of a file. Its mutex is locked while the file is being written.
    pub(super) fn entry(&self, name: &str) -> Arc<Mutex<Option<SharedFile>>> {
        Arc::clone(lock(&self.files).entry(name.to_owned()).or_default())
    }

    /// Records that the run creates the output folder, if it does not exist.
    pub(super) fn note_new_folder(&self) {
        if !self.out.as_os_str().is_empty() && !disk::exists(&self.out) {
            self.is_out_new.store(true, Ordering::Relaxed);
        }
    }

    /// Records that an output that refers to these files was written.
    pub(super) fn mark_referenced(&self, names: impl IntoIterator<Item = String>) {
        let files = lock(&self.files);
        for name in names {
            if let Some(file) = files.get(&name)
                && let Some(known) = lock(file).as_mut()
            {
                known.is_referenced = true;
            }
        }
    }

    /// Removes the files that were written only for outputs that failed.
    pub(super) fn finish(&self) {
        let mut files = lock(&self.files);
        let folder = self.folder();
        files.retain(|name, file| {
            let Some(known) = *lock(file) else { return false };
            if known.is_new && !known.is_referenced {
                // Errors are ignored: a remaining file does no harm.
                let _ = disk::remove_file(&folder.join(name));
            }
            known.is_referenced
        });
        // Folders that are not empty are intentionally kept.
        let _ = disk::remove_folder(&folder);
        if self.is_out_new.load(Ordering::Relaxed) {
            let _ = disk::remove_folder(&self.out);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_only_paths_of_shared_files() {
        let name = "wall-0123456789abcdef0123456789abcdef.png";
        for (above, folder) in [("", "shared"), ("../", "../shared"), ("../../", "../../shared")] {
            assert_eq!(SharedFiles::parse(&format!("{folder}/{name}")), Some((above, name)));
        }
        for folder in ["..", "../unshared", "/shared", "../a/shared", "a/../shared", "shared/.."] {
            assert_eq!(SharedFiles::parse(&format!("{folder}/{name}")), None, "{folder}");
        }
        for name in ["passwd", "wall.png", "wall-0123.png", "a\\..\\b-0123456789abcdef0123456789abcdef.png"] {
            assert_eq!(SharedFiles::parse(&format!("../shared/{name}")), None, "{name}");
        }
    }
}
