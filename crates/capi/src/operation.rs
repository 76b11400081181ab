//! Operations on files and folders on disk, with the options and the JSON of the program.

use std::ffi::{c_char, c_void};
use std::path::{Path, PathBuf};

use facade::diff::MAX_CHANGES;
use facade::operation::{
    BuildResult, CheckResult, ConvertResult, DiffResult, FindResult, RunResult, ScanResult, SetResult, schema,
};
use facade::session::{ArchiveContents, BuiltFile, Edited, Patterns};
use facade::{
    BuildOptions, CATALOG, CheckOptions, ConvertOptions, DescribeOptions, Detail, Extent, Outcome, Overview,
    PackOptions, Query, Run, Session, UnpackOptions, Vertices,
};

use crate::failure::Failure;
use crate::handle::{ErrorHandle, ReportHandle};
use crate::options::OptionList;
use crate::pointer::{Text, Texts};
use crate::progress::ProgressCallback;
use crate::report::ReportObject;
use crate::run::Operation;
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
    // SAFETY: the caller passes `NULL` or valid pointers.
    let list = unsafe { Texts::new(paths) };
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let operation = unsafe { Operation::new(options, (progress, user), report, error) };
    operation.run(|session, mut options| {
        let paths = self::paths(list, "paths")?;
        let detail = if options.take_flag("full")? { Detail::Full } else { Detail::Brief };
        options.finish()?;
        let run =
            session.describe(&session.find_inputs(&paths), &DescribeOptions::default().detail(detail))?;
        ReportObject::new(&RunResult::new(schema::INFO, &run, session.writing))
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
    // SAFETY: the caller passes `NULL` or valid pointers.
    let list = unsafe { Texts::new(paths) };
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let operation = unsafe { Operation::new(options, (progress, user), report, error) };
    operation.run(|session, mut options| {
        let paths = self::paths(list, "paths")?;
        let mut check = CheckOptions::default();
        if options.take_flag("inside")? {
            check = check.inside(ArchiveContents::Check);
        }
        check.codes = options.take_all("code");
        check.options = options.into_format_options();
        let run = session.check(&session.find_inputs(&paths), &check)?;
        ReportObject::new(&CheckResult::new(&run))
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
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (list, out) = unsafe { (Texts::new(paths), Text::new(out)) };
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let operation = unsafe { Operation::new(options, (progress, user), report, error) };
    operation.run(|session, options| {
        let (paths, out) = (self::paths(list, "paths")?, Path::new(out.get("out")?));
        convert(session, &paths, out, options)
    })
}

fn convert(
    session: &Session<'_>,
    paths: &[PathBuf],
    out: &Path,
    mut options: OptionList,
) -> Result<ReportObject, Failure> {
    let overview = if options.take_flag("no-gallery")? { Overview::None } else { Overview::Gallery };
    let vertices = if options.take_flag("quantize")? { Vertices::Integers } else { Vertices::Floats };
    let scale: f64 = options.take_parsed("scale", "a number greater than 0")?.unwrap_or(1.0);
    let extent = if options.take_flag("everything")? { Extent::Everything } else { Extent::Usual };
    let convert = ConvertOptions::default().extent(extent).scale(scale);
    let mut convert = convert.overview(overview).vertices(vertices);
    convert.to = options.take("to");
    convert.compression = options.take_compression()?;
    convert.options = options.into_format_options();
    let run = session.convert_to(&session.find_inputs(paths), out, &convert)?;
    ReportObject::new(&ConvertResult::new(&run, session.catalog, session.writing))
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
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (path, folder) = unsafe { (Text::new(path), Text::new(folder)) };
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let operation = unsafe { Operation::new(options, (progress, user), report, error) };
    operation.run(|session, options| {
        let (path, folder) = (Path::new(path.get("path")?), Path::new(folder.get("folder")?));
        let options = UnpackOptions::default().options(&options.into_format_options());
        let run = session.unpack(path, folder, &options)?;
        ReportObject::new(&RunResult::new(schema::UNPACK, &run, session.writing))
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
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (path, out) = unsafe { (Text::new(path), Text::new(out)) };
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let operation = unsafe { Operation::new(options, (progress, user), report, error) };
    operation.run(|session, mut options| {
        let (path, out) = (Path::new(path.get("path")?), Path::new(out.get("out")?));
        let mut pack = PackOptions::default().compression(options.take_compression()?);
        pack.base = options.take_path("base");
        pack.to = options.take("to");
        pack.options = options.into_format_options();
        let outcome = session.pack(path, out, &pack);
        let run = Run::from(outcome.unwrap_or_else(|error| Outcome::failed(path, &error)));
        ReportObject::new(&RunResult::new(schema::PACK, &run, session.writing))
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
    let operation = unsafe { Operation::new(options, (progress, user), report, error) };
    operation.run(|session, options| {
        let (path, out) = (Path::new(path.get("path")?), Path::new(out.get("out")?));
        let options = BuildOptions::default().options(&options.into_format_options());
        let built = session.build(what.get("what")?, path, out, &options);
        let built = built.unwrap_or_else(|error| BuiltFile::failed(Outcome::failed(path, &error)));
        ReportObject::new(&BuildResult::new(&built, session.writing))
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
    let operation = unsafe { Operation::quiet(options, report, error) };
    operation.run(|session, mut options| {
        let (path, out) = (Path::new(path.get("path")?), Path::new(out.get("out")?));
        let edits = options.take_field_edits(edits)?;
        options.finish()?;
        let edited = session.set(&facade::Input::find(CATALOG, path), &edits, MAX_CHANGES);
        let edited = edited.and_then(|edited| session.write_edited(edited, out));
        let edited = edited.unwrap_or_else(|error| Edited::failed(Outcome::failed(path, &error)));
        ReportObject::new(&SetResult::new(&[edited], 0, session.writing))
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
    let (first, second) = unsafe { (Text::new(first), Text::new(second)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let operation = unsafe { Operation::quiet(options, report, error) };
    operation.run(|session, mut options| {
        let (first, second) = (Path::new(first.get("first")?), Path::new(second.get("second")?));
        let diff = options.take_diff_options()?;
        options.finish()?;
        ReportObject::new(&DiffResult::new(&session.diff(first, second, &diff)?))
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
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (path, what) = unsafe { (Text::new(path), Text::new(what)) };
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let operation = unsafe { Operation::new(options, (progress, user), report, error) };
    operation.run(|session, options| {
        let (path, what) = (PathBuf::from(path.get("path")?), what.get("what")?);
        options.finish()?;
        let query = Query::parse(what)?;
        let run = session.find(&session.find_inputs(&[path]), &query)?;
        ReportObject::new(&FindResult::new(&run))
    })
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
    // SAFETY: the caller passes `NULL` or valid pointers.
    let folder = unsafe { Text::new(folder) };
    // SAFETY: the caller passes `NULL` or valid pointers, and a callback that takes `user`.
    let operation = unsafe { Operation::new(options, (progress, user), report, error) };
    operation.run(|session, options| {
        let folder = Path::new(folder.get("folder")?);
        options.finish()?;
        ReportObject::new(&ScanResult::new(&session.scan(folder)?))
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
    let (archives, patterns) = unsafe { (Texts::new(archives), Texts::new(patterns)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let operation = unsafe { Operation::quiet(options, report, error) };
    operation.run(|session, mut options| {
        let archives = paths(archives, "archives")?;
        let patterns: Vec<String> = patterns.get("patterns")?.into_iter().map(str::to_owned).collect();
        let mut patterns = Patterns::parse(&patterns)?;
        if let Some(text) = options.take("grep") {
            patterns = patterns.with_text(&text)?;
        }
        options.finish()?;
        let run = session.list(&archives, &patterns);
        ReportObject::new(&RunResult::new(schema::LIST, &run, session.writing))
    })
}
