//! Functions for scripts.

use std::path::PathBuf;

use antiquary::json::Document;
use antiquary::operation::{AssembleResult, ListResult, schema};
use antiquary::script::{Reach, SessionRequest, updates_in};
use antiquary::session::{RunRequest, ScriptRun};
use antiquary::{Error, ScriptOptions};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Object, succeeded};
use crate::argument::{Paths, Settings};
use crate::error::{Failure, Result};
use crate::object::from_python;
use crate::value::to_python;

/// Script options with a definitions file, if given.
fn script_options(definitions: Option<PathBuf>, chosen: &[(&str, String)]) -> ScriptOptions {
    let chosen: Vec<_> = chosen.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let mut options = ScriptOptions::default().options(&chosen);
    options.definitions = definitions;
    options
}

/// Shows the scripts of a map as text.
///
/// Args:
///     map: A map of Redguard (``.RGM``).
///     output: A folder for one script file per actor.
///     actor: Show only the script of this actor: a name, or ``#`` and its number.
///     structured: Whether gotos are shown as loops and else branches where these assemble to the same bytes.
///     dialect: ``"antiquary"``, or ``"mm"`` for Redguard Mod Manager.
///     operands: Operand encoding of conditions: ``"game"``, or ``"mm"``.
///     definitions: A file with the names of functions and flags, instead of the game's SOUP386.DEF.
///     games: Folders in which the definitions are looked up. By default, the game around the map.
///     overwrite: Whether existing files may be replaced.
///
/// Returns:
///     A list of dicts with ``name``, ``text``, and ``facts``: what ``antiquary script disasm --json`` prints for the script.
///
/// Raises:
///     Error: The file cannot be read or has no scripts, or the folder cannot be written.
#[pyfunction]
#[pyo3(signature = (map, output=None, *, actor=None, structured=false, dialect="antiquary", operands="game", definitions=None, games=None, overwrite=false))]
pub(crate) fn disassemble_scripts(
    py: Python<'_>,
    map: PathBuf,
    output: Option<PathBuf>,
    actor: Option<String>,
    structured: bool,
    dialect: &str,
    operands: &str,
    definitions: Option<PathBuf>,
    games: Option<Paths>,
    overwrite: bool,
) -> Result<Object> {
    let mut chosen = vec![("soup-operands", operands.to_owned()), ("dialect", dialect.to_owned())];
    chosen.extend(structured.then(|| ("structured", String::new())));
    chosen.extend(actor.map(|actor| ("actor", actor)));
    let options = script_options(definitions, &chosen);
    let settings = Settings { overwrite, ..Settings::new(games) };
    let scripts = settings.run(py, None, |session| {
        let (_, scripts) = session.disassemble_scripts(&map, &options)?;
        if let Some(folder) = &output {
            session.write_scripts(&map, &scripts, folder)?;
        }
        Ok::<_, Error>(scripts)
    })?;
    Ok(to_python(py, &scripts)?)
}

/// Assembles scripts into a copy of a map. Scripts of other actors keep their bytes.
///
/// Args:
///     texts: Script files or folders of them: one path, or several.
///     map: The map to copy.
///     output: The output file, or a folder in which the map keeps its name.
///     dialect: ``"antiquary"``, or ``"mm"`` for Redguard Mod Manager.
///     definitions: A file with the names of functions and flags, instead of the game's SOUP386.DEF.
///     games: Folders in which the definitions are looked up. By default, the game around the map.
///     strict: Whether warnings are failures, so that the output is not written.
///     allow_damaged: Whether the file is written even if the edit damages it.
///     overwrite: Whether existing files may be replaced.
///     dry_run: Whether nothing is written.
///
/// Returns:
///     What ``antiquary script asm --json`` prints.
///
/// Raises:
///     Error: A file cannot be read or written, or a script has a problem. The attribute ``result`` of the exception then
///         has ``problems``, each with ``file``, ``line``, ``column`` and ``message``.
#[pyfunction]
#[pyo3(signature = (texts, map, output, *, dialect="antiquary", definitions=None, games=None, strict=false, allow_damaged=false, overwrite=false, dry_run=false))]
pub(crate) fn assemble_scripts(
    py: Python<'_>,
    texts: Paths,
    map: PathBuf,
    output: PathBuf,
    dialect: &str,
    definitions: Option<PathBuf>,
    games: Option<Paths>,
    strict: bool,
    allow_damaged: bool,
    overwrite: bool,
    dry_run: bool,
) -> Result<Object> {
    let options = script_options(definitions, &[("dialect", dialect.to_owned())]);
    let settings = Settings { strict, allow_damaged, overwrite, dry_run, ..Settings::new(games) };
    let texts = texts.into_vec();
    let assembled =
        settings.run(py, None, |session| session.assemble_scripts(&texts, &map, &output, &options))?;
    let result = AssembleResult::new(&assembled, settings.writing()).with_problems(&assembled);
    if let Some(problem) = result.summary.problems.first() {
        let more = match result.summary.problems.len() {
            1 => String::new(),
            count => format!(" (and {} more)", count.saturating_sub(1)),
        };
        let message = format!("line {}, column {}: {}{more}", problem.line, problem.column, problem.message);
        let error = Error::malformed(message).in_file(&problem.file);
        return Err(Failure::WithResult(error, to_python(py, &result)?));
    }
    succeeded(&assembled.outcome)?;
    Ok(to_python(py, &result)?)
}

/// Finds names and texts in scripts.
///
/// Args:
///     paths: A map, folder or game, or several.
///     name: The complete name of a flag, function, property or attribute, or a part of a string or of a line of dialogue.
///     definitions: A file with the names of functions and flags, instead of the game's SOUP386.DEF.
///     games: Folders in which the definitions are looked up. By default, the game around each map.
///
/// Returns:
///     What ``antiquary script find --json`` prints: ``results`` has one item per occurrence with its ``map``, ``actor``,
///     ``line``, ``kind`` and ``text``.
#[pyfunction]
#[pyo3(signature = (paths, name, *, definitions=None, games=None))]
pub(crate) fn find_in_scripts(
    py: Python<'_>,
    paths: Paths,
    name: &str,
    definitions: Option<PathBuf>,
    games: Option<Paths>,
) -> Result<Object> {
    let options = script_options(definitions, &[]);
    let settings = Settings::new(games);
    let paths = paths.into_vec();
    let found = settings.run(py, None, |session| session.find_in_scripts(name, &paths, &options))?;
    let is_ok = found.iter().all(|(outcome, _)| outcome.ok);
    let places = found.iter().flat_map(|(_, places)| places);
    Ok(to_python(py, &ListResult::new(schema::SCRIPT_FIND, places, is_ok))?)
}

/// Runs scripts as the game does, in a simulated world.
///
/// Args:
///     map: A map of Redguard (``.RGM``).
///     seconds: Game time to run; an update takes 1/12.14 of a second.
///     updates: Number of updates to run, instead of ``seconds``.
///     actor: Run only this actor: a name, or ``#`` and its number. By default, all objects of the map.
///     instance: Instance of the actor, zero-based.
///     flags: Initial values of flags: ``{"After_League": 1}``.
///     state: The initial state: ``state`` of the result of another run.
///     save: A saved game that provides the initial flags and items.
///     player: Actions of the player, as in the JSON file of ``antiquary script run --player``.
///     host: Results of the game's functions, as in the JSON file of ``antiquary script run --host``.
///     everywhere: Whether all actors are updated while ``player`` is given, instead of those near the player.
///     world: Number of the world, if several worlds use the map.
///     limit: Maximum number of instructions.
///     animation: A ``.glb`` file to which all movements are written, as an animation of the map.
///     save_to: A file to which a copy of the saved game is written, with the final flags and items.
///     definitions: A file with the names of functions and flags, instead of the game's SOUP386.DEF.
///     games: Folders in which the game is looked up. By default, the game around the map.
///     overwrite: Whether existing files may be replaced.
///     progress: A function that is called with the completed and the total number of updates, or True for a bar of tqdm.
///
/// Returns:
///     The item of ``results`` that ``antiquary script run --json`` prints: ``trace`` (the calls of the scripts), ``status``,
///     ``updates``, ``instructions``, ``stops`` and ``state``.
///
/// Raises:
///     Error: The file cannot be read or has no scripts, or an output cannot be written.
#[pyfunction]
#[pyo3(signature = (map, *, seconds=10.0, updates=None, actor=None, instance=0, flags=None, state=None, save=None, player=None, host=None, everywhere=false, world=None, limit=1_000_000, animation=None, save_to=None, definitions=None, games=None, overwrite=false, progress=None))]
pub(crate) fn run_scripts(
    py: Python<'_>,
    map: PathBuf,
    seconds: f64,
    updates: Option<u32>,
    actor: Option<String>,
    instance: usize,
    flags: Option<&Bound<'_, PyDict>>,
    state: Option<&Bound<'_, PyDict>>,
    save: Option<PathBuf>,
    player: Option<&Bound<'_, PyAny>>,
    host: Option<&Bound<'_, PyAny>>,
    everywhere: bool,
    world: Option<i64>,
    limit: u64,
    animation: Option<PathBuf>,
    save_to: Option<PathBuf>,
    definitions: Option<PathBuf>,
    games: Option<Paths>,
    overwrite: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> Result<Object> {
    if save_to.is_some() && save.is_none() {
        return Err(Error::usage("save_to needs save").into());
    }
    let in_seconds = updates_in(seconds)?;
    let flags = flags.into_iter().flatten();
    let flags = flags.map(|(name, value)| Ok((name.extract()?, value.str()?.extract()?)));
    let session = SessionRequest {
        actor,
        instance,
        host: host.map(json_document).transpose()?,
        player: player.map(json_document).transpose()?,
        reach: if everywhere { Reach::Everywhere } else { Reach::AroundPlayer },
        world,
        limit: limit.max(1),
        flags: flags.collect::<PyResult<Vec<(String, String)>>>()?,
        state: state.map(|state| json_document(state.as_any())).transpose()?,
        save: None,
    };
    let (options, updates) = (script_options(definitions, &[]), updates.unwrap_or(in_seconds));
    let mut request = RunRequest { map, options, session, updates, animation, save_copy: None };
    let settings = Settings { overwrite, ..Settings::new(games) };
    let ran = settings.run(py, progress, |session| {
        request.session.save = save.as_deref().map(|save| session.read_save(save)).transpose()?;
        request.save_copy = save.zip(save_to);
        session.progress.start(request.updates as usize);
        let (ran, written) = ScriptRun::new(session, request)?.finish(session, |_| {
            session.progress.done(0);
            !session.progress.is_cancelled()
        })?;
        written.animation.iter().try_for_each(succeeded)?;
        Ok::<_, Failure>(ran)
    })?;
    Ok(to_python(py, &ran)?)
}

/// A Python object as a JSON document.
fn json_document(object: &Bound<'_, PyAny>) -> Result<Document> {
    Ok(Document::of_value(&from_python(object)?)?)
}
