//! Functions that read files and write nothing.

use std::path::PathBuf;

use antiquary::operation::{CheckResult, DiffResult, FindResult, ListResult, RunResult, ScanResult, schema};
use antiquary::session::ArchiveContents;
use antiquary::{CheckOptions, DescribeOptions, Detail, DiffOptions, Error, Query, Session};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Object;
use crate::argument::{Data, FormatOptions, Paths, Settings, Texts};
use crate::error::Result;
use crate::value::to_python;

/// Checks files for damage and missing references, in parallel.
///
/// A file that fails does not stop the others: its result has an ``error``.
///
/// Args:
///     paths: A file, folder or archive, or several. A path may lead into an archive (``data.grf/data/model/mill.rsm``).
///     codes: If given, only warnings with these codes are reported: ``FILE-W001``, or a prefix such as ``RMESH``.
///     inside: Whether the files in archives are checked too.
///     games: Folders in which referenced files are looked up. By default, the game around each file.
///     threads: Number of threads; 0 is one per processor.
///     strict: Whether warnings are failures.
///     progress: A function that is called with the completed and the total number of files, or True for a bar of tqdm.
///     **options: Options of formats, as listed by ``formats(id)``.
///
/// Returns:
///     What ``antiquary check --json`` prints: ``results`` has one item per file with its ``warnings`` and its ``error``.
#[pyfunction]
#[pyo3(signature = (paths, *, codes=None, inside=false, games=None, threads=0, strict=false, progress=None, **options))]
pub(crate) fn check(
    py: Python<'_>,
    paths: Paths,
    codes: Option<Texts>,
    inside: bool,
    games: Option<Paths>,
    threads: usize,
    strict: bool,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> Result<Object> {
    let parameters = ["codes", "inside", "games", "threads", "strict", "progress"];
    let given = FormatOptions::read(options, &parameters)?;
    let settings = Settings { threads, strict, ..Settings::new(games) };
    let contents = if inside { ArchiveContents::Check } else { ArchiveContents::Skip };
    let mut options = CheckOptions::default().options(&given.0).inside(contents);
    options.codes = Texts::optional(codes);
    let paths = paths.into_vec();
    let check = |session: &Session<'_>| session.check(&session.find_inputs(&paths), &options);
    let run = settings.run(py, progress, check)?;
    Ok(to_python(py, &CheckResult::new(&run))?)
}

/// Describes files: format, version, counts and, with ``full``, every field.
///
/// Args:
///     paths: A file, folder or archive, or several.
///     full: Whether all fields are included.
///     games: Folders in which referenced files are looked up. By default, the game around each file.
///     threads: Number of threads; 0 is one per processor.
///     progress: A function that is called with the completed and the total number of files, or True for a bar of tqdm.
///
/// Returns:
///     What ``antiquary info --json`` prints.
#[pyfunction]
#[pyo3(signature = (paths, *, full=false, games=None, threads=0, progress=None))]
pub(crate) fn describe(
    py: Python<'_>,
    paths: Paths,
    full: bool,
    games: Option<Paths>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> Result<Object> {
    let settings = Settings { threads, ..Settings::new(games) };
    let options = DescribeOptions::default().detail(if full { Detail::Full } else { Detail::Brief });
    let paths = paths.into_vec();
    let describe = |session: &Session<'_>| session.describe(&session.find_inputs(&paths), &options);
    let run = settings.run(py, progress, describe)?;
    Ok(to_python(py, &RunResult::new(schema::INFO, &run, settings.writing()))?)
}

/// Summarizes a game folder or an archive: number of files, versions and contents of each format.
///
/// Args:
///     folder: A game folder, any other folder, or an archive.
///     threads: Number of threads; 0 is one per processor.
///     progress: A function that is called with the completed and the total number of files, or True for a bar of tqdm.
///
/// Returns:
///     What ``antiquary scan --json`` prints.
#[pyfunction]
#[pyo3(signature = (folder, *, threads=0, progress=None))]
pub(crate) fn scan(
    py: Python<'_>,
    folder: PathBuf,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> Result<Object> {
    let settings = Settings { threads, ..Settings::default() };
    let scan = settings.run(py, progress, |session| session.scan(&folder))?;
    Ok(to_python(py, &ScanResult::new(&scan))?)
}

/// Compares two files field by field, or the files of two folders or archives.
///
/// Args:
///     first: The bytes of a file, or the path of a file, folder or archive.
///     second: The file, folder or archive to compare it with.
///     tolerance: Numbers that differ by at most this much are equal.
///     limit: Maximum number of differences to return; the others are only counted. None returns all.
///
/// Returns:
///     What ``antiquary diff --json`` prints: ``ok`` is True if everything is equal, and ``results`` has one item per file
///     that differs, with its ``changes``.
#[pyfunction]
#[pyo3(signature = (first, second, *, tolerance=0.0, limit=None))]
pub(crate) fn diff(
    py: Python<'_>,
    first: Data,
    second: Data,
    tolerance: f64,
    limit: Option<usize>,
) -> Result<Object> {
    if !(tolerance.is_finite() && tolerance >= 0.0) {
        return Err(Error::usage("tolerance must be a number of 0 or more").into());
    }
    let options = DiffOptions::default().tolerance(tolerance).limit(limit.unwrap_or(usize::MAX));
    let settings = Settings::default();
    let comparison = settings.run(py, None, |session| {
        if let (Data::Path(first), Data::Path(second)) = (&first, &second) {
            return session.diff(first, second, &options);
        }
        let (first, second) = (first.input(None), second.input(None));
        for input in [&first, &second] {
            input.source().map_err(|error| error.in_file(input.path()))?;
        }
        Ok(session.diff_inputs(&first, &second, &options))
    })?;
    Ok(to_python(py, &DiffResult::new(&comparison))?)
}

/// Finds names and texts in a game.
///
/// Args:
///     paths: A game folder, any other folder, an archive or a file, or several.
///     query: A text to search for in all names and texts, or ``KIND:NAME`` such as ``model:lantern``, in which ``*`` and
///         ``?`` match any characters.
///     games: Folders in which referenced files are looked up. By default, the game around each file.
///     threads: Number of threads; 0 is one per processor.
///     progress: A function that is called with the completed and the total number of files, or True for a bar of tqdm.
///
/// Returns:
///     What ``antiquary find --json`` prints: ``results`` has one item per occurrence, with its ``input``, ``kind``,
///     ``text``, ``path`` and ``offset``.
#[pyfunction]
#[pyo3(signature = (paths, query, *, games=None, threads=0, progress=None))]
pub(crate) fn find(
    py: Python<'_>,
    paths: Paths,
    query: &str,
    games: Option<Paths>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> Result<Object> {
    let query = Query::parse(query)?;
    let settings = Settings { threads, ..Settings::new(games) };
    let paths = paths.into_vec();
    let find = |session: &Session<'_>| session.find(&session.find_inputs(&paths), &query);
    let run = settings.run(py, progress, find)?;
    Ok(to_python(py, &FindResult::new(&run))?)
}

/// Lists the supported formats, with their abilities, outputs, options and warnings.
///
/// Args:
///     id: The id of one format, such as ``scpcb.rmesh`` or ``rmesh``. By default, all formats.
///
/// Returns:
///     What ``antiquary formats --json`` prints.
#[pyfunction]
#[pyo3(signature = (id=None))]
pub(crate) fn formats(py: Python<'_>, id: Option<&str>) -> Result<Object> {
    let formats = match id {
        Some(id) => vec![antiquary::format(id)?],
        None => antiquary::formats().collect(),
    };
    Ok(to_python(py, &ListResult::new(schema::FORMATS, formats, true))?)
}
