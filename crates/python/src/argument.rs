//! Arguments of functions: paths, bytes, options of formats, settings of a run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use antiquary::asset::Links;
use antiquary::files::sink::WriteMode;
use antiquary::files::suggest::did_you_mean;
use antiquary::{CATALOG, Error, Input, Install, Overwrite, Progress, Session, Source, Strictness};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyMemoryView};

use crate::error::{Failure, Result};
use crate::task;

/// Name of bytes that were passed without one.
const BYTES: &str = "bytes";

/// One path or several.
pub(crate) struct Paths(Vec<PathBuf>);

impl<'a, 'py> FromPyObject<'a, 'py> for Paths {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match path(object)? {
            Some(path) => Ok(Self(vec![path])),
            None => match object.extract() {
                Ok(paths) => Ok(Self(paths)),
                Err(_) => Err(wrong_type("a path or a sequence of paths", object)),
            },
        }
    }
}

impl Paths {
    pub(crate) fn into_vec(self) -> Vec<PathBuf> {
        self.0
    }

    /// The paths of an optional argument.
    pub(crate) fn optional(paths: Option<Self>) -> Vec<PathBuf> {
        paths.map(Self::into_vec).unwrap_or_default()
    }
}

/// One string or several.
pub(crate) struct Texts(Vec<String>);

impl<'a, 'py> FromPyObject<'a, 'py> for Texts {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let texts = object.extract::<String>().map(|text| vec![text]).or_else(|_| object.extract());
        texts.map(Self).map_err(|_| wrong_type("a string or a sequence of strings", object))
    }
}

impl Texts {
    /// The strings of an optional argument.
    pub(crate) fn optional(texts: Option<Self>) -> Vec<String> {
        texts.map(|texts| texts.0).unwrap_or_default()
    }
}

/// A file: its bytes, or its path.
pub(crate) enum Data {
    /// The bytes.
    Bytes(PyBackedBytes),
    /// The path.
    Path(PathBuf),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Data {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.extract::<PyBackedBytes>() {
            return Ok(Self::Bytes(bytes));
        }
        if object.is_instance_of::<PyMemoryView>() {
            let bytes = object.call_method0("tobytes")?;
            return Ok(Self::Bytes(bytes.extract::<PyBackedBytes>().map_err(PyErr::from)?));
        }
        path(object)?.map(Self::Path).ok_or_else(|| wrong_type("a path or bytes", object))
    }
}

/// Returns a path, or `None` for an object of another type. An object that should have a path but has none is an error.
fn path(object: Borrowed<'_, '_, PyAny>) -> PyResult<Option<PathBuf>> {
    match object.extract::<PathBuf>() {
        Ok(path) => Ok(Some(path)),
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Creates the exception for an argument of the wrong type.
pub(crate) fn wrong_type(wanted: &str, found: Borrowed<'_, '_, PyAny>) -> PyErr {
    match found.get_type().name() {
        Ok(name) => PyTypeError::new_err(format!("expected {wanted}, not {name}")),
        Err(error) => error,
    }
}

impl Data {
    /// The input. Bytes are copied, because they are read without the lock of the interpreter.
    pub(crate) fn input(&self, name: Option<&str>) -> Input {
        match self {
            Self::Bytes(bytes) => Input::of_source(name.unwrap_or(BYTES), Source::from(bytes.to_vec())),
            Self::Path(path) => Input::find(CATALOG, path),
        }
    }
}

/// Options of formats, as keyword arguments.
#[derive(Debug, Clone, Default)]
pub(crate) struct FormatOptions(pub(crate) Vec<(String, String)>);

impl FormatOptions {
    /// Reads keyword arguments: `light="baked"`, `layers=["lights", "waypoints"]`, `structured=True`. `parameters` are the
    /// other keyword arguments of the function, which are suggested for a misspelled name.
    ///
    /// # Errors
    /// Fails if no format has an option of this name, or if the value has no text.
    pub(crate) fn read(options: Option<&Bound<'_, PyDict>>, parameters: &[&str]) -> Result<Self> {
        let mut out = Self::default();
        for (name, value) in options.into_iter().flatten() {
            let written: String = name.extract()?;
            let name = written.replace('_', "-");
            if !known_options().any(|known| known == name) {
                let known: Vec<String> = known_options().map(|known| known.replace('-', "_")).collect();
                let all = parameters.iter().copied().chain(known.iter().map(String::as_str));
                let guess = did_you_mean(&written, all);
                return Err(Error::usage(format!("unknown option \"{written}\"{guess}")).into());
            }
            if let Some(text) = option_text(&value)? {
                out.0.push((name, text));
            }
        }
        Ok(out)
    }
}

/// The names of all options: those of formats, of importing scenes, and of builders.
fn known_options() -> impl Iterator<Item = &'static str> {
    let formats = CATALOG.formats().flat_map(|format| format.options.iter().chain(format.import_options()));
    let builders = CATALOG.builders().flat_map(|builder| builder.options);
    formats.chain(builders).map(|option| option.name)
}

/// The value of an option as on the command line; `None` leaves the default.
fn option_text(value: &Bound<'_, PyAny>) -> Result<Option<String>> {
    if value.is_none() {
        return Ok(None);
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Some(flag.is_true().to_string()));
    }
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        return Ok(Some(value.str()?.to_str()?.to_owned()));
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(Some(text));
    }
    if let Ok(path) = value.extract::<PathBuf>() {
        return Ok(Some(path.to_string_lossy().into_owned()));
    }
    let words = value.extract::<Vec<String>>();
    let words = words
        .map_err(|_| wrong_type("a string, number, bool, path or list of strings", value.as_borrowed()))?;
    Ok(Some(words.join(",")))
}

/// Settings of a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    /// Folders of games in which references are looked up.
    pub(crate) games: Vec<PathBuf>,
    /// The opened game, in which references are looked up instead.
    pub(crate) install: Option<Arc<Install>>,
    /// Number of threads; 0 is one per processor.
    pub(crate) threads: usize,
    /// Whether warnings are failures.
    pub(crate) strict: bool,
    /// Whether edits that damage a file are written.
    pub(crate) allow_damaged: bool,
    /// Whether existing files may be replaced.
    pub(crate) overwrite: bool,
    /// Whether nothing is written.
    pub(crate) dry_run: bool,
}

impl Settings {
    /// Settings with folders of games.
    pub(crate) fn new(games: Option<Paths>) -> Self {
        Self { games: Paths::optional(games), ..Self::default() }
    }

    /// Whether files are written.
    pub(crate) const fn writing(&self) -> WriteMode {
        if self.dry_run { WriteMode::DryRun } else { WriteMode::Write }
    }

    /// Runs work in a session, like [`task::run`].
    pub(crate) fn run<T: Send, E: Into<Failure>>(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce(&Session<'_>) -> std::result::Result<T, E> + Send,
    ) -> Result<T> {
        task::run(py, progress, |monitor| work(&self.session(monitor)).map_err(Into::into))
    }

    /// Creates the session of a run.
    pub(crate) fn session<'p>(&self, progress: &'p dyn Progress) -> Session<'p> {
        let strictness = match (self.strict, self.allow_damaged) {
            (true, _) => Strictness::Strict,
            (false, true) => Strictness::AllowDamaged,
            (false, false) => Strictness::Lenient,
        };
        let overwrite = if self.overwrite { Overwrite::Allow } else { Overwrite::Refuse };
        let session = Session::default().links(Links::Inside).protect_opened_files();
        let session = self.games.iter().fold(session, |session, game| session.game(game));
        let session = match &self.install {
            Some(install) => session.install(Arc::clone(install)),
            None => session,
        };
        session
            .threads(self.threads)
            .strictness(strictness)
            .overwrite(overwrite)
            .writing(self.writing())
            .progress(progress)
    }
}

/// A path as text, as the program prints it.
pub(crate) fn shown(path: &Path) -> String {
    path.display().to_string()
}
