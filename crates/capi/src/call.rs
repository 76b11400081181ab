//! The entry of each function: no panic crosses it, and each failure becomes a status and an error value.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::failure::Failure;
use crate::handle::{self, ErrorHandle, Handle, Key as _};
use crate::pointer::Out;
use crate::status::Status;

/// Runs the body of a function. `error` receives the error value, or 0 on success.
pub(crate) fn call(error: Out<'_, ErrorHandle>, body: impl FnOnce() -> Result<(), Failure>) -> Status {
    // A panic leaves no object in a state that other functions could observe: objects do not change, and the locks of the
    // library recover from poisoning.
    let result = catch_unwind(AssertUnwindSafe(body));
    let result = result.unwrap_or_else(|payload| Err(Failure::panic(&*payload)));
    match result {
        Ok(()) => {
            error.put_if_given(ErrorHandle::NONE);
            Status::Ok
        }
        Err(failure) => {
            let status = failure.status;
            if error.is_given() {
                error.put_if_given(handle::insert(failure));
            }
            status
        }
    }
}

/// Runs the body of a function that creates an object. On failure, `out` receives 0.
pub(crate) fn create<H: Handle>(
    (out, name): (Out<'_, H>, &'static str),
    error: Out<'_, ErrorHandle>,
    body: impl FnOnce() -> Result<H::Object, Failure>,
) -> Status {
    out.put_if_given(H::NONE);
    call(error, || {
        out.required(name)?;
        out.put(name, handle::insert(body()?))
    })
}

/// Frees an object.
pub(crate) fn free<H: Handle>(handle: H) -> Status {
    call(Out::none(), || handle::remove(handle))
}
