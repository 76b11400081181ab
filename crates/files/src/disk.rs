//! The disk of the machine. Every question to it is asked here, so that a build without the feature `fs` has none: nothing is found, and
//! nothing can be written.

use std::fs::{Metadata, ReadDir};
use std::io;
use std::path::{Path, PathBuf};

use record::{Error, Source};

/// Opens a regular file. Anything else (a pipe, a device) is refused before it is opened: opening it might wait for ever.
///
/// What belongs to a run is opened by [`OpenedFiles::open`](crate::OpenedFiles::open), so that it is not overwritten.
///
/// # Errors
/// When it is not a regular file, or cannot be opened.
#[cfg_attr(not(test), expect(clippy::disallowed_methods, reason = "this is what others are to use"))]
pub fn open(path: &Path) -> Result<Source, Error> {
    open_regular(path, Source::open)
}

/// The same for one of thousands of files: it is [opened for each read](Source::open_for_each_read).
///
/// # Errors
/// As [`open`].
#[cfg_attr(not(test), expect(clippy::disallowed_methods, reason = "this is what others are to use"))]
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

/// Opens a regular file that is to be changed where it stands.
///
/// # Errors
/// As [`open`], and when it must not be written.
#[cfg(feature = "fs")]
#[expect(clippy::disallowed_methods, reason = "this is what others are to use")]
pub fn edit(path: &Path) -> Result<std::fs::File, Error> {
    open_regular(path, Source::open)?;
    let opened = std::fs::OpenOptions::new().read(true).write(true).open(path);
    opened.map_err(|error| Error::from(error).in_file(path))
}

/// Answers with the file system, or says that there is none.
macro_rules! ask {
    ($path:ident, $answer:expr) => {{
        #[cfg(feature = "fs")]
        {
            $answer
        }
        #[cfg(not(feature = "fs"))]
        {
            let _ = $path;
            Err(io::Error::new(io::ErrorKind::Unsupported, "file system access requires the feature `fs`"))
        }
    }};
}

/// The absolute path, with symbolic links resolved.
///
/// # Errors
/// When nothing stands there.
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    ask!(path, path.canonicalize())
}

/// What the system says of a file or folder; of a symbolic link, of what it leads to.
///
/// # Errors
/// When nothing stands there.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    ask!(path, path.metadata())
}

/// What the system says of a file, a folder or a symbolic link.
///
/// # Errors
/// When nothing stands there.
pub fn link_metadata(path: &Path) -> io::Result<Metadata> {
    ask!(path, path.symlink_metadata())
}

/// What stands in a folder.
///
/// # Errors
/// When it cannot be read.
pub fn entries(folder: &Path) -> io::Result<ReadDir> {
    ask!(folder, folder.read_dir())
}

/// Creates a folder, and the folders above it.
///
/// # Errors
/// When it cannot be created.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    ask!(folder, std::fs::create_dir_all(folder))
}

/// Removes an empty folder.
///
/// # Errors
/// When something stands in it.
pub fn remove_folder(folder: &Path) -> io::Result<()> {
    ask!(folder, std::fs::remove_dir(folder))
}

/// Removes a file.
///
/// # Errors
/// When it is none, or cannot be removed.
pub fn remove_file(path: &Path) -> io::Result<()> {
    ask!(path, std::fs::remove_file(path))
}

/// The same for all names of one file: its device and its number there.
pub(crate) type Identity = (u64, u64);

/// The identity of a file, the same under all its names, on systems that have one.
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
