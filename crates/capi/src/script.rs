//! Scripts of maps: disassembling, assembling and running them.

use std::ffi::{c_char, c_void};
use std::path::{Path, PathBuf};

use facade::json::{Map, Value, json};
use facade::script::{Advance, Reach, ScriptSession, SessionRequest, SessionStop};
use facade::{Progress as _, ScriptOptions, Session};

use crate::buffers::BuffersObject;
use crate::call::create;
use crate::failure::Failure;
use crate::handle::{self, BuffersHandle, ErrorHandle, ReportHandle};
use crate::options::OptionList;
use crate::pointer::{Out, Text, Texts};
use crate::progress::{Callback, ProgressCallback};
use crate::report::{ReportObject, members, to_value};
use crate::run::run;
use crate::status::Status;

/// Nominal number of updates per second.
const UPDATES_PER_SECOND: f64 = 12.14;

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
    let (map, options, texts) = unsafe { (Text::new(map), Texts::new(options), Out::new(texts)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
    texts.put_if_given(BuffersHandle { id: 0 });
    create((report, "report"), error, || {
        let map = Path::new(map.get("map")?);
        let mut options = OptionList::parse(options)?;
        let session = options.session(&())?;
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
        let facts: Vec<_> = scripts.iter().map(|script| &script.facts).collect();
        let object =
            ReportObject::of_results("antiquary/script-disasm/1", &facts, &Map::new(), (true, 1, 0))?;
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
    let (options, report, error) = unsafe { (Texts::new(options), Out::new(report), Out::new(error)) };
    create((report, "report"), error, || {
        let texts: Vec<PathBuf> = texts.required("texts")?.into_iter().map(PathBuf::from).collect();
        let (map, out) = (map.optional("map")?.map(Path::new), Path::new(out.get("out")?));
        let mut options = OptionList::parse(options)?;
        let dry_run = options.is_set("dry-run");
        let session = options.session(&())?;
        let script = script_options(&mut options, &["dialect"])?;
        options.finish()?;
        let assembled = match (map, texts.as_slice()) {
            (Some(map), _) => session.assemble_scripts(&texts, map, out, &script)?,
            (None, [text]) => session.assemble_raw_script(text, out, &script)?,
            (None, _) => return Err(Failure::argument("map", "is NULL, but there are several texts")),
        };
        let problem = |(file, it): &(PathBuf, facade::soup::text::Problem)| json!({ "file": file.display().to_string(), "line": it.line, "column": it.column, "message": it.message });
        let mut rest = members([("dry_run", Value::from(dry_run)), ("before", to_value(&assembled.before)?)]);
        if !assembled.problems.is_empty() {
            rest.insert("problems".to_owned(), assembled.problems.iter().map(problem).collect());
        }
        ReportObject::of_outcome("antiquary/script-asm/1", &assembled.outcome, [], rest)
    })
}

/// Runs the scripts of a map as the game does, like `antiquary script run --json`. A script that stops with an error is in the
/// report, which is not ok then.
///
/// Options: `updates` or `seconds` (default: 10), `actor`, `instance`, `host`, `player`, `everywhere`, `world`, `state`,
/// `save`, `set` (`set=FLAG=VALUE`, can be repeated), `limit`, `def`, and those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_script_run(
    map: *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let (map, options, progress) =
        unsafe { (Text::new(map), Texts::new(options), Callback::new(progress, user)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
    run((report, error), &progress, || {
        let map = Path::new(map.get("map")?);
        let mut options = OptionList::parse(options)?;
        let session = options.session(&progress)?;
        let script = script_options(&mut options, &[])?;
        let updates = updates(&mut options)?;
        let request = request(&session, &mut options)?;
        options.finish()?;
        let scripts = session.run_scripts(map, &script, &request)?.1;
        run_updates(map, scripts, &request, updates, &progress)
    })
}

/// Takes the number of updates.
fn updates(options: &mut OptionList) -> Result<u32, Failure> {
    let updates = options.take_parsed("updates", "a number")?;
    let seconds: Option<f64> = options.take_parsed("seconds", "a number")?;
    match (updates, seconds) {
        (Some(_), Some(_)) => {
            Err(facade::Error::usage("the options updates and seconds exclude each other").into())
        }
        (Some(updates), None) => Ok(updates),
        (None, seconds) => {
            let seconds = seconds.unwrap_or(10.0);
            if !(0.0..=1e6).contains(&seconds) {
                return Err(
                    facade::Error::usage("option seconds: expected a number from 0 to 1000000").into()
                );
            }
            Ok((seconds * UPDATES_PER_SECOND).round() as u32)
        }
    }
}

/// Takes the initial state, and reads its files.
fn request(session: &Session<'_>, options: &mut OptionList) -> Result<SessionRequest, Failure> {
    let mut flags = Vec::new();
    for flag in options.take_all("set") {
        match flag.split_once('=') {
            Some((name, value)) => flags.push((name.trim().to_owned(), value.trim().to_owned())),
            None => {
                let message = format!("option set: expected FLAG=VALUE, not \"{flag}\"");
                return Err(facade::Error::usage(message).into());
            }
        }
    }
    let mut read = |name| options.take_path(name).map(|file| session.read_json(&file)).transpose();
    let (host, player, state) = (read("host")?, read("player")?, read("state")?);
    // The output of a run contains the state; any other JSON is the state itself.
    let state = state.map(|json| {
        let state = json.root().pointer("/results/0/state").map(|state| facade::json::Document::of(&state));
        state.and_then(Result::ok).unwrap_or(json)
    });
    let limit: u64 = options.take_parsed("limit", "a number")?.unwrap_or(1_000_000);
    Ok(SessionRequest {
        actor: options.take("actor"),
        instance: options.take_parsed("instance", "a number")?.unwrap_or_default(),
        host,
        player,
        reach: if options.take_flag("everywhere")? { Reach::Everywhere } else { Reach::AroundPlayer },
        world: options.take_parsed("world", "a number")?,
        limit: limit.max(1),
        flags,
        state,
        save: options.take_path("save").map(|save| session.read_save(&save)).transpose()?,
    })
}

/// Maximum number of calls in a report; the others are counted.
const MAX_CALLS: usize = 1 << 20;

fn run_updates(
    map: &Path,
    mut scripts: ScriptSession,
    request: &SessionRequest,
    updates: u32,
    progress: &Callback,
) -> Result<ReportObject, Failure> {
    let is_single = request.actor.is_some();
    let (mut stops, mut trace, mut left_out) = (Vec::<SessionStop>::new(), Vec::new(), 0_u64);
    // A script that stops does not affect the scripts of other actors.
    while scripts.updates() < updates && (!is_single || stops.is_empty()) && !progress.is_canceled() {
        if let Err(stop) = scripts.advance(Advance::Update) {
            stops.push(*stop);
        }
        let more = scripts.take_calls(&mut |call| match trace.len() < MAX_CALLS {
            true => trace.push(to_value(&call)),
            false => left_out = left_out.saturating_add(1),
        });
        left_out = left_out.saturating_add(more);
        // Events that are not taken would accumulate.
        scripts.take_events();
        progress.share(scripts.updates() as f32 / updates.max(1) as f32);
    }
    let trace: Vec<Value> = trace.into_iter().collect::<Result<_, _>>()?;
    let status = match stops.first().map(|stop| stop.code.as_str()) {
        None => "ok",
        Some("limit") => "limit",
        Some(_) => "fault",
    };
    let actor = scripts.focus().and_then(|focus| scripts.actors().into_iter().nth(focus)).map(|it| it.name);
    let name = map.file_name().unwrap_or_default().to_string_lossy();
    let stop = |it: &SessionStop| {
        json!({
            "code": it.code, "update": it.update, "stage": it.stage, "at": it.at, "actor": it.actor, "message": it.message,
        })
    };
    let result = members([
        ("trace", trace.into()),
        ("trace_left_out", left_out.into()),
        ("map", name.into()),
        ("actor", actor.filter(|_| is_single).into()),
        ("instance", is_single.then_some(request.instance).into()),
        ("status", status.into()),
        ("updates", scripts.updates().into()),
        ("instructions", scripts.instructions().into()),
        ("stop", stops.first().map(stop).into()),
        ("stops", stops.iter().map(stop).collect()),
        ("state", to_value(&scripts.state())?),
    ]);
    let failed = u64::from(!stops.is_empty());
    ReportObject::of_results("antiquary/script-run/1", &[result], &Map::new(), (stops.is_empty(), 1, failed))
}
