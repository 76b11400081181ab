//! The results of functions.

use facade::Kind;

/// Result of a function. Everything except `ANTIQUARY_STATUS_OK` is a failure.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// The bytes violate their format.
    Malformed = 1,
    /// The bytes may be valid, but are not supported: a newer version, another dialect, or a request that files of this
    /// format cannot fulfill.
    Unsupported = 2,
    /// The bytes exceed a documented limit.
    Limit = 3,
    /// The operating system failed to read or write.
    Io = 4,
    /// The request is impossible: an unknown option, a file that does not exist, an output that exists.
    Usage = 5,
    /// A bug in the library. Please report it.
    Internal = 6,
    /// A handle was freed, was never created, or has another type.
    InvalidHandle = 7,
    /// An argument is `NULL` although that is not allowed, is not UTF-8, or is out of range.
    InvalidArgument = 8,
    /// The progress callback canceled the work.
    Canceled = 9,
}

impl Status {
    /// Returns the name of the failure, which is also used in JSON.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Malformed => "malformed",
            Self::Unsupported => "unsupported",
            Self::Limit => "limit",
            Self::Io => "io",
            Self::Usage => "usage",
            Self::Internal => "internal",
            Self::InvalidHandle => "invalid-handle",
            Self::InvalidArgument => "invalid-argument",
            Self::Canceled => "canceled",
        }
    }
}

impl From<Kind> for Status {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Malformed => Self::Malformed,
            Kind::Unsupported => Self::Unsupported,
            Kind::Limit => Self::Limit,
            Kind::Io => Self::Io,
            Kind::Usage => Self::Usage,
            _ => Self::Internal,
        }
    }
}
