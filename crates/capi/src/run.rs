//! The entry of each function that runs an operation with progress: the report is an output even if the work was canceled.

use crate::call::call;
use crate::failure::Failure;
use crate::handle::{self, ErrorHandle, Key as _, ReportHandle};
use crate::pointer::Out;
use crate::progress::Callback;
use crate::report::ReportObject;
use crate::status::Status;

/// Runs an operation. If it was canceled, the report of what was done is an output nevertheless.
pub(crate) fn run(
    (report, error): (Out<'_, ReportHandle>, Out<'_, ErrorHandle>),
    progress: &Callback,
    body: impl FnOnce() -> Result<ReportObject, Failure>,
) -> Status {
    report.put_if_given(ReportHandle::NONE);
    call(error, || {
        report.required("report")?;
        let object = body()?;
        report.put_if_given(handle::insert(object));
        match progress.is_canceled() {
            true => Err(Failure::new(Status::Canceled, "the progress callback canceled the work")),
            false => Ok(()),
        }
    })
}
