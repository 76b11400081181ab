//! Traversal of folders. Symbolic links are followed selectively, and no folder is visited twice.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use record::Error;
#[cfg(feature = "fs")]
use record::Kind;

use crate::disk;

/// The symbolic links in a folder that are followed. The given folder itself may always be a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Links {
    /// Links to targets in the folder, or in the game that it belongs to.
    #[default]
    Inside,
    /// All links.
    All,
}

/// The targets that symbolic links may have.
#[derive(Debug, Clone)]
pub struct LinkPolicy {
    links: Links,
    /// The allowed folder, with symbolic links resolved.
    boundary: PathBuf,
}

impl LinkPolicy {
    /// Creates a policy. With [`Links::Inside`], links may lead to anything in the folder `boundary`.
    #[must_use]
    pub fn new(links: Links, boundary: &Path) -> Self {
        let boundary = disk::canonical(boundary).unwrap_or_else(|_| boundary.to_path_buf());
        Self { links, boundary }
    }

    /// Whether a link to a path without symbolic links may be followed.
    #[must_use]
    pub fn allows(&self, target: &Path) -> bool {
        self.links == Links::All || target.starts_with(&self.boundary)
    }
}

/// The folders that a traversal has visited. Several links may lead to one folder, or form a cycle.
#[derive(Debug)]
pub struct VisitedFolders {
    /// Start of the traversal.
    root: PathBuf,
    canonical_root: PathBuf,
    linked: HashSet<PathBuf>,
}

impl VisitedFolders {
    /// Creates an empty set for a traversal of this folder.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        let canonical_root = disk::canonical(root).unwrap_or_else(|_| root.to_path_buf());
        Self { root: root.to_path_buf(), canonical_root, linked: HashSet::new() }
    }

    /// Returns whether to visit a folder under this path. A folder inside the root is only visited under its own path, any other
    /// folder under the first path that leads to it.
    pub fn visit(&mut self, folder: &Path) -> bool {
        let Ok(canonical) = disk::canonical(folder) else { return true };
        match canonical.strip_prefix(&self.canonical_root) {
            Ok(below) => folder.strip_prefix(&self.root).is_ok_and(|own| own == below),
            Err(_) => self.linked.insert(canonical),
        }
    }
}

/// An iterator over all regular files below a folder, in the order of their names. Folders are read lazily.
#[derive(Debug)]
pub struct Walk {
    folder: PathBuf,
    #[cfg(feature = "fs")]
    policy: LinkPolicy,
    #[cfg(feature = "fs")]
    visited: VisitedFolders,
    #[cfg(feature = "fs")]
    entries: walkdir::IntoIter,
    left_out: u64,
    /// One of the links that were not followed.
    example: Option<PathBuf>,
}

impl Walk {
    /// Creates a traversal of a folder, or of a single file.
    #[must_use]
    pub fn new(folder: &Path, policy: LinkPolicy) -> Self {
        #[cfg(not(feature = "fs"))]
        drop(policy);
        Self {
            folder: folder.to_path_buf(),
            #[cfg(feature = "fs")]
            policy,
            #[cfg(feature = "fs")]
            visited: VisitedFolders::new(folder),
            #[cfg(feature = "fs")]
            entries: walkdir::WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter(),
            left_out: 0,
            example: None,
        }
    }

    /// Returns the number of links that were not followed so far, and the path of one of them relative to the folder.
    #[must_use]
    pub fn links_left_out(&self) -> Option<(u64, &Path)> {
        let example = self.example.as_deref()?;
        Some((self.left_out, example.strip_prefix(&self.folder).unwrap_or(example)))
    }

    #[cfg(feature = "fs")]
    fn is_allowed(&mut self, entry: &walkdir::DirEntry) -> bool {
        if entry.depth() == 0 || !entry.path_is_symlink() {
            return true;
        }
        let is_allowed = disk::canonical(entry.path()).is_ok_and(|target| self.policy.allows(&target));
        if !is_allowed {
            self.left_out = self.left_out.saturating_add(1);
            self.example.get_or_insert_with(|| entry.path().to_path_buf());
        }
        is_allowed
    }
}

impl Iterator for Walk {
    type Item = Result<PathBuf, Error>;

    #[cfg(feature = "fs")]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = match self.entries.next()? {
                Ok(entry) => entry,
                // A link to one of its parent folders adds no files, and neither does a dangling link.
                Err(error) if error.loop_ancestor().is_some() || is_dangling(&error) => continue,
                Err(error) => {
                    let path = error.path().unwrap_or(&self.folder).to_path_buf();
                    let message = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    return Some(Err(Error::new(Kind::Io, message).in_file(&path)));
                }
            };
            let is_folder = entry.file_type().is_dir();
            let is_allowed = self.is_allowed(&entry);
            if is_folder && !(is_allowed && self.visited.visit(entry.path())) {
                self.entries.skip_current_dir();
            } else if is_allowed && entry.file_type().is_file() {
                return Some(Ok(entry.into_path()));
            }
        }
    }

    #[cfg(not(feature = "fs"))]
    fn next(&mut self) -> Option<Self::Item> {
        None
    }
}

/// Returns all regular files below a folder, in the order of their names. Unreadable folders are skipped, and links that lead out
/// of the folder are not followed.
#[must_use]
pub fn files_recursive(folder: &Path) -> Vec<PathBuf> {
    Walk::new(folder, LinkPolicy::new(Links::Inside, folder)).filter_map(Result::ok).collect()
}

#[cfg(feature = "fs")]
fn is_dangling(error: &walkdir::Error) -> bool {
    error.path().is_some_and(Path::is_symlink)
        && error.io_error().is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}
