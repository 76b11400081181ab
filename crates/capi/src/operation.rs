//! Operations on files and folders on disk, with the options and the JSON of the program.

use std::ffi::{c_char, c_void};
use std::path::{Path, PathBuf};

use facade::json::{Map, Value, json};
use facade::session::{ArchiveContents, BuiltFile, Edited, Patterns};
use facade::{
    BuildOptions, CATALOG, CheckOptions, ConvertOptions, DescribeOptions, Destination, Detail, ErrorJson,
    Outcome, Overview, PackOptions, Query, Report, Run, UnpackOptions, Vertices,
};

use crate::call::create;
use crate::failure::Failure;
use crate::handle::{ErrorHandle, ReportHandle};
use crate::options::{MAX_CHANGES, OptionList};
use crate::pointer::{Out, Text, Texts};
use crate::progress::{Callback, ProgressCallback};
use crate::report::{ReportObject, containers, members, number, to_value};
use crate::run::run;
use crate::status::Status;

fn paths(texts: Texts<'_>, name: &str) -> Result<Vec<PathBuf>, Failure> {
    Ok(texts.required(name)?.into_iter().map(PathBuf::from).collect())
}

/// Describes files, like `antiquary info --json`. `paths` are files and folders, and end with `NULL`.
///
/// Options: `full`, and those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_describe(
    paths: *const *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let (list, options, progress) =
        unsafe { (Texts::new(paths), Texts::new(options), Callback::new(progress, user)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
    run((report, error), &progress, || {
        let paths = self::paths(list, "paths")?;
        let mut options = OptionList::parse(options)?;
        let session = options.session(&progress)?;
        let detail = if options.take_flag("full")? { Detail::Full } else { Detail::Brief };
        options.finish()?;
        let run =
            session.describe(&session.find_inputs(&paths), &DescribeOptions::default().detail(detail))?;
        ReportObject::of_run("antiquary/info/1", &run, Map::new())
    })
}

/// Checks files for damage and missing references, like `antiquary check --json`. `paths` are files and folders, and end
/// with `NULL`.
///
/// Options: `inside`, `code` (can be repeated), those of formats, and those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_check(
    paths: *const *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let (list, options, progress) =
        unsafe { (Texts::new(paths), Texts::new(options), Callback::new(progress, user)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
    run((report, error), &progress, || {
        let paths = self::paths(list, "paths")?;
        let mut options = OptionList::parse(options)?;
        let session = options.session(&progress)?;
        let mut check = CheckOptions::default();
        if options.take_flag("inside")? {
            check = check.inside(ArchiveContents::Check);
        }
        check.codes = options.take_all("code");
        if let Some(unknown) = check.codes.iter().find(|code| !CATALOG.has_code(code)) {
            return Err(facade::Error::usage(format!("unknown code \"{unknown}\"")).into());
        }
        check.options = options.into_format_options();
        ReportObject::of_check(&session.check(&session.find_inputs(&paths), &check)?)
    })
}

/// Converts files, folders and archives, like `antiquary convert --json`. `paths` end with `NULL`. `out` is a file or folder.
///
/// Options: `to`, `everything`, `scale`, `quantize`, `compress`, `no-gallery`, those of formats, and those of all
/// operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_convert(
    paths: *const *const c_char,
    out: *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let (list, out, options, progress) =
        unsafe { (Texts::new(paths), Text::new(out), Texts::new(options), Callback::new(progress, user)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
    run((report, error), &progress, || {
        let (paths, out) = (self::paths(list, "paths")?, Path::new(out.get("out")?));
        convert(&paths, out, OptionList::parse(options)?, &progress)
    })
}

fn convert(
    paths: &[PathBuf],
    out: &Path,
    mut options: OptionList,
    progress: &Callback,
) -> Result<ReportObject, Failure> {
    let dry_run = options.is_set("dry-run");
    let session = options.session(progress)?;
    let overview = if options.take_flag("no-gallery")? { Overview::None } else { Overview::Gallery };
    let vertices = if options.take_flag("quantize")? { Vertices::Integers } else { Vertices::Floats };
    let scale: f64 = options.take_parsed("scale", "a number greater than 0")?.unwrap_or(1.0);
    let everything = options.take_flag("everything")?;
    let mut convert = ConvertOptions::default().scale(scale).overview(overview).vertices(vertices);
    convert.to = options.take("to");
    convert.compression = options.take_compression()?;
    convert.options = options.into_format_options();
    if everything && (convert.to.is_some() || dry_run) {
        return Err(facade::Error::usage("the option everything excludes to and dry-run").into());
    }
    let run = match everything {
        true => session.convert_everything(paths, out, &convert)?,
        false => {
            let inputs = session.find_inputs(paths);
            session.convert(&inputs, &Destination::new(out, &inputs, CATALOG)?, &convert)?
        }
    };
    let left_out = run.left_out.iter().map(|(format, count)| ((*format).to_owned(), Value::from(*count)));
    let mut more = members([
        ("formats", to_value(&run.by_format(CATALOG))?),
        ("unknown", to_value(&run.unknown)?),
        ("known", to_value(&run.known)?),
        ("left_out", left_out.collect()),
        ("containers", containers(&run)?),
        ("hints", to_value(&run.hints)?),
        ("leftovers", to_value(&run.leftovers)?),
        ("shared", to_value(&run.shared)?),
        ("gallery", to_value(&run.gallery)?),
    ]);
    more.extend(dry_run_member(dry_run));
    ReportObject::of_run("antiquary/convert/1", &run, more)
}

/// Unpacks a file into a folder for editing, like `antiquary unpack --json`.
///
/// Options: those of the format, and those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_unpack(
    path: *const c_char,
    folder: *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let (path, folder, options, progress) =
        unsafe { (Text::new(path), Text::new(folder), Texts::new(options), Callback::new(progress, user)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
    run((report, error), &progress, || {
        let (path, folder) = (Path::new(path.get("path")?), Path::new(folder.get("folder")?));
        let mut options = OptionList::parse(options)?;
        let dry_run = options.is_set("dry-run");
        let session = options.session(&progress)?;
        let options = UnpackOptions::default().options(&options.into_format_options());
        let run = session.unpack(path, folder, &options)?;
        ReportObject::of_run("antiquary/unpack/1", &run, dry_run_member(dry_run))
    })
}

/// Packs an unpacked folder, a plain folder or a scene into a file, like `antiquary pack --json`.
///
/// Options: `base`, `to`, `compress`, those of the format, and those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_pack(
    path: *const c_char,
    out: *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let (path, out, options, progress) =
        unsafe { (Text::new(path), Text::new(out), Texts::new(options), Callback::new(progress, user)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
    run((report, error), &progress, || {
        let (path, out) = (Path::new(path.get("path")?), Path::new(out.get("out")?));
        let mut options = OptionList::parse(options)?;
        let dry_run = options.is_set("dry-run");
        let session = options.session(&progress)?;
        let mut pack = PackOptions::default().compression(options.take_compression()?);
        pack.base = options.take_path("base");
        pack.to = options.take("to");
        pack.options = options.into_format_options();
        let outcome = session.pack(path, out, &pack);
        let outcome = outcome.unwrap_or_else(|error| Outcome::failed(path, &error));
        ReportObject::of_run("antiquary/pack/1", &Run::from(outcome), dry_run_member(dry_run))
    })
}

/// Generates a derived file, like `antiquary build --json`: `what` is `pvo` or `lightmaps`.
///
/// Options: those of the builder, and those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_build(
    what: *const c_char,
    path: *const c_char,
    out: *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (what, path, out) = unsafe { (Text::new(what), Text::new(path), Text::new(out)) };
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let (options, progress) = unsafe { (Texts::new(options), Callback::new(progress, user)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
    run((report, error), &progress, || {
        let (path, out) = (Path::new(path.get("path")?), Path::new(out.get("out")?));
        let mut options = OptionList::parse(options)?;
        let dry_run = options.is_set("dry-run");
        let session = options.session(&progress)?;
        let options = BuildOptions::default().options(&options.into_format_options());
        let built = session.build(what.get("what")?, path, out, &options);
        let built = built.unwrap_or_else(|error| BuiltFile::failed(Outcome::failed(path, &error)));
        let more = [("figures", built.figures.clone()), ("hint", to_value(&built.hint)?)];
        let rest = members([("dry_run", Value::from(dry_run))]);
        ReportObject::of_outcome("antiquary/build/1", &built.outcome, more, rest)
    })
}

/// Sets fields of a file, like `antiquary set --json`. `edits` are `PATH=VALUE`, and end with `NULL`. `out` is a file or
/// folder.
///
/// Options: `copy`, `remove` (both can be repeated), and those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_set(
    path: *const c_char,
    edits: *const *const c_char,
    out: *const c_char,
    options: *const *const c_char,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (path, edits, out) = unsafe { (Text::new(path), Texts::new(edits), Text::new(out)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (options, report, error) = unsafe { (Texts::new(options), Out::new(report), Out::new(error)) };
    create((report, "report"), error, || {
        let (path, out) = (Path::new(path.get("path")?), Path::new(out.get("out")?));
        let mut options = OptionList::parse(options)?;
        let dry_run = options.is_set("dry-run");
        let session = options.session(&())?;
        let edits = options.take_field_edits(edits)?;
        options.finish()?;
        let edited = session.set(&facade::Input::find(CATALOG, path), &edits, MAX_CHANGES);
        let edited = edited.and_then(|edited| session.write_edited(edited, out));
        let edited = edited.unwrap_or_else(|error| Edited::failed(Outcome::failed(path, &error)));
        ReportObject::of_edits(&[edited], 0, dry_run)
    })
}

/// Compares two files, folders or archives, like `antiquary diff --json`.
///
/// Options: `limit`, `tolerance`, and those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_diff(
    first: *const c_char,
    second: *const c_char,
    options: *const *const c_char,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (first, second, options) = unsafe { (Text::new(first), Text::new(second), Texts::new(options)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
    create((report, "report"), error, || {
        let (first, second) = (Path::new(first.get("first")?), Path::new(second.get("second")?));
        let mut options = OptionList::parse(options)?;
        let session = options.session(&())?;
        let diff = options.take_diff_options()?;
        options.finish()?;
        ReportObject::of_comparison(&session.diff(first, second, &diff)?)
    })
}

/// Finds the uses of a name or text, like `antiquary find --json`. `path` is a game, a folder, an archive or a file; `what` is
/// a text, or `KIND:NAME`.
///
/// Options: those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_find(
    path: *const c_char,
    what: *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let (path, what, options, progress) =
        unsafe { (Text::new(path), Text::new(what), Texts::new(options), Callback::new(progress, user)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
    run((report, error), &progress, || {
        let (path, what) = (PathBuf::from(path.get("path")?), what.get("what")?);
        let mut options = OptionList::parse(options)?;
        let session = options.session(&progress)?;
        options.finish()?;
        let query = Query::parse(what)?;
        find_report(&session.find(&session.find_inputs(&[path]), &query)?)
    })
}

fn find_report(run: &Run) -> Result<ReportObject, Failure> {
    let (mut files, mut places, mut left_out) = (0_u64, 0_u64, 0_u64);
    let mut results = Vec::new();
    for outcome in &run.outcomes {
        let Some(found) = &outcome.names else { continue };
        files = files.saturating_add(1);
        places = places.saturating_add(number(found.names.len())).saturating_add(found.more);
        left_out = left_out.saturating_add(found.more);
        for name in &found.names {
            let mut result = json!({ "input": outcome.input, "format": outcome.format });
            if let (Some(result), Value::Object(name)) = (result.as_object_mut(), to_value(name)?) {
                result.extend(name);
            }
            results.push(result);
        }
    }
    let errors = run.outcomes.iter().filter_map(|outcome| Some((outcome, outcome.error.as_ref()?)));
    let failed: Vec<_> = errors
        .map(|(outcome, error)| json!({ "input": outcome.input, "error": ErrorJson::from(error) }))
        .collect();
    let mut warnings = Report::new();
    run.outcomes.iter().for_each(|outcome| warnings.append(outcome.warnings.clone()));
    let is_ok = places > 0 && run.failed() == 0;
    let rest = members([
        ("ok", is_ok.into()),
        ("places", places.into()),
        ("left_out", left_out.into()),
        ("files", files.into()),
        ("failed", failed.into()),
        ("warnings", to_value(&warnings)?),
    ]);
    let numbers = (is_ok, number(run.files()), number(run.failed()));
    ReportObject::of_results("antiquary/find/1", &results, &rest, numbers)
}

/// Summarizes a folder, like `antiquary scan --json`.
///
/// Options: those of all operations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scan(
    folder: *const c_char,
    options: *const *const c_char,
    progress: ProgressCallback,
    user: *mut c_void,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let (folder, options, progress) =
        unsafe { (Text::new(folder), Texts::new(options), Callback::new(progress, user)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
    run((report, error), &progress, || {
        let folder = Path::new(folder.get("folder")?);
        let mut options = OptionList::parse(options)?;
        let session = options.session(&progress)?;
        options.finish()?;
        let scan = session.scan(folder)?;
        let damaged: usize =
            scan.formats.iter().map(|it| it.empty.len().saturating_add(it.malformed.len())).sum();
        let failed = damaged.saturating_add(scan.unreadable.len());
        let is_ok = scan.unreadable.is_empty();
        let numbers = (is_ok, scan.files, number(failed));
        ReportObject::of_results("antiquary/scan/1", &[&scan], &members([("ok", is_ok.into())]), numbers)
    })
}

/// Lists the entries of archives, like `antiquary list --json`. `archives` end with `NULL`. `patterns` select entries, and
/// end with `NULL`; `NULL` selects all. The option `grep` selects entries with a text in their name or note.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_list(
    archives: *const *const c_char,
    patterns: *const *const c_char,
    options: *const *const c_char,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (archives, patterns, options) =
        unsafe { (Texts::new(archives), Texts::new(patterns), Texts::new(options)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
    create((report, "report"), error, || {
        let archives = paths(archives, "archives")?;
        let patterns: Vec<String> = patterns.get("patterns")?.into_iter().map(str::to_owned).collect();
        let mut patterns = Patterns::parse(&patterns)?;
        let mut options = OptionList::parse(options)?;
        let session = options.session(&())?;
        if let Some(text) = options.take("grep") {
            patterns = patterns.with_text(&text)?;
        }
        options.finish()?;
        ReportObject::of_run("antiquary/list/1", &session.list(&archives, &patterns), Map::new())
    })
}

/// Returns the member of the JSON object for a dry run.
fn dry_run_member(dry_run: bool) -> Map<String, Value> {
    if dry_run { members([("dry_run", true.into())]) } else { Map::new() }
}
