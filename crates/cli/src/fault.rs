//! How a run ends: all well, something failed, or it could not be done at all.

use std::io::{self, Write};
use std::process::ExitCode;

use antiquary::{Error, Kind};

use crate::shown::Shown;
use crate::style;

/// What a shell shows for a program that was stopped because nobody reads its output (128 and the number of SIGPIPE).
const NOBODY_READS: u8 = 141;

/// How a run ended that could be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All went well.
    Well,
    /// An input failed, or a check found errors.
    Failed,
}

/// Why a run could not be done.
#[derive(Debug)]
pub(crate) enum Fault {
    /// What was asked for cannot be done; the message is still to be shown.
    Job(Error),
    /// The output cannot be written.
    Output(io::Error),
}

impl Verdict {
    /// Well unless something failed.
    pub(crate) fn unless(failed: bool) -> Self {
        if failed { Self::Failed } else { Self::Well }
    }

    pub(crate) fn exit_code(self) -> ExitCode {
        match self {
            Self::Well => ExitCode::SUCCESS,
            Self::Failed => ExitCode::from(1),
        }
    }
}

impl Fault {
    /// Something was asked for that there is not.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Job(Error::usage(message))
    }

    /// Whether the command line is to blame. Then nothing is written to standard output.
    pub(crate) fn is_usage(&self) -> bool {
        matches!(self, Self::Job(error) if error.kind() == Kind::Usage)
    }

    /// Shows what is wrong on standard error.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.tell())
    }

    /// Ends the program here and now: the output cannot be written, so there is nobody to work for.
    pub(crate) fn end(error: io::Error) -> ! {
        std::process::exit(i32::from(Self::Output(error).tell()))
    }

    fn tell(&self) -> u8 {
        match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => NOBODY_READS,
            Self::Output(error) => {
                tell(&format!("standard output cannot be written: {error}"));
                1
            }
            Self::Job(error) => {
                tell(&error.to_string());
                if self.is_usage() { 2 } else { 1 }
            }
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Job(error)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Shows an error on standard error. When that cannot be written either, there is nobody to tell.
fn tell(message: &str) {
    let (error, plain) = (style::ERROR, style::ERROR.render_reset());
    let _ = writeln!(anstream::stderr().lock(), "{error}error{plain}: {}", Shown(message));
}
