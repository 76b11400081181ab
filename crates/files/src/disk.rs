//! Access to the file system. All of it goes through this module, so a build without the feature `fs` finds no files and writes
//! none.

use std::fs::{Metadata, ReadDir};
use std::io;
use std::path::{Path, PathBuf};

use record::{Error, Source};

/// Opens a regular file. Anything else (a pipe, a device) is refused before it is opened, because opening it might block forever.
///
/// Use [`OpenedFiles::open`](crate::OpenedFiles::open) for the inputs of a run, so that they are not overwritten.
///
/// # Errors
/// When the path is not a regular file, or cannot be opened.
#[cfg_attr(not(test), expect(clippy::disallowed_methods, reason = "all other code uses this function"))]
pub fn open(path: &Path) -> Result<Source, Error> {
    open_regular(path, Source::open)
}

/// Like [`open`], for one of thousands of files: the file is [opened for each read](Source::open_for_each_read).
///
/// # Errors
/// The same as [`open`].
#[cfg_attr(not(test), expect(clippy::disallowed_methods, reason = "all other code uses this function"))]
pub fn open_for_each_read(path: &Path) -> Result<Source, Error> {
    open_regular(path, Source::open_for_each_read)
}

fn open_regular(path: &Path, open: fn(&Path) -> Result<Source, Error>) -> Result<Source, Error> {
    let about = metadata(path).map_err(|error| Error::from(error).in_file(path))?;
    if about.is_dir() {
        return Err(Error::usage("is a folder, not a file").in_file(path));
    }
    if !about.is_file() {
        return Err(Error::usage("is not a regular file").in_file(path));
    }
    open(path)
}

/// Opens a regular file for changing it in place.
///
/// # Errors
/// The same as [`open`], and when the file is not writable.
#[cfg(feature = "fs")]
#[expect(clippy::disallowed_methods, reason = "all other code uses this function")]
pub fn edit(path: &Path) -> Result<std::fs::File, Error> {
    open_regular(path, Source::open)?;
    let opened = std::fs::OpenOptions::new().read(true).write(true).open(path);
    opened.map_err(|error| Error::from(error).in_file(path))
}

/// Evaluates an expression that accesses the file system, or returns an error if there is none.
macro_rules! with_fs {
    ($path:ident, $result:expr) => {{
        #[cfg(feature = "fs")]
        {
            $result
        }
        #[cfg(not(feature = "fs"))]
        {
            let _ = $path;
            Err(io::Error::new(io::ErrorKind::Unsupported, "file system access requires the feature `fs`"))
        }
    }};
}

/// Returns the absolute path, with symbolic links resolved.
///
/// # Errors
/// When the path does not exist.
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    with_fs!(path, path.canonicalize())
}

/// Returns the metadata of a file or a folder, or of the target of a symbolic link.
///
/// # Errors
/// When the path does not exist.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    with_fs!(path, path.metadata())
}

/// Returns the metadata of a file, a folder or a symbolic link.
///
/// # Errors
/// When the path does not exist.
pub fn link_metadata(path: &Path) -> io::Result<Metadata> {
    with_fs!(path, path.symlink_metadata())
}

/// Returns the entries of a folder.
///
/// # Errors
/// When the folder cannot be read.
pub fn entries(folder: &Path) -> io::Result<ReadDir> {
    with_fs!(folder, folder.read_dir())
}

/// Creates a folder and its parent folders.
///
/// # Errors
/// When a folder cannot be created.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    with_fs!(folder, std::fs::create_dir_all(folder))
}

/// Removes an empty folder.
///
/// # Errors
/// When the folder is not empty.
pub fn remove_folder(folder: &Path) -> io::Result<()> {
    with_fs!(folder, std::fs::remove_dir(folder))
}

/// Removes a file.
///
/// # Errors
/// When the path is not a file, or the file cannot be removed.
pub fn remove_file(path: &Path) -> io::Result<()> {
    with_fs!(path, std::fs::remove_file(path))
}

/// Device and inode of a file, which are equal for all its names.
pub(crate) type Identity = (u64, u64);

/// Returns the identity of a file on systems that have one.
#[cfg(unix)]
pub(crate) fn identity(about: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some((about.dev(), about.ino()))
}

#[cfg(not(unix))]
pub(crate) fn identity(_: &Metadata) -> Option<Identity> {
    None
}

/// Whether a path leads to a folder.
#[must_use]
pub fn is_folder(path: &Path) -> bool {
    metadata(path).is_ok_and(|about| about.is_dir())
}

/// Whether a path leads to a regular file.
#[must_use]
pub fn is_file(path: &Path) -> bool {
    metadata(path).is_ok_and(|about| about.is_file())
}

/// Whether a path leads to anything.
#[must_use]
pub fn exists(path: &Path) -> bool {
    metadata(path).is_ok()
}
