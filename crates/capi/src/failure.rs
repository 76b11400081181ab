//! The failure of a function, which becomes a status and an error value.

use std::any::Any;
use std::ffi::CString;
use std::fmt;

use facade::{Error, Outcome};

use crate::status::Status;
use crate::string::c_string;

/// The failure of a function: the object of an error handle.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The result of the function.
    pub(crate) status: Status,
    pub(crate) code: CString,
    pub(crate) text: CString,
    pub(crate) message: CString,
    pub(crate) path: CString,
    pub(crate) file: Option<CString>,
    pub(crate) offset: Option<u64>,
}

impl Failure {
    /// Creates a failure that concerns no file.
    pub(crate) fn new(status: Status, message: impl fmt::Display) -> Self {
        let message = c_string(&message.to_string());
        Self {
            status,
            code: c_string(status.code()),
            text: message.clone(),
            message,
            path: CString::default(),
            file: None,
            offset: None,
        }
    }

    /// Creates the failure for an invalid argument.
    pub(crate) fn argument(name: &str, problem: impl fmt::Display) -> Self {
        Self::new(Status::InvalidArgument, format!("{name} {problem}"))
    }

    /// Creates the failure for an index that is out of range.
    pub(crate) fn index(what: &str, index: usize, count: usize) -> Self {
        Self::new(Status::InvalidArgument, format!("there is no {what} {index} (count: {count})"))
    }

    /// Creates the failure for a panic.
    pub(crate) fn panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("unknown cause");
        Self::new(Status::Internal, format!("internal error: {text}"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = Status::from(error.kind());
        Self {
            status,
            code: c_string(status.code()),
            text: c_string(&error.to_string()),
            message: c_string(error.message()),
            path: c_string(&error.path()),
            file: error.file().map(|file| c_string(&file.to_string_lossy())),
            offset: error.offset(),
        }
    }
}

/// Returns the failure for an outcome that is refused because of its warnings.
pub(crate) fn refused(outcome: &Outcome) -> Failure {
    let last = outcome.warnings.iter().next_back();
    let why = last.map(|warning| format!(": {}", warning.message)).unwrap_or_default();
    Error::usage(format!("refused because of its warnings{why}")).in_file(&outcome.input).into()
}

/// Returns an item of a list; `what` names it in the failure for an index that is out of range.
pub(crate) fn item<'a, T>(what: &str, list: &'a [T], index: usize) -> Result<&'a T, Failure> {
    list.get(index).ok_or_else(|| Failure::index(what, index, list.len()))
}
