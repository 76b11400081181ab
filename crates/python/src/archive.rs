//! Archives.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use antiquary::files::suggest::did_you_mean;
use antiquary::operation::{ArchiveResult, RunResult, schema};
use antiquary::run::Listed;
use antiquary::scene::Compression;
use antiquary::session::{ArchiveEdit, ArchiveOutput, ExtractedPictures, Patterns};
use antiquary::{ArchiveOptions, Error, ExtractOptions, Opened, Source, asset};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::argument::{FormatOptions, Paths, Settings, Texts, shown, wrong_type};
use crate::error::Result;
use crate::file::File;
use crate::operation::{Object, succeeded};
use crate::task;
use crate::value::to_python;

/// An archive: a file that contains other files, its entries. For example, a ``.grf`` of Ragnarok Online, or the sounds,
/// dialogue or models of Redguard.
///
/// An entry is selected by its name (in any letter case, with either slash) or by its index. Methods that change the archive
/// write a new one to ``output``, or change the file itself with ``in_place=True``; this object keeps showing the old
/// entries, so open the result again.
///
/// Args:
///     path: The path of the archive.
///
/// Raises:
///     Error: The file cannot be read, or is not an archive.
#[pyclass(frozen, mapping, module = "antiquary")]
pub(crate) struct Archive {
    opened: Arc<Opened>,
    path: PathBuf,
}

/// An entry, by its name or its index.
enum Entry {
    Index(usize),
    Name(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Entry {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let index = object.extract::<usize>().map(Self::Index);
        let entry = index.or_else(|_| object.extract::<String>().map(Self::Name));
        entry.map_err(|_| wrong_type("the name of an entry or its index", object))
    }
}

/// Settings of the methods that change an archive.
struct Edit {
    output: ArchiveOutput,
    options: ArchiveOptions,
    settings: Settings,
}

impl Edit {
    fn new(output: Option<PathBuf>, in_place: bool, compact: bool, settings: Settings) -> Result<Self> {
        let output = match (output, in_place) {
            (Some(output), false) => ArchiveOutput::File(output),
            (None, true) => ArchiveOutput::InPlace,
            _ => return Err(Error::usage("give either output or in_place=True").into()),
        };
        Ok(Self { output, options: ArchiveOptions::default().compact(compact), settings })
    }
}

impl Archive {
    fn entries(&self) -> Result<&dyn asset::archive::Archive> {
        let archive = self.opened.format.archive_of(&*self.opened.asset);
        Ok(archive.ok_or_else(|| {
            let message = format!("a {} file is not an archive", self.opened.format.name);
            Error::usage(message).in_file(&self.path)
        })?)
    }

    /// Finds an entry: the exact name first, then in any letter case and with either slash.
    fn find(&self, entry: &Entry) -> Result<(usize, String)> {
        let archive = self.entries()?;
        let name_of = |index| archive.entry(index).map(|entry| entry.name.into_owned());
        match entry {
            Entry::Index(index) => {
                let name = name_of(*index).ok_or_else(|| {
                    let count = archive.count();
                    Error::usage(format!("there is no entry {index}; the archive has {count} entries"))
                        .in_file(&self.path)
                })?;
                Ok((*index, name))
            }
            Entry::Name(name) => {
                let folded = |name: &str| name.replace('\\', "/").to_lowercase();
                let wanted = folded(name);
                let mut similar = None;
                for (index, entry) in archive.entries().enumerate() {
                    if entry.name == *name {
                        return Ok((index, entry.name.into_owned()));
                    }
                    if similar.is_none() && folded(&entry.name) == wanted {
                        similar = Some((index, entry.name.into_owned()));
                    }
                }
                Ok(similar.ok_or_else(|| {
                    let names: Vec<_> = archive.entries().map(|entry| entry.name.into_owned()).collect();
                    let guess = did_you_mean(name, names.iter().map(String::as_str));
                    Error::usage(format!("no entry \"{name}\"{guess}")).in_file(&self.path)
                })?)
            }
        }
    }

    fn source(&self, entry: &Entry) -> Result<(String, Source)> {
        let (index, name) = self.find(entry)?;
        let source = self.entries()?.open(index);
        let path = self.path.join(name.replace('\\', "/"));
        Ok((name, source.map_err(|error| error.in_file(path))?))
    }

    fn edit(&self, py: Python<'_>, change: &ArchiveEdit, edit: &Edit) -> Result<Object> {
        let Edit { output, options, settings } = edit;
        let edited = settings.run(py, None, |session| {
            let edited = session.edit_archive(&self.path, change, output, options);
            edited.map_err(|error| error.in_file(&self.path))
        })?;
        succeeded(&edited.outcome)?;
        Ok(to_python(py, &ArchiveResult::new(&edited, settings.writing()))?)
    }
}

#[pymethods]
impl Archive {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> Result<Self> {
        let file = path.clone();
        let opened = Arc::new(task::compute(py, move || Ok(antiquary::open(file)?))?);
        let archive = Self { opened, path };
        archive.entries()?;
        Ok(archive)
    }

    /// Path of the archive.
    #[getter]
    fn path(&self) -> String {
        shown(&self.path)
    }

    /// Id of the format, such as ``ragnarok.grf``.
    #[getter]
    fn format(&self) -> &'static str {
        self.opened.format.id
    }

    /// Lists the entries.
    ///
    /// Args:
    ///     patterns: If given, only entries that match one of these are returned: ``*.bmp``, ``data/texture/*``.
    ///     text: If given, only entries with this text in their name or note (for dialogue, the spoken text).
    ///
    /// Returns:
    ///     A list of dicts with ``number`` (the index), ``name``, ``length`` (bytes), ``stored`` (bytes in the archive),
    ///     ``content`` (``file``, ``sealed``, ``folder`` or ``removed``) and ``note``.
    #[pyo3(signature = (patterns=None, *, text=None))]
    fn list(&self, py: Python<'_>, patterns: Option<Texts>, text: Option<&str>) -> Result<Object> {
        let mut patterns = Patterns::parse(&Texts::optional(patterns))?;
        if let Some(text) = text {
            patterns = patterns.with_text(text)?;
        }
        let archive = self.entries()?;
        let listed: Vec<_> = py.detach(|| {
            let numbered = (0_usize..).zip(archive.entries()).filter(|(_, entry)| patterns.choose(entry));
            numbered.map(|(number, entry)| Listed { number, entry: entry.into_owned() }).collect()
        });
        Ok(to_python(py, &listed)?)
    }

    /// Returns the bytes of an entry.
    ///
    /// Raises:
    ///     Error: The entry does not exist or cannot be unpacked.
    fn read<'py>(&self, py: Python<'py>, entry: Entry) -> Result<Bound<'py, PyBytes>> {
        let bytes = task::run(py, None, |_| Ok(self.source(&entry)?.1.read_all()?.into_owned()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Opens an entry as a file. To resolve its references to other files, open it from a ``Game``.
    ///
    /// Args:
    ///     entry: The name or index of the entry.
    ///     **options: Options of the format, as listed by ``formats(id)``.
    ///
    /// Raises:
    ///     Error: The entry does not exist, has no known format, or is damaged.
    #[pyo3(signature = (entry, **options))]
    fn open(&self, py: Python<'_>, entry: Entry, options: Option<&Bound<'_, PyDict>>) -> Result<File> {
        let given = FormatOptions::read(options, &[])?.0;
        let (name, source) = task::run(py, None, |_| self.source(&entry))?;
        File::of_source(py, source, Some(name), given)
    }

    /// Extracts files into a folder, each under its path in the archive.
    ///
    /// Args:
    ///     folder: The output folder, which is created if necessary.
    ///     patterns: The entries to extract; by default, all.
    ///     png: Whether bitmaps are written as PNG, with magenta transparent as in the game.
    ///     threads: Number of threads; 0 is one per processor.
    ///     overwrite: Whether existing files may be replaced.
    ///     dry_run: Whether nothing is written.
    ///     progress: A function that is called with the completed and the total number of files, or True for a bar of tqdm.
    ///
    /// Returns:
    ///     What ``antiquary extract --json`` prints.
    #[pyo3(signature = (folder, patterns=None, *, png=false, threads=0, overwrite=false, dry_run=false, progress=None))]
    fn extract(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        patterns: Option<Texts>,
        png: bool,
        threads: usize,
        overwrite: bool,
        dry_run: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> Result<Object> {
        let pictures = if png { ExtractedPictures::Png } else { ExtractedPictures::AsStored };
        let patterns = Patterns::parse(&Texts::optional(patterns))?;
        let options = ExtractOptions::default().pictures(pictures).patterns(patterns);
        let settings = Settings { threads, overwrite, dry_run, ..Settings::default() };
        let run = settings.run(py, progress, |session| session.extract(&self.path, &folder, &options))?;
        Ok(to_python(py, &RunResult::new(schema::EXTRACT, &run, settings.writing()))?)
    }

    /// Adds files and folders; entries of the same name are replaced.
    ///
    /// Args:
    ///     files: A file or folder, or several. A folder is added with all its files, each under its path in the folder.
    ///     output: The new archive, or a folder in which it keeps its name.
    ///     in_place: Whether the archive itself is changed.
    ///     folder: A folder of the archive for the files.
    ///     name: Name in the archive, for a single file.
    ///     compression: ``"fast"``, ``"usual"`` or ``"best"``.
    ///     compact: Whether the space of removed and replaced files is reclaimed.
    ///     strict: Whether warnings are failures, so that the output is not written.
    ///     overwrite: Whether an existing file may be replaced.
    ///     dry_run: Whether nothing is written.
    ///
    /// Returns:
    ///     What ``antiquary archive --json`` prints: the item of ``results`` has the ``changes``.
    ///
    /// Raises:
    ///     Error: A file cannot be read or stored, or the output cannot be written.
    #[pyo3(signature = (files, output=None, *, in_place=false, folder="", name=None, compression="usual", compact=false, strict=false, overwrite=false, dry_run=false))]
    fn add(
        &self,
        py: Python<'_>,
        files: Paths,
        output: Option<PathBuf>,
        in_place: bool,
        folder: &str,
        name: Option<String>,
        compression: &str,
        compact: bool,
        strict: bool,
        overwrite: bool,
        dry_run: bool,
    ) -> Result<Object> {
        let settings = Settings { strict, overwrite, dry_run, ..Settings::default() };
        let mut edit = Edit::new(output, in_place, compact, settings)?;
        edit.options = edit.options.compression(Compression::by_name(compression)?);
        let change = ArchiveEdit::Add { files: files.into_vec(), folder: folder.to_owned(), name };
        self.edit(py, &change, &edit)
    }

    /// Removes entries.
    ///
    /// Args:
    ///     patterns: The entries: names or patterns as in ``list``.
    ///     output: The new archive, or a folder in which it keeps its name.
    ///     in_place: Whether the archive itself is changed.
    ///     compact: Whether the space of removed files is reclaimed.
    ///     strict: Whether warnings are failures, so that the output is not written.
    ///     overwrite: Whether an existing file may be replaced.
    ///     dry_run: Whether nothing is written.
    ///
    /// Returns:
    ///     What ``antiquary archive --json`` prints: the item of ``results`` has the ``changes``.
    ///
    /// Raises:
    ///     Error: A pattern matches no entry, or the output cannot be written.
    #[pyo3(signature = (patterns, output=None, *, in_place=false, compact=false, strict=false, overwrite=false, dry_run=false))]
    fn remove(
        &self,
        py: Python<'_>,
        patterns: Texts,
        output: Option<PathBuf>,
        in_place: bool,
        compact: bool,
        strict: bool,
        overwrite: bool,
        dry_run: bool,
    ) -> Result<Object> {
        let settings = Settings { strict, overwrite, dry_run, ..Settings::default() };
        let edit = Edit::new(output, in_place, compact, settings)?;
        let patterns = Patterns::parse(&Texts::optional(Some(patterns)))?;
        self.edit(py, &ArchiveEdit::Remove(patterns), &edit)
    }

    /// Renames files and folders.
    ///
    /// Args:
    ///     names: New names by old ones. A folder is renamed with all its files; a new name that ends with a slash is a
    ///         folder in which the file keeps its own name.
    ///     output: The new archive, or a folder in which it keeps its name.
    ///     in_place: Whether the archive itself is changed.
    ///     strict: Whether warnings are failures, so that the output is not written.
    ///     overwrite: Whether an existing file may be replaced.
    ///     dry_run: Whether nothing is written.
    ///
    /// Returns:
    ///     What ``antiquary archive --json`` prints: the item of ``results`` has the ``changes``.
    ///
    /// Raises:
    ///     Error: An entry does not exist, a name is taken, or the output cannot be written.
    #[pyo3(signature = (names, output=None, *, in_place=false, strict=false, overwrite=false, dry_run=false))]
    fn rename(
        &self,
        py: Python<'_>,
        names: &Bound<'_, PyDict>,
        output: Option<PathBuf>,
        in_place: bool,
        strict: bool,
        overwrite: bool,
        dry_run: bool,
    ) -> Result<Object> {
        let settings = Settings { strict, overwrite, dry_run, ..Settings::default() };
        let edit = Edit::new(output, in_place, false, settings)?;
        let pairs = names.iter().map(|(old, new)| Ok((old.extract()?, new.extract()?)));
        let pairs = pairs.collect::<PyResult<Vec<(String, String)>>>()?;
        self.edit(py, &ArchiveEdit::Rename(pairs), &edit)
    }

    /// Adds all files of other archives with unchanged bytes; later archives take precedence. Files that a patch marks as
    /// removed are removed.
    ///
    /// Args:
    ///     archives: An archive, or several.
    ///     output: The new archive, or a folder in which it keeps its name.
    ///     in_place: Whether the archive itself is changed.
    ///     compact: Whether the space of removed and replaced files is reclaimed.
    ///     strict: Whether warnings are failures, so that the output is not written.
    ///     overwrite: Whether an existing file may be replaced.
    ///     dry_run: Whether nothing is written.
    ///
    /// Returns:
    ///     What ``antiquary archive --json`` prints: the item of ``results`` has the ``changes``.
    ///
    /// Raises:
    ///     Error: An archive cannot be read, or the output cannot be written.
    #[pyo3(signature = (archives, output=None, *, in_place=false, compact=false, strict=false, overwrite=false, dry_run=false))]
    fn merge(
        &self,
        py: Python<'_>,
        archives: Paths,
        output: Option<PathBuf>,
        in_place: bool,
        compact: bool,
        strict: bool,
        overwrite: bool,
        dry_run: bool,
    ) -> Result<Object> {
        let settings = Settings { strict, overwrite, dry_run, ..Settings::default() };
        let edit = Edit::new(output, in_place, compact, settings)?;
        self.edit(py, &ArchiveEdit::Merge(archives.into_vec()), &edit)
    }

    fn __getitem__(&self, py: Python<'_>, entry: Entry) -> Result<File> {
        self.open(py, entry, None)
    }

    fn __contains__(&self, name: String) -> bool {
        self.find(&Entry::Name(name)).is_ok()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let names: Vec<String> = self.entries()?.entries().map(|entry| entry.name.into_owned()).collect();
        Ok(pyo3::types::PyList::new(py, names)?.try_iter()?.into_any())
    }

    fn __len__(&self) -> Result<usize> {
        Ok(self.entries()?.count())
    }

    fn __fspath__(&self) -> OsString {
        self.path.clone().into_os_string()
    }

    fn __repr__(&self) -> Result<String> {
        Ok(format!("<Archive {:?}, {}, {} entries>", self.path(), self.format(), self.__len__()?))
    }
}
