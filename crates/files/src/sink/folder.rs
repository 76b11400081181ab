//! Files on disk. They are written under temporary names, and renamed when all of them are complete.

use std::collections::HashSet;
use std::io::{BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use record::{Error, Source};

use super::staged::Staged;
use super::unfinished::{PendingPath, Unfinished};
use super::{Guard, Output, Overwrite, Sink, WriteMode, shared, used_before};
use crate::disk;
use crate::name::Namer;

/// Number of bytes that are read at a time.
const CHUNK: u64 = 1 << 20;

/// A sink that writes to a folder. Files get their final names in [`FolderSink::finish`]; if the sink is dropped before, all of
/// them are removed.
///
/// Names are made [safe](crate::name::safe_name) and unique, ignoring letter case.
#[derive(Debug)]
pub struct FolderSink {
    root: PathBuf,
    guard: Arc<Guard>,
    namer: Namer,
    /// The name of the main file, and the path that the user specified for it.
    main: Option<(String, PathBuf)>,
    /// The file whose permissions limit those of new files.
    original: Option<PathBuf>,
    put: HashSet<String>,
    staged: Vec<Staged>,
    created: Vec<PendingPath>,
    /// Names of the shared files that the outputs refer to.
    shared: Vec<String>,
}

impl FolderSink {
    /// Creates a sink for `root`, which is created before the first file is written.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>, guard: Arc<Guard>) -> Self {
        Self {
            root: root.into(),
            guard,
            namer: Namer::new(),
            main: None,
            original: None,
            put: HashSet::new(),
            staged: Vec::new(),
            created: Vec::new(),
            shared: Vec::new(),
        }
    }

    /// Writes the file named `main` to exactly `path`, and all others to the same folder.
    #[must_use]
    pub fn for_file(path: &Path, main: impl Into<String>, guard: Arc<Guard>) -> Self {
        let root = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let mut sink = Self::new(root, guard);
        sink.main = Some((main.into(), path.to_path_buf()));
        sink
    }

    /// Limits the permissions of new files to those of `original`, for edited copies of it.
    #[must_use]
    pub fn with_permissions_of(mut self, original: &Path) -> Self {
        self.original = Some(original.to_path_buf());
        self
    }

    /// Writes a file piece by piece.
    ///
    /// # Errors
    /// The same as [`Sink::put`], and the errors of `fill`.
    pub fn put_with(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut dyn Output) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.stage(name, fill)
    }

    /// Returns the temporary paths of the files that have no final names yet.
    pub fn pending(&self) -> impl Iterator<Item = &Path> {
        self.staged.iter().filter_map(|staged| Some(staged.temporary.as_ref()?.path()))
    }

    /// Renames every file to its final name, in the order of writing, and returns the paths. Files that replace others may be renamed
    /// later, by [`Guard::finish`]. The sink can be used further.
    ///
    /// # Errors
    /// When a file of that name has appeared or has become an input in the meantime, or when a file cannot be renamed. The
    /// remaining files are removed.
    pub fn finish(&mut self) -> Result<Vec<PathBuf>, Error> {
        let targets: Vec<_> = self.staged.iter().map(|staged| staged.target.clone()).collect();
        self.staged.sort_by_key(|staged| refers_to_others(&staged.target));
        for staged in self.staged.drain(..) {
            let target = staged.target.clone();
            match self.guard.overwrite {
                Overwrite::Allow if disk::link_metadata(&target).is_ok() => {
                    self.guard.replace_when_allowed(staged)?;
                }
                Overwrite::Allow | Overwrite::Refuse => staged.create()?,
            }
        }
        self.created.clear();
        if let Some(shared) = &self.guard.shared {
            shared.mark_referenced(self.shared.drain(..));
        }
        Ok(targets)
    }

    /// Returns the names that had to be made safe: the original and the safe one.
    #[must_use]
    pub fn renamed(&self) -> &[(String, String)] {
        self.namer.renamed()
    }

    fn target(&mut self, name: &str) -> Result<PathBuf, Error> {
        if !self.put.insert(name.to_owned()) {
            return Err(used_before(name));
        }
        if let Some((main, path)) = &self.main
            && main == name
        {
            return Ok(path.clone());
        }
        let safe = self.namer.file(name).map_err(|reason| {
            Error::usage(format!("{reason}, so it cannot be written into the output folder")).in_file(name)
        })?;
        Ok(self.root.join(safe))
    }

    fn stage(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut dyn Output) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let target = self.target(name)?;
        if self.guard.writing == WriteMode::DryRun {
            self.guard.reserve(&target)?;
            self.staged.push(Staged { temporary: None, target });
            return Ok(());
        }
        self.guard.check(&target)?;
        let temporary = self.temporary(&target).map_err(|error| Error::from(error).in_file(&target))?;
        if let Some(original) = &self.original {
            temporary.restrict(original).map_err(|error| Error::from(error).in_file(&target))?;
        }
        self.guard.claim(&target)?;
        let mut out = StagingWriter { out: BufWriter::new(temporary), failure: None };
        let filled = fill(&mut out);
        // Write errors are reported for the output, not for the input.
        if let Some(failure) = out.failure {
            return Err(Error::from(failure).in_file(&target));
        }
        filled?;
        let temporary =
            out.out.into_inner().map_err(|failure| Error::from(failure.into_error()).in_file(&target))?;
        self.staged.push(Staged { temporary: Some(temporary.close()), target });
        Ok(())
    }

    /// Creates a file in the folder of `target`, with the default permissions.
    fn temporary(&mut self, target: &Path) -> std::io::Result<Unfinished> {
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut attempts = 0..4;
        loop {
            self.create(folder)?;
            match Unfinished::new(folder) {
                // Another sink may have removed the empty folder after an error.
                Err(error) if error.kind() == ErrorKind::NotFound && attempts.next().is_some() => {}
                result => return result,
            }
        }
    }

    /// Creates a folder, and records which folders did not exist before.
    fn create(&mut self, folder: &Path) -> std::io::Result<()> {
        let missing: Vec<_> = folder
            .ancestors()
            .take_while(|above| !above.as_os_str().is_empty() && !disk::exists(above))
            .map(Path::to_path_buf)
            .collect();
        // Recorded before the folders are created, so that an interruption removes them.
        let pending: Vec<_> = missing.iter().rev().map(|folder| PendingPath::new(folder)).collect();
        disk::create_folder(folder)?;
        self.created.extend(pending);
        self.guard.look_for_leftovers(folder);
        Ok(())
    }
}

impl Sink for FolderSink {
    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.stage(name, |out| Ok(out.write_all(bytes)?))
    }

    fn put_source(&mut self, name: &str, source: &Source) -> Result<(), Error> {
        self.stage(name, |out| copy(source, out))
    }

    fn put_stream(
        &mut self,
        name: &str,
        write: &mut dyn FnMut(&mut dyn Write) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.stage(name, |out| write(out))
    }

    fn shared_folder(&self, folder: &str) -> Option<String> {
        let shared = self.guard.shared.as_ref()?;
        let below = self.root.strip_prefix(&shared.out).ok()?;
        let up =
            below.components().count().saturating_add(folder.split('/').filter(|it| !it.is_empty()).count());
        Some(format!("{}{}/", "../".repeat(up), shared::FOLDER))
    }

    fn put_shared(&mut self, name: &str, bytes: &mut dyn FnMut() -> Vec<u8>) -> Result<(), Error> {
        let guard = Arc::clone(&self.guard);
        let Some(shared) = &guard.shared else { return self.put(name, &bytes()) };
        guard.put_shared(shared, name, bytes)?;
        self.shared.push(name.to_owned());
        Ok(())
    }
}

impl Drop for FolderSink {
    fn drop(&mut self) {
        self.staged.clear();
        for folder in self.created.iter().rev() {
            // Folders that are not empty are intentionally kept.
            let _ = disk::remove_folder(folder.path());
        }
    }
}

/// Whether a file refers to other outputs. It gets its final name after the others.
fn refers_to_others(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| ["gltf", "html"].iter().any(|index| extension.eq_ignore_ascii_case(index)))
}

/// A writer that remembers the reason why a file could not be written.
struct StagingWriter {
    out: BufWriter<Unfinished>,
    failure: Option<std::io::Error>,
}

impl StagingWriter {
    fn keep<T>(&mut self, result: std::io::Result<T>) -> std::io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            if kind != ErrorKind::Interrupted {
                self.failure = Some(error);
            }
            kind.into()
        })
    }
}

impl Seek for StagingWriter {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let position = self.out.seek(to);
        self.keep(position)
    }
}

impl Output for StagingWriter {}

impl Write for StagingWriter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(bytes);
        self.keep(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let flushed = self.out.flush();
        self.keep(flushed)
    }
}

fn copy(source: &Source, out: &mut dyn Write) -> Result<(), Error> {
    let mut at = 0;
    while at < source.len() {
        let end = at.saturating_add(CHUNK).min(source.len());
        out.write_all(&source.read(at..end)?)?;
        at = end;
    }
    Ok(())
}
