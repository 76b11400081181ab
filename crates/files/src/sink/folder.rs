//! Files on disk: written under another name first, and given their own when all is well.

use std::collections::HashSet;
use std::io::{BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use record::{Error, Source};

use super::staged::Staged;
use super::unfinished::{Begin, Unfinished};
use super::{Guard, Output, Overwrite, Sink, WriteMode, shared, used_before};
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
    /// Whose permissions new files have.
    original: Option<PathBuf>,
    put: HashSet<String>,
    staged: Vec<Staged>,
    created: Vec<Begin>,
    /// The shared files that those name.
    named: Vec<String>,
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
            original: None,
            put: HashSet::new(),
            staged: Vec::new(),
            created: Vec::new(),
            named: Vec::new(),
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

    /// The same for edited copies of a file: nobody may read or write them who may not do so with the file.
    #[must_use]
    pub fn like(mut self, original: &Path) -> Self {
        self.original = Some(original.to_path_buf());
        self
    }

    /// Takes one file that is written piece by piece.
    ///
    /// # Errors
    /// As [`Sink::put`], and whatever `fill` gives.
    pub fn put_with(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut dyn Output) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.stage(name, fill)
    }

    /// The files that wait for their names, under those they have until then.
    pub fn waiting(&self) -> impl Iterator<Item = &Path> {
        self.staged.iter().filter_map(|staged| Some(staged.temporary.as_ref()?.path()))
    }

    /// Gives every file its own name, in the order they were put, and tells the paths. What replaces another file may wait for
    /// [`Guard::finish`]. The sink can be used on.
    ///
    /// # Errors
    /// When a file of that name has appeared meanwhile, has become an input, or cannot be renamed; files not yet renamed are gone then.
    pub fn finish(&mut self) -> Result<Vec<PathBuf>, Error> {
        let targets: Vec<_> = self.staged.iter().map(|staged| staged.target.clone()).collect();
        self.staged.sort_by_key(|staged| names_others(&staged.target));
        for staged in self.staged.drain(..) {
            let target = staged.target.clone();
            match self.guard.overwrite {
                Overwrite::Allow if disk::link_metadata(&target).is_ok() => self.guard.wait(staged)?,
                Overwrite::Allow | Overwrite::Refuse => staged.name_new()?,
            }
        }
        self.created.clear();
        if let Some(shared) = &self.guard.shared {
            shared.name(self.named.drain(..));
        }
        Ok(targets)
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
        fill: impl FnOnce(&mut dyn Output) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let target = self.target(name)?;
        if self.guard.writing == WriteMode::DryRun {
            self.guard.pretend(&target)?;
            self.staged.push(Staged { temporary: None, target });
            return Ok(());
        }
        self.guard.check(&target)?;
        let temporary = self.temporary(&target).map_err(|error| Error::from(error).in_file(&target))?;
        if let Some(original) = &self.original {
            temporary.restrict(original).map_err(|error| Error::from(error).in_file(&target))?;
        }
        self.guard.claim(&target)?;
        let mut out = Writing { out: BufWriter::new(temporary), failure: None };
        let filled = fill(&mut out);
        // What cannot be written is the fault of the output, not of the input.
        if let Some(failure) = out.failure {
            return Err(Error::from(failure).in_file(&target));
        }
        filled?;
        let temporary =
            out.out.into_inner().map_err(|failure| Error::from(failure.into_error()).in_file(&target))?;
        self.staged.push(Staged { temporary: Some(temporary.close()), target });
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
        // Known before they are there, so that an interruption finds them.
        let begun: Vec<_> = missing.iter().rev().map(|folder| Begin::new(folder)).collect();
        disk::create_folder(folder)?;
        self.created.extend(begun);
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
        self.named.push(name.to_owned());
        Ok(())
    }
}

impl Drop for FolderSink {
    fn drop(&mut self) {
        self.staged.clear();
        for folder in self.created.iter().rev() {
            // Fails when something stands in it, which is as it should be.
            let _ = disk::remove_folder(folder.path());
        }
    }
}

/// Whether a file names others that are written with it. It gets its name when they have theirs.
fn names_others(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| ["gltf", "html"].iter().any(|index| extension.eq_ignore_ascii_case(index)))
}

/// Remembers why a file could not be written.
struct Writing {
    out: BufWriter<Unfinished>,
    failure: Option<std::io::Error>,
}

impl Writing {
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

impl Seek for Writing {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let place = self.out.seek(to);
        self.keep(place)
    }
}

impl Output for Writing {}

impl Write for Writing {
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
