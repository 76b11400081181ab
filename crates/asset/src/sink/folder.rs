//! Files on disk: written under another name first, and given their own when all is well.

use std::collections::HashSet;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use record::{Error, Source};

use super::unfinished::{Named, Unfinished};
use super::{Guard, Overwrite, Sink, WriteMode, used_before};
use crate::disk;
use crate::name::Namer;

/// How much of a source is in memory at once.
const CHUNK: u64 = 1 << 20;

/// Writes into a folder. Nothing appears under its own name before [`FolderSink::finish`]; a sink that is dropped before leaves
/// nothing behind.
///
/// Names are made [safe](crate::name::safe_name) and kept apart where letter case does not matter.
#[derive(Debug)]
pub struct FolderSink {
    root: PathBuf,
    guard: Arc<Guard>,
    namer: Namer,
    /// A name that stands for a path the user chose, and that path.
    main: Option<(String, PathBuf)>,
    put: HashSet<String>,
    staged: Vec<Staged>,
    /// What would be written, where nothing is.
    pretended: Vec<PathBuf>,
    created: Vec<PathBuf>,
}

#[derive(Debug)]
struct Staged {
    temporary: Named,
    target: PathBuf,
}

impl FolderSink {
    /// Writes into `root`, which is created when the first file comes.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>, guard: Arc<Guard>) -> Self {
        Self {
            root: root.into(),
            guard,
            namer: Namer::new(),
            main: None,
            put: HashSet::new(),
            staged: Vec::new(),
            pretended: Vec::new(),
            created: Vec::new(),
        }
    }

    /// Writes the file called `main` to exactly `path`, and all others into the same folder.
    #[must_use]
    pub fn for_file(path: &Path, main: impl Into<String>, guard: Arc<Guard>) -> Self {
        let root = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let mut sink = Self::new(root, guard);
        sink.main = Some((main.into(), path.to_path_buf()));
        sink
    }

    /// Takes one file that is written piece by piece.
    ///
    /// # Errors
    /// As [`Sink::put`], and whatever `fill` gives.
    pub fn put_with(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.stage(name, fill)
    }

    /// The files that wait for their names, under those they have until then.
    pub fn waiting(&self) -> impl Iterator<Item = &Path> {
        self.staged.iter().map(|staged| staged.temporary.path())
    }

    /// Gives every file its own name, in the order they were put, and tells the paths. The sink can be used on.
    ///
    /// # Errors
    /// When a file of that name has appeared meanwhile, or cannot be renamed; files not yet renamed are gone then.
    pub fn finish(&mut self) -> Result<Vec<PathBuf>, Error> {
        let mut written = std::mem::take(&mut self.pretended);
        for Staged { temporary, target } in self.staged.drain(..) {
            let result = match self.guard.overwrite {
                Overwrite::Refuse => temporary.keep_new(&target),
                Overwrite::Allow => temporary.keep(&target),
            };
            result.map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => Error::usage("already exists").in_file(&target),
                _ => Error::from(error).in_file(&target),
            })?;
            written.push(target);
        }
        self.created.clear();
        Ok(written)
    }

    /// Which names had to be made safe: the original and the safe one.
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
        let safe = self.namer.file(name).map_err(|why| {
            Error::usage(format!("{why}, so it cannot be written into the output folder")).in_file(name)
        })?;
        Ok(self.root.join(safe))
    }

    fn stage(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let target = self.target(name)?;
        if self.guard.writing == WriteMode::DryRun {
            self.guard.pretend(&target)?;
            self.pretended.push(target);
            return Ok(());
        }
        self.guard.check(&target)?;
        let temporary = self.temporary(&target).map_err(|error| Error::from(error).in_file(&target))?;
        self.guard.claim(&target)?;
        let mut out = BufWriter::new(temporary);
        fill(&mut out)?;
        let temporary =
            out.into_inner().map_err(|failure| Error::from(failure.into_error()).in_file(&target))?;
        self.staged.push(Staged { temporary: temporary.close(), target });
        Ok(())
    }

    /// A new file in the folder of `target`, with the permissions that new files have.
    fn temporary(&mut self, target: &Path) -> std::io::Result<Unfinished> {
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut attempts = 0..4;
        loop {
            self.create(folder)?;
            match Unfinished::new(folder) {
                // Another sink that failed may have taken away a folder that it found empty.
                Err(error) if error.kind() == ErrorKind::NotFound && attempts.next().is_some() => {}
                result => return result,
            }
        }
    }

    /// Creates a folder and remembers which folders were not there before.
    fn create(&mut self, folder: &Path) -> std::io::Result<()> {
        let missing: Vec<_> = folder
            .ancestors()
            .take_while(|above| !above.as_os_str().is_empty() && !disk::exists(above))
            .map(Path::to_path_buf)
            .collect();
        disk::create_folder(folder)?;
        self.created.extend(missing.into_iter().rev());
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
        self.stage(name, write)
    }
}

impl Drop for FolderSink {
    fn drop(&mut self) {
        self.staged.clear();
        for folder in self.created.iter().rev() {
            // Fails when something stands in it, which is as it should be.
            let _ = disk::remove_folder(folder);
        }
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
