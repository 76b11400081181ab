//! Progress events of a run.

use std::fmt;

use crate::run::Outcome;

/// Receives progress events.
pub trait Progress: Sync {
    /// Called with the number of files that will be processed.
    fn start(&self, files: usize) {
        let _ = files;
    }

    /// Called when a file is done, with the number of bytes written for it; called from any thread, in any order.
    fn done(&self, written: u64) {
        let _ = written;
    }

    /// Called with the outcome of a file; one at a time, in input order. Called again at the end for a file whose outputs
    /// could not replace existing files.
    fn outcome(&self, outcome: &Outcome) {
        let _ = outcome;
    }

    /// Called with the completed share of the work on one file, from 0 to 1, if that work takes long.
    fn share(&self, share: f32) {
        let _ = share;
    }

    /// Whether the run is canceled. In that case, no further files are started, and the run ends with those already
    /// processed.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Ignores all events.
impl Progress for () {}

impl fmt::Debug for dyn Progress + '_ {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Progress")
    }
}
