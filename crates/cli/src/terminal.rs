//! Where text goes: data to standard output, everything else to standard error.

use std::io::{self, BufWriter, IsTerminal, Write};

use anstream::AutoStream;

/// How much is told besides the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Loudness {
    /// Only what failed.
    Quiet,
    /// What failed, warnings, a summary.
    Normal,
    /// All that, notes, and every file that was written.
    Verbose,
}

/// Standard output. Colours are left out unless it is a terminal (or `CLICOLOR_FORCE` says so).
pub(crate) type Output = BufWriter<AutoStream<io::Stdout>>;

/// Opens standard output. What is written must be flushed in the end, so that errors are seen.
pub(crate) fn output() -> Output {
    BufWriter::with_capacity(1 << 16, anstream::stdout())
}

/// Standard output for bytes as they are.
pub(crate) fn raw_output() -> BufWriter<io::Stdout> {
    BufWriter::with_capacity(1 << 16, io::stdout())
}

/// Whether somebody looks at standard output.
pub(crate) fn output_is_seen() -> bool {
    io::stdout().is_terminal()
}

/// Whether somebody looks at standard error.
pub(crate) fn messages_are_seen() -> bool {
    io::stderr().is_terminal()
}

/// Writes to standard error. When that fails, there is nobody to tell.
pub(crate) fn message(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let mut buffer = Vec::new();
    if write(&mut buffer).is_ok() {
        let _ = anstream::stderr().lock().write_all(&buffer);
    }
}
