//! The end of a run: success, failure of some inputs, or failure of the entire run.

use std::io::{self, Write};
use std::process::ExitCode;

use antiquary::{Error, Kind};
use script_tools::Shutdown;

use crate::escape::Escaped;
use crate::style;

/// Exit code that shells report after SIGPIPE (128 plus its number).
const BROKEN_PIPE: u8 = 141;

/// The result of a completed run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Everything succeeded.
    Success,
    /// An input failed, or a check found errors.
    Failed,
}

/// The reason that a run could not be completed.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The work failed; its message has not been shown yet.
    Failed(Error),
    /// Writing to standard output failed.
    Output(io::Error),
}

impl Verdict {
    /// [`Self::Failed`] if something failed.
    pub(crate) fn failed_if(failed: bool) -> Self {
        if failed { Self::Failed } else { Self::Success }
    }

    pub(crate) fn exit_code(self) -> ExitCode {
        match self {
            Self::Success => ExitCode::SUCCESS,
            Self::Failed => ExitCode::from(1),
        }
    }
}

impl Fault {
    /// An invalid command line.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Failed(Error::usage(message))
    }

    /// Whether the command line was invalid. In that case, nothing is written to standard output.
    pub(crate) fn is_usage(&self) -> bool {
        matches!(self, Self::Failed(error) if error.kind() == Kind::Usage)
    }

    /// Prints the message to standard error and returns the exit code.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.report())
    }

    /// Exits immediately, because the output cannot be written.
    pub(crate) fn end(error: io::Error) -> ! {
        std::process::exit(i32::from(Self::Output(error).report()))
    }

    /// Converts the end of the communication with an editor.
    pub(crate) fn from_shutdown(shutdown: Shutdown) -> Result<Verdict, Self> {
        match shutdown {
            Shutdown::Clean => Ok(Verdict::Success),
            Shutdown::Aborted(why) => Err(Self::Failed(Error::new(Kind::Io, why))),
        }
    }

    fn report(&self) -> u8 {
        match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => BROKEN_PIPE,
            Self::Output(error) => {
                report(&format!("cannot write to standard output: {error}"));
                1
            }
            Self::Failed(error) => {
                report(&error.to_string());
                if self.is_usage() { 2 } else { 1 }
            }
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Prints an error to standard error, ignoring failures.
fn report(message: &str) {
    let (error, plain) = (style::ERROR, style::ERROR.render_reset());
    let _ = writeln!(anstream::stderr().lock(), "{error}error{plain}: {}", Escaped(message));
}
