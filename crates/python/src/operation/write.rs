//! Functions that write files.

use std::path::{Path, PathBuf};

use antiquary::json::{Document, Value};
use antiquary::scene::Compression;
use antiquary::session::{BuiltFile, FieldEdit};
use antiquary::{
    BuildOptions, ConvertOptions, Destination, Error, Hint, Outcome, Overview, PackOptions, Run,
    UnpackOptions, Vertices,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;

use super::{EditResult, Object, object};
use crate::argument::{FormatOptions, Paths, Settings, Texts};
use crate::document::{self, succeeded};
use crate::error::{Failure, Result};
use crate::object::from_python;
use crate::task;

/// Maximum number of changes in the result of an edit; the others are only counted. The program has the same limit.
pub(crate) const CHANGES: usize = 100;

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
    if everything && (to.is_some() || dry_run) {
        return Err(Error::usage("everything cannot be combined with to or dry_run").into());
    }
    let mut options = ConvertOptions::default()
        .options(&given.0)
        .scale(scale)
        .overview(if gallery { Overview::Gallery } else { Overview::None })
        .vertices(if quantize { Vertices::Integers } else { Vertices::Floats })
        .compression(Compression::by_name(compression)?);
    options.to = to;
    let settings = Settings { threads, strict, overwrite, dry_run, ..Settings::new(games) };
    let paths = paths.into_vec();
    let document = task::run(py, progress, |monitor| {
        let session = settings.session(monitor);
        let run = if everything {
            session.convert_everything(&paths, &output, &options)?
        } else {
            let inputs = session.find_inputs(&paths);
            let destination = Destination::new(&output, &inputs, session.catalog)?;
            session.convert(&inputs, &destination, &options)?
        };
        Ok(document::run("antiquary/convert/1", &run, |members| {
            members.put("formats", &run.by_format(session.catalog));
            document::surroundings(&run, members);
            members
                .put("left_out", &run.left_out)
                .put("leftovers", &run.leftovers)
                .put("shared", &run.shared)
                .put("gallery", &run.gallery);
            if dry_run {
                members.put("dry_run", &true);
            }
        }))
    })?;
    object(py, &document)
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
    let document = task::run(py, None, |monitor| {
        let options = UnpackOptions::default().options(&given.0);
        let mut run = settings.session(monitor).unpack(&file, &folder, &options)?;
        if let Some(at) = run.outcomes.iter().position(|outcome| !outcome.ok) {
            return Err(Failure::Outcome(Box::new(run.outcomes.swap_remove(at))));
        }
        Ok(of_run("antiquary/unpack/1", &run, dry_run))
    })?;
    object(py, &document)
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
    let document = task::run(py, None, |monitor| {
        let packed = settings.session(monitor).pack(&source, &output, &options);
        let outcome = succeeded(packed.map_err(|error| error.in_file(&source))?)?;
        Ok(of_run("antiquary/pack/1", &Run::from(outcome), dry_run))
    })?;
    object(py, &document)
}

/// Creates the object of a run that writes files.
fn of_run(schema: &str, run: &Run, dry_run: bool) -> Document {
    document::run(schema, run, |members| {
        if dry_run {
            members.put("dry_run", &true);
        }
    })
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
    let document = task::run(py, None, |monitor| {
        let session = settings.session(monitor);
        let edited = session.set(&antiquary::Input::find(session.catalog, &file), &edits, CHANGES);
        let edited = edited.and_then(|edited| session.write_edited(edited, &output));
        let edited = edited.map_err(|error| error.in_file(&file))?;
        let outcome = succeeded(edited.outcome)?;
        let result = EditResult { outcome: &outcome, changes: &edited.changes, more: edited.more };
        Ok(document::results("antiquary/set/1", [result], |members| {
            members.put("ok", &true).put("left_alone", &0).put("dry_run", &dry_run);
        }))
    })?;
    object(py, &document)
}

/// The result of a build.
#[derive(Serialize)]
struct BuildResult<'a> {
    #[serde(flatten)]
    outcome: &'a Outcome,
    figures: &'a Value,
    hint: &'a Option<Hint>,
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
    let document = task::run(py, progress, |monitor| {
        let options = BuildOptions::default().options(&given.0);
        let built = settings.session(monitor).build(what, &file, &output, &options);
        built.map_err(|error| error.in_file(&file).into()).and_then(|built| of_build(built, dry_run))
    })?;
    object(py, &document)
}

fn of_build(built: BuiltFile, dry_run: bool) -> Result<Document> {
    let outcome = succeeded(built.outcome)?;
    let result = BuildResult { outcome: &outcome, figures: &built.figures, hint: &built.hint };
    Ok(document::results("antiquary/build/1", [result], |members| {
        members.put("ok", &true).put("dry_run", &dry_run);
    }))
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
    antiquary::sample::write(antiquary::CATALOG, &mut sink)?;
    sink.finish()?;
    Ok(())
}
