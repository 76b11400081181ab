//! Functions that write files.

use std::path::{Path, PathBuf};

use antiquary::diff::MAX_CHANGES;
use antiquary::json::Value;
use antiquary::operation::{BuildResult, ConvertResult, RunResult, SetResult, schema};
use antiquary::scene::Compression;
use antiquary::session::FieldEdit;
use antiquary::{
    BuildOptions, CATALOG, ConvertOptions, Error, Extent, Input, Overview, PackOptions, Run, Session,
    UnpackOptions, Vertices,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Object, succeeded};
use crate::argument::{FormatOptions, Paths, Settings, Texts};
use crate::error::Result;
use crate::object::from_python;
use crate::task;
use crate::value::to_python;

/// Converts files, or an entire game, to modern formats, in parallel.
///
/// A file that fails does not stop the others: its result has an ``error``. Inputs are never overwritten, and other files
/// only with ``overwrite``.
///
/// Args:
///     paths: A file, folder or archive, or several.
///     output: A folder if it exists as one, if it ends with a slash, or if there may be several inputs. Otherwise, a file
///         whose extension selects the output format.
///     to: The extension of the output format. By default, that of ``output`` or the first output of each format.
///     scale: Factor by which lengths in meters are multiplied.
///     gallery: Whether the conversion of a folder also writes a page, ``index.html``, that shows all outputs.
///     everything: Whether JSON, tables, scripts and the speakers of all lines are written as well.
///     quantize: Whether vertices are stored as integers where the game does.
///     compression: ``"fast"``, ``"usual"`` or ``"best"``, for PNG files.
///     games: Folders in which referenced files are looked up. By default, the game around each file.
///     threads: Number of threads; 0 is one per processor.
///     strict: Whether warnings are failures, so that the output is not written.
///     overwrite: Whether existing files may be replaced.
///     dry_run: Whether nothing is written.
///     progress: A function that is called with the completed and the total number of files, or True for a bar of tqdm.
///     **options: Options of formats, as listed by ``formats(id)``: ``light="baked"``.
///
/// Returns:
///     What ``antiquary convert --json`` prints: ``results`` has one item per file with its ``outputs`` and ``warnings``.
#[pyfunction]
#[pyo3(signature = (paths, output, *, to=None, scale=1.0, gallery=true, everything=false, quantize=false, compression="usual", games=None, threads=0, strict=false, overwrite=false, dry_run=false, progress=None, **options))]
pub(crate) fn convert(
    py: Python<'_>,
    paths: Paths,
    output: PathBuf,
    to: Option<String>,
    scale: f64,
    gallery: bool,
    everything: bool,
    quantize: bool,
    compression: &str,
    games: Option<Paths>,
    threads: usize,
    strict: bool,
    overwrite: bool,
    dry_run: bool,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> Result<Object> {
    let parameters = [
        "to",
        "scale",
        "gallery",
        "everything",
        "quantize",
        "compression",
        "games",
        "threads",
        "strict",
        "overwrite",
        "dry_run",
        "progress",
    ];
    let given = FormatOptions::read(options, &parameters)?;
    let mut options = ConvertOptions::default()
        .options(&given.0)
        .extent(if everything { Extent::Everything } else { Extent::Usual })
        .scale(scale)
        .overview(if gallery { Overview::Gallery } else { Overview::None })
        .vertices(if quantize { Vertices::Integers } else { Vertices::Floats })
        .compression(Compression::by_name(compression)?);
    options.to = to;
    let settings = Settings { threads, strict, overwrite, dry_run, ..Settings::new(games) };
    let paths = paths.into_vec();
    let convert = |session: &Session<'_>| session.convert_to(&session.find_inputs(&paths), &output, &options);
    let run = settings.run(py, progress, convert)?;
    Ok(to_python(py, &ConvertResult::new(&run, CATALOG, settings.writing()))?)
}

/// Unpacks a file into a folder of editable parts: every field as JSON, images, sounds and texts.
///
/// Args:
///     file: A file, also in an archive.
///     folder: The output folder, which is created if necessary.
///     games: Folders in which referenced files are looked up. By default, the game around the file.
///     overwrite: Whether existing files may be replaced.
///     dry_run: Whether nothing is written.
///     **options: Options of the format, as listed by ``formats(id)``.
///
/// Returns:
///     What ``antiquary unpack --json`` prints.
///
/// Raises:
///     Error: The file cannot be read, or the folder cannot be written.
#[pyfunction]
#[pyo3(signature = (file, folder, *, games=None, overwrite=false, dry_run=false, **options))]
pub(crate) fn unpack(
    py: Python<'_>,
    file: PathBuf,
    folder: PathBuf,
    games: Option<Paths>,
    overwrite: bool,
    dry_run: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> Result<Object> {
    let given = FormatOptions::read(options, &["games", "overwrite", "dry_run"])?;
    let settings = Settings { overwrite, dry_run, ..Settings::new(games) };
    let options = UnpackOptions::default().options(&given.0);
    let run = settings.run(py, None, |session| session.unpack(&file, &folder, &options))?;
    run.outcomes.iter().try_for_each(succeeded)?;
    Ok(to_python(py, &RunResult::new(schema::UNPACK, &run, settings.writing()))?)
}

/// Builds a file from an unpacked folder, from a plain folder (an archive), or from a scene (``.glb`` or ``.gltf``).
///
/// An unpacked folder without edits gives the original bytes.
///
/// Args:
///     source: The folder or scene.
///     output: The output file, or a folder in which the file keeps its original name.
///     base: The file that the scene was converted from. It supplies data that scenes cannot represent.
///     compression: ``"fast"``, ``"usual"`` or ``"best"``, for files that are added to an archive.
///     games: Folders in which referenced files are looked up. By default, the game around the file.
///     strict: Whether warnings are failures, so that the output is not written.
///     allow_damaged: Whether the file is written even if an edit damages it.
///     overwrite: Whether existing files may be replaced.
///     dry_run: Whether nothing is written.
///     **options: Options of the format, as listed by ``formats(id)``.
///
/// Returns:
///     What ``antiquary pack --json`` prints.
///
/// Raises:
///     Error: The source cannot be read or represented, or the output cannot be written.
#[pyfunction]
#[pyo3(signature = (source, output, *, base=None, compression="usual", games=None, strict=false, allow_damaged=false, overwrite=false, dry_run=false, **options))]
pub(crate) fn pack(
    py: Python<'_>,
    source: PathBuf,
    output: PathBuf,
    base: Option<PathBuf>,
    compression: &str,
    games: Option<Paths>,
    strict: bool,
    allow_damaged: bool,
    overwrite: bool,
    dry_run: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> Result<Object> {
    let parameters = ["base", "compression", "games", "strict", "allow_damaged", "overwrite", "dry_run"];
    let given = FormatOptions::read(options, &parameters)?;
    let mut options =
        PackOptions::default().options(&given.0).compression(Compression::by_name(compression)?);
    options.base = base;
    let settings = Settings { strict, allow_damaged, overwrite, dry_run, ..Settings::new(games) };
    let outcome = settings.run(py, None, |session| {
        session.pack(&source, &output, &options).map_err(|error| error.in_file(&source))
    })?;
    succeeded(&outcome)?;
    Ok(to_python(py, &RunResult::new(schema::PACK, &Run::from(outcome), settings.writing()))?)
}

/// Reads the edits of fields: values by path, items to copy, items to remove.
pub(crate) fn field_edits(
    fields: &Bound<'_, PyDict>,
    copy: Option<Texts>,
    remove: Option<Texts>,
) -> Result<Vec<FieldEdit>> {
    let mut edits = Vec::new();
    for path in Texts::optional(copy) {
        edits.push(FieldEdit::copy(&path)?);
    }
    for path in Texts::optional(remove) {
        edits.push(FieldEdit::remove(&path)?);
    }
    for (path, value) in fields {
        edits.push(field_edit(&path.extract::<String>()?, &from_python(&value)?)?);
    }
    if edits.is_empty() {
        return Err(Error::usage("nothing to change: give fields, or items to copy or remove").into());
    }
    Ok(edits)
}

fn field_edit(path: &str, value: &Value) -> Result<FieldEdit> {
    Ok(FieldEdit::to_value(path, value)?)
}

/// Changes fields of a file and writes the result; all other bytes stay as they are, except lengths and offsets that depend
/// on the change.
///
/// Args:
///     file: The path of a file, also in an archive.
///     fields: Values by the paths of their fields: ``{"entities[0].color": [255, 0, 0]}``. A path may be a pattern
///         (``entities[*].color``) or lead to a new item (``entities[+]``).
///     output: The output file, or a folder in which the file keeps its name. The input is never overwritten.
///     copy: Paths of items; a copy of each is appended to its list.
///     remove: Paths of items to remove.
///     strict: Whether warnings are failures, so that the output is not written.
///     allow_damaged: Whether the file is written even if the edit damages it.
///     overwrite: Whether existing files may be replaced.
///     dry_run: Whether nothing is written.
///
/// Returns:
///     What ``antiquary set --json`` prints: the item of ``results`` has the ``changes``, each with its path and the old and
///     new value.
///
/// Raises:
///     Error: A path leads to no field, a field cannot hold its value, or the output cannot be written.
#[pyfunction]
#[pyo3(signature = (file, fields, output, *, copy=None, remove=None, strict=false, allow_damaged=false, overwrite=false, dry_run=false))]
pub(crate) fn set(
    py: Python<'_>,
    file: PathBuf,
    fields: &Bound<'_, PyDict>,
    output: PathBuf,
    copy: Option<Texts>,
    remove: Option<Texts>,
    strict: bool,
    allow_damaged: bool,
    overwrite: bool,
    dry_run: bool,
) -> Result<Object> {
    let edits = field_edits(fields, copy, remove)?;
    let settings = Settings { strict, allow_damaged, overwrite, dry_run, ..Settings::default() };
    let edited = settings.run(py, None, |session| {
        let edited = session.set(&Input::find(session.catalog, &file), &edits, MAX_CHANGES);
        let edited = edited.and_then(|edited| session.write_edited(edited, &output));
        edited.map_err(|error| error.in_file(&file))
    })?;
    succeeded(&edited.outcome)?;
    Ok(to_python(py, &SetResult::new(&[edited], 0, settings.writing()))?)
}

/// Generates a derived file: the lightmaps of a room, or the visibility tree of a map.
///
/// Args:
///     what: ``"lightmaps"`` (from a room of SCP – Containment Breach) or ``"pvo"`` (from a map of Redguard).
///     file: The file to build from.
///     output: The output file, or a folder. Files that it refers to are written next to it.
///     games: Folders in which referenced files are looked up. By default, the game around the file.
///     threads: Number of threads; 0 is one per processor.
///     strict: Whether warnings are failures, so that the output is not written.
///     overwrite: Whether existing files may be replaced.
///     dry_run: Whether nothing is written.
///     progress: A function that is called with the completed share of the work, from 0 to 1, and with 1, or True for a bar
///         of tqdm.
///     **options: Options of the builder: ``relight=True``.
///
/// Returns:
///     What ``antiquary build --json`` prints: the item of ``results`` has ``figures`` about the built file.
///
/// Raises:
///     Error: The file cannot be read or has another format, or the output cannot be written.
#[pyfunction]
#[pyo3(signature = (what, file, output, *, games=None, threads=0, strict=false, overwrite=false, dry_run=false, progress=None, **options))]
pub(crate) fn build(
    py: Python<'_>,
    what: &str,
    file: PathBuf,
    output: PathBuf,
    games: Option<Paths>,
    threads: usize,
    strict: bool,
    overwrite: bool,
    dry_run: bool,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> Result<Object> {
    let parameters = ["games", "threads", "strict", "overwrite", "dry_run", "progress"];
    let given = FormatOptions::read(options, &parameters)?;
    let settings = Settings { threads, strict, overwrite, dry_run, ..Settings::new(games) };
    let options = BuildOptions::default().options(&given.0);
    let built = settings.run(py, progress, |session| {
        session.build(what, &file, &output, &options).map_err(|error| error.in_file(&file))
    })?;
    succeeded(&built.outcome)?;
    Ok(to_python(py, &BuildResult::new(&built, settings.writing()))?)
}

/// Writes the sample games: small games made by code, one folder each, for trying and testing.
///
/// Args:
///     folder: The output folder, which is created if necessary.
///
/// Raises:
///     Error: The folder cannot be written, or contains such files already.
#[pyfunction]
pub(crate) fn write_samples(py: Python<'_>, folder: PathBuf) -> Result<()> {
    task::run(py, None, |_| samples(&folder))
}

fn samples(folder: &Path) -> Result<()> {
    let guard = antiquary::asset::Guard::new(antiquary::Overwrite::Refuse);
    let mut sink = antiquary::asset::FolderSink::new(folder, std::sync::Arc::new(guard));
    antiquary::sample::write(CATALOG, &mut sink)?;
    sink.finish()?;
    Ok(())
}
