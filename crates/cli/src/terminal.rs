//! Output streams: data goes to standard output, everything else to standard error.

use std::io::{self, BufWriter, IsTerminal, Write};

use anstream::AutoStream;

/// Amount of messages printed in addition to the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Failures only.
    Quiet,
    /// Failures, warnings and a summary.
    Normal,
    /// Also notes and every file written.
    Verbose,
}

/// Standard output, colored if it is a terminal or `CLICOLOR_FORCE` is set.
pub(crate) type Output = BufWriter<AutoStream<io::Stdout>>;

/// Opens standard output. Callers must flush it, so that errors are not lost.
pub(crate) fn output() -> Output {
    BufWriter::with_capacity(1 << 16, anstream::stdout())
}

/// Standard output for raw bytes.
pub(crate) fn raw_output() -> BufWriter<io::Stdout> {
    BufWriter::with_capacity(1 << 16, io::stdout())
}

/// Whether standard output is a terminal.
pub(crate) fn output_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard error is a terminal.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Writes to standard error, ignoring failures.
pub(crate) fn message(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let mut buffer = Vec::new();
    if write(&mut buffer).is_ok() {
        let _ = anstream::stderr().lock().write_all(&buffer);
    }
}
