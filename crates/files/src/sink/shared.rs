//! Files that several outputs of a run name: each is written once.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::disk;

/// What the folder of shared files is called.
pub(super) const FOLDER: &str = "shared";

/// Digits of the hash at the end of the names of shared files.
const HASH_LENGTH: usize = 32;

/// The shared files of a run.
#[derive(Debug)]
pub struct SharedFiles {
    /// The folder that all outputs are in.
    pub(super) out: PathBuf,
    /// By name; nothing yet for one that is being written, or could not be.
    files: Mutex<HashMap<String, Arc<Mutex<Option<Known>>>>>,
    /// Whether this run made the output folder for them.
    is_out_new: AtomicBool,
}

/// A shared file that some output asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    bytes: u64,
    /// Whether this run wrote it.
    is_new: bool,
    /// Whether an output that names it was written.
    is_named: bool,
}

impl Known {
    /// A file that no output names yet.
    pub(super) const fn unnamed(bytes: u64, is_new: bool) -> Self {
        Self { bytes, is_new, is_named: false }
    }
}

impl SharedFiles {
    /// Files in the folder `shared` of an output folder. None of them is written before an output asks for one.
    #[must_use]
    pub fn new(out: impl Into<PathBuf>) -> Self {
        Self { out: out.into(), files: Mutex::default(), is_out_new: AtomicBool::new(false) }
    }

    /// Where they stand.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.out.join(FOLDER)
    }

    /// Takes the path of a shared file apart, as an output names it: the way up to the output folder, and the file's name. Nothing where the path is
    /// another one.
    #[must_use]
    pub fn parse(path: &str) -> Option<(&str, &str)> {
        let (folder, name) = path.rsplit_once('/')?;
        let above = folder.strip_suffix(FOLDER)?;
        let is_above = above.split_inclusive('/').all(|part| part == "../");
        let hash = name.rsplit_once('.')?.0.rsplit_once('-')?.1;
        let is_hash = hash.len() == HASH_LENGTH && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
        (is_above && is_hash && !name.contains('\\')).then_some((above, name))
    }

    /// How many files, and how many bytes, the outputs share.
    #[must_use]
    pub fn count(&self) -> (u64, u64) {
        let files = lock(&self.files);
        files
            .values()
            .filter_map(|file| lock(file).filter(|known| known.is_named))
            .fold((0, 0), |(files, bytes): (u64, u64), known| {
                (files.saturating_add(1), bytes.saturating_add(known.bytes))
            })
    }

    /// What is known of a file. Who asks for a file that another output is writing waits until it is whole.
    pub(super) fn known(&self, name: &str) -> Arc<Mutex<Option<Known>>> {
        Arc::clone(lock(&self.files).entry(name.to_owned()).or_default())
    }

    /// Remembers that the run makes the output folder, unless it is there.
    pub(super) fn note_new_folder(&self) {
        if !self.out.as_os_str().is_empty() && !disk::exists(&self.out) {
            self.is_out_new.store(true, Ordering::Relaxed);
        }
    }

    /// Remembers that an output was written that names these files.
    pub(super) fn name(&self, names: impl IntoIterator<Item = String>) {
        let files = lock(&self.files);
        for name in names {
            if let Some(file) = files.get(&name)
                && let Some(known) = lock(file).as_mut()
            {
                known.is_named = true;
            }
        }
    }

    /// Takes away what was written for outputs that were not written.
    pub(super) fn finish(&self) {
        let mut files = lock(&self.files);
        let folder = self.folder();
        files.retain(|name, file| {
            let Some(known) = *lock(file) else { return false };
            if known.is_new && !known.is_named {
                // One that cannot be taken away is in nobody's way.
                let _ = disk::remove_file(&folder.join(name));
            }
            known.is_named
        });
        // Fails when something stands in it, which is as it should be.
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
    fn only_paths_of_shared_files_lead_up() {
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
