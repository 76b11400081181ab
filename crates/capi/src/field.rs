//! Descriptions, checks, fields and comparisons of opened files.

use std::ffi::c_char;

use facade::diff::MAX_CHANGES;
use facade::field::FieldPath;
use facade::json::Content;
use facade::operation::{CheckResult, DiffResult, RunResult, SetResult, schema};
use facade::{CheckOptions, DescribeOptions, Detail};

use crate::buffers::BuffersObject;
use crate::call::create;
use crate::handle::{self, BuffersHandle, ErrorHandle, FileHandle, ReportHandle};
use crate::options::OptionList;
use crate::pointer::{Out, Texts};
use crate::report::ReportObject;
use crate::status::Status;

/// Describes a file, like `antiquary info --json`. The option `full` adds every field.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_describe(
    file: FileHandle,
    options: *const *const c_char,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (options, report, error) = unsafe { (Texts::new(options), Out::new(report), Out::new(error)) };
    create((report, "report"), error, || {
        let object = handle::get(file)?;
        let mut options = OptionList::parse(options)?;
        let session = object.session(&mut options)?;
        let detail = if options.take_flag("full")? { Detail::Full } else { Detail::Brief };
        options.finish()?;
        let options = DescribeOptions::default().detail(detail);
        let run = session.describe(&object.input.clone().into(), &options)?;
        ReportObject::new(&RunResult::new(schema::INFO, &run, session.writing))
    })
}

/// Checks a file, like `antiquary check --json`. `options` are those of `antiquary_check`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_check(
    file: FileHandle,
    options: *const *const c_char,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (options, report, error) = unsafe { (Texts::new(options), Out::new(report), Out::new(error)) };
    create((report, "report"), error, || {
        let object = handle::get(file)?;
        let mut options = OptionList::parse(options)?;
        let session = object.session(&mut options)?;
        let mut check = CheckOptions::default();
        check.codes = options.take_all("code");
        check.options = options.into_format_options();
        ReportObject::new(&CheckResult::new(&session.check(&object.input.clone().into(), &check)?))
    })
}

/// Gets the values of fields: one buffer for each field that matches a path, whose name is the path of the field and whose
/// content is its value as JSON. A path is `surfaces[3].texture.name`, or `entities[*].position` for all items. `paths` end
/// with `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_fields(
    file: FileHandle,
    paths: *const *const c_char,
    values: *mut BuffersHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (paths, values, error) = unsafe { (Texts::new(paths), Out::new(values), Out::new(error)) };
    create((values, "values"), error, || {
        let object = handle::get(file)?;
        let paths = paths.required("paths")?;
        let paths: Vec<_> = paths.into_iter().map(FieldPath::parse).collect::<Result<_, _>>()?;
        let outcome = object.session(&mut OptionList::default())?.fields(&object.input, &paths)?;
        if let Some(error) = outcome.error {
            return Err(error.into());
        }
        let mut out = BuffersObject::default();
        let fields = outcome.description.as_ref().map(|description| description.fields.root().content());
        if let Some(Content::Object(fields)) = fields {
            for (path, value) in fields.iter() {
                out.push(path, facade::json::to_compact(&value)?);
            }
        }
        Ok(out)
    })
}

/// Sets fields of a file in memory: `PATH=VALUE`, as for `antiquary set`. The file itself does not change. `edits` end with
/// `NULL`. `bytes` receives one buffer, the bytes of the edited file; everything that was not edited stays byte for byte.
///
/// Options: `copy=PATH` and `remove=PATH` (can be repeated) copy and remove items of lists; `strict` and `allow-damaged` set
/// what fails. `report` receives the report of `antiquary set --json`, also if the edit was refused; it may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_set(
    file: FileHandle,
    edits: *const *const c_char,
    options: *const *const c_char,
    bytes: *mut BuffersHandle,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (edits, options, bytes) = unsafe { (Texts::new(edits), Texts::new(options), Out::new(bytes)) };
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
    report.put_if_given(ReportHandle { id: 0 });
    create((bytes, "bytes"), error, || {
        let object = handle::get(file)?;
        let mut options = OptionList::parse(options)?;
        let session = object.session(&mut options)?;
        let edits = options.take_field_edits(edits)?;
        options.finish()?;
        let edited = session.set(&object.input, &edits, MAX_CHANGES)?;
        if report.is_given() {
            let result = SetResult::new(std::slice::from_ref(&edited), 0, session.writing);
            report.put_if_given(handle::insert(ReportObject::new(&result)?));
        }
        match (edited.outcome.ok, edited.outcome.error) {
            (true, _) => Ok(BuffersObject::one(object.opened.name(), edited.bytes)),
            (false, Some(error)) => Err(error.into()),
            (false, None) => {
                let first = edited.outcome.warnings.iter().next_back();
                let why = first.map(|warning| format!(": {}", warning.message)).unwrap_or_default();
                Err(facade::Error::usage(format!("the edit would damage the file{why}")).into())
            }
        }
    })
}

/// Compares two files field by field, like `antiquary diff --json`. Options: `limit=N`, `tolerance=N`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_file_diff(
    first: FileHandle,
    second: FileHandle,
    options: *const *const c_char,
    report: *mut ReportHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (options, report, error) = unsafe { (Texts::new(options), Out::new(report), Out::new(error)) };
    create((report, "report"), error, || {
        let (first, second) = (handle::get(first)?, handle::get(second)?);
        let mut options = OptionList::parse(options)?;
        let session = first.session(&mut options)?;
        let diff = options.take_diff_options()?;
        options.finish()?;
        ReportObject::new(&DiffResult::new(&session.diff_inputs(&first.input, &second.input, &diff)))
    })
}
