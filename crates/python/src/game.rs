//! Opened games.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use antiquary::{Error, Inputs, Source};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};

use crate::argument::{FormatOptions, Paths, Settings};
use crate::error::Result;
use crate::file::File;
use crate::task;

/// A game: a folder or an archive, optionally with mods layered over it. Files are found as the game finds them: in any
/// letter case, in its folders and in its archives.
///
/// ``game["GFX/map/room2_opt.rmesh"]`` opens a file, and iteration returns the paths of all files. Functions such as ``check``
/// and ``find`` accept the game as a path.
///
/// Args:
///     folder: The folder or archive of the game.
///     mods: Folders whose files hide those of the game; earlier ones take precedence.
///
/// Raises:
///     Error: The folder does not exist, or contains no known game.
#[pyclass(frozen, mapping, module = "antiquary")]
pub(crate) struct Game {
    game: antiquary::Game,
    folder: Option<PathBuf>,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (folder, *, mods=None))]
    fn new(py: Python<'_>, folder: PathBuf, mods: Option<Paths>) -> Result<Self> {
        let mut layers = Paths::optional(mods);
        layers.push(folder.clone());
        let game = task::compute(py, move || Ok(antiquary::Game::open_layers(&layers)?))?;
        Ok(Self { game, folder: Some(folder) })
    }

    /// Creates a game from files in memory.
    ///
    /// Args:
    ///     files: The bytes of the files, by their paths from the root of the game.
    ///
    /// Raises:
    ///     Error: A path leads out of the root or occurs twice.
    #[staticmethod]
    fn from_files(files: &Bound<'_, PyDict>) -> Result<Self> {
        let mut sources = Vec::new();
        for (name, bytes) in files {
            let bytes: PyBackedBytes = bytes.extract().map_err(PyErr::from)?;
            sources.push((name.extract::<String>()?, Source::from(bytes.to_vec())));
        }
        Ok(Self { game: antiquary::Game::from_files(sources)?, folder: None })
    }

    /// Id of the game: ``scpcb``, ``ragnarok`` or ``redguard``; None for files in memory.
    #[getter]
    fn id(&self) -> Option<&'static str> {
        self.game.info().map(|info| info.id)
    }

    /// Name of the game, or None for files in memory.
    #[getter]
    fn name(&self) -> Option<&'static str> {
        self.game.info().map(|info| info.name)
    }

    /// Folder of the game as given, or None for files in memory.
    #[getter]
    fn folder(&self) -> Option<PathBuf> {
        self.folder.clone()
    }

    /// Returns the paths of all files, folder by folder, in name order.
    fn files(&self, py: Python<'_>) -> Result<Vec<String>> {
        let game = self.game.clone();
        task::compute(py, move || Ok(game.files().collect()))
    }

    /// Opens a file by its path from the root of the game, in any letter case.
    ///
    /// Args:
    ///     path: The path, with either slash.
    ///     **options: Options of the format, as listed by ``formats(id)``.
    ///
    /// Raises:
    ///     Error: The file does not exist, has no known format, or is damaged.
    #[pyo3(signature = (path, **options))]
    fn open(&self, py: Python<'_>, path: String, options: Option<&Bound<'_, PyDict>>) -> Result<File> {
        let given = FormatOptions::read(options, &[])?.0;
        let (game, wanted) = (self.game.clone(), path.clone());
        let (opened, inputs) = task::compute(py, move || {
            let opened = game.file(&wanted)?;
            Ok((opened, Inputs::of_install(game.install(), &wanted)?))
        })?;
        let input =
            inputs.iter().next().cloned().ok_or_else(|| Error::usage("no such file").in_file(&path))?;
        let settings = Settings { install: Some(Arc::clone(self.game.install())), ..Settings::default() };
        File::new(opened, input, (settings, given), path, None)
    }

    /// Returns the bytes of any file, by its path from the root of the game.
    ///
    /// Raises:
    ///     Error: The file does not exist or cannot be read.
    fn read<'py>(&self, py: Python<'py>, path: String) -> Result<Bound<'py, PyBytes>> {
        let game = self.game.clone();
        let bytes = task::compute(py, move || {
            let found = game.install().find(&path).found();
            let found = found.ok_or_else(|| Error::usage("no such file in the game").in_file(&path))?;
            let read = game.install().open(&found.location)?;
            Ok(read.read_all().map_err(|error| error.in_file(&path))?.into_owned())
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __getitem__(&self, py: Python<'_>, path: String) -> Result<File> {
        self.open(py, path, None)
    }

    fn __contains__(&self, path: &str) -> bool {
        self.game.install().find(path).found().is_some()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let files = pyo3::types::PyList::new(py, self.files(py)?)?;
        Ok(files.try_iter()?.into_any())
    }

    fn __len__(&self, py: Python<'_>) -> Result<usize> {
        Ok(self.files(py)?.len())
    }

    fn __fspath__(&self) -> Result<OsString> {
        let folder = self.folder.clone().map(PathBuf::into_os_string);
        folder.ok_or_else(|| Error::usage("the game is in memory and has no folder").into())
    }

    fn __repr__(&self) -> String {
        let name = self.name().unwrap_or("files in memory");
        match &self.folder {
            Some(folder) => format!("<Game {name:?}, {:?}>", folder.display().to_string()),
            None => format!("<Game {name:?}>"),
        }
    }
}
