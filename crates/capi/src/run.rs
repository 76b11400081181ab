//! The entry of each function that runs an operation in a session and returns its report.

use std::ffi::{c_char, c_void};

use facade::Session;

use crate::call::call;
use crate::failure::Failure;
use crate::handle::{self, ErrorHandle, Key as _, ReportHandle};
use crate::options::OptionList;
use crate::pointer::{Out, Texts};
use crate::progress::{Callback, ProgressCallback};
use crate::report::ReportObject;
use crate::status::Status;

/// The arguments that all operations have.
pub(crate) struct Operation<'a> {
    options: Texts<'a>,
    progress: Callback,
    report: Out<'a, ReportHandle>,
    error: Out<'a, ErrorHandle>,
}

impl Operation<'_> {
    /// # Safety
    /// All pointers are null or valid, and the callback may be called with `user` from any thread while the value exists.
    pub(crate) unsafe fn new(
        options: *const *const c_char,
        (progress, user): (ProgressCallback, *mut c_void),
        report: *mut ReportHandle,
        error: *mut ErrorHandle,
    ) -> Self {
        // SAFETY: the caller guarantees it.
        let (options, progress) = unsafe { (Texts::new(options), Callback::new(progress, user)) };
        // SAFETY: the caller guarantees it.
        let (report, error) = unsafe { (Out::new(report), Out::new(error)) };
        Self { options, progress, report, error }
    }

    /// Creates an operation without progress.
    ///
    /// # Safety
    /// All pointers are null or valid.
    pub(crate) unsafe fn quiet(
        options: *const *const c_char,
        report: *mut ReportHandle,
        error: *mut ErrorHandle,
    ) -> Self {
        // SAFETY: the caller guarantees it, and there is no callback.
        unsafe { Self::new(options, (None, std::ptr::null_mut()), report, error) }
    }

    /// Runs the operation in a session with the options of all operations; the body takes the others. If the work was
    /// canceled, the report of what was done is an output nevertheless.
    pub(crate) fn run(
        self,
        body: impl FnOnce(&Session<'_>, OptionList) -> Result<ReportObject, Failure>,
    ) -> Status {
        let Self { options, progress, report, error } = self;
        report.put_if_given(ReportHandle::NONE);
        call(error, || {
            report.required("report")?;
            let mut options = OptionList::parse(options)?;
            let session = options.session(&progress)?;
            report.put_if_given(handle::insert(body(&session, options)?));
            match progress.is_canceled() {
                true => Err(Failure::new(Status::Canceled, "the progress callback canceled the work")),
                false => Ok(()),
            }
        })
    }
}
