//! Scripts of maps: disassembling, assembling and running them.

use std::ffi::{c_char, c_void};
use std::path::{Path, PathBuf};

use facade::operation::{AssembleResult, DisassembleResult, RunScriptsResult};
use facade::script::{Reach, SessionRequest, parse_flag, updates_in};
use facade::session::{RunRequest, ScriptRun};
use facade::{ScriptOptions, Session};

use crate::buffers::BuffersObject;
use crate::failure::{Failure, refused};
use crate::handle::{self, BuffersHandle, ErrorHandle, ReportHandle};
use crate::options::OptionList;
use crate::pointer::{Out, Text, Texts};
use crate::progress::ProgressCallback;
use crate::report::ReportObject;
use crate::run::Operation;
use crate::status::Status;

/// Takes the options of the language, with the definitions.
fn script_options(options: &mut OptionList, names: &[&'static str]) -> Result<ScriptOptions, Failure> {
    let mut pairs = Vec::new();
    for name in names {
        pairs.extend(options.take(name).map(|value| ((*name).to_owned(), value)));
    }
    let mut out = ScriptOptions::default().options(&pairs);
    out.definitions = options.take_path("def");
    Ok(out)
}

/// Disassembles the scripts of a map, like `antiquary script disasm --json`. `texts` receives one buffer for each script,
/// named after its actor; it may be `NULL`.
///
/// Options: `actor`, `structured`, `dialect`, `soup-operands`, `def`, `raw` (the file is the bytes of a single script), and
/// those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_script_disassemble(
    map: *const c_char,
    options: *const *const c_char,
    texts: *mut BuffersHandle,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (map, texts) = unsafe { (Text::new(map), Out::new(texts)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let operation = unsafe { Operation::quiet(options, report, error) };
    texts.put_if_given(BuffersHandle { id: 0 });
    operation.run(|session, mut options| {
        let map = Path::new(map.get("map")?);
        let is_raw = options.take_flag("raw")?;
        let structured = options.take_flag("structured")?;
        let mut script = script_options(&mut options, &["actor", "dialect", "soup-operands"])?;
        if structured {
            script.options.push(("structured".to_owned(), String::new()));
        }
        options.finish()?;
        let scripts = match is_raw {
            true => vec![session.disassemble_raw_script(map, &script)?.1],
            false => session.disassemble_scripts(map, &script)?.1,
        };
        let object = ReportObject::new(&DisassembleResult::new(&scripts))?;
        if texts.is_given() {
            let mut buffers = BuffersObject::default();
            scripts.into_iter().for_each(|script| buffers.push(&script.name, script.text.into_bytes()));
            texts.put_if_given(handle::insert(buffers));
        }
        Ok(object)
    })
}

/// Assembles scripts into a copy of a map, like `antiquary script asm --json`. `texts` are script files and folders of them, and
/// end with `NULL`. `map` may be `NULL`: then the only text becomes the bytes of a single script. `out` is a file or folder.
///
/// If the texts have errors, nothing is written and the report is not ok: it has the list `problems`, each with `file`, `line`,
/// `column` and `message`.
///
/// Options: `dialect`, `def`, and those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_script_assemble(
    texts: *const *const c_char,
    map: *const c_char,
    out: *const c_char,
    options: *const *const c_char,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (texts, map, out) = unsafe { (Texts::new(texts), Text::new(map), Text::new(out)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let operation = unsafe { Operation::quiet(options, report, error) };
    operation.run(|session, mut options| {
        let texts: Vec<PathBuf> = texts.required("texts")?.into_iter().map(PathBuf::from).collect();
        let (map, out) = (map.optional("map")?.map(Path::new), Path::new(out.get("out")?));
        let script = script_options(&mut options, &["dialect"])?;
        options.finish()?;
        let assembled = match (map, texts.as_slice()) {
            (Some(map), _) => session.assemble_scripts(&texts, map, out, &script)?,
            (None, [text]) => session.assemble_raw_script(text, out, &script)?,
            (None, _) => return Err(Failure::argument("map", "is NULL, but there are several texts")),
        };
        let result = AssembleResult::new(&assembled, session.writing).with_problems(&assembled);
        ReportObject::new(&result)
    })
}

/// Runs the scripts of a map as the game does, like `antiquary script run --json`. A script that stops with an error is in the
/// report, which is not ok then.
///
/// Options: `updates` or `seconds` (default: 10), `actor`, `instance`, `host`, `player`, `everywhere`, `world`, `state`,
/// `save`, `set` (`set=FLAG=VALUE`, can be repeated), `limit`, `frames` (a file for an animation of the map), `save-to` (a
/// file for a copy of the saved game with the final state), `def`, and those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_script_run(
    map: *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let map = unsafe { Text::new(map) };
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let operation = unsafe { Operation::new(options, (progress, user), report, error) };
    operation.run(|session, mut options| {
        let map = PathBuf::from(map.get("map")?);
        let request = run_request(map, session, &mut options)?;
        options.finish()?;
        let total = request.updates.max(1) as f32;
        let (ran, written) = ScriptRun::new(session, request)?.finish(session, |updates| {
            session.progress.share(updates as f32 / total);
            !session.progress.is_cancelled()
        })?;
        match written.animation {
            Some(outcome) if !outcome.ok => Err(refused(&outcome)),
            _ => ReportObject::new(&RunScriptsResult::new(&ran)),
        }
    })
}

/// Takes the number of updates.
fn updates(options: &mut OptionList) -> Result<u32, Failure> {
    let updates = options.take_parsed("updates", "a number")?;
    let seconds = options.take_parsed("seconds", "a number")?;
    match (updates, seconds) {
        (Some(_), Some(_)) => {
            Err(facade::Error::usage("the options updates and seconds exclude each other").into())
        }
        (Some(updates), None) => Ok(updates),
        (None, seconds) => Ok(updates_in(seconds.unwrap_or(10.0))?),
    }
}

/// Takes the parameters of a run, and reads its files.
fn run_request(map: PathBuf, session: &Session<'_>, options: &mut OptionList) -> Result<RunRequest, Failure> {
    let script = script_options(options, &[])?;
    let updates = updates(options)?;
    let flags = options.take_all("set");
    let mut read = |name| options.take_path(name).map(|file| session.read_json(&file)).transpose();
    let (host, player) = (read("host")?, read("player")?);
    let (save, save_to) = (options.take_path("save"), options.take_path("save-to"));
    if save.is_none() && save_to.is_some() {
        return Err(facade::Error::usage("the option save-to needs save").into());
    }
    let limit: u64 = options.take_parsed("limit", "a number")?.unwrap_or(1_000_000);
    let request = SessionRequest {
        actor: options.take("actor"),
        instance: options.take_parsed("instance", "a number")?.unwrap_or_default(),
        host,
        player,
        reach: if options.take_flag("everywhere")? { Reach::Everywhere } else { Reach::AroundPlayer },
        world: options.take_parsed("world", "a number")?,
        limit: limit.max(1),
        flags: flags.iter().map(|flag| parse_flag(flag)).collect::<Result<_, _>>()?,
        state: options.take_path("state").map(|file| session.read_state(&file)).transpose()?,
        save: save.as_deref().map(|save| session.read_save(save)).transpose()?,
    };
    let (animation, save_copy) = (options.take_path("frames"), save.zip(save_to));
    Ok(RunRequest { map, options: script, session: request, updates, animation, save_copy })
}
